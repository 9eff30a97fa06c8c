//! Copies in nested arrays. Some of the arrays are missing or have a different type.

use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bolts")]
pub struct Bolt {
    #[serde(rename = "_id")]
    pub id: Id<Bolt>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct BoltRef {
    #[refs(one)]
    pub id: Option<Id<Bolt>>,
    #[denorm(from = Bolt.name)]
    pub name: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Line {
    pub part: Option<BoltRef>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Order {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ledgers")]
pub struct Ledger {
    #[serde(rename = "_id")]
    pub id: Id<Ledger>,
    pub orders: Vec<Order>,
}

fn line(bolt: &Bolt, name: &str) -> Document {
    doc! { "part": { "id": bolt.id, "name": name } }
}

fn bolt(name: &str) -> Bolt {
    Bolt {
        id: Id::new(),
        name: name.to_owned(),
    }
}

/// Documents with copies of a bolt, in every structure that other programs can store.
fn ledgers(bolt: &Bolt, other: &Bolt, name: &str) -> Vec<Bson> {
    let line = || line(bolt, name);
    let elsewhere = || self::line(other, &other.name);
    let good = || doc! { "lines": [line()] };
    vec![
        vec![doc! { "lines": [line(), elsewhere(), line()] }, good()].into(),
        vec![doc! {}, doc! { "lines": null }, doc! { "lines": [] }, good()].into(),
        Bson::Array(vec![
            Bson::Int32(5),
            Bson::Null,
            Bson::Array(vec![]),
            doc! { "lines": [5, null, [], {}, { "part": null }, { "part": 5 }, { "part": {} }, line()] }
                .into(),
        ]),
        vec![doc! { "lines": 5 }, doc! { "lines": "x" }, good()].into(),
        Bson::Array(vec![]),
        Bson::Null,
        Bson::from("x"),
        vec![doc! { "lines": [elsewhere()] }].into(),
    ]
}

async fn stored(odm: &Odm) -> Vec<Bson> {
    let stored = all(odm, "ledgers").await.into_iter();
    stored.map(|mut it| it.remove("orders").unwrap()).collect()
}

async fn given(odm: &Odm, orders: Vec<Bson>) {
    let documents = orders.into_iter();
    let documents = documents.map(|orders| doc! { "_id": ObjectId::new(), "orders": orders });
    put(odm, "ledgers", documents).await;
}

async fn setting(test: &str) -> (odm_tests::Harness, Bolt, Bolt) {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Bolt>().only::<Ledger>();
    sync.await.unwrap();
    let (bolt, other) = (bolt("old"), bolt("other"));
    t.given(&[bolt.clone(), other.clone()]).await;
    (t, bolt, other)
}

fn rename(odm: &Odm, bolt: &Bolt, to: &str) -> mongo_odm::action::UpdateOne<Bolt> {
    Bolt::update(odm, bolt.id).set(Bolt::fields().name, to)
}

/// Every element with the key is written. Other values are not changed, and do not prevent the update.
#[tokio::test]
async fn a_rename_reaches_every_line_past_inner_arrays_that_are_missing_or_no_arrays() {
    let (t, bolt, other) = setting("places_nested").await;
    given(&t.odm, ledgers(&bolt, &other, "old")).await;
    for (way, odm) in both_ways(&t.odm) {
        let report = rename(&odm, &bolt, way).await.unwrap();
        assert_eq!(report.copies[0].modified, 4, "{way}");
        assert_eq!(stored(&odm).await, ledgers(&bolt, &other, way), "{way}");
        settle(&odm).await;
    }
}

/// A document in place of an array does not prevent the update of other elements and documents.
#[tokio::test]
async fn a_document_in_place_of_an_inner_array_is_passed_over() {
    let (t, bolt, _) = setting("places_document").await;
    let orders = |name: &str| {
        let single = doc! { "lines": line(&bolt, "as it was") };
        Bson::from(vec![single, doc! { "lines": [line(&bolt, name)] }])
    };
    let no_array = Bson::from(doc! { "lines": [line(&bolt, "as it was")] });
    given(&t.odm, vec![orders("old"), no_array.clone()]).await;
    for (way, odm) in both_ways(&t.odm) {
        rename(&odm, &bolt, way).await.unwrap();
        assert_eq!(stored(&odm).await, [orders(way), no_array.clone()], "{way}");
        settle(&odm).await;
    }
}

/// One update writes all elements of an array that refer to the same source.
#[tokio::test]
async fn an_array_may_hold_the_same_id_several_times() {
    let (t, bolt, _) = setting("places_repeated").await;
    let orders = |name: &str| Bson::from(vec![doc! { "lines": vec![line(&bolt, name); 3] }; 2]);
    given(&t.odm, vec![orders("old")]).await;
    for (way, odm) in both_ways(&t.odm) {
        let report = rename(&odm, &bolt, way).await.unwrap();
        assert_eq!(report.copies[0].modified, 1, "{way}");
        assert_eq!(stored(&odm).await, [orders(way)], "{way}");
    }
    settle(&t.odm).await;
}

/// A copy that loses its key becomes null, and a missing struct is not created.
#[tokio::test]
async fn a_copy_that_loses_its_key_becomes_null_and_others_beside_it_stay() {
    let (t, bolt, _) = setting("places_no_key").await;
    let part = |id: Option<Id<Bolt>>, name: Option<&str>| Line {
        part: Some(BoltRef {
            id,
            name: name.map(ToOwned::to_owned),
        }),
    };
    let orders = |emptied: Option<&str>| {
        let lines = vec![
            part(None, emptied),
            Line::default(),
            part(Some(bolt.id), Some("old")),
        ];
        vec![Order { lines }, Order::default()]
    };
    let ledger = Ledger {
        id: Id::new(),
        orders: orders(None),
    };
    ledger.insert(&t.odm).await.unwrap();
    Ledger::update(&t.odm, ledger.id)
        .set(Ledger::fields().orders, orders(Some("stale")))
        .await
        .unwrap();
    let stored = Ledger::get(&t.odm, ledger.id).await.unwrap();
    assert_eq!(stored.orders, orders(None));

    Ledger {
        orders: orders(Some("stale")),
        ..ledger.clone()
    }
    .save(&t.odm)
    .await
    .unwrap();
    let stored = Ledger::get(&t.odm, ledger.id).await.unwrap();
    assert_eq!(stored.orders, orders(None));
}
