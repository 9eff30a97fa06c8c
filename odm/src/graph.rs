//! All references, copies, summaries and delete rules of the program, read once from the shapes of all models.
//!
//! An *extended reference* is a reference together with its copies or folds. Either side may store the reference.
//! `Product.parts[].name` copies from `Part` by `parts.id`, which the product stores. `Part.product_name` copies from
//! the product that refers to the part. A copy of a struct or an array is one value; copies inside it are copies of
//! copies.

mod build;
mod check;
mod computed_field;
mod declared_copy;
mod delete_rule;
mod extended_reference;
pub(crate) mod fold;
mod links;
pub(crate) mod reference_index;
mod snapshot;
pub(crate) mod stored_reference;
mod two_way_array;

use std::sync::OnceLock;

use mongodb::bson::{Document, doc};

pub(crate) use delete_rule::Rule;
pub(crate) use extended_reference::{Copied, ExtendedReference};
pub(crate) use links::LinkedDocuments;

use crate::{
    error::{Error, Result},
    model::{registry::models, shape::DocumentSet},
};
use check::Problem;
use fold::{ElementPart, Fold};

/// All extended references and rules of a program.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) references: Vec<ExtendedReference>,
    /// The snapshots: fields that new structs copy from their sources once. If copies of the same source exist, they
    /// precede the snapshots, so that one read provides both.
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

    /// Lists the keys of the indexes that folds need in the collection of their sources. For a list they also include
    /// its order, for other folds only the reference.
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

    /// Lists the snapshots that new structs in some documents get.
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

    /// Lists the extended references that a job updates. There is only one, unless models of one collection declare the
    /// same path with different arrays in it.
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

    /// Rejects writes to a collection whose declarations contradict each other.
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
