//! A change of a source, the keys for which it makes copies stale, and the jobs for these keys.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use super::{on_delete::DeletedDocuments, written_copy::WrittenCopies};
use crate::{
    derived::{
        outbox::{JobEntry, Phase},
        values::{Image, Images, Resolved, Values, keys_of},
    },
    graph::{DeclaredBy, Derivation, ExtendedReference, Rule, Sources, Targets, graph},
    model::shape::DocumentSet,
    value::{key::JoinKey, path::each_value},
};

/// A change of one source document.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) references: Vec<ReferenceChange>,
    /// The delete rules that apply because the source was deleted, with the keys that the source had.
    pub(crate) rules: Vec<(&'static Rule, Vec<JoinKey>)>,
}

/// How a change affects the copies of one extended reference.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceChange {
    pub(crate) reference: &'static ExtendedReference,
    /// The keys for which the copies are stale.
    pub(crate) keys: Vec<JoinKey>,
    /// The new values of the source, if they are known without another read.
    pub(super) values: Option<Values>,
    /// The source before and after the write, if the extended reference has computed fields.
    pub(super) child: Option<ChildChange>,
}

/// A child before and after a write.
#[derive(Clone, Debug)]
pub(super) struct ChildChange {
    pub(super) before: Option<Image>,
    pub(super) after: Option<Image>,
    /// The keys of parents to which the change must not be added, because their summaries were computed after the
    /// write, or because they are deleted.
    computed: Vec<JoinKey>,
}

impl ChildChange {
    /// Lists the keys of the parents to which the change of the child is added.
    pub(super) fn parents(
        &self,
        reference: &ExtendedReference,
        of: Option<&Image>,
    ) -> Vec<JoinKey> {
        let mut keys = keys_of(reference, of);
        keys.retain(|key| !self.computed.contains(key));
        keys
    }
}

impl Change {
    /// Compares a source before and after a write. Returns `None` if no copied field changed and no delete rule
    /// applies.
    pub(crate) fn new(
        documents: DocumentSet<'_>,
        images: &Images,
        before: Option<&Image>,
        after: Option<&Image>,
    ) -> Option<Self> {
        let rules = match after {
            None => acting_rules(documents, before?),
            Some(_) => Vec::new(),
        };
        // A delete rule for an array finds the affected documents by this array and removes the key from it. The mirror
        // must not do the same.
        let is_ruled = |reference: &ExtendedReference| {
            let mut rules = rules.iter();
            rules.any(|(rule, _)| reference.mirrors_by(rule))
        };
        let references = images.changes(before, after).into_iter();
        let references: Vec<_> = references
            .filter(|(reference, _)| !is_ruled(reference))
            .map(|(reference, keys)| ReferenceChange {
                reference,
                keys,
                // If the key is not the `_id`, several sources can have the same key. The source with the lowest `_id`
                // then determines the copies, so the values are not known here.
                values: after
                    .filter(|_| reference.sources() == Sources::OneById)
                    .map(|after| Values::of(reference, after)),
                child: (reference.sources() == Sources::All).then(|| ChildChange {
                    before: before.cloned(),
                    after: after.cloned(),
                    computed: Vec::new(),
                }),
            })
            .collect();
        (!references.is_empty() || !rules.is_empty()).then_some(Self { references, rules })
    }

    /// Excludes parents with summaries that were computed after the write, because an addition would count the document
    /// twice. An example is a document that refers to itself. `corrected` is the result of the correction.
    pub(crate) fn after_correction(mut self, corrected: &[WrittenCopies]) -> Self {
        for change in &mut self.references {
            let Some(child) = &mut change.child else {
                continue;
            };
            let computed = corrected
                .iter()
                .filter(|it| std::ptr::eq(it.reference, change.reference));
            child.computed = computed.flat_map(|it| it.keys.clone()).collect();
        }
        self
    }

    /// Returns a change that concerns the copies of some keys, for sources that are not known.
    pub(super) fn of_keys(reference: &'static ExtendedReference, keys: Vec<JoinKey>) -> Self {
        Self {
            references: vec![ReferenceChange {
                reference,
                keys,
                values: None,
                child: None,
            }],
            rules: Vec::new(),
        }
    }

    /// Removes changes to summaries and lists inside documents that are deleted, too.
    ///
    /// Mirrored arrays are kept, because rule 3 in `follow.rs` requires a job if the document at the other end is
    /// missing.
    pub(super) fn without_parents(mut self, deleted: &DeletedDocuments) -> Self {
        self.references.retain_mut(|it| {
            let reference = it.reference;
            if reference.targets() == Targets::All || reference.derivation == Derivation::Mirror {
                return true;
            }
            let is_deleted = |key: &JoinKey| deleted.contains_id(reference.target.collection, key);
            if let Some(child) = &mut it.child {
                child
                    .computed
                    .extend(it.keys.iter().filter(|key| is_deleted(key)).cloned());
            }
            it.keys.retain(|key| !is_deleted(key));
            !it.keys.is_empty()
        });
        self
    }

    /// Whether the change concerns only mirrored pairs that this program declares. Both ends of such a pair are written
    /// in one transaction.
    pub(super) fn is_of_pairs(&self) -> bool {
        let mut references = self.references.iter();
        let is_pair = |it: &ReferenceChange| {
            it.reference.derivation == Derivation::Mirror
                && it.reference.declared_by == DeclaredBy::ThisProgram
        };
        self.rules.is_empty() && references.all(is_pair)
    }

    /// Returns the expected change of a source before the write, when the new state of the source is not known yet.
    pub(crate) fn announced(images: &Images, before: &Image) -> Self {
        // Changes are announced only for writes that do not delete, but the delete rules of other programs concern only
        // deletes.
        let references = images
            .references
            .iter()
            .filter(|reference| reference.derivation != Derivation::DeleteRule);
        let references = references.map(|reference| ReferenceChange {
            reference,
            keys: keys_of(reference, Some(before)),
            values: None,
            child: None,
        });
        Self {
            references: references.collect(),
            rules: Vec::new(),
        }
    }

    /// Compares many sources before and after a write. The two images of a document have the same `_id`.
    pub(crate) fn between(
        documents: DocumentSet<'_>,
        images: &Images,
        before: Vec<Image>,
        after: &[Image],
    ) -> Vec<Self> {
        let mut by_id: HashMap<JoinKey, &Image> = after
            .iter()
            .filter_map(|image| Some((JoinKey::from(image.get("_id")?.clone()), image)))
            .collect();
        let mut changes = Vec::new();
        for before in before {
            let id = before.get("_id").cloned().map(JoinKey::from);
            let after = id.and_then(|id| by_id.remove(&id));
            changes.extend(Self::new(documents, images, Some(&before), after));
        }
        changes
    }

    /// Lists the jobs for this change, one for each relation and key.
    fn entries(&self, phase: Phase) -> impl Iterator<Item = JobEntry> {
        let references = self.references.iter().flat_map(move |it| {
            // `Settle` means that the copies have been written. This program does not write foreign copies, so their
            // job still has to run.
            let phase = match it.reference.declared_by {
                DeclaredBy::OtherPrograms => Phase::Run,
                DeclaredBy::ThisProgram => phase,
            };
            let of_reference = move |key| JobEntry::of_reference(it.reference, key, phase);
            it.keys.iter().map(of_reference)
        });
        let rules = self.rules.iter().flat_map(move |(rule, keys)| {
            let of_rule = move |key| JobEntry::of_rule(rule, key, phase);
            keys.iter().map(of_rule)
        });
        references.chain(rules)
    }
}

/// Lists the jobs for some changes, each job once. Several changes can concern the same copies, or different fields of
/// them.
pub(crate) fn entries(changes: &[Change], phase: Phase) -> Vec<JobEntry> {
    let mut all: Vec<JobEntry> = Vec::new();
    let mut places = HashMap::new();
    for entry in changes.iter().flat_map(|change| change.entries(phase)) {
        match places.entry(entry.id.clone()) {
            Entry::Vacant(new) => {
                new.insert(all.len());
                all.push(entry);
            }
            // A runner hands on a field that it does not know, but only if the job lists the field.
            Entry::Occupied(at) => {
                if let Some(known) = all.get_mut(*at.get()) {
                    known.add_fields(entry);
                }
            }
        }
    }
    all
}

/// Groups changes by extended reference. Each key occurs only once in a group. A group has values if all its changes
/// have values.
pub(super) fn by_reference(
    changes: &[Change],
) -> Vec<(&'static ExtendedReference, Vec<JoinKey>, Option<Resolved>)> {
    let mut groups: Vec<(&'static ExtendedReference, Vec<JoinKey>, Option<Resolved>)> = Vec::new();
    let references = changes.iter().flat_map(|change| &change.references);
    for it in references.filter(|it| it.reference.declared_by == DeclaredBy::ThisProgram) {
        // The comparison is by address, because a part of an extended reference has the same relation, but other
        // fields.
        let at = groups
            .iter()
            .position(|(reference, ..)| std::ptr::eq(*reference, it.reference))
            .unwrap_or_else(|| {
                groups.push((it.reference, Vec::new(), Some(Resolved::default())));
                groups.len() - 1
            });
        let Some((_, keys, known)) = groups.get_mut(at) else {
            continue;
        };
        keys.extend(it.keys.iter().cloned());
        match (&mut *known, &it.values) {
            (Some(known), Some(values)) => {
                // If two changes concern the same key, the later one replaces the earlier one. `add_to_parents` relies
                // on this order.
                known.extend(it.keys.iter().map(|key| (key.clone(), values.clone())));
            }
            _ => *known = None,
        }
    }
    for (_, keys, _) in &mut groups {
        let mut seen = HashSet::new();
        // A parent with many changed children would otherwise occur many times.
        keys.retain(|key| seen.insert(key.clone()));
    }
    groups
}

/// Lists the delete rules that apply because a document was deleted, with the keys that it had.
pub(crate) fn acting_rules(
    documents: DocumentSet<'_>,
    image: &Image,
) -> Vec<(&'static Rule, Vec<JoinKey>)> {
    let rules = graph().rules(documents).filter(|rule| rule.acts());
    let with_keys = rules.map(|rule| (rule, keys_of_rule(rule, std::slice::from_ref(image))));
    with_keys.filter(|(_, keys)| !keys.is_empty()).collect()
}

/// Lists the keys by which references with a rule may refer to some deleted documents. Each key is listed once.
pub(super) fn keys_of_rule(rule: &Rule, images: &[Image]) -> Vec<JoinKey> {
    let mut keys = Vec::new();
    let mut seen = HashSet::new();
    // Documents of other kinds in the collection may store values at the same path. The rule must not act on references
    // to those values.
    for image in images.iter().filter(|it| rule.target.may_contain(it)) {
        each_value(image, &rule.target_key, &mut |key| {
            let key = JoinKey::from(key.clone());
            // A filter for `null` also matches owners that lack the field. A cascade would delete all these owners.
            if !key.is_null() && seen.insert(key.clone()) {
                keys.push(key);
            }
        });
    }
    keys
}
