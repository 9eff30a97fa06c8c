//! The data types of a schema.

use mongodb::bson::Document;
use serde::Serialize;

use crate::{
    index::IndexSpec,
    model::shape::{KindShape, LinksShape, OnDelete, ReferenceKind, RollupKind},
};

/// The models of a program as data. [`schema`](crate::schema()) returns this type.
///
/// [`json`](Self::json) and serde convert the schema to JSON. The crate `mongo-odm-tools` draws pictures of the schema.
///
/// # Examples
///
/// ```
/// for collection in mongo_odm::schema().collections {
///     for model in &collection.models {
///         println!("{}: {} fields", model.name, model.fields.len());
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Schema {
    /// The collections, sorted by name.
    pub collections: Vec<CollectionSchema>,
}

/// A collection, its models and its indexes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CollectionSchema {
    /// The name of the collection.
    pub name: String,
    /// The models, sorted by name. If the documents have kinds, there is one model for each kind.
    pub models: Vec<ModelSchema>,
    /// The declared and implied indexes, except the index on `_id`. The list is empty if two indexes contradict each
    /// other, which [`check_models`](crate::check_models) reports.
    pub indexes: Vec<IndexSpec>,
}

/// A model, which describes the documents of a collection or of one kind in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelSchema {
    /// The name of the Rust struct.
    pub name: String,
    /// The kind of the model's documents, if the collection contains several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindShape<'static>>,
    /// The stored paths of the shard key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shard_key: Vec<String>,
    /// The stored fields, in the order in which the struct declares them. A flattened struct is replaced by its fields.
    pub fields: Vec<FieldSchema>,
    /// The relations for which other models store the reference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub has_many: Vec<ReverseSchema>,
}

/// A stored field. The description includes the fields of an embedded struct.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FieldSchema {
    /// The name of the Rust field.
    pub name: String,
    /// The field's name in the document. The name is `*` for a flattened map, because the names in the map can be
    /// arbitrary.
    pub stored: String,
    /// The stored path, for example `addresses.city`.
    pub path: String,
    /// The type of the Rust field as written in the source, without module paths, for example `Vec<Id<Part>>`.
    pub rust_type: String,
    /// The `serde(with)` module or function that encodes the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codec: Option<String>,
    /// Whether the field is an array.
    #[serde(skip_serializing_if = "is_false")]
    pub array: bool,
    /// The maximum number of elements in the array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The name of the embedded struct. The name is also set if the field is an array of structs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeds: Option<String>,
    /// Whether the field embeds a struct that contains this field. The fields of that struct are not listed again.
    #[serde(skip_serializing_if = "is_false")]
    pub recursive: bool,
    /// The fields of the embedded struct.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldSchema>,
    /// The references that the keys in this field represent. A polymorphic reference has one entry for each target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceSchema>,
    /// The source of the value, if the field is a copy, a recent list or a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<DerivedSchema>,
    /// The links of a single collection, if the field contains links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<LinksShape>,
}

/// Identifies a field of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldAddress {
    /// The name of the collection.
    pub collection: String,
    /// The name of the Rust struct.
    pub model: String,
    /// The stored path of the field.
    pub path: String,
}

/// How many documents at one end of a reference can belong to one document at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Cardinality {
    /// Exactly one document.
    #[serde(rename = "1")]
    One,
    /// One document or none.
    #[serde(rename = "0..1")]
    ZeroOrOne,
    /// Any number of documents.
    #[serde(rename = "n")]
    Many,
}

impl Cardinality {
    /// Returns the label that pictures show: `1`, `0..1` or `n`.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::schema::Cardinality;
    ///
    /// assert_eq!(Cardinality::ZeroOrOne.sign(), "0..1");
    /// ```
    pub const fn sign(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::ZeroOrOne => "0..1",
            Self::Many => "n",
        }
    }
}

/// A reference, which connects the keys in a field with their target.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReferenceSchema {
    /// The target's field with which the keys are compared, usually `_id`.
    pub to: FieldAddress,
    /// The attribute that declares the reference. `None` for a polymorphic reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ReferenceKind>,
    /// The number of target documents that one document refers to.
    pub cardinality: Cardinality,
    /// The number of documents that refer to one target document. The number is unlimited unless the target has a
    /// `has_one` or a single inverse.
    pub referrers: Cardinality,
    /// The stored path of the inverse in the target, if this is a two-way reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
    /// The delete rule, which applies when the target is deleted.
    pub on_delete: OnDelete,
    /// Whether the library rejects a write that would store a dangling key.
    #[serde(skip_serializing_if = "is_false")]
    pub exists: bool,
    /// The stored kinds that identify a key of this target, if the reference is polymorphic.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stored_as: Vec<String>,
}

/// A relation for which the other model stores the reference: `has_many` or `has_one`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReverseSchema {
    /// The name of the relation, as in `load_<name>`.
    pub name: String,
    /// The reference in the other model.
    pub of: FieldAddress,
    /// Whether at most one document refers to each document of this model.
    pub single: bool,
}

/// The way in which a field's value is computed from other documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DerivedKind {
    /// A copy, which always equals a field of another document.
    Copy,
    /// A snapshot, which equals the value that a field of another document had when the snapshot was stored.
    Snapshot,
    /// A recent list, which contains the newest documents.
    Recent,
    /// A summary over all children. The JSON form is the word of the summary: `"count"`.
    #[serde(untagged)]
    Rollup(RollupKind),
}

/// Describes how the value of a field is derived, and from which source.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DerivedSchema {
    /// The way in which the value is computed.
    pub kind: DerivedKind,
    /// The source: the field that is copied, summarized or sorted by. For a count, the source is the reference.
    pub from: FieldAddress,
    /// The name of the relation in [`CopyStats`](crate::CopyStats), in the reports of [`verify`](crate::Odm::verify)
    /// and in [`StoredJob::name`](crate::StoredJob::name): `LogMsg.host <- Host`. A snapshot does not have a name. The
    /// JSON form omits the name.
    #[serde(skip)]
    pub relation: Option<String>,
    /// The reference that connects the two documents. Either document can store this reference. `None` if the models do
    /// not determine this reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<FieldAddress>,
    /// The maximum number of entries in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Whether the list starts with the newest entry.
    #[serde(skip_serializing_if = "is_false")]
    pub newest_first: bool,
    /// The filter that selects the child documents. `None` means all child documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Document>,
    /// The rule that applies to the copy when its source is deleted and the reference remains.
    pub on_delete: OnDelete,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}
