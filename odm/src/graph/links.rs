//! Links: arrays that contain the ids of related documents, for designs in which one collection stores documents of all
//! kinds.
//!
//! Links work like mirrored two-way arrays, although no reference is declared. So links need no separate mechanism:
//!
//! - The source of the pair is the whole collection (`LinkedDocuments::all`). Each kind that stores links has one
//!   extended reference, which maintains the arrays in documents of that kind.
//! - The keys of this extended reference are only the links to documents of that kind. So storing a link costs one
//!   statement for the other end, rather than one statement for each kind. A link from a document to itself is not a
//!   key.
//! - The element at the other end contains two fields of the source document: its `_id` and its kind. If the source
//!   does not store a kind, the default kind is stored. The element also contains the copies that the link declares.
//! - One rule (`on_delete = "pull"`) removes all links to a deleted document, even links that are stored at only one
//!   end.
//! - If the documents have a tenant, this rule also requires that linked documents exist and have the same tenant
//!   (`derived::follow::exists_check`).

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use mongodb::bson::Document;

use super::{
    Copied, ElementPart, ExtendedReference, Fold, Graph, KeyForm,
    check::Problem,
    fold::OtherSide,
    stored_reference::{StoredReference, Target},
};
use crate::{
    model::{
        registry::models,
        shape::{CopyShape, FieldShape, LinkEnds, ModelLinks, ModelShape, OnDelete},
    },
    value::path::ElementPath,
};

/// The models that store links in one collection.
#[derive(Debug)]
pub(crate) struct LinkedDocuments {
    /// The shape of the whole collection, which includes documents of all kinds.
    pub(crate) all: &'static ModelShape,
    /// The stored form of a link, which all models of the collection share.
    pub(crate) form: ModelLinks,
    pub(crate) models: Vec<(&'static ModelShape, ModelLinks)>,
}

impl LinkedDocuments {
    /// Returns the name that messages and reports use: `school.links.target`.
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.all.name, self.form.path())
    }

    /// Returns the default kind, which applies to documents that store no kind. Returns `None` if the default kind's
    /// model does not have links.
    fn default_kind(&self) -> Option<&'static str> {
        let mut kinds = self.models.iter().map(|(_, links)| links.kind);
        kinds.find(|kind| kind.is_default).map(|kind| kind.value)
    }

    /// Returns the model that a document belongs to, if that model has links. The document must contain its kind field.
    pub(crate) fn model_of(
        &self,
        document: &Document,
    ) -> Option<&(&'static ModelShape, ModelLinks)> {
        let mut models = self.models.iter();
        models.find(|(_, links)| links.kind.is_kind_of(document.get(links.kind.field)))
    }
}

impl Graph {
    /// Returns the extended reference that maintains the links in documents of a model. Returns `None` if the model
    /// stores no links.
    pub(crate) fn keeper_of_links(&self, model: &ModelShape) -> Option<&Arc<ExtendedReference>> {
        let mut references = self.references.iter();
        references.find(|it| it.links.is_some() && it.target.documents() == model.documents())
    }

    /// Lists the delete rules for the links in all collections.
    pub(super) fn rules_of_links(&self) -> impl Iterator<Item = &StoredReference> {
        let linked = self.linked.iter();
        linked.filter_map(|linked| self.rule_of_links(linked))
    }

    /// Returns the rule that removes links to deleted documents.
    pub(crate) fn rule_of_links(&self, linked: &LinkedDocuments) -> Option<&StoredReference> {
        self.rules
            .iter()
            .find(|rule| std::ptr::eq(rule.model, linked.all))
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
            // Links inside a text key are not stored at the other end.
            None if linked.form.shape.separator.is_some() => {}
            None => {
                let copies = linked.models.iter();
                let copies = copies.filter_map(|(model, links)| copy_of_one_kind(model, *links));
                graph.problems.extend(copies);
                add_references(graph, &linked);
                graph.linked.push(linked);
            }
        }
    }
}

/// Rejects models in one collection that store links in different forms, because all links must have the same path.
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

/// Rejects a copy in a link that has documents of only one kind as its sources. A link can refer to documents of every
/// kind, so the library could not fill in this copy at the other end.
fn copy_of_one_kind(model: &'static ModelShape, links: ModelLinks) -> Option<Problem> {
    let mut copies = copies_of_linked(model, links);
    let (field, copy) = copies.find(|(_, copy)| (copy.source)().kind.is_some())?;
    let source = (copy.source)();
    Some(Problem {
        collections: vec![model.collection],
        message: format!(
            "`{}.{}.{}` copies `{}.{}`, but a link can refer to documents of every kind; copy the field from an enum over \
             the kinds (`#[derive(SingleCollection)]`), and make the enum the target of the reference",
            model.name,
            links.array,
            field.name,
            source.name,
            (copy.path)()
        ),
    })
}

/// Lists the copies in a link that have the linked document as their source, and their fields.
fn copies_of_linked(
    model: &'static ModelShape,
    links: ModelLinks,
) -> impl Iterator<Item = (&'static FieldShape, &'static CopyShape)> {
    let array = model.fields.iter().find(|it| it.stored == links.array);
    let embed = array.and_then(|array| array.embed);
    let fields: &'static [FieldShape] = embed.map_or(&[][..], |embed| embed().shape.fields);
    let target = fields.iter().find(|it| it.stored == links.shape.target);
    let reference = target.and_then(|target| Some((target, target.reference.as_ref()?)));
    let copies = fields.iter().filter_map(|it| Some((it, it.copy_shape()?)));
    copies.filter(move |(_, copy)| {
        let source = (copy.source)();
        reference.is_some_and(|(target, reference)| match copy.via {
            _ if copy.keys.is_some() || source.collection != model.collection => false,
            Some(via) => via == target.name,
            None => (reference.target)().documents() == source.documents(),
        })
    })
}

/// Adds the extended references and the rule for the links in one collection. Links are stored at both ends. Deleting
/// a document removes its id from every document that links to it.
fn add_references(graph: &mut Graph, linked: &LinkedDocuments) {
    let (all, links) = (linked.all, &linked.form);
    let models = linked.models.iter();
    let holding = models.filter(|(_, links)| links.ends() == LinkEnds::Both);
    for (model, links) in holding {
        graph
            .references
            .push(Arc::new(other_end(linked, model, *links)));
    }
    let root = ElementPath::root();
    let (place, key, form) = match links.shape.kind {
        Some(_) => (
            root.field_below(links.array, true),
            links.shape.target,
            KeyForm::Single,
        ),
        None => (root, links.array, KeyForm::Array),
    };
    let target = Target {
        model: all,
        path: "_id".to_owned(),
        kinds: &[],
    };
    let mut rule = StoredReference::new(all, (place, key.to_owned(), form), target, Vec::new());
    rule.on_delete = OnDelete::Pull;
    graph.rules.push(rule);
}

/// Returns a shape that represents all documents in the model's collection. Its only field is the tenant, if the documents
/// have one.
fn whole_collection(model: &'static ModelShape) -> &'static ModelShape {
    static ALL: OnceLock<BTreeMap<&str, ModelShape>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let linked = models().into_iter().filter(|it| it.links().is_some());
        let shapes = linked.map(|it| {
            let (name, tenant) = (it.collection, it.tenant_field());
            let fields = tenant.map_or(&[][..], |(field, _)| std::slice::from_ref(field));
            (name, ModelShape::new(name, name, fields))
        });
        shapes.collect()
    });
    // The map contains the collection, because the graph is built from the same models.
    all.get(model.collection).unwrap_or(model)
}

/// Adds the shapes of the kinds to the shape of all documents in a collection that has links. A statement with the
/// resulting shape can exclude deleted documents. Returns all other shapes unchanged.
pub(crate) fn with_kinds(model: &'static ModelShape) -> &'static ModelShape {
    static KINDS: OnceLock<BTreeMap<&str, Vec<&'static ModelShape>>> = OnceLock::new();
    static SHAPES: OnceLock<BTreeMap<&str, ModelShape>> = OnceLock::new();
    let kinds = KINDS.get_or_init(|| {
        let mut kinds: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for model in models() {
            kinds.entry(model.collection).or_default().push(model);
        }
        // If one kind in a collection has links, all its kinds are kept: documents of kinds without links can also be
        // linked to and deleted.
        kinds.retain(|_, models| models.iter().any(|it| it.links().is_some()));
        kinds
    });
    let shapes = SHAPES.get_or_init(|| {
        let shape = |(name, kinds): (&&'static str, &'static Vec<_>)| {
            (*name, ModelShape::new(name, name, &[]).variants(kinds))
        };
        kinds.iter().map(shape).collect()
    });
    let is_whole = std::ptr::eq(whole_collection(model), model);
    let shape = shapes.get(model.collection).filter(|_| is_whole);
    shape.unwrap_or(model)
}

/// Creates the extended reference that maintains the links in documents of a model. For each document that links to a
/// document of the model, the extended reference stores a link back.
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
        // `link_to` uses the same default for documents that store no kind. If the defaults differed, a job and `link`
        // would store different links.
        or: linked.default_kind(),
        ..ElementPart::new(kind.to_owned(), links.kind.field.to_owned())
    }));
    line.extend(
        copies_of_linked(model, links)
            .map(|(field, copy)| ElementPart::new(field.stored.to_owned(), (copy.path)())),
    );
    let copied = Copied {
        from: "each _id".to_owned(),
        reads: line.iter().map(|part| part.from.clone()).collect(),
        fold: Fold::Members {
            line,
            max: links.max,
            other_side: OtherSide::Array,
        },
        to: links.array.to_owned(),
        ..Copied::default()
    };
    let target = (model.into(), ElementPath::root(), "_id".to_owned());
    ExtendedReference {
        links: Some(links),
        ..ExtendedReference::mirror(target, (all.into(), links.path()), copied)
    }
}
