//! The models of a program as data.
//!
//! The module `read` converts the shapes of the models to this data. Information that depends on all models is read
//! from `graph` (delete rules and the keys of copies) and `index`.

mod data;
mod read;

pub use data::{
    Cardinality, CollectionSchema, DerivedKind, DerivedSchema, FieldAddress, FieldSchema,
    ModelSchema, ReferenceSchema, ReverseSchema, Schema,
};

use crate::model::registry::models;

/// Returns all models of the program as data. Tools use this data to draw pictures, or to generate documentation and
/// code.
///
/// The result is the same in every run, because collections and models are sorted by name. The linker drops crates that
/// the program never mentions, together with their models. Use the macro [`link!`](crate::link) to mention such a
/// crate.
///
/// # Sends
///
/// Nothing.
///
/// # Examples
///
/// ```standalone_crate
/// use mongo_odm::prelude::*;
///
/// #[derive(Serialize, Deserialize, Model)]
/// #[model(collection = "hosts")]
/// struct Host {
///     #[serde(rename = "_id")]
///     id: Id<Host>,
/// }
///
/// #[derive(Serialize, Deserialize, Model)]
/// #[model(collection = "logmsg")]
/// struct LogMsg {
///     #[serde(rename = "_id")]
///     id: Id<LogMsg>,
///     #[parent_ref]
///     host: Id<Host>,
/// }
///
/// let schema = mongo_odm::schema();
/// let collections: Vec<_> = schema.collections.iter().map(|it| it.name.as_str()).collect();
/// assert_eq!(collections, ["hosts", "logmsg"]);
/// let host = &schema.collections[1].models[0].fields[1];
/// assert_eq!(host.references[0].to.collection, "hosts");
/// ```
pub fn schema() -> Schema {
    read::schema(&models())
}

impl Schema {
    /// Returns the schema as indented JSON. Empty properties are omitted.
    ///
    /// # Examples
    ///
    /// ```standalone_crate
    /// // This program does not contain any models.
    /// assert_eq!(mongo_odm::schema().json(), "{\n  \"collections\": []\n}");
    /// ```
    pub fn json(&self) -> String {
        // The conversion cannot fail, because a schema contains only names, numbers and documents.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
