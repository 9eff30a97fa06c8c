//! All references, copies, summaries and delete rules of the program, read once from the shapes of all models.
//!
//! An *extended reference* is a reference with its copies or folds. The reference is on either side.
//! `Product.parts[].name` copies from `Part` by `parts.id`, which the product stores. `Part.product_name` copies from
//! the product that refers to the part. A copy of a struct or an array is one value; copies inside it are copies of
//! copies.

mod build;
mod check;
mod computed_field;
mod declared_copy;
mod delete_rule;
pub(crate) mod fold;
mod links;
pub(crate) mod reference_index;
mod snapshot;
pub(crate) mod stored_reference;
mod two_way_array;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, OnceLock, PoisonError},
};

use mongodb::bson::{Bson, Document, doc};

pub(crate) use delete_rule::Rule;
pub(crate) use links::LinkedDocuments;

use crate::{
    error::{Error, Result},
    model::{
        registry::models,
        shape::{DocumentSet, FieldValue, ModelLinks, ModelShape, SkipShape},
    },
    value::path::{ElementPath, covers, join, overlap},
};
use check::Problem;
use fold::{ElementPart, Fold};

/// A reference with the fields that it copies from one source to one place.
///
/// The copies at `place` with the key `key` are equal to the fields of the document of `source` with the same
/// `source_key`. If several documents have the key, the one with the lowest `_id` is the source.
#[derive(Clone, Debug)]
pub(crate) struct ExtendedReference {
    /// The name in reports and messages: `Product.parts.id <- Part` or `Part._id <- Product.parts.id`.
    pub(crate) name: String,
    /// The name in jobs, by stored paths: `products.parts.id <- parts._id`. Programs may have different names for their
    /// structs.
    pub(crate) relation: String,
    pub(crate) source: &'static ModelShape,
    /// The stored path in the source that is equal to the key: `_id`, or `parts.id` if the source refers to the
    /// documents with the copies.
    pub(crate) source_key: String,
    /// Whether the source stores the reference.
    pub(crate) keys_in_source: bool,
    pub(crate) target: &'static ModelShape,
    /// The place of the struct with the copies.
    pub(crate) place: ElementPath,
    /// The path of the key in that struct.
    pub(crate) key: String,
    pub(crate) fields: Vec<Copied>,
    /// The links that it maintains, if its array contains links. Its keys are the links to documents of its target.
    pub(crate) links: Option<ModelLinks>,
    /// Whether another extended reference copies one of its fields.
    pub(crate) has_followers: bool,
    /// Whether only other programs declare it. This program leaves its copies to them.
    pub(crate) foreign: bool,
}

/// One copied field of an extended reference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Copied {
    /// The source in declarations: the stored path in the source, for a copy.
    pub(crate) from: String,
    /// The stored paths in the source from which it is computed.
    pub(crate) reads: Vec<String>,
    pub(crate) fold: Fold,
    /// The filter of the folded documents; none for all.
    pub(crate) filter: Option<Document>,
    /// The stored path in the struct with the copy.
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
    /// Whether serde does not store this value of the copy. Of a summary only null is left out, because the server adds
    /// to all other values.
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

    /// Whether the key is the `_id` of the source. Then a read finds one document, with the index that always exists.
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

    /// Whether it is always updated inline, however many documents that are. A later job could not distinguish an
    /// element that was added to one of two mirrored arrays from one that was removed from the other. Nor could a job
    /// reject elements that a bounded array has no room for.
    pub(crate) fn follows_at_once(&self) -> bool {
        let is_bounded = |copied: &Copied| copied.fold.max().is_some();
        self.is_mirrored() || self.fields.iter().any(is_bounded)
    }

    /// Whether two extended references maintain the two arrays of one pair.
    fn mirrors(&self, other: &Self) -> bool {
        let pair = self.is_mirrored() && other.is_mirrored();
        pair && self.reads_from(other) && other.reads_from(self)
    }

    /// Whether it maintains a mirrored array with a delete rule for its keys.
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

    /// Lists the stored paths in a source from which its copies are computed, with its kind. For links it is the whole
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

    /// Returns the name of an extended reference by stored paths: the key in the documents with copies, and the key in
    /// the source.
    pub(crate) fn relation(
        target: (DocumentSet<'_>, &str),
        source: (DocumentSet<'_>, &str),
    ) -> String {
        format!("{}.{} <- {}.{}", target.0, target.1, source.0, source.1)
    }

    /// Returns the name of the part that copies one field, for programs that declare other fields of the same
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

    /// Returns the part with some of its fields. Each part is created once, and lives as long as the program.
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

/// All extended references and rules of a program.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) references: Vec<ExtendedReference>,
    /// The snapshots: fields that new structs copy from their sources once. If copies of the same source exist, they
    /// are before the snapshots, so that one read provides both.
    pub(crate) snapshots: Vec<ExtendedReference>,
    pub(crate) rules: Vec<Rule>,
    /// The linked documents, by collection.
    pub(crate) linked: Vec<LinkedDocuments>,
    problems: Vec<Problem>,
}

/// Returns the graph of all models that are linked into the program.
pub(crate) fn graph() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| build::build(&models()))
}

impl Graph {
    /// Lists the extended references with sources among some documents.
    pub(crate) fn from<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g ExtendedReference> {
        let references = self.references.iter();
        references.filter(move |reference| documents.overlaps(reference.source))
    }

    /// Lists the extended references with copies in some documents.
    pub(crate) fn copied_into<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g ExtendedReference> {
        let references = self.references.iter();
        references.filter(move |reference| documents.overlaps(reference.target))
    }

    /// Lists the keys of the indexes that folds need in a collection of their sources: for a list in its order, for
    /// other folds only the reference.
    pub(crate) fn computed_keys(&self, collection: &str) -> Vec<(Document, String)> {
        let all = self.from(DocumentSet::whole_collection(collection));
        let computed = all.filter(|it| it.is_computed());
        let keys = computed.flat_map(|reference| {
            let keys = reference.fields.iter().map(|field| {
                let mut keys = doc! { &reference.source_key: 1 };
                keys.extend(
                    field
                        .fold
                        .order(&field.reads)
                        .map(|path| (path.to_owned(), 1.into())),
                );
                keys.insert("_id", 1);
                keys
            });
            keys.map(|keys| (keys, reference.name.clone()))
        });
        keys.collect()
    }

    /// Lists the snapshots of new structs in some documents.
    pub(crate) fn snapshots_within<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g ExtendedReference> {
        let snapshots = self.snapshots.iter();
        snapshots.filter(move |snapshot| documents.overlaps(snapshot.target))
    }

    /// Lists the rules for deletes of some documents.
    pub(crate) fn rules<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g Rule> {
        let rules = self.rules.iter();
        rules.filter(move |rule| documents.overlaps(rule.target))
    }

    /// Lists the collections on which other documents depend. A collection can occur several times.
    pub(crate) fn watchable(&self) -> impl Iterator<Item = &'static str> {
        let sources = self
            .references
            .iter()
            .map(|reference| reference.source.collection);
        let acting = self.rules.iter().filter(|rule| rule.acts());
        sources.chain(acting.map(|rule| rule.target.collection))
    }

    /// Whether documents of a collection are sources, contain copies, or have a rule with jobs.
    pub(crate) fn concerns(&self, collection: &str) -> bool {
        let mut rules = self.rules.iter().filter(|rule| rule.has_jobs());
        self.watchable().any(|it| it == collection)
            || self
                .copied_into(DocumentSet::whole_collection(collection))
                .next()
                .is_some()
            || rules.any(|rule| {
                [rule.owner, rule.target]
                    .map(|it| it.collection)
                    .contains(&collection)
            })
    }

    /// Lists the relations of the jobs that this program can run.
    pub(crate) fn relations(&self) -> impl Iterator<Item = String> {
        let references = self.references.iter();
        let references = references.flat_map(ExtendedReference::relations);
        let rules = self.rules.iter().filter(|rule| rule.has_jobs());
        references.chain(rules.map(|rule| rule.relation.clone()))
    }

    /// Whether this program can run the jobs of a relation.
    pub(crate) fn knows(&self, relation: &str) -> bool {
        self.relations().any(|known| known == relation)
    }

    /// Lists the extended references that a job updates. It is one, unless models of one collection declare the same
    /// path with different arrays in it.
    pub(crate) fn references_of<'g>(
        &'g self,
        relation: &str,
    ) -> impl Iterator<Item = &'g ExtendedReference> {
        let relation = ExtendedReference::field_of(relation).0;
        let references = self.references.iter();
        references.filter(move |reference| reference.relation == relation)
    }

    /// Lists the rules that a job applies.
    pub(crate) fn rules_of<'g>(&'g self, relation: &str) -> impl Iterator<Item = &'g Rule> {
        let rules = self.rules.iter();
        rules.filter(move |rule| rule.acts() && rule.relation == relation)
    }

    /// Whether a rule creates the jobs of a relation.
    pub(crate) fn is_of_rule(&self, relation: &str) -> bool {
        let mut rules = self.rules.iter().filter(|rule| rule.has_jobs());
        rules.any(|rule| rule.relation == relation)
    }

    /// Rejects writes to a collection with contradicting declarations.
    ///
    /// # Errors
    ///
    /// [`Error::Declaration`] with the mistake.
    pub(crate) fn check(&self, collection: &str) -> Result<()> {
        let concerned = self.problems.iter().find(|problem| {
            problem.collections.is_empty() || problem.collections.contains(&collection)
        });
        concerned.map_or(Ok(()), |problem| {
            Err(Error::Declaration(problem.message.clone()))
        })
    }
}

/// Lists the mistakes in the declarations of all linked models, except those in indexes.
pub(crate) fn problems() -> impl Iterator<Item = &'static str> {
    let problems = graph().problems.iter();
    problems.map(|problem| problem.message.as_str())
}
