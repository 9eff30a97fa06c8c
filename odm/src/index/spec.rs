//! The specification of an index: its name, keys and options.

use std::fmt;

use mongodb::bson::{Bson, Document, doc};
use serde::Serialize;

use super::sync_report::IndexName;
use crate::{
    client::{
        command::{Command, CreateIndexesCommand, DropIndexCommand, Index},
        place::Place,
    },
    model::shape::{IndexKind, IndexShape, ModelShape},
};

/// An index of a collection, as a model declares it or as it exists on the server.
///
/// `Display` writes the mongosh statement that creates the index.
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// for index in odm.index_diff().await?.missing {
///     println!("{index}  // {}", index.origin);
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct IndexSpec {
    /// The name of the collection.
    pub collection: String,
    /// The name of the index.
    pub name: String,
    /// The keys, in order: `{ name: 1, manufacturer: 1 }`.
    pub keys: Document,
    /// The options under the names that `createIndexes` uses. Options that have their default value are left out.
    pub options: Document,
    /// The declaration in the models that requires the index.
    pub origin: IndexOrigin,
}

/// The declaration in the models that requires an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum IndexOrigin {
    /// The index is declared by this model (`Product`) or field (`Product.catalog_number`).
    Declared(String),
    /// The index is implied by this reference, for example `Task.owner`.
    Implied(String),
    /// No declaration requires the index. The index exists only on the server.
    Server,
}

impl IndexSpec {
    /// Returns the error message for an index that the model of a view declares.
    #[doc(hidden)]
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
            "`{model}` is the model of the view `{collection}`, and a view cannot have indexes; remove `{name}` from the model"
        )
    }

    /// Returns an index that a model declares. If the declaration does not list keys, the key is the field that
    /// declares the index.
    pub(super) fn declared(
        model: &ModelShape,
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
        let keys = of_tenant(model, keys, shape);
        Self {
            collection: model.collection.to_owned(),
            name: shape
                .name
                .map_or_else(|| default_name(&keys), ToOwned::to_owned),
            options: options(shape, &keys),
            keys,
            origin: IndexOrigin::Declared(origin),
        }
    }

    /// Returns the index that a reference implies.
    ///
    /// The collation of the index is always explicit. Otherwise the index would have the default collation of its
    /// collection, whereas all statements of this library compare string keys by the simple collation.
    pub(super) fn implied(collection: &str, path: &str, origin: String) -> Self {
        Self::implied_keys(collection, doc! { path: 1 }, origin)
    }

    /// Returns the index that finds copies. The index contains the key, followed by `_id`, because a fan-out visits
    /// the copies in the order of their ids. The index does not contain a copied value, so a fan-out never changes
    /// the index.
    pub(super) fn fan_out(collection: &str, path: &str, origin: String) -> Self {
        Self::implied_keys(collection, doc! { path: 1, "_id": 1 }, origin)
    }

    /// Returns an implied index that has these keys.
    pub(crate) fn implied_keys(collection: &str, keys: Document, origin: String) -> Self {
        Self {
            collection: collection.to_owned(),
            name: default_name(&keys),
            keys,
            options: doc! { "collation": { "locale": "simple" } },
            origin: IndexOrigin::Implied(origin),
        }
    }

    /// Returns the name of the index together with the name of its collection.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// for index in odm.sync_indexes().diff().await?.missing {
    ///     println!("{}, implied: {}", index.full_name(), index.is_implied());
    /// }
    /// # Ok(()) }
    /// ```
    pub fn full_name(&self) -> IndexName {
        IndexName {
            collection: self.collection.clone(),
            name: self.name.clone(),
        }
    }

    /// Returns whether the models imply the index but do not declare it.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// for index in odm.sync_indexes().diff().await?.missing {
    ///     println!("{}, implied: {}", index.full_name(), index.is_implied());
    /// }
    /// # Ok(()) }
    /// ```
    pub fn is_implied(&self) -> bool {
        matches!(self.origin, IndexOrigin::Implied(_))
    }

    pub(super) fn is_text(&self) -> bool {
        self.keys.values().any(|kind| kind.as_str() == Some("text"))
    }

    /// Whether this is the index on `_id`, which every collection has.
    pub(super) fn is_of_id(&self) -> bool {
        let only = (self.keys.len() == 1)
            .then(|| self.keys.get("_id"))
            .flatten();
        only.and_then(sign).is_some_and(|sign| sign > 0)
    }

    /// Returns the index in the form that the driver's `createIndexes` accepts.
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

    /// Returns the statement that creates this index.
    fn create(&self) -> CreateIndexesCommand {
        CreateIndexesCommand {
            place: self.place(),
            indexes: vec![self.index()],
        }
    }

    /// Returns the statement that drops this index.
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

/// Returns the direction (1 or -1) of a numeric key, or `None` for a key such as `"hashed"`.
pub(super) fn sign(direction: &Bson) -> Option<i8> {
    let negative = match direction {
        Bson::Int32(number) => *number < 0,
        Bson::Int64(number) => *number < 0,
        Bson::Double(number) => *number < 0.0,
        _ => return None,
    };
    Some(if negative { -1 } else { 1 })
}

pub(super) fn direction(kind: IndexKind) -> Bson {
    match kind {
        IndexKind::Ascending => 1.into(),
        IndexKind::Descending => (-1).into(),
        IndexKind::Text => "text".into(),
        IndexKind::Hashed => "hashed".into(),
        IndexKind::TwoD => "2d".into(),
        IndexKind::TwoDSphere => "2dsphere".into(),
    }
}

/// Returns the default name of an index, for example `name_1_manufacturer_1`. mongosh and the drivers generate the same
/// name.
fn default_name(keys: &Document) -> String {
    let part = |(path, kind): (&String, &Bson)| match kind {
        Bson::String(word) => format!("{path}_{word}"),
        number => format!("{path}_{number}"),
    };
    keys.iter().map(part).collect::<Vec<_>>().join("_")
}

/// Puts the tenant of a model in front of the keys of a declared index, because the statements of an application
/// contain the tenant. In a `2d` index, the tenant is the last key, because the server requires that the position is the
/// first. TTL indexes stay unchanged, because they can have only one key.
fn of_tenant(model: &ModelShape, keys: Document, shape: &IndexShape) -> Document {
    match model.tenant() {
        Some(tenant) if shape.expire_after_secs.is_none() && !keys.contains_key(tenant) => {
            let is_flat = keys.values().any(|kind| kind.as_str() == Some("2d"));
            let tenant = doc! { tenant: 1 };
            let (first, then) = if is_flat {
                (keys, tenant)
            } else {
                (tenant, keys)
            };
            first.into_iter().chain(then).collect()
        }
        _ => keys,
    }
}

/// Returns the options of a declared index, except `partialFilterExpression`. The caller adds this option, because the
/// text of the partial filter may be invalid.
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
        // If the collection has a default collation, the server accepts indexes with these types of keys only if they
        // have an explicit simple collation.
        options.insert("collation", doc! { "locale": "simple" });
    }
    options
}

fn takes_no_collation(kind: &Bson) -> bool {
    matches!(kind.as_str(), Some("text" | "2d"))
}

/// Returns a number in the smallest integer type, because mongosh shows an `Int64` as `NumberLong`.
fn number(value: u32) -> Bson {
    i32::try_from(value).map_or_else(|_| i64::from(value).into(), Bson::from)
}

/// Removes those options of a collation that a model cannot declare.
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
