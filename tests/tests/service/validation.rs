//! Documents that are checked against `garde` rules before they are written.

use axum::{Json, Router, extract::State, http::Method, routing::post};
use garde::Validate;
use mongo_odm::{Error, ErrorKind, Update, prelude::*};
use odm_tests::Harness;
use serde_json::{Value, json};

use crate::requests::send;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model, Validate)]
#[model(collection = "validated_orders", validate)]
#[garde(allow_unvalidated)]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i64>,
    #[garde(length(min = 3))]
    title: String,
    #[embed(max = 2)]
    #[garde(dive)]
    lines: Vec<Line>,
    #[version]
    #[serde(default)]
    version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded, Validate)]
struct Line {
    #[serde(rename = "quantity")]
    #[garde(range(min = 1))]
    qty: i64,
}

fn order(number: i64, title: &str, quantities: &[i64]) -> Order {
    Order {
        id: Id::from_key(number),
        title: title.into(),
        lines: quantities.iter().map(|qty| Line { qty: *qty }).collect(),
        version: 0,
    }
}

fn paths(error: &Error) -> Vec<&str> {
    match error {
        Error::Validation { violations, .. } => violations.iter().map(|it| &*it.path).collect(),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_document_that_breaks_a_rule_is_rejected_before_anything_is_sent() {
    let t = Harness::new("validated_writes").await;
    let good = order(1, "timber", &[1]);
    good.insert(&t.odm).await.unwrap();
    let loaded = Order::get(&t.odm, good.id).await.unwrap();
    t.forget();
    let bad = order(1, "x", &[1, 0]);
    let mut changed = loaded.clone();
    changed.title = "y".into();
    let errors = [
        bad.insert(&t.odm).await.unwrap_err(),
        bad.insert(&t.odm).returning().await.unwrap_err(),
        bad.save(&t.odm).await.unwrap_err(),
        bad.replace(&t.odm).await.unwrap_err(),
        Order::insert_many(&t.odm, &[good.clone(), bad.clone()])
            .await
            .unwrap_err(),
        Order::get_or_create(&t.odm, Order::fields().id.eq(bad.id), &bad)
            .await
            .unwrap_err(),
    ];
    for error in &errors {
        assert_eq!(error.kind(), ErrorKind::Validation, "{error}");
        assert_eq!(paths(error), ["lines[1].quantity", "title"]);
    }
    assert_eq!(
        errors[0].to_string(),
        "the `Order` is not valid: `lines[1].quantity`: lower than 1; `title`: length is lower than 3"
    );
    assert!(bad.save(&t.odm).plan().is_err());
    let error = changed.save_changes(&t.odm, &loaded).await.unwrap_err();
    assert_eq!(paths(&error), ["title"]);
    assert_eq!(t.recorder().names(), [""; 0]);
    // Both the rules and the bounds are checked.
    let full = order(1, "timber", &[1, 2, 3])
        .save(&t.odm)
        .await
        .unwrap_err();
    assert_eq!(full.kind(), ErrorKind::BoundExceeded);
}

#[tokio::test]
async fn an_unordered_insert_stores_the_valid_documents() {
    let t = Harness::new("validated_unordered").await;
    let orders = [
        order(1, "timber", &[]),
        order(2, "x", &[]),
        order(3, "steel", &[]),
    ];
    let Err(Error::InsertMany {
        inserted, rejected, ..
    }) = Order::insert_many(&t.odm, &orders).unordered().await
    else {
        panic!("one order is not valid");
    };
    assert_eq!((inserted, rejected.len(), rejected[0].index), (2, 1, 1));
    assert_eq!(rejected[0].reason.kind(), ErrorKind::Validation);
    // A stored document that violates a new rule can be read and corrected.
    let raw = t.odm.database().collection("validated_orders");
    raw.insert_one(doc! { "_id": 4_i64, "title": "x", "lines": [] })
        .await
        .unwrap();
    let before = Order::get(&t.odm, Id::from_key(4)).await.unwrap();
    let mut after = before.clone();
    after.title = "tiles".into();
    after.save_changes(&t.odm, &before).await.unwrap();
}

async fn create(State(odm): State<Odm>, Json(order): Json<Order>) -> Result<Json<Order>, Error> {
    order.insert(&odm).returning().await.map(Json)
}

#[tokio::test]
async fn the_response_lists_the_broken_rules() {
    let t = Harness::new("validated_response").await;
    let router = Router::new()
        .route("/orders", post(create))
        .with_state(t.odm.clone());
    let bad = json!({ "_id": 1, "title": "x", "lines": [{ "quantity": 0 }] });
    let (status, text) = send(&router, Method::POST, "/orders", Some(bad)).await;
    assert_eq!(status, 422);
    let body: Value = serde_json::from_str(&text).unwrap();
    let expected = json!({
        "code": "odm.validation",
        "message": "some fields have invalid values",
        "fields": [
            { "path": "lines[0].quantity", "message": "lower than 1" },
            { "path": "title", "message": "length is lower than 3" },
        ],
    });
    assert_eq!(body, expected);
    let good = json!({ "_id": 1, "title": "timber", "lines": [] });
    let (status, text) = send(&router, Method::POST, "/orders", Some(good)).await;
    assert_eq!(status, 200, "{text}");
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(body["version"], 1);
}

#[derive(Debug, Default, Deserialize, Patch, Validate)]
#[patch(of = "Parcel", validate)]
#[serde(default)]
struct ParcelPatch {
    #[garde(length(chars, min = 4), ascii, contains("a"), prefix("p"), suffix("l"))]
    label: Presence<String>,
    #[garde(range(min = 1, max = 9))]
    weight: Presence<i64>,
    #[garde(length(min = 1), inner(inner(length(utf16, max = 4), alphanumeric)))]
    words: Presence<Vec<String>>,
    #[embed]
    #[garde(dive)]
    place: Presence<PlacePatch>,
}

#[derive(Debug, Default, Deserialize, Patch, Validate)]
#[patch(of = "Place")]
#[serde(default)]
struct PlacePatch {
    #[garde(length(bytes, min = 2))]
    city: Presence<String>,
}

/// A patch without rules, whose embedded patch has rules.
#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Parcel")]
#[serde(default)]
struct MovePatch {
    #[embed]
    place: Presence<CheckedPlacePatch>,
}

#[derive(Debug, Default, Deserialize, Patch, Validate)]
#[patch(of = "Place", validate)]
#[serde(default)]
struct CheckedPlacePatch {
    #[garde(length(bytes, min = 2))]
    city: Presence<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model, Validate)]
#[model(collection = "validated_parcels", validate)]
#[garde(allow_unvalidated)]
struct Parcel {
    #[serde(rename = "_id")]
    id: Id<Parcel, i64>,
    label: String,
    weight: i64,
    words: Vec<String>,
    #[embed]
    place: Place,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[garde(required, length(min = 2))]
    note: Presence<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Place {
    city: String,
}

fn parcel() -> Parcel {
    Parcel {
        id: Id::from_key(1),
        label: "parcel".into(),
        weight: 1,
        words: vec!["one".into()],
        place: Place {
            city: "Bern".into(),
        },
        note: Presence::Value("fragile".into()),
    }
}

fn patch(body: Value) -> ParcelPatch {
    serde_json::from_value(body).unwrap()
}

#[tokio::test]
async fn a_patch_that_breaks_a_rule_is_rejected_before_anything_is_sent() {
    let t = Harness::new("validated_patches").await;
    parcel().insert(&t.odm).await.unwrap();
    t.forget();
    for (body, path) in [
        (json!({ "label": "pal" }), "label"),
        (json!({ "label": "cereal" }), "label"),
        (json!({ "label": "pedal bin" }), "label"),
        (json!({ "label": "p\u{e4}al" }), "label"),
        (json!({ "label": "pool" }), "label"),
        (json!({ "weight": 0, "label": "parcel" }), "weight"),
        (json!({ "weight": 10 }), "weight"),
        (json!({ "words": [] }), "words"),
        (json!({ "words": ["one", "seven"] }), "words[1]"),
        (json!({ "words": ["o-e"] }), "words[0]"),
        (json!({ "place": { "city": "B" } }), "place.city"),
    ] {
        let update = Parcel::update(&t.odm, parcel().id).patch(patch(body.clone()));
        let error = update.await.unwrap_err();
        assert_eq!(paths(&error), [path], "{body}");
    }
    let update = Update::<Parcel>::new().patch(patch(json!({ "weight": 0 })));
    let many = Parcel::update_many(&t.odm, Parcel::fields().weight.eq(1)).modifications(update);
    assert_eq!(many.await.unwrap_err().kind(), ErrorKind::Validation);
    assert_eq!(t.recorder().names(), [""; 0]);
    assert_eq!(Parcel::get(&t.odm, parcel().id).await.unwrap(), parcel());
}

#[test]
fn a_rule_of_an_embedded_patch_is_reported_at_the_path_in_the_document() {
    let body = json!({ "place": { "city": "B" } });
    let patch: MovePatch = serde_json::from_value(body).unwrap();
    let update = Update::<Parcel>::new().patch(patch);
    let error = update.into_modifications().unwrap_err();
    assert_eq!(paths(&error), ["place.city"]);
    assert!(
        error.to_string().contains("the `Parcel` is not valid"),
        "{error}"
    );
}

#[tokio::test]
async fn a_patch_is_checked_only_in_the_fields_that_it_contains() {
    let t = Harness::new("validated_values").await;
    parcel().insert(&t.odm).await.unwrap();
    let id = parcel().id;
    for body in [
        json!({}),
        json!({ "label": "portal" }),
        json!({ "weight": 9, "words": ["two"], "place": { "city": "Bonn" } }),
    ] {
        let update = Parcel::update(&t.odm, id).patch(patch(body));
        update.await.unwrap();
    }
    let stored = Parcel::get(&t.odm, id).await.unwrap();
    assert_eq!((&*stored.label, stored.weight), ("portal", 9));
    assert_eq!((&*stored.words[0], &*stored.place.city), ("two", "Bonn"));
    // Null is an error of the type and not of a rule.
    let update = Parcel::update(&t.odm, id).patch(patch(json!({ "label": null })));
    assert_eq!(update.await.unwrap_err().kind(), ErrorKind::InvalidPatch);
}

#[test]
fn a_rule_of_a_presence_applies_to_its_value() {
    let mut document = parcel();
    assert!(document.validate().is_ok());
    document.note = Presence::Value("x".into());
    assert!(document.validate().is_err());
    for absent in [Presence::Missing, Presence::Null] {
        document.note = absent;
        let report = document.validate().unwrap_err().to_string();
        assert!(report.contains("note: not set"), "{report}");
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "validated_makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: Id<Maker, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model, Validate)]
#[model(collection = "validated_parts", validate)]
#[garde(allow_unvalidated)]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part, i64>,
    #[parent_ref]
    maker: Id<Maker, i64>,
    #[denorm(from = "Maker.name")]
    #[garde(length(min = 1))]
    maker_name: String,
    #[denorm(from = "Maker.name", snapshot)]
    #[garde(length(min = 1))]
    first_name: String,
    #[version]
    #[garde(range(min = 1))]
    version: i64,
}

#[derive(Debug, Default, Deserialize, Patch, Validate)]
#[patch(of = "Part", validate)]
#[serde(default)]
struct PartPatch {
    #[garde(length(min = 1))]
    first_name: Presence<String>,
}

#[tokio::test]
async fn the_rules_of_fields_that_the_library_writes_are_not_checked() {
    let t = Harness::new("validated_copies").await;
    t.odm.sync_indexes().only::<Part>().await.unwrap();
    let maker = Maker {
        id: Id::from_key(1),
        name: "Ann".into(),
    };
    maker.insert(&t.odm).await.unwrap();
    let part = Part {
        id: Id::from_key(1),
        maker: maker.id,
        maker_name: String::new(),
        first_name: String::new(),
        version: 0,
    };
    part.insert(&t.odm).await.unwrap();
    let stored = Part::get(&t.odm, part.id).await.unwrap();
    assert_eq!(stored.maker_name, "Ann");
    assert_eq!(stored.first_name, "Ann");
    // These calls store the value of a snapshot that they receive, so they check its rules.
    let mut changed = stored.clone();
    changed.first_name.clear();
    let patch: PartPatch = serde_json::from_value(json!({ "first_name": "" })).unwrap();
    for error in [
        changed.save(&t.odm).await.unwrap_err(),
        changed.replace(&t.odm).await.unwrap_err(),
        changed.save_changes(&t.odm, &stored).await.unwrap_err(),
        Part::update(&t.odm, part.id)
            .patch(patch)
            .await
            .unwrap_err(),
    ] {
        assert_eq!(paths(&error), ["first_name"], "{error}");
    }
    assert_eq!(Part::get(&t.odm, part.id).await.unwrap(), stored);
}
