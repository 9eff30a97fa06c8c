//! One index: its keys and options.

use std::fmt;

use mongodb::bson::{Bson, Document, doc};
use serde::Serialize;

use super::sync_report::IndexName;
use crate::{
    client::{
        command::{Command, CreateIndexesCommand, DropIndexCommand, Index},
        place::Place,
    },
    model::shape::{IndexKind, IndexShape},
};

/// One index of a collection, as it is declared or as the server has it.
///
/// Shown as the statement that creates it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct IndexSpec {
    /// The collection.
    pub collection: String,
    /// The name.
    pub name: String,
    /// The keys, in order: `{ name: 1, manufacturer: 1 }`.
    pub keys: Document,
    /// The options, named as in `createIndexes`; those at their default are left out.
    pub options: Document,
    /// Where the index comes from.
    pub origin: IndexOrigin,
}

/// Where an index comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum IndexOrigin {
    /// Declared by this model (`Product`) or field (`Product.catalog_number`).
    Declared(String),
    /// Implied by this reference, `Task.owner` for instance.
    Implied(String),
    /// Only the server has it.
    Server,
}

impl IndexSpec {
    /// Returns the message about a declared index whose model stands for a view.
    pub fn why_not_of_a_view(&self) -> String {
        let Self {
            collection, name, ..
        } = self;
        let origin = match &self.origin {
            IndexOrigin::Declared(origin) | IndexOrigin::Implied(origin) => origin.as_str(),
            IndexOrigin::Server => "",
        };
        let model = origin.split('.').next().unwrap_or(origin);
        format!(
            "`{model}` stands for the view `{collection}`: a view has no indexes; take `{name}` out of the model"
        )
    }

    /// Describes a declared index; the field that declares it is its key if it names none.
    pub(super) fn declared(
        collection: &str,
        shape: &IndexShape,
        field: Option<&str>,
        origin: String,
    ) -> Self {
        let mut keys: Document = shape
            .keys
            .iter()
            .map(|key| ((key.path)(), direction(key.kind)))
            .collect();
        if let (true, Some(field)) = (keys.is_empty(), field) {
            keys.insert(field, direction(shape.kind));
        }
        Self {
            collection: collection.to_owned(),
            name: shape
                .name
                .map_or_else(|| default_name(&keys), ToOwned::to_owned),
            options: options(shape, &keys),
            keys,
            origin: IndexOrigin::Declared(origin),
        }
    }

    /// Describes the index that a reference wants.
    ///
    /// The collation is said in any case: an index takes over the default of its collection, and
    /// string keys are compared with the simple one by every statement of this library.
    pub(super) fn implied(collection: &str, path: &str, origin: String) -> Self {
        Self::implied_keys(collection, doc! { path: 1 }, origin)
    }

    /// Describes the index that copies want: their documents by the key, in the order of the ids, which
    /// is how a fan-out walks over them. It holds no copied value, so a fan-out never maintains it.
    pub(super) fn fan_out(collection: &str, path: &str, origin: String) -> Self {
        Self::implied_keys(collection, doc! { path: 1, "_id": 1 }, origin)
    }

    /// Returns an index that a declaration wants.
    pub(super) fn implied_keys(collection: &str, keys: Document, origin: String) -> Self {
        Self {
            collection: collection.to_owned(),
            name: default_name(&keys),
            keys,
            options: doc! { "collation": { "locale": "simple" } },
            origin: IndexOrigin::Implied(origin),
        }
    }

    /// Returns the name with its collection.
    pub fn full_name(&self) -> IndexName {
        IndexName {
            collection: self.collection.clone(),
            name: self.name.clone(),
        }
    }

    /// Returns whether the models imply it, and nobody has declared it.
    pub fn is_implied(&self) -> bool {
        matches!(self.origin, IndexOrigin::Implied(_))
    }

    pub(super) fn is_text(&self) -> bool {
        self.keys.values().any(|kind| kind.as_str() == Some("text"))
    }

    /// Whether this is the index that every collection has from its beginning.
    pub(super) fn is_of_id(&self) -> bool {
        let only = (self.keys.len() == 1)
            .then(|| self.keys.get("_id"))
            .flatten();
        only.and_then(sign).is_some_and(|sign| sign > 0)
    }

    /// Returns the index as `createIndexes` takes it.
    pub(super) fn index(&self) -> Index {
        let mut options = doc! { "name": &self.name };
        for (option, value) in &self.options {
            let value = if option == "collation" {
                short_collation(value)
            } else {
                value.clone()
            };
            options.insert(option, value);
        }
        Index {
            keys: self.keys.clone(),
            options,
        }
    }

    /// Returns the statement that creates this index alone.
    fn create(&self) -> CreateIndexesCommand {
        CreateIndexesCommand {
            place: self.place(),
            indexes: vec![self.index()],
        }
    }

    /// Returns the statement that drops it.
    pub(super) fn drop(&self) -> DropIndexCommand {
        DropIndexCommand {
            place: self.place(),
            name: self.name.clone(),
        }
    }

    pub(super) fn place(&self) -> Place {
        Place::whole_collection(self.collection.clone())
    }
}

impl fmt::Display for IndexSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.create().statement().fmt(f)
    }
}

impl fmt::Display for IndexOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared(by) => write!(f, "declared by {by}"),
            Self::Implied(by) => write!(f, "implied by {by}"),
            Self::Server => f.write_str("only on the server"),
        }
    }
}

/// Returns the direction of a numeric key, the sign of any number; none for a word.
pub(super) fn sign(direction: &Bson) -> Option<i8> {
    let negative = match direction {
        Bson::Int32(number) => *number < 0,
        Bson::Int64(number) => *number < 0,
        Bson::Double(number) => *number < 0.0,
        _ => return None,
    };
    Some(if negative { -1 } else { 1 })
}

fn direction(kind: IndexKind) -> Bson {
    match kind {
        IndexKind::Ascending => 1.into(),
        IndexKind::Descending => (-1).into(),
        IndexKind::Text => "text".into(),
        IndexKind::Hashed => "hashed".into(),
        IndexKind::TwoD => "2d".into(),
        IndexKind::TwoDSphere => "2dsphere".into(),
    }
}

/// Names an index as mongosh and the drivers do: `name_1_manufacturer_1`.
fn default_name(keys: &Document) -> String {
    let part = |(path, kind): (&String, &Bson)| match kind {
        Bson::String(word) => format!("{path}_{word}"),
        number => format!("{path}_{number}"),
    };
    keys.iter().map(part).collect::<Vec<_>>().join("_")
}

/// Writes down the options of a declared index but for `partialFilterExpression`, which may be
/// wrong.
fn options(shape: &IndexShape, keys: &Document) -> Document {
    let mut options = Document::new();
    if shape.unique {
        options.insert("unique", true);
    }
    if shape.sparse {
        options.insert("sparse", true);
    }
    if let Some(seconds) = shape.expire_after_secs {
        options.insert("expireAfterSeconds", number(seconds));
    }
    if let Some(locale) = shape.locale {
        let mut collation = doc! { "locale": locale };
        if let Some(strength) = shape.strength {
            collation.insert("strength", number(strength));
        }
        options.insert("collation", collation);
    } else if keys.values().any(takes_no_collation) {
        // The server refuses to give these the default collation of a collection.
        options.insert("collation", doc! { "locale": "simple" });
    }
    options
}

fn takes_no_collation(kind: &Bson) -> bool {
    matches!(kind.as_str(), Some("text" | "2d"))
}

/// Returns the narrowest integer, which mongosh shows without ado.
fn number(value: u32) -> Bson {
    i32::try_from(value).map_or_else(|_| i64::from(value).into(), Bson::from)
}

/// Cuts a collation that the server has spelt out down to what a model can declare.
fn short_collation(collation: &Bson) -> Bson {
    let Some(all) = collation.as_document() else {
        return collation.clone();
    };
    let declarable = ["locale", "strength"];
    let short = declarable
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), all.get(name)?.clone())));
    Bson::Document(short.collect())
}
