//! A program with a struct whose copies are in no document that the library knows.

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

/// Nothing is known of it: serde alone knows what is inside.
#[derive(Debug, Serialize, Deserialize)]
struct Plain {
    lines: Vec<Line>,
}

/// Nothing is declared in it.
#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Size {
    width: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product>,
    plain: Plain,
    sizes: HashMap<String, HashMap<String, Size>>,
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
