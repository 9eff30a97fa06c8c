//! Links: the arrays of a single collection that contain the ids of related documents of all kinds.
//!
//! Links are mirrored two-way arrays without a declared reference, and require no other mechanism:
//!
//! - The source of the pair is the whole collection (`LinkedDocuments::all`). Each kind that stores links has one
//!   extended reference, which writes the arrays of that kind.
//! - Its keys are the links to documents of its kind, except the link of a document to itself. So a link costs one
//!   statement at its other end, instead of one for each kind.
//! - An element at the other end has two fields of the source: `_id` and the kind, which defaults to the default kind.
//! - One rule (`on_delete = "pull"`) removes the links to a deleted document, even if only the other side has them.

use std::collections::BTreeMap;

use mongodb::bson::Document;

use super::{Copied, ElementPart, ExtendedReference, Fold, Graph, Rule, check::Problem};
use crate::{
    model::shape::{ModelLinks, ModelShape, OnDelete},
    value::path::ElementPath,
};

/// The linked documents of one collection.
#[derive(Debug)]
pub(crate) struct LinkedDocuments {
    /// The whole collection, including all kinds.
    pub(crate) all: &'static ModelShape,
    /// The form of a link, which is the same for all models.
    pub(crate) form: ModelLinks,
    pub(crate) models: Vec<(&'static ModelShape, ModelLinks)>,
}

impl LinkedDocuments {
    /// Returns the name for messages and reports: `school.links.target`.
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.all.name, self.form.path())
    }

    /// Returns the default kind, which applies to documents without a kind, if its model has links.
    fn default_kind(&self) -> Option<&'static str> {
        let mut kinds = self.models.iter().map(|(_, links)| links.kind);
        kinds.find(|kind| kind.is_default).map(|kind| kind.value)
    }

    /// Returns the model of a document, if the model has links.
    pub(crate) fn model_of(
        &self,
        document: &Document,
    ) -> Option<&(&'static ModelShape, ModelLinks)> {
        self.models
            .iter()
            .find(|(model, _)| model.may_contain(document))
    }
}

impl Graph {
    /// Returns the extended reference that maintains the links of a model, if it stores links.
    pub(crate) fn keeper_of_links(&self, model: &ModelShape) -> Option<&ExtendedReference> {
        let mut references = self.references.iter();
        references.find(|it| it.links.is_some() && it.target.documents() == model.documents())
    }

    /// Returns the rule that removes links to deleted documents.
    pub(crate) fn rule_of_links(&self, linked: &LinkedDocuments) -> Option<&Rule> {
        self.rules
            .iter()
            .find(|rule| std::ptr::eq(rule.owner, linked.all))
    }
}

/// Adds the extended references and rules for the links in all collections.
pub(super) fn add_links(graph: &mut Graph, models: &[&'static ModelShape]) {
    let mut collections: BTreeMap<&str, LinkedDocuments> = BTreeMap::new();
    for model in models {
        if let Some(links) = model.links() {
            let linked = collections.entry(model.collection);
            let linked = linked.or_insert_with(|| LinkedDocuments {
                all: whole_collection(model),
                form: links,
                models: Vec::new(),
            });
            linked.models.push((model, links));
        }
    }
    for linked in collections.into_values() {
        match problem(&linked.models) {
            Some(message) => graph.problems.push(Problem {
                collections: vec![linked.all.collection],
                message,
            }),
            // Links that are stored in a text key have no other end.
            None if linked.form.shape.separator.is_some() => {}
            None => {
                add_references(graph, &linked);
                graph.linked.push(linked);
            }
        }
    }
}

/// Rejects different forms of links in one collection, because all its links must have the same path.
fn problem(linked: &[(&ModelShape, ModelLinks)]) -> Option<String> {
    let ((first, links), rest) = linked.split_first()?;
    for (other, of_other) in rest {
        let form = |of: &ModelLinks| (of.array, of.shape.target, of.shape.kind, of.shape.separator);
        if form(links) != form(of_other) {
            return Some(format!(
                "the links of `{0}` are in `{1}`, and those of `{2}`, which is in `{4}` too, in `{3}`; store both \
                 in the same form under the same names",
                first.name,
                links.title(),
                other.name,
                of_other.title(),
                other.collection,
            ));
        }
    }
    None
}

/// Adds the extended references and the rule for one collection. Links are stored at both ends. Deleting a document
/// removes its id from every document that links to it.
fn add_references(graph: &mut Graph, linked: &LinkedDocuments) {
    let (all, links) = (linked.all, &linked.form);
    let holding = linked
        .models
        .iter()
        .filter(|(_, links)| !links.shape.one_sided);
    for (model, links) in holding {
        graph.references.push(other_end(linked, model, *links));
    }
    let (place, key) = match links.shape.kind {
        Some(_) => (
            ElementPath::root().field_below(links.array, true),
            links.shape.target,
        ),
        None => (ElementPath::root(), links.array),
    };
    let path = links.path();
    graph.rules.push(Rule {
        name: format!("{}.{path}", all.name),
        relation: Rule::relation((all.documents(), &path), (all.documents(), "_id")),
        owner: all,
        place,
        key: key.to_owned(),
        many: links.shape.kind.is_none(),
        whole: None,
        target: all,
        target_key: "_id".to_owned(),
        policy: OnDelete::Pull,
        unsets: false,
        // A link can be stored before its target. The insert of the target then adds the other end.
        exists: false,
    });
}

/// Returns the shape of the whole collection of a model. It is created once per collection, and lives as long as the
/// program.
fn whole_collection(model: &'static ModelShape) -> &'static ModelShape {
    let shape = ModelShape::new(model.collection, model.collection, &[]);
    Box::leak(Box::new(shape))
}

/// Returns the extended reference that stores, in the documents of a model, the links from all documents that link to
/// them.
fn other_end(
    linked: &LinkedDocuments,
    model: &'static ModelShape,
    links: ModelLinks,
) -> ExtendedReference {
    let all = linked.all;
    let mut line = vec![ElementPart::new(
        links.shape.target.to_owned(),
        "_id".to_owned(),
    )];
    line.extend(links.shape.kind.map(|kind| ElementPart {
        // `link_to` uses the same kind for a document without one. Otherwise a job and `link` would store different
        // links.
        or: linked.default_kind(),
        ..ElementPart::new(kind.to_owned(), links.kind.field.to_owned())
    }));
    let path = links.path();
    let (target, source) = (model.documents(), all.documents());
    ExtendedReference {
        name: format!("{}.{} <-> {}.{path}", model.name, links.array, all.name),
        relation: format!("{target}.{} <-> {source}.{path}", links.array),
        source: all,
        source_key: path,
        keys_in_source: true,
        target: model,
        place: ElementPath::root(),
        key: "_id".to_owned(),
        fields: vec![Copied {
            from: "each _id".to_owned(),
            reads: line.iter().map(|part| part.from.clone()).collect(),
            fold: Fold::Members {
                line,
                max: links.max,
                mirrored: true,
            },
            filter: None,
            to: links.array.to_owned(),
            optional: false,
            required: false,
            empties: false,
            skips: None,
        }],
        links: Some(links),
        has_followers: false,
        foreign: false,
    }
}
