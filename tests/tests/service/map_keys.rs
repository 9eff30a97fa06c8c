//! Ids as the keys of JSON objects.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Debug,
    hash::Hash,
};

use mongo_odm::{
    Key,
    bson::{Uuid, oid::ObjectId},
    prelude::*,
};
use serde_json::json;

struct Task;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "K: Key + Eq + Hash")]
struct Counts<K: Eq + Hash> {
    counts: HashMap<Id<Task, K>, i32>,
    tagged: Tagged<K>,
    #[serde(flatten)]
    flat: HashMap<Id<Task, K>, i32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", bound = "K: Key + Eq + Hash")]
enum Tagged<K: Eq + Hash> {
    Counts { of: HashMap<Id<Task, K>, i32> },
}

fn check<K: Key + Eq + Hash + Ord>(key: K, name: &str) {
    let map = || HashMap::from([(Id::from_key(key.clone()), 7)]);
    let counts = Counts {
        counts: map(),
        tagged: Tagged::Counts { of: map() },
        flat: map(),
    };
    let json = json!({
        "counts": { name: 7 }, "tagged": { "t": "Counts", "of": { name: 7 } }, name: 7,
    });
    assert_eq!(serde_json::to_value(&counts).unwrap(), json);
    let text = serde_json::to_string(&counts).unwrap();
    // Only the map is read here: the flattened map of `Counts` would also contain the other two fields.
    let read = |json: &str| serde_json::from_str::<HashMap<Id<Task, K>, i32>>(json);
    assert_eq!(read(&json!({ name: 7 }).to_string()).unwrap(), map());
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap(),
        json
    );
    let sorted: BTreeMap<Id<Task, K>, i32> = serde_json::from_value(json!({ name: 7 })).unwrap();
    assert_eq!(sorted.len(), 1);
    let tagged = serde_json::from_value::<Tagged<K>>(json["tagged"].clone()).unwrap();
    assert_eq!(tagged, counts.tagged);
}

#[test]
fn an_id_is_the_name_of_a_field() {
    let hex = "65f0c1d2e3a4b5c6d7e8f901";
    let uuid = "936da01f-9abd-4d9d-80c7-02af85c822a8";
    check(hex.parse::<ObjectId>().unwrap(), hex);
    check(Uuid::parse_str(uuid).unwrap(), uuid);
    check(uuid::Uuid::parse_str(uuid).unwrap(), uuid);
    check(45_i32, "45");
    check(-45_i64, "-45");
    check(45_u64, "45");
    check("label".to_owned(), "label");
    check(DateTime::from_millis(1_500), "1970-01-01T00:00:01.5Z");
}

#[test]
fn another_name_is_not_an_id() {
    let read = serde_json::from_str::<HashMap<Id<Task>, i32>>(r#"{ "total": 7 }"#);
    let message = read.unwrap_err().to_string();
    assert!(
        message.contains("\"total\" is not the text of an ObjectId"),
        "{message}"
    );
}
