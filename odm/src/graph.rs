//! All references, copies, summaries and delete rules of the program, read once from the shapes of all models.
//!
//! An *extended reference* is a reference with its copies or folds. The reference is on either side.
//! `Product.parts[].name` copies from `Part` by `parts.id`, which the product stores. `Part.product_name` copies from
//! the product that refers to the part. A copy of a struct or an array follows as one value; copies inside it are
//! copies of copies.

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

/// What one reference copies from one source, at one place.
///
/// The copies at `place` whose `key` equals the `source_key` of a document of `source` hold the values
/// of that document. Where several documents have the key, the one with the lowest `_id` counts.
#[derive(Clone, Debug)]
pub(crate) struct ExtendedReference {
    /// `Product.parts.id <- Part` or `Part._id <- Product.parts.id`, for reports and messages.
    pub(crate) name: String,
    /// `products.parts.id <- parts._id`: the same by what is stored, for jobs. Programs may call their
    /// structs differently.
    pub(crate) relation: String,
    pub(crate) source: &'static ModelShape,
    /// The stored path in the source that the key equals: `_id`, or `parts.id` where the source refers
    /// to the documents with the copies.
    pub(crate) source_key: String,
    /// Whether the reference is stored in the source.
    pub(crate) keys_in_source: bool,
    pub(crate) target: &'static ModelShape,
    /// Where the struct with the copies stands.
    pub(crate) place: ElementPath,
    /// The path of the key in that struct.
    pub(crate) key: String,
    pub(crate) fields: Vec<Copied>,
    /// The links that it keeps, if its array is one of links; its keys are those that lead to its target.
    pub(crate) links: Option<ModelLinks>,
    /// Whether a field of it is copied further.
    pub(crate) has_followers: bool,
    /// Whether only other programs declare it: its copies are left to them.
    pub(crate) foreign: bool,
}

/// One copied field of an extended reference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Copied {
    /// What it is taken from, as declarations say it: the stored path in the source, for a copy.
    pub(crate) from: String,
    /// The stored paths in the source that decide about it.
    pub(crate) reads: Vec<String>,
    pub(crate) fold: Fold,
    /// Which documents are folded; all without one.
    pub(crate) filter: Option<Document>,
    /// The stored path in the struct that holds the copy.
    pub(crate) to: String,
    /// Whether the copy can be null.
    pub(crate) optional: bool,
    /// Whether a document without the copy cannot be read.
    pub(crate) required: bool,
    /// Whether the copy becomes null when the source is gone.
    pub(crate) empties: bool,
    /// Which values serde leaves out of a document.
    pub(crate) skips: Option<SkipShape>,
}

impl Copied {
    /// Whether serde leaves a value of the copy out of a document. Of a summary only null is left out: the server adds to all
    /// other values.
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

    /// Whether the key is the `_id` of the source: a read of it finds one document, by the one index
    /// that is always there.
    pub(crate) fn by_id(&self) -> bool {
        self.source_key == "_id" && !self.is_computed()
    }

    /// Whether its fields are computed of all documents with a key, and not copied of one.
    pub(crate) fn is_computed(&self) -> bool {
        self.fields.iter().any(|field| field.fold != Fold::Copy)
    }

    /// Whether it keeps one of two arrays that say the same, and what either of them says holds for both.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.fields.iter().any(|copied| copied.fold.is_mirrored())
    }

    /// Whether additions to its fields may wait in deltas.
    pub(crate) fn takes_deltas(&self) -> bool {
        self.is_computed() && !self.is_mirrored()
    }

    /// Whether it always follows with the write, however much that is: neither of two arrays could tell later what was
    /// added from what was taken away, and a job cannot refuse what a bounded array has no room for.
    pub(crate) fn follows_at_once(&self) -> bool {
        let is_bounded = |copied: &Copied| copied.fold.max().is_some();
        self.is_mirrored() || self.fields.iter().any(is_bounded)
    }

    /// Whether the two keep the two arrays of one pair.
    fn mirrors(&self, other: &Self) -> bool {
        let pair = self.is_mirrored() && other.is_mirrored();
        pair && self.reads_from(other) && other.reads_from(self)
    }

    /// Whether it keeps the array of a pair for whose keys there is a rule.
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

    /// Whether its keys are the elements of an array that the other one keeps.
    fn reads_from(&self, other: &Self) -> bool {
        let keeps = |array: String| covers(&array, &self.source_key);
        self.source.overlaps(other.target) && other.copy_paths().any(keeps)
    }

    /// Returns the stored paths of the copies in a document.
    pub(crate) fn copy_paths(&self) -> impl Iterator<Item = String> {
        self.fields.iter().map(|copied| self.place.path(&copied.to))
    }

    /// Lists what of a source decides about its copies: also its kind, without which it is none. Of links it is the
    /// whole of each, which says whom it leads to.
    pub(crate) fn source_paths(&self) -> impl Iterator<Item = &str> {
        let reads = self.fields.iter().flat_map(|copied| &copied.reads);
        let key = self
            .links
            .map_or(self.source_key.as_str(), |links| links.array);
        let reads = reads.map(String::as_str).chain([key]);
        reads.chain(self.source.kind.map(|kind| kind.field))
    }

    /// Lists the extended references that copy what this one writes.
    pub(crate) fn followers(&self) -> Vec<&'static Self> {
        let all = graph().from(self.target.documents());
        all.filter(|next| self.feeds(next)).collect()
    }

    /// Whether it stands for a rule for deletes of another program, and copies nothing.
    pub(crate) const fn is_rule(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether each key is the `_id` of the one document with its copies.
    pub(crate) fn is_by_document(&self) -> bool {
        self.keys_in_source && self.key_path() == "_id"
    }

    /// Names an extended reference by what is stored: the paths of the key in the documents with copies and in
    /// the source.
    pub(crate) fn relation(
        target: (DocumentSet<'_>, &str),
        source: (DocumentSet<'_>, &str),
    ) -> String {
        format!("{}.{} <- {}.{}", target.0, target.1, source.0, source.1)
    }

    /// Names the part of an extended reference that copies one field, for programs that declare others of it.
    pub(crate) fn name_of_field(reference: &str, to: &str) -> String {
        format!("{reference} ({to})")
    }

    /// Takes such a name apart: the extended reference, and the field if it is named.
    pub(crate) fn field_of(name: &str) -> (&str, Option<&str>) {
        let parts = name.strip_suffix(')').and_then(|it| it.split_once(" ("));
        parts.map_or((name, None), |(reference, to)| (reference, Some(to)))
    }

    /// Lists the relations that jobs of this extended reference can have: of all its fields, and of each.
    pub(crate) fn relations(&self) -> impl Iterator<Item = String> {
        self.parts().chain([self.relation.clone()])
    }

    /// Lists the relations of the jobs of single fields.
    pub(crate) fn parts(&self) -> impl Iterator<Item = String> {
        let (relation, _) = Self::field_of(&self.relation);
        let fields = self.copy_paths();
        fields.map(move |to| Self::name_of_field(relation, &to))
    }

    /// Returns the part of it that has some of its fields. Each part is made once, for the life of the program.
    pub(crate) fn part(&'static self, fields: &BTreeSet<usize>) -> &'static Self {
        // By the address of the whole, which lives as long.
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

    /// Whether both are about one source of one struct.
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
        // Of two arrays that say the same, neither follows what was just brought to it from the other.
        !self.mirrors(next) && copies.any(reads)
    }
}

/// All extended references and rules of a program.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) references: Vec<ExtendedReference>,
    /// What new structs take from their sources once and keep (`snapshot`). Where copies follow the same
    /// source, they stand before the snapshots, so that one read serves both.
    pub(crate) snapshots: Vec<ExtendedReference>,
    pub(crate) rules: Vec<Rule>,
    /// The documents that link to each other, by collection.
    pub(crate) linked: Vec<LinkedDocuments>,
    problems: Vec<Problem>,
}

/// Returns the extended references of all linked models.
pub(crate) fn graph() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| build::build(&models()))
}

impl Graph {
    /// Lists the extended references whose sources are among some documents.
    pub(crate) fn from<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g ExtendedReference> {
        let references = self.references.iter();
        references.filter(move |reference| documents.overlaps(reference.source))
    }

    /// Lists the extended references whose copies are in some documents.
    pub(crate) fn copied_into<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g ExtendedReference> {
        let references = self.references.iter();
        references.filter(move |reference| documents.overlaps(reference.target))
    }

    /// Lists the keys of the indexes by which documents of a collection are found of which fields elsewhere are computed:
    /// for each list in its order, and by the reference alone for the rest.
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

    /// Lists what new structs in some documents take from their sources once.
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

    /// Lists the collections whose changes concern others, some of them several times.
    pub(crate) fn watchable(&self) -> impl Iterator<Item = &'static str> {
        let sources = self
            .references
            .iter()
            .map(|reference| reference.source.collection);
        let acting = self.rules.iter().filter(|rule| rule.acts());
        sources.chain(acting.map(|rule| rule.target.collection))
    }

    /// Whether documents of a collection are copied elsewhere or hold copies, or a rule leaves jobs for them.
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

    /// Lists the relations whose jobs this program can run.
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

    /// Lists the extended references whose copies a job writes. There is one, unless models of one collection
    /// declare the same path with different arrays in it.
    pub(crate) fn references_of<'g>(
        &'g self,
        relation: &str,
    ) -> impl Iterator<Item = &'g ExtendedReference> {
        let relation = ExtendedReference::field_of(relation).0;
        let references = self.references.iter();
        references.filter(move |reference| reference.relation == relation)
    }

    /// Lists the rules that a job carries out.
    pub(crate) fn rules_of<'g>(&'g self, relation: &str) -> impl Iterator<Item = &'g Rule> {
        let rules = self.rules.iter();
        rules.filter(move |rule| rule.acts() && rule.relation == relation)
    }

    /// Whether the jobs of a relation are those of a rule.
    pub(crate) fn is_of_rule(&self, relation: &str) -> bool {
        let mut rules = self.rules.iter().filter(|rule| rule.has_jobs());
        rules.any(|rule| rule.relation == relation)
    }

    /// Refuses to write to a collection whose declarations contradict each other.
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

/// Lists what is wrong with the linked models together, apart from their indexes.
pub(crate) fn problems() -> impl Iterator<Item = &'static str> {
    let problems = graph().problems.iter();
    problems.map(|problem| problem.message.as_str())
}
