//! Models for bulk writes: each one has a feature that changes how its writes are sent.

use mongo_odm::prelude::*;

use crate::models::id;

/// A document that a delete marks. It has no version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_posts")]
pub struct Post {
    #[serde(rename = "_id")]
    pub id: Id<Post, i64>,
    pub text: String,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

/// A document of any size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_blobs")]
pub struct Blob {
    #[serde(rename = "_id")]
    pub id: Id<Blob, i64>,
    pub text: String,
}

/// A document that a delete moves to an archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_letters", on_delete = "archive")]
pub struct Letter {
    #[serde(rename = "_id")]
    pub id: Id<Letter, i64>,
    pub text: String,
}

/// A document with timestamps and a bounded array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_racks")]
pub struct Rack {
    #[serde(rename = "_id")]
    pub id: Id<Rack, i64>,
    #[embed(max = 2)]
    pub tags: Vec<String>,
    #[created_at]
    pub created: DateTime,
    #[updated_at]
    pub updated: DateTime,
}

/// A kind that keeps its deleted documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_shapes", kind(doc_type = "circle"))]
pub struct Circle {
    #[serde(rename = "_id")]
    pub id: Id<Circle, i64>,
    pub size: i64,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

/// A different kind in the same collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_shapes", kind(doc_type = "square"))]
pub struct Square {
    #[serde(rename = "_id")]
    pub id: Id<Square, i64>,
    pub size: i64,
}

pub fn post(number: i64, text: &str) -> Post {
    Post {
        id: id(number),
        text: text.to_owned(),
        deleted_at: None,
    }
}

/// Returns a document of the given number of bytes.
pub fn blob(number: i64, bytes: usize) -> Blob {
    Blob {
        id: id(number),
        text: "x".repeat(bytes),
    }
}

pub fn letter(number: i64) -> Letter {
    Letter {
        id: id(number),
        text: format!("letter {number}"),
    }
}

pub fn rack(number: i64) -> Rack {
    Rack {
        id: id(number),
        tags: Vec::new(),
        created: DateTime::from_millis(1_000),
        updated: DateTime::from_millis(1_000),
    }
}

pub fn circle(number: i64) -> Circle {
    Circle {
        id: id(number),
        size: 1,
        deleted_at: None,
    }
}

pub fn square(number: i64) -> Square {
    Square {
        id: id(number),
        size: 1,
    }
}
