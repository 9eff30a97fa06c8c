//! Links: the arrays of a single collection that contain the ids of related documents of all kinds.
//!
//! Links are mirrored two-way arrays without a declared reference, and need no other mechanism:
//!
//! - The source of the pair is the whole collection (`LinkedDocuments::all`). Each kind that stores links has one
//!   extended reference, which writes the array of that kind.
//! - Its keys are the links to documents of its kind, without the link of a document to itself. So a link costs one
//!   statement at its other end, instead of one for each kind.
//! - An element at the other end has two fields of the source: `_id` and the kind, which defaults to the default kind.
//! - One rule (`on_delete = "pull"`) removes the links to a deleted document, also if only the other side has them.

use std::collections::BTreeMap;

use mongodb::bson::Document;

use super::{Copied, ElementPart, ExtendedReference, Fold, Graph, Rule, check::Problem};
use crate::{
    model::shape::{ModelLinks, ModelShape, OnDelete},
    value::path::ElementPath,
};

/// The documents of one collection that link to each other.
#[derive(Debug)]
pub(crate) struct LinkedDocuments {
    /// All of them, of whatever kind.
    pub(crate) all: &'static ModelShape,
    /// What a link looks like, the same for all models.
    pub(crate) form: ModelLinks,
    pub(crate) models: Vec<(&'static ModelShape, ModelLinks)>,
}

impl LinkedDocuments {
    /// Returns the name for messages and reports: `school.links.target`.
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.all.name, self.form.path())
    }

    /// Returns the kind of the documents that do not say it, if they have links.
    fn default_kind(&self) -> Option<&'static str> {
        let mut kinds = self.models.iter().map(|(_, links)| links.kind);
        kinds.find(|kind| kind.is_default).map(|kind| kind.value)
    }

    /// Returns the model of a document, if it is of one that has links.
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
    /// Returns what keeps the links of the documents of a model, if they are kept there.
    pub(crate) fn keeper_of_links(&self, model: &ModelShape) -> Option<&ExtendedReference> {
        let mut references = self.references.iter();
        references.find(|it| it.links.is_some() && it.target.documents() == model.documents())
    }

    /// Returns what takes away links that lead to no document.
    pub(crate) fn rule_of_links(&self, linked: &LinkedDocuments) -> Option<&Rule> {
        self.rules
            .iter()
            .find(|rule| std::ptr::eq(rule.owner, linked.all))
    }
}

/// Adds what keeps the links of all collections.
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
            // A text has no other end.
            None if linked.form.shape.separator.is_some() => {}
            None => {
                add_references(graph, &linked);
                graph.linked.push(linked);
            }
        }
    }
}

/// All links of a collection are found by one path.
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

/// Whoever of the collection names a document is named by it, and by nobody any more when it is gone.
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
        // A link may be stored before its document, which gets its end when it is inserted.
        exists: false,
    });
}

/// Describes all documents of the collection of a model, of whatever kind. Made once, for the life of the program.
fn whole_collection(model: &'static ModelShape) -> &'static ModelShape {
    let shape = ModelShape::new(model.collection, model.collection, &[]);
    Box::leak(Box::new(shape))
}

/// The array of each document of a model has links to all documents of the collection that link to it.
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
        // As `link_to` does for a document without a kind. Otherwise a job would store another link than `link`.
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
