//! A program with a struct whose copies are not in any document that the library knows, and with indexes that no
//! collection can have.

mod aliases;
mod hidden;

use std::collections::HashMap;

use mongo_odm::{check_models, prelude::*};
use odm_tests::Harness;

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    part: Id<Part>,
    #[denorm(from = "Part.name")]
    part_name: String,
}

/// A struct without a derive of the library, so only serde knows its fields.
#[derive(Debug, Serialize, Deserialize)]
struct Plain {
    lines: Vec<Line>,
}

/// A struct without references, copies and indexes.
#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Size {
    width: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "products", index(keys(name = 1), unique))]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product>,
    #[index]
    name: String,
    plain: Plain,
    sizes: HashMap<String, HashMap<String, Size>>,
}

/// A struct that embeds itself in two fields, and contains a struct that does not embed itself.
#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Reply<T> {
    author: Author,
    likes: T,
    replies: Vec<Self>,
    best: Option<Box<Self>>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Author {
    #[refs(one, on_delete = "restrict")]
    part: Id<Part>,
    #[denorm(from = "Part.name")]
    part_name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "threads")]
struct Thread {
    #[serde(rename = "_id")]
    id: Id<Thread>,
    replies: Vec<Reply<i64>>,
}

/// Two structs with fields of the same names. One of them embeds the other.
#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Group {
    #[refs(one)]
    part: Id<Part>,
    #[denorm(from = "Part.name")]
    part_name: String,
    members: Vec<Member>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Member {
    #[refs(one)]
    part: Id<Part>,
    #[denorm(from = "Part.name")]
    part_name: String,
    members: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "kits")]
struct Kit {
    #[serde(rename = "_id")]
    id: Id<Kit>,
    groups: Vec<Group>,
}

#[tokio::test]
async fn declarations_that_are_never_reached_are_named() {
    let message = check_models().unwrap_err().to_string();
    assert!(message.contains("`Line` declares"), "{message}");
    assert!(!message.contains("Size"), "{message}");
    let t = Harness::new("unreached").await;
    let part = Part {
        id: Id::new(),
        name: "bolt".to_owned(),
    };
    let refused = part.insert(&t.odm).await.unwrap_err();
    assert!(refused.to_string().contains("`Line` declares"), "{refused}");
}

/// The server would reject the second index when it is created. `check_models` reports the error when the program
/// starts.
#[test]
fn indexes_of_one_name_are_named_without_a_server() {
    let message = check_models().unwrap_err().to_string();
    assert!(message.contains("name_1"), "{message}");
    assert!(message.contains("Product"), "{message}");
}

/// The library cannot maintain the declarations of a repeated struct at every depth, so it rejects them.
#[test]
fn what_a_struct_that_repeats_declares_deeper_inside_is_refused() {
    let message = check_models().unwrap_err().to_string();
    for expected in [
        "`Thread.replies.replies` embeds itself, and copies inside it",
        "`Thread.replies.best` embeds itself, and copies inside it",
        "`Thread.replies.replies` embeds itself, and `on_delete` of the references inside it",
    ] {
        assert!(message.contains(expected), "{message}");
    }
    assert!(!message.contains("Kit"), "{message}");
}
