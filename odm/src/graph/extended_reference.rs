//! A reference, together with the copies or folds that belong to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use mongodb::bson::{Bson, Document};

use super::{Rule, fold::Fold, graph};
use crate::{
    model::shape::{DocumentSet, FieldValue, ModelLinks, ModelShape, SkipShape},
    value::path::{ElementPath, covers, join, overlap},
};

/// A reference, together with the fields that are copied through it from one source to one place.
///
/// The copies at `place` are equal to the fields of the document of `source` whose `source_key` equals their `key`. If
/// several documents have the key, the one with the lowest `_id` is the source.
#[derive(Clone, Debug)]
pub(crate) struct ExtendedReference {
    /// The name in reports and messages: `Product.parts.id <- Part` or `Part._id <- Product.parts.id`.
    pub(crate) name: String,
    /// The name in jobs, which consists of stored paths: `products.parts.id <- parts._id`. Programs may have different
    /// names for their structs.
    pub(crate) relation: String,
    pub(crate) source: &'static ModelShape,
    /// The stored path in the source that is equal to the key: `_id`, or `parts.id` if the source refers to the
    /// documents with the copies.
    pub(crate) source_key: String,
    /// Whether the source stores the reference.
    pub(crate) keys_in_source: bool,
    pub(crate) target: &'static ModelShape,
    /// The place of the struct that contains the copies.
    pub(crate) place: ElementPath,
    /// The path of the key in that struct.
    pub(crate) key: String,
    pub(crate) fields: Vec<Copied>,
    /// The links that the extended reference maintains, if its array contains links. Its keys are the links to
    /// documents of its target.
    pub(crate) links: Option<ModelLinks>,
    /// Whether another extended reference copies one of these fields.
    pub(crate) has_followers: bool,
    /// Whether only other programs declare it. This program leaves its copies to them.
    pub(crate) foreign: bool,
}

/// One copied field of an extended reference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Copied {
    /// The source, as it appears in declarations. For a copy, it is the stored path in the source.
    pub(crate) from: String,
    /// The stored paths in the source from which it is computed.
    pub(crate) reads: Vec<String>,
    pub(crate) fold: Fold,
    /// The filter that selects the folded documents, or none for all documents.
    pub(crate) filter: Option<Document>,
    /// The stored path in the struct that contains the copy.
    pub(crate) to: String,
    /// Whether the copy can be null.
    pub(crate) optional: bool,
    /// Whether a document without the copy cannot be decoded.
    pub(crate) required: bool,
    /// Whether the copy becomes null when the source is deleted.
    pub(crate) empties: bool,
    /// The values that serde does not store.
    pub(crate) skips: Option<SkipShape>,
}

impl Copied {
    /// Whether serde does not store this value of the copy. For a summary, only null is left out, because the server
    /// adds to all other values.
    pub(crate) fn leaves_out(&self, value: &Bson) -> bool {
        (self.fold == Fold::Copy || *value == Bson::Null)
            && self
                .skips
                .is_some_and(|it| it.skips(FieldValue::Stored(value)))
    }
}

impl ExtendedReference {
    /// Returns the stored path of the key in a document with copies.
    pub(crate) fn key_path(&self) -> String {
        self.place.path(&self.key)
    }

    /// Whether the key is the `_id` of the source. Then a read finds one document through the index that always exists.
    pub(crate) fn by_id(&self) -> bool {
        self.source_key == "_id" && !self.is_computed()
    }

    /// Whether its fields are folds of all documents with a key, not copies of one document.
    pub(crate) fn is_computed(&self) -> bool {
        self.fields.iter().any(|field| field.fold != Fold::Copy)
    }

    /// Whether it maintains one of two mirrored arrays. A change of either array changes the other.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.fields.iter().any(|copied| copied.fold.is_mirrored())
    }

    /// Whether additions to its fields can be stored as deltas.
    pub(crate) fn takes_deltas(&self) -> bool {
        self.is_computed() && !self.is_mirrored()
    }

    /// Whether it is always updated inline, however many documents that affects. A later job could not distinguish an
    /// element that was added to one of two mirrored arrays from an element that was removed from the other. Nor could
    /// a job reject elements for which a bounded array has no room.
    pub(crate) fn follows_at_once(&self) -> bool {
        let is_bounded = |copied: &Copied| copied.fold.max().is_some();
        self.is_mirrored() || self.fields.iter().any(is_bounded)
    }

    /// Whether two extended references maintain the two arrays of one pair.
    fn mirrors(&self, other: &Self) -> bool {
        let pair = self.is_mirrored() && other.is_mirrored();
        pair && self.reads_from(other) && other.reads_from(self)
    }

    /// Whether it maintains a mirrored array whose keys have a delete rule.
    pub(crate) fn mirrors_by(&self, rule: &Rule) -> bool {
        let mut arrays = self.fields.iter().filter_map(|copied| {
            let inner = copied.fold.key_of_elements()?;
            Some(join(&copied.to, inner))
        });
        self.is_mirrored()
            && self.target.overlaps(rule.owner)
            && self.source.overlaps(rule.target)
            && arrays.any(|array| array == rule.key_path())
    }

    /// Whether its keys are the elements of an array that the other one maintains.
    fn reads_from(&self, other: &Self) -> bool {
        let keeps = |array: String| covers(&array, &self.source_key);
        self.source.overlaps(other.target) && other.copy_paths().any(keeps)
    }

    /// Returns the stored paths of the copies in a document.
    pub(crate) fn copy_paths(&self) -> impl Iterator<Item = String> {
        self.fields.iter().map(|copied| self.place.path(&copied.to))
    }

    /// Lists the stored paths in a source from which its copies are computed, and its kind. For links it is the whole
    /// array, because the target of a link depends on all its fields.
    pub(crate) fn source_paths(&self) -> impl Iterator<Item = &str> {
        let reads = self.fields.iter().flat_map(|copied| &copied.reads);
        let key = self
            .links
            .map_or(self.source_key.as_str(), |links| links.array);
        let reads = reads.map(String::as_str).chain([key]);
        reads.chain(self.source.kind.map(|kind| kind.field))
    }

    /// Lists the extended references that copy the fields of this one.
    pub(crate) fn followers(&self) -> Vec<&'static Self> {
        let all = graph().from(self.target.documents());
        all.filter(|next| self.feeds(next)).collect()
    }

    /// Whether it represents a delete rule of another program, and copies nothing.
    pub(crate) const fn is_rule(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether each key is the `_id` of the only document with its copies.
    pub(crate) fn is_by_document(&self) -> bool {
        self.keys_in_source && self.key_path() == "_id"
    }

    /// Returns the name of an extended reference, which consists of stored paths: the key in the documents with copies,
    /// and the key in the source.
    pub(crate) fn relation(
        target: (DocumentSet<'_>, &str),
        source: (DocumentSet<'_>, &str),
    ) -> String {
        format!("{}.{} <- {}.{}", target.0, target.1, source.0, source.1)
    }

    /// Returns the name of the part that copies one field. It is used if programs declare different fields of the same
    /// reference.
    pub(crate) fn name_of_field(reference: &str, to: &str) -> String {
        format!("{reference} ({to})")
    }

    /// Splits such a name into the extended reference and the field, if it contains a field.
    pub(crate) fn field_of(name: &str) -> (&str, Option<&str>) {
        let parts = name.strip_suffix(')').and_then(|it| it.split_once(" ("));
        parts.map_or((name, None), |(reference, to)| (reference, Some(to)))
    }

    /// Lists the relations of its jobs: for all its fields together, and for each field.
    pub(crate) fn relations(&self) -> impl Iterator<Item = String> {
        self.parts().chain([self.relation.clone()])
    }

    /// Lists the relations of the jobs for single fields.
    pub(crate) fn parts(&self) -> impl Iterator<Item = String> {
        let (relation, _) = Self::field_of(&self.relation);
        let fields = self.copy_paths();
        fields.map(move |to| Self::name_of_field(relation, &to))
    }

    /// Returns the part that contains some of the fields. Each part is created once, and lives as long as the program.
    pub(crate) fn part(&'static self, fields: &BTreeSet<usize>) -> &'static Self {
        // The key contains the address of the whole, which lives as long as the program.
        static PARTS: Mutex<BTreeMap<(usize, BTreeSet<usize>), &'static ExtendedReference>> =
            Mutex::new(BTreeMap::new());
        if fields.len() == self.fields.len() {
            return self;
        }
        let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
        let part = || -> &'static Self {
            let chosen = self.fields.iter().enumerate();
            let chosen = chosen.filter(|(at, _)| fields.contains(at));
            Box::leak(Box::new(Self {
                fields: chosen.map(|(_, field)| field.clone()).collect(),
                ..self.clone()
            }))
        };
        let key = (std::ptr::from_ref(self).addr(), fields.clone());
        parts.entry(key).or_insert_with(part)
    }

    /// Whether both have the same source, place and key, so that their fields belong to one extended reference.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        self.target.documents() == other.target.documents()
            && self.source.documents() == other.source.documents()
            && self.place == other.place
            && self.key == other.key
            && self.source_key == other.source_key
            && self.is_computed() == other.is_computed()
            && self.is_mirrored() == other.is_mirrored()
    }

    pub(crate) fn feeds(&self, next: &Self) -> bool {
        let mut copies = self.copy_paths();
        let reads = |copy: String| next.source_paths().any(|path| overlap(&copy, path));
        // A mirrored array is not updated again from the array that has just updated it.
        !self.mirrors(next) && copies.any(reads)
    }
}
