//! The models of a program as data.
//!
//! [`read`] makes data from the shapes of the models. Information that needs all models comes from `graph` (rules and keys
//! of copies) and `index`.

mod data;
mod read;

pub use data::{
    Cardinality, CollectionSchema, DerivedKind, DerivedSchema, FieldAddress, FieldSchema,
    ModelSchema, ReferenceSchema, ReverseSchema, Schema,
};

use crate::model::registry::models;

/// Returns all models that are linked into the program, as data.
///
/// Sends nothing to the server. It is the same in every run, whatever order the models are linked in: collections and the
/// models in them are sorted by their names. A crate that the program never names is not linked:
/// [`link!`](crate::link) names it.
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
/// let names: Vec<_> = schema.collections.iter().map(|it| it.name.as_str()).collect();
/// assert_eq!(names, ["hosts", "logmsg"]);
/// let host = &schema.collections[1].models[0].fields[1];
/// assert_eq!(host.references[0].to.collection, "hosts");
/// ```
pub fn schema() -> Schema {
    read::schema(&models())
}

impl Schema {
    /// Returns the schema as JSON, indented; what a field does not have is left out.
    ///
    /// ```standalone_crate
    /// // A program without models.
    /// assert_eq!(mongo_odm::schema().json(), "{\n  \"collections\": []\n}");
    /// ```
    pub fn json(&self) -> String {
        // Of names, numbers and documents, nothing is unknown to JSON.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
