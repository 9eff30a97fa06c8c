//! The operator's command with models that have copies, and with a model whose documents cannot be read completely.

#![allow(
    missing_docs,
    clippy::panic,
    reason = "models of tests, one of which panics"
)]

use mongo_odm::prelude::*;
use serde::Deserializer;

/// A person who writes.
#[derive(Debug, Clone, Serialize, Deserialize, Model)]
#[model(collection = "authors")]
pub struct Author {
    #[serde(rename = "_id")]
    pub id: Id<Author, i32>,
    pub name: String,
    pub age: Option<i64>,
}

/// A post, with a copy of the author's name.
#[derive(Debug, Clone, Serialize, Deserialize, Model)]
#[model(collection = "posts")]
pub struct Post {
    #[serde(rename = "_id")]
    pub id: Id<Post, i32>,
    #[parent_ref]
    pub author: Id<Author, i32>,
    #[denorm(from = "Author.name")]
    pub author_name: Option<String>,
}

/// A comment on a post, with copies of the author's name and age.
#[derive(Debug, Clone, Serialize, Deserialize, Model)]
#[model(collection = "comments")]
pub struct Comment {
    #[serde(rename = "_id")]
    pub id: Id<Comment, i32>,
    #[parent_ref]
    pub author: Id<Author, i32>,
    #[denorm(from = "Author.name")]
    pub author_name: Option<String>,
    #[denorm(from = "Author.age")]
    pub author_age: Option<i64>,
}

/// A model that has an index and a version. In one test, its collection is a view.
#[derive(Debug, Clone, Serialize, Deserialize, Model)]
#[model(collection = "lonely")]
pub struct Lonely {
    #[serde(rename = "_id")]
    pub id: Id<Lonely, i32>,
    #[index]
    pub name: String,
    #[version]
    #[serde(default)]
    pub version: i64,
}

/// A model without an index, over another view.
#[derive(Debug, Clone, Serialize, Deserialize, Model)]
#[model(collection = "quiet")]
pub struct Quiet {
    #[serde(rename = "_id")]
    pub id: Id<Quiet, i32>,
    pub name: String,
}

/// A model whose `Deserialize` panics.
#[derive(Debug, Clone, Serialize, Deserialize, Model)]
#[model(collection = "cursed")]
pub struct Cursed {
    #[serde(rename = "_id")]
    pub id: Id<Cursed, i32>,
    #[serde(deserialize_with = "curse")]
    pub name: String,
}

fn curse<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    panic!("cursed be {}", String::deserialize(deserializer)?)
}

mongo_odm_tools::cli!();
