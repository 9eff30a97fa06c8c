//! What a schema consists of.

use mongodb::bson::Document;
use serde::Serialize;

use crate::{
    index::IndexSpec,
    model::shape::{KindShape, LinksShape, OnDelete, ReferenceKind},
};

/// The models of a program as data: from [`schema`](crate::schema()).
///
/// [`json`](Self::json) and serde make JSON of it. The crate `mongo-odm-tools` makes pictures of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Schema {
    /// The collections, by name.
    pub collections: Vec<CollectionSchema>,
}

/// A collection, the models that stand for its documents, and its indexes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CollectionSchema {
    /// The name.
    pub name: String,
    /// The models, by name: one for each kind of documents.
    pub models: Vec<ModelSchema>,
    /// The indexes that the models declare and imply, apart from that on `_id`; none where two of them cannot be
    /// together, which [`check_models`](crate::check_models) says.
    pub indexes: Vec<IndexSpec>,
}

/// A model: the documents of a collection, or those of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelSchema {
    /// The name of the Rust struct.
    pub name: String,
    /// What tells its documents from others in the collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindShape>,
    /// The stored paths by which a sharded cluster finds a document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shard_key: Vec<String>,
    /// The stored fields, in the order of the struct; those of flattened structs stand in the place of these.
    pub fields: Vec<FieldSchema>,
    /// The relations that other models store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub has_many: Vec<ReverseSchema>,
}

/// A stored field, with the fields of the struct that it embeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FieldSchema {
    /// The name of the Rust field.
    pub name: String,
    /// The name in the document; `*` for a flattened map, whose names the models do not know.
    pub stored: String,
    /// The stored path, `addresses.city` for instance.
    pub path: String,
    /// The type of the Rust field as it is written, without the paths to what it names: `Vec<Id<Part>>`.
    pub rust_type: String,
    /// The `serde(with)` module or function that encodes the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codec: Option<String>,
    /// Whether the field holds an array.
    #[serde(skip_serializing_if = "is_false")]
    pub array: bool,
    /// The largest number of elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The name of the struct that it embeds, alone or in an array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeds: Option<String>,
    /// Whether it embeds a struct that it is itself a part of, whose fields are not listed once more.
    #[serde(skip_serializing_if = "is_false")]
    pub recursive: bool,
    /// The fields of that struct.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldSchema>,
    /// What the keys in the field lead to; several for a polymorphic reference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceSchema>,
    /// What the value of the field follows from: it is a copy, a list of recent documents or a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<DerivedSchema>,
    /// The links of the Single Collection Pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<LinksShape>,
}

/// A field of a model.
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

/// How many documents are at an end of a reference, for one document at the other.
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
    /// Returns what stands at a line: `1`, `0..1` or `n`.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::ZeroOrOne => "0..1",
            Self::Many => "n",
        }
    }
}

/// Where the keys in a field lead to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReferenceSchema {
    /// The field that the keys are compared with, `_id` mostly.
    pub to: FieldAddress,
    /// What the reference is for its owner; none where the value says which model it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ReferenceKind>,
    /// To how many documents one document refers.
    pub cardinality: Cardinality,
    /// How many documents refer to one: any number, unless `has_one` or a single reference back says otherwise.
    pub referrers: Cardinality,
    /// The stored path in the target of the reference back, where the two are one: a two-way reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
    /// What happens when the target is deleted.
    pub on_delete: OnDelete,
    /// Whether a write must not bring a key that leads to no document.
    #[serde(skip_serializing_if = "is_false")]
    pub exists: bool,
    /// What stands beside the keys that lead to this model, in a polymorphic reference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stored_as: Vec<String>,
}

/// A relation that the other side stores: `has_many` or `has_one`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReverseSchema {
    /// The name of the relation, as in `load_<name>`.
    pub name: String,
    /// The reference on the other side.
    pub of: FieldAddress,
    /// Whether one document at most refers to this one.
    pub single: bool,
}

/// How a field follows from other documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DerivedKind {
    /// It is equal to a field of another document.
    Copy,
    /// It is what a field of another document was when the copy was taken.
    Snapshot,
    /// It lists the newest documents.
    Recent,
    /// It counts documents.
    Count,
    /// It is the sum of a field.
    Sum,
    /// It is the mean of a field.
    Average,
    /// It is the smallest value of a field.
    Min,
    /// It is the largest value of a field.
    Max,
}

/// What the value of a field follows from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DerivedSchema {
    /// How it follows.
    pub kind: DerivedKind,
    /// The field that it is taken from: that which is copied, summed up or orders the list; of a count, the reference.
    pub from: FieldAddress,
    /// The name of the relation in [`CopyStats`](crate::CopyStats), in the reports of [`verify`](crate::Odm::verify) and
    /// in [`StoredJob::name`](crate::StoredJob::name): `LogMsg.host <- Host`. Snapshots have none. JSON leaves it out.
    #[serde(skip)]
    pub relation: Option<String>,
    /// The reference that leads from one document to the other, wherever it is stored; none if the models do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<FieldAddress>,
    /// How many entries the list has at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Whether the list begins with the newest.
    #[serde(skip_serializing_if = "is_false")]
    pub newest_first: bool,
    /// Which documents count; all without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Document>,
    /// What happens to a copy when its source is deleted and the reference stays.
    pub on_delete: OnDelete,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}
