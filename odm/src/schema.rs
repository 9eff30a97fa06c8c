//! The models of a program as data and as pictures.
//!
//! 1. [`read`] makes data from the shapes of the models. Information that needs all models comes from `graph` (rules
//!    and keys of copies) and `index`.
//! 2. [`line`](mod@line) finds the lines between fields, [`words`] the text beside a field.
//! 3. Mermaid, DOT and SVG are written only from these. So no form shows information that another form lacks.

mod data;
mod dot;
mod line;
mod mermaid;
mod read;
mod svg;
mod words;

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

/// Pictures of a schema, and texts that other programs draw.
pub trait Pictures {
    /// Returns the schema as a class diagram of Mermaid, which GitHub and many editors draw.
    ///
    /// Each model is a class. A solid arrow is a reference, with how many documents are at either end; a dashed one leads
    /// from a value to the field that follows it: a copy, a list of recent documents, a count.
    fn mermaid(&self) -> String;

    /// Returns the schema in the language of Graphviz: `dot -Tpdf schema.dot -o schema.pdf`.
    ///
    /// Each model is a record; arrows lead from field to field.
    fn dot(&self) -> String;

    /// Returns the schema as a picture in SVG, without scripts and fonts: for a browser, or an image in a README.
    ///
    /// Each collection is a box, with a part for each kind of documents and a row for each field; lines lead from row to
    /// row. Beside a reference stands how many documents refer to how many: `n:1`.
    fn svg(&self) -> String;
}

impl Pictures for Schema {
    fn mermaid(&self) -> String {
        mermaid::text(self)
    }

    fn dot(&self) -> String {
        dot::text(self)
    }

    fn svg(&self) -> String {
        svg::picture(self)
    }
}
