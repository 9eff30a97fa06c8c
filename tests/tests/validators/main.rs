//! Validators reject documents that the models cannot read, accept all others, and keep the validators of other programs.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::pedantic,
    reason = "tests: they panic to fail"
)]

mod accepted;
mod bounds;
mod errors;
mod foreign;

use std::collections::BTreeMap;

use mongo_odm::{
    Error, ErrorKind, ValidatorReport,
    bson::{Bson, Document, Uuid, oid::ObjectId},
    mongodb::options::{ValidationAction, ValidationLevel},
    prelude::*,
};
use odm_tests::Harness;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    #[serde(alias = "closed")]
    Done,
}

/// An enum that can read the strings of newer programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Colour {
    Red,
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Email(String);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    sku: String,
    qty: i32,
    #[serde(default)]
    note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Address {
    city: String,
}

/// A model with every kind of field for which a rule exists, and some fields without a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "valid_orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order>,
    number: i64,
    price: f64,
    paid: bool,
    state: State,
    colour: Colour,
    states: Vec<State>,
    email: Email,
    at: DateTime,
    #[serde(with = "mongo_odm::with::native")]
    sent: Option<chrono::DateTime<chrono::Utc>>,
    #[serde(with = "mongo_odm::with::native")]
    device: uuid::Uuid,
    token: Uuid,
    #[embed(max = 2)]
    lines: Vec<Line>,
    #[serde(flatten)]
    #[embed]
    address: Address,
    #[refs(one)]
    next: Option<Id<Order>>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    tags: Vec<String>,
    #[serde(alias = "old_title")]
    title: String,
    scores: BTreeMap<String, i32>,
    anything: Bson,
    #[created_at]
    created_at: DateTime,
    #[version]
    #[serde(default)]
    version: i64,
}

fn order() -> Order {
    Order {
        id: Id::new(),
        number: 7,
        price: 2.5,
        paid: true,
        state: State::Open,
        colour: Colour::Red,
        states: vec![State::Done],
        email: Email("a@b".into()),
        at: DateTime::from_millis(0),
        sent: chrono::DateTime::from_timestamp_millis(5),
        device: uuid::Uuid::from_u128(1),
        token: Uuid::from_bytes([1; 16]),
        lines: vec![Line {
            sku: "a".into(),
            qty: 1,
            note: None,
        }],
        address: Address {
            city: "Oslo".into(),
        },
        next: None,
        tags: Vec::new(),
        title: "first".into(),
        scores: BTreeMap::from([("a".to_owned(), 1)]),
        anything: Bson::Int32(1),
        created_at: DateTime::from_millis(0),
        version: 0,
    }
}

async fn sync_orders(t: &Harness) -> ValidatorReport {
    t.odm.sync_validators().only::<Order>().await.unwrap()
}

/// Returns the options of a collection on the server.
async fn options(t: &Harness, collection: &str) -> Document {
    let command = doc! { "listCollections": 1, "filter": { "name": collection } };
    let reply = t.database().database().run_command(command).await.unwrap();
    let batch = reply.get_document("cursor").unwrap();
    let batch = batch.get_array("firstBatch").unwrap();
    let first = batch[0].as_document().unwrap();
    first.get_document("options").unwrap().clone()
}

#[tokio::test]
async fn a_validator_is_written_once() {
    let t = Harness::new("validators_once").await;
    let diff = t.odm.validator_diff().only::<Order>().await.unwrap();
    assert!(!diff.is_in_sync());
    assert_eq!(diff.missing.len(), 1);
    let (report, sent) = t.sent(sync_orders(&t)).await;
    assert_eq!(report.written, ["valid_orders"]);
    assert_eq!(sent, ["listCollections", "create"]);
    let (report, sent) = t.sent(sync_orders(&t)).await;
    assert_eq!(report.present, ["valid_orders"]);
    assert!(report.is_unchanged());
    assert_eq!(sent, ["listCollections"]);
    let diff = t.odm.validator_diff().only::<Order>().await.unwrap();
    assert!(diff.is_in_sync(), "{diff}");
    // The statement in the text of the difference sets the same validator.
    assert!(
        diff.present[0]
            .to_string()
            .starts_with("db.runCommand({ collMod: \"valid_orders\", validator: {"),
        "{}",
        diff.present[0]
    );
}

#[tokio::test]
async fn an_existing_collection_keeps_its_documents() {
    let t = Harness::new("validators_existing").await;
    order().insert(&t.odm).await.unwrap();
    let (report, sent) = t.sent(sync_orders(&t)).await;
    assert_eq!(report.written, ["valid_orders"]);
    assert_eq!(sent, ["listCollections", "collMod"]);
    assert_eq!(Order::count(&t.odm).await.unwrap(), 1);
}

#[tokio::test]
async fn the_level_and_the_action_stay_unless_they_are_set() {
    let t = Harness::new("validators_level").await;
    sync_orders(&t).await;
    let now = options(&t, "valid_orders").await;
    assert_eq!(now.get_str("validationLevel").unwrap(), "moderate");
    assert_eq!(now.get_str("validationAction").unwrap(), "error");
    let sync = || t.odm.sync_validators().only::<Order>();
    let warn = sync()
        .level(ValidationLevel::Strict)
        .action(ValidationAction::Warn);
    let diff = warn.clone().diff().await.unwrap();
    assert_eq!(diff.outdated.len(), 1);
    assert_eq!(warn.await.unwrap().written, ["valid_orders"]);
    assert!(sync().await.unwrap().is_unchanged());
    let now = options(&t, "valid_orders").await;
    assert_eq!(now.get_str("validationLevel").unwrap(), "strict");
    assert_eq!(now.get_str("validationAction").unwrap(), "warn");
}

/// Checks the rule for each field of `Order` in the validator on the server.
#[tokio::test]
async fn the_rules_follow_from_the_types() {
    let t = Harness::new("validators_rules").await;
    sync_orders(&t).await;
    let options = options(&t, "valid_orders").await;
    let validator = options.get_document("validator").unwrap();
    let schema = validator.get_document("$jsonSchema").unwrap();
    let integer = vec!["int", "long"];
    let text = doc! { "bsonType": "string" };
    let line = doc! {
        "bsonType": "object",
        "required": ["sku", "qty"],
        "properties": {
            "sku": text.clone(),
            "qty": { "bsonType": integer.clone() },
            "note": { "bsonType": ["string", "null"] },
        },
    };
    let states = doc! { "enum": ["open", "closed", "done"] };
    let expected = doc! {
        "title": "generated by mongo-odm",
        "bsonType": "object",
        "required": [
            "number", "price", "paid", "state", "colour", "states", "email", "at", "sent", "device",
            "token", "lines", "city", "scores", "anything",
        ],
        "properties": {
            "_id": { "bsonType": "objectId" },
            "number": { "bsonType": integer.clone() },
            "price": { "bsonType": ["int", "long", "double"] },
            "paid": { "bsonType": "bool" },
            "state": states.clone(),
            "states": { "bsonType": "array", "items": states },
            "email": text.clone(),
            "at": { "bsonType": "date" },
            "sent": { "bsonType": ["date", "null"] },
            "device": { "bsonType": "binData" },
            "token": { "bsonType": "binData" },
            "lines": { "bsonType": "array", "items": line, "maxItems": 2_i64 },
            "city": text.clone(),
            "next": { "bsonType": ["objectId", "null"] },
            "tags": { "bsonType": "array", "items": text.clone() },
            "title": text,
            "scores": { "bsonType": "object" },
            "created_at": { "bsonType": "date" },
            "version": { "bsonType": integer },
        },
    };
    assert_eq!(schema, &expected);
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_school", kind(kind = "pupil", default))]
struct Pupil {
    #[serde(rename = "_id")]
    id: Id<Pupil>,
    name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_school", kind(kind = "room"))]
struct Room {
    #[serde(rename = "_id")]
    id: Id<Room>,
    seats: i32,
}

#[tokio::test]
async fn the_rules_of_a_kind_concern_only_its_documents() {
    let t = Harness::new("validators_kinds").await;
    let report = t.odm.sync_validators().only::<Pupil>().await.unwrap();
    assert_eq!(report.written, ["valid_school"]);
    let (id, seats) = (Id::new(), 3);
    Room { id, seats }.insert(&t.odm).await.unwrap();
    let (id, name) = (Id::new(), "Ada".to_owned());
    Pupil { id, name }.insert(&t.odm).await.unwrap();
    let school = t.database().database().collection("valid_school");
    for accepted in [
        doc! { "name": "without a kind" },
        doc! { "kind": Bson::Null, "name": "with null" },
        doc! { "kind": "teacher", "name": 5 },
        doc! { "kind": 5 },
    ] {
        school.insert_one(accepted).await.unwrap();
    }
    for (rejected, broken) in [
        (doc! { "seats": 3 }, "name"),
        (doc! { "kind": "pupil", "name": 5 }, "name"),
        (doc! { "kind": Bson::Null }, "name"),
        (doc! { "kind": "room", "name": "x" }, "seats"),
    ] {
        let error = school.insert_one(rejected.clone()).await.unwrap_err();
        let Error::InvalidDocument { rules, .. } = Error::from(error) else {
            panic!("{rejected}")
        };
        let paths: Vec<_> = rules.iter().map(|rule| rule.path.as_str()).collect();
        assert_eq!(paths, [broken], "{rejected}");
    }
}

/// A model of the same documents as another model, as in two versions of a program.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_shared")]
struct Whole {
    #[serde(rename = "_id")]
    id: Id<Whole>,
    name: String,
    size: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_shared")]
struct Newer {
    #[serde(rename = "_id")]
    id: Id<Newer>,
    title: String,
}

#[tokio::test]
async fn a_document_matches_one_of_several_models() {
    let t = Harness::new("validators_shared").await;
    t.odm.sync_validators().only::<Whole>().await.unwrap();
    let whole = Whole {
        id: Id::new(),
        name: "a".into(),
        size: 1,
    };
    whole.insert(&t.odm).await.unwrap();
    let newer = Newer {
        id: Id::new(),
        title: "b".into(),
    };
    newer.insert(&t.odm).await.unwrap();
    let shared = t.database().database().collection("valid_shared");
    let error = shared.insert_one(doc! { "name": "a" }).await.unwrap_err();
    let error = Error::from(error).to_string();
    assert!(error.contains("is missing (`required`)"), "{error}");
}

/// Writes a number without its fraction.
fn rounded<S: serde::Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    value.map(f64::round).serialize(to)
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_rounded")]
struct Rounded {
    #[serde(rename = "_id")]
    id: Id<Rounded>,
    name: String,
    #[serde(serialize_with = "rounded")]
    price: Option<f64>,
}

#[tokio::test]
async fn an_option_that_no_codec_reads_may_be_missing() {
    let t = Harness::new("validators_rounded").await;
    t.odm.sync_validators().only::<Rounded>().await.unwrap();
    let raw = t.database().database().collection("valid_rounded");
    raw.insert_one(doc! { "name": "a" }).await.unwrap();
    assert_eq!(
        Rounded::find_one(&t.odm).await.unwrap().unwrap().price,
        None
    );
    let field = Rounded::fields();
    let by_name = Rounded::upsert(&t.odm, field.name.eq("b")).set(field.name, "b");
    by_name.await.unwrap();
}

/// A codec that stores text. A module of the library has the same name.
mod native {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &uuid::Uuid, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<uuid::Uuid, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_tokens")]
struct Token {
    #[serde(rename = "_id")]
    id: Id<Token>,
    #[serde(with = "native")]
    value: uuid::Uuid,
}

#[tokio::test]
async fn a_codec_with_the_name_of_a_module_of_the_library_has_no_rule() {
    let t = Harness::new("validators_tokens").await;
    t.odm.sync_validators().only::<Token>().await.unwrap();
    let (id, value) = (Id::new(), uuid::Uuid::from_u128(1));
    Token { id, value }.insert(&t.odm).await.unwrap();
    assert_eq!(Token::get(&t.odm, id).await.unwrap().value, value);
}
