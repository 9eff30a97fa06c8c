//! Determines the target models of references.

use std::collections::{HashMap, HashSet};

use mongo_odm::JoinKey;
use mongodb::bson::{Bson, Document};

use super::{
    ident,
    tree::{Node, tree},
    types::is_uuid,
};
use crate::survey::{CopySurvey, PathSurvey, ReferenceSurvey, Survey, UndecidedSurvey};

/// The facts about a model that are known before its structs are built.
#[derive(Debug)]
pub(super) struct Stub<'s> {
    pub(super) name: String,
    pub(super) collection: &'s str,
    /// The field that contains the kind, and the value of this model's kind.
    pub(super) kind: Option<(&'s str, &'s str)>,
    pub(super) paths: std::borrow::Cow<'s, [PathSurvey]>,
    /// Number of sampled documents of the model.
    pub(super) sampled: u64,
    /// The sampled documents, if the survey kept them.
    pub(super) documents: Vec<&'s Document>,
    /// The ids of these documents. The ids are collected only if the collection has several kinds.
    pub(super) ids: HashSet<JoinKey>,
}

/// The target of a declared reference.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) model: String,
    /// The key field in the target model, if the key is not the `_id`.
    pub(super) field: Option<String>,
    /// The Rust type of the reference, if the key is the `_id`.
    pub(super) id_type: String,
}

/// All references, undecided references and copies that a survey has found, by collection and path.
#[derive(Debug, Default)]
pub(super) struct Targets<'s> {
    references: HashMap<(&'s str, &'s str), &'s ReferenceSurvey>,
    undecided: HashMap<(&'s str, &'s str), &'s UndecidedSurvey>,
    copies: HashMap<(&'s str, &'s str), &'s CopySurvey>,
}

impl<'s> Targets<'s> {
    pub(super) fn of(survey: &'s Survey) -> Self {
        let (references, undecided) = (survey.references.iter(), survey.undecided.iter());
        Self {
            references: references
                .map(|it| ((it.collection.as_str(), it.path.as_str()), it))
                .collect(),
            undecided: undecided
                .map(|it| ((it.collection.as_str(), it.path.as_str()), it))
                .collect(),
            copies: survey
                .copies
                .iter()
                .map(|it| ((it.collection.as_str(), it.path.as_str()), it))
                .collect(),
        }
    }

    /// Returns the reference that the survey has found at a path.
    pub(super) fn found(&self, collection: &str, node: &Node<'_>) -> Option<&'s ReferenceSurvey> {
        let place = (collection, node.survey.path.as_str());
        self.references.get(&place).copied()
    }

    /// Returns a comment if the values at a path are copies. The comment states the source of the copies.
    pub(super) fn copy(&self, collection: &str, node: &Node<'_>) -> Option<String> {
        let copy = self.copies.get(&(collection, node.survey.path.as_str()))?;
        let (from, target, keys) = (&copy.from, &copy.target, &copy.keys);
        Some(format!(
            "Equals `{from}` of the document of `{target}` that `{keys}` leads to: a copy, which is no reference. \
             `#[denorm(from = ..)]` makes it follow its source."
        ))
    }

    /// Returns a comment if no reference is declared because the values at a path are keys of several collections.
    pub(super) fn doubt(&self, collection: &str, node: &Node<'_>, many: bool) -> Option<String> {
        let doubt = self
            .undecided
            .get(&(collection, node.survey.path.as_str()))?;
        let all = doubt.candidates.iter().map(|it| {
            let (found, asked) = (it.found, doubt.asked);
            format!("`{}` of `{}` ({found} of {asked})", it.key, it.target)
        });
        let all = all.collect::<Vec<_>>().join(" and ");
        let word = if many { "many" } else { "one" };
        Some(if doubt.is_divided {
            format!(
                "The values are {all}: no collection has more than nine tenths of them, so no reference is declared. If a \
                 reference to several models is meant, the library stores the name of the model beside the key: \
                 `#[refs({word}, polymorphic)]`."
            )
        } else {
            format!(
                "The values are {all}: nothing tells which collection is meant, so no reference is declared."
            )
        })
    }
}

impl Target {
    /// Returns the target model and key of a reference, if an attribute can declare the reference.
    pub(super) fn of(found: &ReferenceSurvey, node: &Node<'_>, stubs: &[Stub<'_>]) -> Option<Self> {
        let stub = stub(found, node, stubs)?;
        let fields = tree(&stub.paths);
        let at = fields.iter().position(|(stored, _)| *stored == found.key)?;
        let (_, key) = fields.get(at)?;
        let is_plain = key.survey.missing() == 0 && key.survey.nulls == 0;
        if !is_plain || key.survey.only_type() != node.survey.only_type() {
            return None;
        }
        let is_id = found.key == "_id";
        let names = field_names(fields.iter().map(|(stored, _)| *stored));
        Some(Self {
            model: stub.name.clone(),
            field: names.into_iter().nth(at).filter(|_| !is_id),
            id_type: id_type(&stub.name, key),
        })
    }
}

/// Returns the model to which the keys refer. If the collection has several kinds, only one of them may have documents
/// with these keys.
fn stub<'t, 's>(
    found: &ReferenceSurvey,
    node: &Node<'_>,
    stubs: &'t [Stub<'s>],
) -> Option<&'t Stub<'s>> {
    let mut of_target = stubs.iter().filter(|it| it.collection == found.target);
    let values = || {
        node.survey
            .values
            .iter()
            .map(|(value, _)| JoinKey::from(value.clone()))
    };
    let has_some =
        |stub: &&Stub<'_>| stub.kind.is_none() || values().any(|key| stub.ids.contains(&key));
    let first = of_target.by_ref().find(has_some)?;
    of_target.find(has_some).is_none().then_some(first)
}

/// Returns the Rust names of a struct's fields, in the order of the fields.
pub(super) fn field_names<'f>(stored: impl IntoIterator<Item = &'f str>) -> Vec<String> {
    let mut names = ident::Names::default();
    // The field for the `_id` is always called `id`. A field that is stored as `id` gets a different name.
    names.take(["id"]);
    let name = |stored: &str| match stored {
        "_id" => "id".to_owned(),
        stored => {
            let name = ident::field(stored);
            names.take([name.clone(), format!("{name}_")])
        }
    };
    stored.into_iter().map(name).collect()
}

/// Returns the Rust type of the `_id` of a model.
pub(super) fn id_type(model: &str, id: &Node<'_>) -> String {
    // One document can have the `_id` null. Its model needs a key that can be null.
    let only_type = id.survey.only_type().filter(|_| id.survey.nulls == 0);
    let key = match only_type {
        Some("objectId") => return format!("Id<{model}>"),
        Some("string") => "String",
        Some("int") => "i32",
        Some("long") => "i64",
        Some("double") => "f64",
        Some("bool") => "bool",
        Some("date") => "DateTime",
        Some("decimal") => "Decimal128",
        Some("binData") if is_uuid(id) => "Uuid",
        _ => "AnyKey",
    };
    format!("Id<{model}, {key}>")
}

/// Collects the ids of documents.
pub(super) fn ids<'d>(documents: impl Iterator<Item = &'d Document>) -> HashSet<JoinKey> {
    let ids = documents.map(|it| it.get("_id").unwrap_or(&Bson::Null).clone());
    ids.map(JoinKey::from).collect()
}
