//! The subject of a finding: a field of a model, or a path in a collection without a model.

use mongo_odm::shape::{FieldShape, ModelShape, ReferenceKind, ReferenceShape, StoredField};
use mongodb::bson::{Bson, Document};

/// The field or collection to which a finding applies.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) model: Option<&'static ModelShape>,
    pub(super) collection: String,
    /// A field's stored path, an index's name, or a relation's name.
    pub(super) field: Option<String>,
    /// The description of the field, if a model declares the field.
    pub(super) shape: Option<&'static FieldShape>,
}

/// A field in one of a collection's models.
#[derive(Debug)]
pub(super) struct ModelField {
    pub(super) model: &'static ModelShape,
    pub(super) stored: StoredField,
}

impl ModelField {
    /// Returns the reference that the field declares, and the stored path of its keys.
    pub(super) fn reference(&self) -> Option<(&'static ReferenceShape, String)> {
        let reference = self.stored.shape.reference.as_ref()?;
        let path = [self.stored.path.as_str(), &(reference.inner)()].join(".");
        Some((reference, path.trim_end_matches('.').to_owned()))
    }

    /// Whether the subject is an array of references.
    pub(super) fn is_many(&self) -> bool {
        let kind = self.stored.shape.reference.as_ref().map(|it| it.kind);
        kind == Some(ReferenceKind::Many)
    }
}

/// Whether a document can belong to a model, according to the kind that the document stores.
pub(super) fn may_hold(model: &ModelShape, document: &Document) -> bool {
    let Some(kind) = model.kind else {
        return true;
    };
    match document.get(kind.field) {
        None => true,
        Some(Bson::Null) => kind.is_default,
        Some(stored) => stored.as_str() == Some(kind.value),
    }
}

impl Subject {
    /// Creates a subject that is a whole collection.
    pub(super) fn collection(collection: &str, models: &[&'static ModelShape]) -> Self {
        Self {
            model: match models {
                [model] => Some(*model),
                _ => None,
            },
            collection: collection.to_owned(),
            field: None,
            shape: None,
        }
    }

    /// Sets the field of the subject to an index, a path or a relation.
    pub(super) fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Creates a subject that is a field of a model.
    pub(super) fn of(field: &ModelField) -> Self {
        Self {
            model: Some(field.model),
            collection: field.model.collection.to_owned(),
            field: Some(field.stored.path.clone()),
            shape: Some(field.stored.shape),
        }
    }

    /// Returns the name of the model, or the name of the collection if there is no model.
    pub(super) fn owner(&self) -> &str {
        self.model.map_or(&self.collection, |model| model.name)
    }

    /// Returns the stored path of the field.
    pub(super) fn path(&self) -> &str {
        self.field.as_deref().unwrap_or_default()
    }

    /// Returns the field with its model or collection: `Person.tasks`.
    pub(super) fn title(&self) -> String {
        match &self.field {
            Some(field) => format!("{}.{field}", self.owner()),
            None => self.owner().to_owned(),
        }
    }

    /// Returns the remedy text: the attribute that bounds the array, and the field to which it
    /// belongs.
    pub(super) fn bounded(&self, max: u64) -> String {
        let reference = self.shape.and_then(|shape| shape.reference.as_ref());
        let attribute = match (self.shape, reference) {
            (
                _,
                Some(ReferenceShape {
                    inverse: Some(inverse),
                    ..
                }),
            ) => {
                format!("refs(many, inverse = \"{inverse}\", max = {max})")
            }
            (_, Some(_)) => format!("refs(many, max = {max})"),
            (Some(shape), None) if shape.links.is_some() => format!("links(max = {max})"),
            _ => format!("embed(max = {max})"),
        };
        if self.model.is_some() {
            format!("`#[{attribute}]` at `{}`", self.title())
        } else {
            let path = self.path();
            let collection = &self.collection;
            format!("`#[{attribute}]` at the field `{path}` of the model of `{collection}`")
        }
    }

    /// Returns the remedy text that recommends storing the elements as separate documents with
    /// references to the document that now contains the array.
    pub(super) fn turned_round(&self) -> String {
        let owner = self.owner();
        let name = self
            .shape
            .map_or_else(|| last(self.path()), |shape| shape.name);
        let back = snake_case(owner);
        let reference = self.shape.and_then(|shape| shape.reference.as_ref());
        if let Some(reference) = reference {
            let target = (reference.target)().name;
            let back = reference.inverse.unwrap_or(&back);
            let field = match reference.inverse {
                Some(_) => format!("only `{target}.{back}`"),
                None => format!("`#[parent_ref] {back}: Id<{owner}>` in `{target}`"),
            };
            return format!(
                "{field}, read by `has_many({name} = \"{target}.{back}\")` at `{owner}` instead of the array"
            );
        }
        let embed = self.shape.and_then(|shape| shape.embed);
        match (embed, self.model) {
            (Some(embed), _) => {
                let element = embed().name;
                format!(
                    "a model of `{element}` with `#[parent_ref] {back}: Id<{owner}>`, read by `has_many({name} = \
                     \"{element}.{back}\")` at `{owner}`; elements that are shown with a `{owner}` stay there as `#[recent(of = \"{element}\", via = \"{back}\", sort = \"id\", limit = 50)]`"
                )
            }
            (None, Some(_)) => format!(
                "a model for the elements of `{name}` with `#[parent_ref] {back}: Id<{owner}>`, read by \
                 `has_many(..)` at `{owner}`"
            ),
            (None, None) => format!(
                "a separate collection for the elements of `{}`, each with the `_id` of its document of `{}` and an \
                index on it (`#[parent_ref]`)",
                self.path(),
                self.collection
            ),
        }
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Converts the name of a model to a field name: `log_msg` for `LogMsg`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
