//! The types of a schema.

use mongodb::bson::Document;
use serde::Serialize;

use crate::{
    index::IndexSpec,
    model::shape::{KindShape, LinksShape, OnDelete, ReferenceKind},
};

/// The models of a program as data, returned by [`schema`](crate::schema()).
///
/// [`json`](Self::json) and serde convert it to JSON. The crate `mongo-odm-tools` draws pictures of the schema.
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
    /// The collections, by name.
    pub collections: Vec<CollectionSchema>,
}

/// A collection with its models and indexes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CollectionSchema {
    /// The name.
    pub name: String,
    /// The models, by name: one for each kind.
    pub models: Vec<ModelSchema>,
    /// The declared and implied indexes, except the index on `_id`. Empty if two of them contradict each other, which
    /// [`check_models`](crate::check_models) reports.
    pub indexes: Vec<IndexSpec>,
}

/// A model: the documents of a collection, or of one kind in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelSchema {
    /// The name of the Rust struct.
    pub name: String,
    /// The kind of its documents, if the collection contains several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindShape>,
    /// The stored paths of the shard key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shard_key: Vec<String>,
    /// The stored fields, in the order of the struct. A flattened struct is replaced by its fields.
    pub fields: Vec<FieldSchema>,
    /// The relations for which other models store the reference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub has_many: Vec<ReverseSchema>,
}

/// A stored field, including the fields of an embedded struct.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FieldSchema {
    /// The name of the Rust field.
    pub name: String,
    /// The name in the document. It is `*` for a flattened map, whose names can be arbitrary.
    pub stored: String,
    /// The stored path, for example `addresses.city`.
    pub path: String,
    /// The type of the Rust field as written in the source, without module paths: `Vec<Id<Part>>`.
    pub rust_type: String,
    /// The `serde(with)` module or function that encodes the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codec: Option<String>,
    /// Whether the field is an array.
    #[serde(skip_serializing_if = "is_false")]
    pub array: bool,
    /// The largest number of elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The name of the embedded struct, even if the field is an array of structs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeds: Option<String>,
    /// Whether the field embeds a struct that contains the field itself. The fields of that struct are not listed
    /// again.
    #[serde(skip_serializing_if = "is_false")]
    pub recursive: bool,
    /// The fields of the embedded struct.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldSchema>,
    /// The references that the keys in the field represent. A polymorphic field has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceSchema>,
    /// The derivation of the value: a copy, a recent list or a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<DerivedSchema>,
    /// The links of a single collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<LinksShape>,
}

/// The address of a field in a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldAddress {
    /// The collection.
    pub collection: String,
    /// The name of the Rust struct.
    pub model: String,
    /// The stored path.
    pub path: String,
}

/// The number of documents at one end of a reference that belong to one document at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Cardinality {
    /// Exactly one.
    #[serde(rename = "1")]
    One,
    /// One or none.
    #[serde(rename = "0..1")]
    ZeroOrOne,
    /// Any number.
    #[serde(rename = "n")]
    Many,
}

impl Cardinality {
    /// Returns the label in pictures: `1`, `0..1` or `n`.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::ZeroOrOne => "0..1",
            Self::Many => "n",
        }
    }
}

/// A reference: the target of the keys in a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReferenceSchema {
    /// The field of the target that the keys are compared with, usually `_id`.
    pub to: FieldAddress,
    /// The attribute that declares the reference, or none for a polymorphic reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ReferenceKind>,
    /// The number of documents to which one document refers.
    pub cardinality: Cardinality,
    /// The number of documents that refer to one: any number, unless the target has `has_one` or a single inverse.
    pub referrers: Cardinality,
    /// The stored path of the inverse in the target, for a two-way reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
    /// What happens when the target is deleted.
    pub on_delete: OnDelete,
    /// Whether a write must not store a dangling key.
    #[serde(skip_serializing_if = "is_false")]
    pub exists: bool,
    /// The stored kinds that stand for this target in a polymorphic reference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stored_as: Vec<String>,
}

/// A relation for which the other side stores the reference: `has_many` or `has_one`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReverseSchema {
    /// The name of the relation, as in `load_<name>`.
    pub name: String,
    /// The reference on the other side.
    pub of: FieldAddress,
    /// Whether at most one document refers to this one.
    pub single: bool,
}

/// The way in which a field is derived from other documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DerivedKind {
    /// A copy: equal to a field of another document.
    Copy,
    /// A snapshot: equal to a field of another document when it was stored.
    Snapshot,
    /// A recent list of documents.
    Recent,
    /// The number of documents.
    Count,
    /// The sum of a field.
    Sum,
    /// The average of a field.
    Average,
    /// The smallest value of a field.
    Min,
    /// The largest value of a field.
    Max,
}

/// The derivation of a field: its kind and its source.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DerivedSchema {
    /// The way in which the field is derived.
    pub kind: DerivedKind,
    /// The source: the field that is copied, summed or used for sorting. For a count, it is the reference.
    pub from: FieldAddress,
    /// The name of the relation in [`CopyStats`](crate::CopyStats), in the reports of [`verify`](crate::Odm::verify) and
    /// in [`StoredJob::name`](crate::StoredJob::name): `LogMsg.host <- Host`. Snapshots have none. JSON leaves it out.
    #[serde(skip)]
    pub relation: Option<String>,
    /// The reference between the documents, stored on either side. None if the models do not determine it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<FieldAddress>,
    /// The maximum length of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Whether the list starts with the newest document.
    #[serde(skip_serializing_if = "is_false")]
    pub newest_first: bool,
    /// The filter that selects the documents. None means all documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Document>,
    /// The value of the copy when its source is deleted and the reference stays.
    pub on_delete: OnDelete,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}
