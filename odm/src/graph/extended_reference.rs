//! Extended references: references together with the copies or folds that belong to them.

mod part;

use std::{mem::discriminant, sync::Arc};

use mongodb::bson::{Bson, Document, doc};

use super::{
    Absence, Content, DeclaredBy, Deltas, Derivation, KeyOwner, Orphan, Sources, StoredReference,
    Targets, Timing, fold::Fold, graph,
};
use crate::{
    model::shape::{AnyModel, FieldValue, ModelLinks, SkipShape},
    value::path::{ElementPath, covers, join, overlap},
};
use part::Parts;

/// A reference together with the fields that are copied through it, from one source model to one place in the target
/// model.
///
/// The copies at `place` equal the fields of the `source` document whose `source_key` equals `key`. If several
/// documents match, the one with the lowest `_id` is the source.
#[derive(Clone, Debug)]
pub(crate) struct ExtendedReference {
    /// The name in reports and messages, such as `Product.parts.id <- Part` or `Part._id <- Product.parts.id`.
    pub(crate) name: String,
    /// The name in jobs, such as `products.parts.id <- parts._id`. It consists of stored paths, because programs may
    /// have different names for their structs. The first path is the key in the documents that contain the copies, and
    /// the second one is the key in the source.
    pub(crate) relation: String,
    pub(crate) source: AnyModel,
    /// The stored path in the source that is compared with the key. In most cases, this is `_id`. If the source stores
    /// the reference, this path is, for example, `parts.id`.
    pub(crate) source_key: String,
    pub(crate) derivation: Derivation,
    pub(crate) target: AnyModel,
    /// The path of the struct that contains the copies.
    pub(crate) place: ElementPath,
    /// The path of the key, relative to the struct at `place`.
    pub(crate) key: String,
    pub(crate) fields: Vec<Copied>,
    /// The form of the links, if this extended reference maintains an array of links. The keys of the extended
    /// reference are then the links to documents of the target model.
    pub(crate) links: Option<ModelLinks>,
    /// The positions in the graph of all extended references that copy one of these fields.
    pub(crate) followers: Vec<usize>,
    pub(crate) declared_by: DeclaredBy,
    pub(crate) parts: Parts,
}

/// One copied field of an extended reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Copied {
    /// The source field or the fold, as written in a stored declaration. For a copy, this text is the stored path in
    /// the source.
    pub(crate) from: String,
    /// The stored paths in the source from which the value is computed.
    pub(crate) reads: Vec<String>,
    pub(crate) fold: Fold,
    /// The declared filter that selects the documents to fold. `None` selects all documents.
    pub(crate) filter: Option<Document>,
    /// The stored path of `#[deleted_at]` in the documents to fold, if the fold excludes deleted documents.
    pub(crate) deleted_at: Option<&'static str>,
    /// The stored path of the copy, relative to the struct that contains it.
    pub(crate) to: String,
    /// Whether the copy can be null.
    pub(crate) optional: bool,
    pub(crate) absence: Absence,
    pub(crate) orphan: Orphan,
    /// The values that serde omits.
    pub(crate) skips: Option<SkipShape>,
}

impl Copied {
    /// Returns the condition that selects the documents to fold. It combines the declared filter with the exclusion of
    /// deleted documents.
    pub(crate) fn condition(&self) -> Option<Document> {
        let live = self.deleted_at.map(|path| doc! { path: null });
        match (&self.filter, live) {
            (Some(filter), Some(live)) => Some(doc! { "$and": [filter.clone(), live] }),
            (filter, live) => filter.clone().or(live),
        }
    }

    /// Whether the fold includes a document, regardless of the declared filter. A fold can exclude deleted documents.
    pub(crate) fn counts(&self, document: &Document) -> bool {
        let deleted_at = self.deleted_at.and_then(|path| document.get(path));
        deleted_at.is_none_or(|at| matches!(at, Bson::Null | Bson::Undefined))
    }

    /// Whether serde omits a value of the copy, so that the value is not stored. For a summary, only null is omitted,
    /// because the server can only add to a stored value.
    pub(crate) fn leaves_out(&self, value: &Bson) -> bool {
        (self.fold == Fold::Copy || *value == Bson::Null)
            && self
                .skips
                .is_some_and(|it| it.skips(FieldValue::Stored(value)))
    }
}

impl ExtendedReference {
    /// Returns an extended reference of this program. Its name and its relation are built from the models and paths.
    pub(crate) fn new(
        derivation: Derivation,
        (target, place, key): (AnyModel, ElementPath, String),
        (source, source_key): (AnyModel, String),
        fields: Vec<Copied>,
    ) -> Self {
        let path = place.path(&key);
        let (written, read) = (target.documents(), source.documents());
        Self {
            name: format!("{}.{path} <- {}.{source_key}", target.name(), source.name()),
            relation: format!("{written}.{path} <- {read}.{source_key}"),
            source,
            source_key,
            derivation,
            target,
            place,
            key,
            fields,
            links: None,
            followers: Vec::new(),
            declared_by: DeclaredBy::ThisProgram,
            parts: Parts::default(),
        }
    }

    /// Returns the extended reference of one array of a mirrored pair. The two arrays have separate relations and
    /// separate jobs. The extended reference is not merged with other folds over the same documents.
    pub(super) fn mirror(
        target: (AnyModel, ElementPath, String),
        source: (AnyModel, String),
        array: Copied,
    ) -> Self {
        let to = array.to.clone();
        let pair = Self::new(Derivation::Mirror, target, source, vec![array]);
        let (target, source, via) = (&pair.target, &pair.source, &pair.source_key);
        Self {
            name: format!("{}.{to} <-> {}.{via}", target.name(), source.name()),
            relation: format!(
                "{}.{to} <-> {}.{via}",
                target.documents(),
                source.documents()
            ),
            ..pair
        }
    }

    /// Returns the stored path of the key in documents that contain the copies.
    pub(crate) fn key_path(&self) -> String {
        self.place.path(&self.key)
    }

    /// Returns which document stores the key.
    pub(crate) const fn key_owner(&self) -> KeyOwner {
        self.derivation.key_owner()
    }

    /// Returns which fields this extended reference has, and whether your code may write them.
    pub(crate) const fn content(&self) -> Content {
        self.derivation.content()
    }

    /// Returns whether changes to single sources can be stored as deltas.
    pub(crate) const fn deltas(&self) -> Deltas {
        self.derivation.deltas()
    }

    /// Returns which sources determine the fields for a key.
    pub(crate) fn sources(&self) -> Sources {
        match self.derivation {
            Derivation::Fold | Derivation::Mirror => Sources::All,
            Derivation::Copy | Derivation::ReferrerCopy | Derivation::DeleteRule => {
                if self.source_key == "_id" {
                    Sources::OneById
                } else {
                    Sources::FirstByKey
                }
            }
        }
    }

    /// Returns which documents contain the fields for a key.
    pub(crate) fn targets(&self) -> Targets {
        match self.key_owner() {
            KeyOwner::Source if self.key_path() == "_id" => Targets::OneById,
            KeyOwner::Source | KeyOwner::Target => Targets::All,
        }
    }

    /// Returns when the fields are updated after a write to their sources.
    pub(crate) fn timing(&self) -> Timing {
        let is_bounded = |copied: &Copied| copied.fold.max().is_some();
        match self.derivation {
            Derivation::Mirror => Timing::WithTheWrite,
            Derivation::Fold if self.fields.iter().any(is_bounded) => Timing::InTransaction,
            Derivation::Copy
            | Derivation::ReferrerCopy
            | Derivation::Fold
            | Derivation::DeleteRule => Timing::ByBudget,
        }
    }

    /// Whether the two extended references maintain the two arrays of the same pair.
    fn mirrors(&self, other: &Self) -> bool {
        match (self.content(), other.content()) {
            (Content::Mirrored, Content::Mirrored) => {
                self.reads_from(other) && other.reads_from(self)
            }
            (Content::Derived | Content::Absent, _) | (_, Content::Derived | Content::Absent) => {
                false
            }
        }
    }

    /// Whether this extended reference maintains a mirrored array, and the given delete rule applies to the keys in
    /// that array.
    pub(crate) fn mirrors_by(&self, rule: &StoredReference) -> bool {
        let mut arrays = self.fields.iter().filter_map(|copied| {
            let inner = copied.fold.key_of_elements()?;
            Some(join(&copied.to, inner))
        });
        match self.content() {
            Content::Mirrored => {
                self.source.overlaps(rule.target.model)
                    && arrays.any(|array| rule.is_at(&self.target, &array))
            }
            Content::Derived | Content::Absent => false,
        }
    }

    /// Whether a delete rule that applies to a deleted source also removes or clears all copies of this source. The job
    /// of the rule then covers these copies, so a delete stores no job for them.
    ///
    /// If sources can be marked or archived, the rule may mark the documents that contain the copies, and so keep the
    /// copies.
    pub(crate) fn is_removed_by(&self, rule: &StoredReference) -> bool {
        match (self.derivation, self.sources(), self.declared_by) {
            (Derivation::Copy, Sources::OneById, DeclaredBy::ThisProgram) => {
                let (target, by_id) = (rule.target.model, rule.target.path == "_id");
                by_id
                    && rule.kind.is_none()
                    && !target.keeps_deleted()
                    && target.documents() == self.source.documents()
                    && rule.model.documents() == self.target.documents()
                    && (&rule.place, &rule.key) == (&self.place, &self.key)
            }
            _ => false,
        }
    }

    /// Lists the relations of the jobs that correct the copies of a changed or deleted source.
    pub(crate) fn correcting_relations(&self) -> impl Iterator<Item = String> {
        let rules = graph().acting_rules_within(self.target.documents());
        let rules = rules.filter(|rule| self.is_removed_by(rule));
        self.relations()
            .chain(rules.map(|rule| rule.relation.clone()))
    }

    /// Whether the keys of this extended reference are elements of an array that `other` maintains.
    fn reads_from(&self, other: &Self) -> bool {
        let keeps = |array: String| covers(&array, &self.source_key);
        self.source.overlaps(&other.target) && other.copy_paths().any(keeps)
    }

    /// Returns the stored path of the key if the key is stored beside the copies. Returns `None` if the source stores it.
    pub(crate) fn key_beside_copies(&self) -> Option<String> {
        match self.key_owner() {
            KeyOwner::Target => Some(self.key_path()),
            KeyOwner::Source => None,
        }
    }

    /// Lists the stored paths of the copies if their key is stored beside them. If the source stores the key, the list
    /// is empty.
    pub(crate) fn copies_beside_key(&self) -> impl Iterator<Item = String> {
        let fields = match self.key_owner() {
            KeyOwner::Target => self.fields.as_slice(),
            KeyOwner::Source => &[],
        };
        fields.iter().map(|copied| self.place.path(&copied.to))
    }

    /// Lists the stored paths of the copies, relative to the document.
    pub(crate) fn copy_paths(&self) -> impl Iterator<Item = String> {
        self.fields.iter().map(|copied| self.place.path(&copied.to))
    }

    /// Lists the stored paths in a source that affect the copies, including the path of the source's kind. For links,
    /// the list contains the path of the whole array, because a link's target depends on all fields of the link.
    pub(crate) fn source_paths(&self) -> impl Iterator<Item = &str> {
        let reads = self.fields.iter().flat_map(|copied| &copied.reads);
        let key = self
            .links
            .map_or(self.source_key.as_str(), |links| links.array);
        let reads = reads.map(String::as_str).chain([key]);
        reads.chain(self.source.kind().map(|kind| kind.field))
    }

    /// Lists the extended references that copy fields of this extended reference.
    pub(crate) fn followers(&self) -> impl Iterator<Item = Arc<Self>> {
        let all = &graph().references;
        let all = self.followers.iter().filter_map(|at| all.get(*at));
        // If this is a part of an extended reference, it has fewer fields than the complete extended reference in the
        // graph. So some followers may not apply.
        all.filter(|next| self.feeds(next)).cloned()
    }

    /// Whether both extended references have the same source, place and key, so that their fields depend on the same
    /// reference.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.target.documents() == other.target.documents()
            && self.source.documents() == other.source.documents()
            && self.place == other.place
            && self.key == other.key
            && self.source_key == other.source_key
            && discriminant(&self.derivation) == discriminant(&other.derivation)
    }

    /// Returns the extended reference that describes other fields next to the same key, for example the snapshots next
    /// to copies.
    pub(crate) fn find_beside<'r>(&self, among: &'r [Arc<Self>]) -> Option<&'r Arc<Self>> {
        among.iter().find(|other| other.is_beside(self))
    }

    pub(crate) fn feeds(&self, next: &Self) -> bool {
        let mut copies = self.copy_paths();
        let reads = |copy: String| next.source_paths().any(|path| overlap(&copy, path));
        // A mirrored array that was just updated from the other array must not update that array in turn.
        !self.mirrors(next) && copies.any(reads)
    }
}
