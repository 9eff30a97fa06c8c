//! The changes that a write to a source causes, the keys for which copies become stale, and the jobs for these keys.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    mem::take,
    sync::Arc,
};

use super::{deleted_document::DeletedDocuments, written_copy::WrittenCopies};
use crate::{
    derived::{
        outbox::{JobEntry, Phase},
        values::{Image, Images, Resolved, Values, keys_of},
    },
    graph::{
        Content, DeclaredBy, Deltas, ExtendedReference, Sources, StoredReference, Targets, graph,
    },
    model::shape::DocumentSet,
    value::{key::JoinKey, path::each_value},
};

/// One effect of a write to a source document.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Reference(ReferenceChange),
    /// A delete rule that applies because the source was deleted, with the keys that the source had.
    Rule(&'static StoredReference, Vec<JoinKey>),
}

/// How a write to a source affects the copies of one extended reference.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceChange {
    pub(crate) reference: Arc<ExtendedReference>,
    /// The keys for which the copies are stale.
    pub(crate) keys: Vec<JoinKey>,
    /// The new values of the source, if they are known without another read.
    pub(super) values: Option<Values>,
    /// The source before and after the write, if the extended reference has computed fields.
    pub(super) child: Option<Box<ChildChange>>,
}

/// A child before and after a write.
#[derive(Clone, Debug)]
pub(super) struct ChildChange {
    pub(super) before: Option<Image>,
    pub(super) after: Option<Image>,
    /// The keys of parents to which the change must not be added, because the parents' summaries were computed after
    /// the write, or because the parents are deleted.
    computed: Vec<JoinKey>,
}

/// The changed children of one extended reference.
pub(super) type Children = (Arc<ExtendedReference>, Vec<ChildChange>);

impl ChildChange {
    /// Lists the keys of the parents to which the child's change is added.
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

impl ReferenceChange {
    /// Drops the effects on some parents, and returns the keys of these parents.
    fn drop_parents(&mut self, is_dropped: impl Fn(&JoinKey) -> bool) -> Vec<JoinKey> {
        let (dropped, kept) = take(&mut self.keys).into_iter().partition(is_dropped);
        self.keys = kept;
        if let Some(child) = &mut self.child {
            child.computed.extend_from_slice(&dropped);
        }
        dropped
    }
}

impl Change {
    /// Compares a source before and after a write. Lists the extended references with changed fields, and the delete
    /// rules that apply.
    pub(crate) fn of_source(
        documents: DocumentSet<'_>,
        images: &Images,
        before: Option<&Image>,
        after: Option<&Image>,
    ) -> Vec<Self> {
        let rules = match (before, after) {
            (Some(before), None) => acting_rules(documents, before),
            _ => Vec::new(),
        };
        // If a delete rule applies to an array, the library finds the affected documents through this array, and
        // removes the key from it. The update of the mirror must not remove the key a second time. A rule also removes
        // the copies that are stored beside its keys.
        let is_ruled = |reference: &ExtendedReference| {
            let mut rules = rules.iter();
            rules.any(|(rule, _)| reference.mirrors_by(rule) || reference.is_removed_by(rule))
        };
        let references = images.changes(before, after).into_iter();
        let references = references.filter(|(reference, _)| !is_ruled(reference));
        let references = references.map(|(reference, keys)| {
            let (values, child) = match reference.sources() {
                Sources::OneById => (after.map(|after| Values::of(&reference, after)), None),
                // Several sources can have the same key. The source with the lowest `_id` determines the copies, so the
                // values are not known here.
                Sources::FirstByKey => (None, None),
                Sources::All => {
                    let child = ChildChange {
                        before: before.cloned(),
                        after: after.cloned(),
                        computed: Vec::new(),
                    };
                    (None, Some(Box::new(child)))
                }
            };
            ReferenceChange {
                reference,
                keys,
                values,
                child,
            }
        });
        let mut changes: Vec<Self> = references.map(Self::Reference).collect();
        changes.extend(rules.into_iter().map(|(rule, keys)| Self::Rule(rule, keys)));
        changes
    }

    /// Excludes parents with summaries that were computed after the write, because an addition would count the document
    /// twice. This happens, for example, if a document refers to itself and so is its own parent. `corrected` is the
    /// result of the correction.
    pub(crate) fn after_correction(mut self, corrected: &[WrittenCopies]) -> Self {
        if let Self::Reference(ReferenceChange {
            reference,
            child: Some(child),
            ..
        }) = &mut self
        {
            let computed = corrected.iter();
            let computed = computed.filter(|it| Arc::ptr_eq(&it.reference, reference));
            child.computed = computed.flat_map(|it| it.keys.clone()).collect();
        }
        self
    }

    /// Returns a change for the copies of the given keys, without values, because the sources are not known.
    pub(super) fn of_keys(reference: &Arc<ExtendedReference>, keys: Vec<JoinKey>) -> Self {
        Self::Reference(ReferenceChange {
            reference: Arc::clone(reference),
            keys,
            values: None,
            child: None,
        })
    }

    /// Drops the part of this change that would update summaries and lists in documents that the same call deletes.
    /// Returns `None` if no other changes remain.
    ///
    /// Changes to mirrored arrays are kept, because rule 3 in `follow.rs` requires a job if the document at the other
    /// end is missing.
    pub(super) fn without_parents(mut self, deleted: &DeletedDocuments) -> Option<Self> {
        let Self::Reference(it) = &mut self else {
            return Some(self);
        };
        match (it.reference.targets(), it.reference.content()) {
            (Targets::OneById, Content::Derived | Content::Absent) => {}
            (Targets::All, _) | (_, Content::Mirrored) => return Some(self),
        }
        let reference = Arc::clone(&it.reference);
        let collection = reference.target.collection();
        it.drop_parents(|key| deleted.contains_id(collection, key));
        (!it.keys.is_empty()).then_some(self)
    }

    /// Drops the part of this change that would update summaries in documents that an earlier transaction has deleted.
    /// Returns the jobs for these documents. A concurrent transaction may store such a document again without seeing
    /// this change.
    pub(super) fn without_missing(
        &mut self,
        (documents, ids): &(DocumentSet<'_>, HashSet<JoinKey>),
    ) -> Vec<JobEntry> {
        let Self::Reference(it) = self else {
            return Vec::new();
        };
        let reference = Arc::clone(&it.reference);
        match (
            reference.deltas(),
            reference.targets(),
            reference.declared_by,
        ) {
            (Deltas::Possible, Targets::OneById, DeclaredBy::ThisProgram)
                if reference.target.documents() == *documents =>
            {
                let dropped = it.drop_parents(|key| ids.contains(key));
                JobEntry::of_reference(&reference, &dropped, Phase::Settle)
            }
            _ => Vec::new(),
        }
    }

    /// Lists the expected changes of a source before the write, when the new state of the source is not known yet.
    pub(crate) fn announced(images: &Images, before: &Image) -> impl Iterator<Item = Self> {
        // Changes are announced only for writes that are not deletes, so the document exists afterwards.
        let references = images.affected_by(Some(before));
        references.map(|it| Self::of_keys(it, keys_of(it, Some(before))))
    }

    /// Lists the changes for the delete rules that only other programs declare, if a document is marked or restored.
    pub(crate) fn of_foreign_rules(images: &Images, before: &Image) -> impl Iterator<Item = Self> {
        let rules = images.foreign_rules();
        rules.map(|it| Self::of_keys(it, keys_of(it, Some(before))))
    }

    /// Returns the changes that a write of many sources causes, from the images before and after the write. The two
    /// images of a document have the same `_id`.
    pub(crate) fn between(
        documents: DocumentSet<'_>,
        images: &Images,
        before: Vec<Image>,
        after: &[Image],
    ) -> Vec<Self> {
        // In this case, `after` is empty, because `Images::by_ids` has read nothing. The documents are not deleted.
        if images.is_empty() {
            return Vec::new();
        }
        let mut by_id: HashMap<JoinKey, &Image> = after
            .iter()
            .filter_map(|image| Some((JoinKey::from(image.get("_id")?.clone()), image)))
            .collect();
        let mut changes = Vec::new();
        for before in before {
            let id = before.get("_id").cloned().map(JoinKey::from);
            let after = id.and_then(|id| by_id.remove(&id));
            changes.extend(Self::of_source(documents, images, Some(&before), after));
        }
        changes
    }

    /// Lists the jobs for this change, with one job for each key.
    fn entries(&self, phase: Phase) -> Vec<JobEntry> {
        match self {
            Self::Reference(it) => {
                // `Settle` means that the copies have been written. This program does not write foreign copies, so the
                // job for them still has to run.
                let phase = match it.reference.declared_by {
                    DeclaredBy::OtherPrograms => Phase::Run,
                    DeclaredBy::ThisProgram => phase,
                };
                JobEntry::of_reference(&it.reference, &it.keys, phase)
            }
            Self::Rule(rule, keys) => JobEntry::of_rule(rule, keys, phase),
        }
    }
}

/// Lists the changes to extended references, without the changes that delete rules make.
pub(super) fn references(changes: &[Change]) -> impl Iterator<Item = &ReferenceChange> {
    changes.iter().filter_map(|change| match change {
        Change::Reference(it) => Some(it),
        Change::Rule(..) => None,
    })
}

/// Lists the jobs for the given changes, each job only once. Several changes can affect the same copies, or different
/// fields of one extended reference.
pub(crate) fn entries(changes: &[Change], phase: Phase) -> Vec<JobEntry> {
    let mut all: Vec<JobEntry> = Vec::new();
    let mut places = HashMap::new();
    for entry in changes.iter().flat_map(|change| change.entries(phase)) {
        match places.entry(entry.id.clone()) {
            Entry::Vacant(new) => {
                new.insert(all.len());
                all.push(entry);
            }
            // A runner stores a separate job for a field that it does not know, but only if the job lists the field.
            Entry::Occupied(at) => {
                if let Some(known) = all.get_mut(*at.get()) {
                    known.add_fields(entry);
                }
            }
        }
    }
    all
}

/// Lists the jobs for changes whose copies the same transaction is about to write.
pub(super) fn written_entries(changes: &[Change]) -> Vec<JobEntry> {
    let entries = entries(changes, Phase::Settle).into_iter();
    entries.map(JobEntry::written).collect()
}

/// Groups changes by extended reference. Each key occurs only once in a group. A group has values if all its changes
/// have values.
pub(super) fn by_reference<'c>(
    changes: impl Iterator<Item = &'c ReferenceChange>,
) -> Vec<(Arc<ExtendedReference>, Vec<JoinKey>, Option<Resolved>)> {
    let mut groups: Vec<(Arc<ExtendedReference>, Vec<JoinKey>, Option<Resolved>)> = Vec::new();
    for it in changes.filter(|it| it.reference.declared_by == DeclaredBy::ThisProgram) {
        // The comparison is by address, because an extended reference and a part of it (`ExtendedReference::part`) have
        // the same relation, but different fields.
        let at = groups
            .iter()
            .position(|(reference, ..)| Arc::ptr_eq(reference, &it.reference))
            .unwrap_or_else(|| {
                groups.push((
                    Arc::clone(&it.reference),
                    Vec::new(),
                    Some(Resolved::default()),
                ));
                groups.len() - 1
            });
        let Some((_, keys, known)) = groups.get_mut(at) else {
            continue;
        };
        keys.extend(it.keys.iter().cloned());
        match (&mut *known, &it.values) {
            (Some(known), Some(values)) => {
                // If two changes concern the same key, the later change replaces the earlier change. `add_up` relies on
                // this order.
                known.extend(it.keys.iter().map(|key| (key.clone(), values.clone())));
            }
            _ => *known = None,
        }
    }
    for (_, keys, _) in &mut groups {
        let mut seen = HashSet::new();
        // Without this line, a parent with many changed children would occur many times.
        keys.retain(|key| seen.insert(key.clone()));
    }
    groups
}

/// Lists the delete rules that apply because a document was deleted, with the keys that the document had.
pub(crate) fn acting_rules(
    documents: DocumentSet<'_>,
    image: &Image,
) -> Vec<(&'static StoredReference, Vec<JoinKey>)> {
    let rules = graph().acting_rules(documents);
    let with_keys = rules.map(|rule| (rule, keys_of_rule(rule, std::slice::from_ref(image))));
    with_keys.filter(|(_, keys)| !keys.is_empty()).collect()
}

/// Lists the keys through which a rule's references may refer to some deleted documents. Each key is listed once.
pub(super) fn keys_of_rule(rule: &StoredReference, images: &[Image]) -> Vec<JoinKey> {
    let mut keys = Vec::new();
    let mut seen = HashSet::new();
    // Documents of other kinds in the collection may store values at the same path. The rule must not act on references
    // to those values.
    for image in images.iter().filter(|it| rule.target.model.may_contain(it)) {
        each_value(image, &rule.target.path, &mut |key| {
            let key = JoinKey::from(key.clone());
            // A filter for `null` also matches owners that lack the field. A cascade would delete all these owners.
            if !key.is_null() && seen.insert(key.clone()) {
                keys.push(key);
            }
        });
    }
    keys
}
