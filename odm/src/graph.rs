//! The graph: all references, copies, summaries and delete rules of the program, collected once from the shapes of all
//! models in the program.
//!
//! An *extended reference* is a reference together with the copies or folds that belong to it. The reference is stored
//! either beside the copies or in the source. For example, a product stores `parts.id` and copies `parts.name` from the
//! `Part`. In contrast, a part copies `product_name` from the product that stores the reference to the part. A copied
//! struct or array is treated as one value. If a copied struct itself contains copies, these fields become copies of
//! copies.

mod blank;
mod build;
mod check;
mod computed_field;
mod declared_copy;
mod derivation;
mod extended_reference;
pub(crate) mod fold;
mod links;
pub(crate) mod reference_index;
mod snapshot;
pub(crate) mod stored_reference;
mod two_way_array;

use std::sync::{Arc, OnceLock};

use mongodb::bson::{Document, doc};

pub(crate) use blank::{fill_blanks, fill_blanks_or, lacking_snapshot};
pub(crate) use computed_field::lacks_values_of;
pub(crate) use derivation::{
    Absence, Content, DanglingKeys, DeclaredBy, Deltas, Derivation, KeyForm, KeyOwner, NullForm,
    Nulls, Orphan, Sources, Targets, Timing,
};
pub(crate) use extended_reference::{Copied, ExtendedReference};
pub(crate) use links::{LinkedDocuments, with_kinds};
pub(crate) use stored_reference::StoredReference;

use crate::{
    error::{Error, Result},
    model::{registry::models, shape::DocumentSet},
};
use check::Problem;
use fold::{ElementPart, Fold};

/// All extended references and delete rules declared in the program.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) references: Vec<Arc<ExtendedReference>>,
    /// The snapshots, which are fields that a new struct copies from its source only once. Each entry lists the copies
    /// from the same source before the snapshots, so that one read provides the values for both.
    pub(crate) snapshots: Vec<Arc<ExtendedReference>>,
    /// The references that have a delete rule. A reference that several models declare is listed several times.
    pub(crate) rules: Vec<StoredReference>,
    /// The models that store links, grouped by collection.
    pub(crate) linked: Vec<LinkedDocuments>,
    /// The references that the models declare, without duplicates.
    pub(crate) stored: Vec<StoredReference>,
    problems: Vec<Problem>,
}

/// Returns the graph of all models linked into the program. The first call builds the graph.
pub(crate) fn graph() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| build::build(&models()))
}

impl Graph {
    /// Lists the extended references that have the given documents as sources.
    pub(crate) fn from<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g Arc<ExtendedReference>> {
        let references = self.references.iter();
        references.filter(move |reference| documents.overlaps(&reference.source))
    }

    /// Lists the extended references that store copies in the given documents.
    pub(crate) fn copied_into<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g Arc<ExtendedReference>> {
        let references = self.references.iter();
        references.filter(move |reference| documents.overlaps(&reference.target))
    }

    /// Lists the extended references whose fields in the given documents are written only by the library.
    pub(crate) fn derived_within<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g Arc<ExtendedReference>> {
        self.copied_into(documents).filter(|it| match it.content() {
            Content::Derived => true,
            Content::Mirrored | Content::Absent => false,
        })
    }

    /// Lists the mirrored arrays in the given documents.
    pub(crate) fn mirrors_within<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g Arc<ExtendedReference>> {
        self.copied_into(documents).filter(|it| match it.content() {
            Content::Mirrored => true,
            Content::Derived | Content::Absent => false,
        })
    }

    /// Lists the index keys that folds need in the collection that contains the children. The index for a recent list
    /// also includes the sort field. The indexes for the other folds contain only the reference and `_id`.
    pub(crate) fn computed_keys(&self, collection: &str) -> Vec<(Document, String)> {
        let all = self.from(DocumentSet::whole_collection(collection));
        let computed = all.filter(|it| match it.sources() {
            Sources::All => true,
            Sources::OneById | Sources::FirstByKey => false,
        });
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

    /// Lists the snapshots in the given documents. The library fills in these fields in new structs.
    pub(crate) fn snapshots_within<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g Arc<ExtendedReference>> {
        let snapshots = self.snapshots.iter();
        snapshots.filter(move |snapshot| documents.overlaps(&snapshot.target))
    }

    /// Lists the rules that apply when one of the given documents is deleted.
    pub(crate) fn rules<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g StoredReference> {
        let rules = self.rules.iter();
        rules.filter(move |rule| documents.overlaps(rule.target.model))
    }

    /// Lists the rules that change or delete other documents when one of the given documents is deleted.
    pub(crate) fn acting_rules<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g StoredReference> {
        self.rules(documents).filter(|rule| rule.acts())
    }

    /// Lists the rules that change or delete some of the given documents when a target is deleted.
    pub(crate) fn acting_rules_within<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g StoredReference> {
        let rules = self.rules.iter();
        rules.filter(move |rule| rule.acts() && documents.overlaps(rule.model))
    }

    /// Lists the rules that enqueue jobs when a target is deleted.
    pub(crate) fn rules_with_jobs(&self) -> impl Iterator<Item = &StoredReference> {
        self.rules.iter().filter(|rule| rule.has_jobs())
    }

    /// Lists the rules that change no documents, but for which a delete stores a job. The job makes the delete conflict
    /// with concurrent writes that store the key of the deleted document.
    pub(crate) fn checked_only<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g StoredReference> {
        self.rules(documents)
            .filter(|rule| rule.is_checked() && !rule.acts())
    }

    /// Returns the checked reference that has a delete rule and the same relation as the given reference.
    pub(crate) fn checked_rule(&self, of: &StoredReference) -> Option<&StoredReference> {
        let mut rules = self.rules.iter();
        rules.find(|rule| rule.is_checked() && rule.relation == of.relation)
    }

    /// Lists the references in the given documents whose targets must exist: those with `exists`, and those between
    /// documents with tenants. A link can be stored before its target exists, because inserting the target adds the
    /// other end of the link. But if the documents have tenants, the target could belong to a different tenant.
    pub(crate) fn checked_references<'g>(
        &'g self,
        documents: DocumentSet<'_>,
    ) -> impl Iterator<Item = &'g StoredReference> {
        let all = self.stored.iter().chain(self.rules_of_links());
        let checked = all.filter(|reference| reference.is_checked());
        checked.filter(move |reference| documents.overlaps(reference.model))
    }

    /// Lists the collections in which changes affect other documents. A collection can occur several times.
    pub(crate) fn watchable(&self) -> impl Iterator<Item = &'static str> {
        let sources = self
            .references
            .iter()
            .filter_map(|reference| Some(reference.source.linked()?.collection));
        let acting = self.rules.iter().filter(|rule| rule.acts());
        sources.chain(acting.map(|rule| rule.target.model.collection))
    }

    /// Whether the collection contains sources or copies, or owners or targets of references whose delete rules enqueue
    /// jobs.
    pub(crate) fn concerns(&self, collection: &str) -> bool {
        let mut rules = self.rules_with_jobs();
        self.watchable().any(|it| it == collection)
            || self
                .copied_into(DocumentSet::whole_collection(collection))
                .next()
                .is_some()
            || rules.any(|rule| {
                [rule.model, rule.target.model]
                    .map(|it| it.collection)
                    .contains(&collection)
            })
    }

    /// Lists the relations for which this program can run jobs.
    pub(crate) fn relations(&self) -> impl Iterator<Item = String> {
        let references = self.references.iter();
        let references = references.flat_map(|it| it.relations());
        let rules = self.rules_with_jobs();
        references.chain(rules.map(|rule| rule.relation.clone()))
    }

    /// Whether this program can run jobs for the given relation.
    pub(crate) fn knows(&self, relation: &str) -> bool {
        self.relations().any(|known| known == relation)
    }

    /// Lists the extended references for which additions can be stored as deltas.
    pub(crate) fn folds(&self) -> impl Iterator<Item = &Arc<ExtendedReference>> {
        let references = self.references.iter();
        references.filter(|reference| match reference.deltas() {
            Deltas::Possible => true,
            Deltas::Never => false,
        })
    }

    /// Lists the extended references that a job for the given relation updates. Usually there is only one. There can be
    /// several if models in one collection declare the same path, but disagree about which fields on this path are
    /// arrays.
    pub(crate) fn references_of<'g>(
        &'g self,
        relation: &str,
    ) -> impl Iterator<Item = &'g Arc<ExtendedReference>> {
        let relation = ExtendedReference::field_of(relation).0;
        let references = self.references.iter();
        references.filter(move |reference| reference.relation == relation)
    }

    /// Lists the rules that a job for the given relation applies.
    pub(crate) fn rules_of<'g>(
        &'g self,
        relation: &str,
    ) -> impl Iterator<Item = &'g StoredReference> {
        let rules = self.rules.iter();
        rules.filter(move |rule| rule.acts() && rule.relation == relation)
    }

    /// Rejects writes to a collection if declarations that affect the collection contradict each other.
    ///
    /// # Errors
    ///
    /// [`Error::Declaration`] if there is such a contradiction. The message describes the mistake.
    pub(crate) fn check(&self, collection: &str) -> Result<()> {
        let concerned = self.problems.iter().find(|problem| {
            problem.collections.is_empty() || problem.collections.contains(&collection)
        });
        concerned.map_or(Ok(()), |problem| {
            Err(Error::Declaration(problem.message.clone()))
        })
    }
}

/// Lists the mistakes in the declarations of all linked models, except mistakes in index declarations.
pub(crate) fn problems() -> impl Iterator<Item = &'static str> {
    let problems = graph().problems.iter();
    problems.map(|problem| problem.message.as_str())
}
