//! Structs that stay current after a write (`returning`), and writes of changed fields only (`save_changes`).

use mongo_odm::{ErrorKind, prelude::*};

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Address {
    pub city: String,
    pub street: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "changes_shops")]
pub struct Shop {
    #[serde(rename = "_id")]
    pub id: Id<Shop, i64>,
    pub name: String,
}

/// A document with a copy, a version and timestamps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "changes_orders")]
pub struct Order {
    #[serde(rename = "_id")]
    pub id: Id<Order, i64>,
    #[serde(rename = "n")]
    pub note: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coupon: Option<String>,
    pub count: i64,
    #[embed]
    pub address: Address,
    #[embed(max = 2)]
    #[serde(default)]
    pub others: Vec<Address>,
    #[parent_ref]
    pub shop: Id<Shop, i64>,
    #[denorm(from = Shop.name)]
    #[serde(default)]
    pub shop_name: String,
    #[created_at]
    pub created: DateTime,
    #[updated_at]
    pub updated: DateTime,
    #[version]
    #[serde(default)]
    pub version: i64,
}

/// A document without a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "changes_plain")]
pub struct Plain {
    #[serde(rename = "_id")]
    pub id: Id<Plain, i64>,
    pub left: i64,
    pub right: i64,
    #[serde(flatten)]
    pub rest: std::collections::BTreeMap<String, i64>,
}

/// A document whose numbers can be NaN.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "changes_sensors")]
pub struct Sensor {
    #[serde(rename = "_id")]
    pub id: Id<Sensor, i64>,
    pub name: String,
    pub samples: Vec<f64>,
    pub ranges: std::collections::HashMap<String, f64>,
}

fn address(city: &str) -> Address {
    Address {
        city: city.into(),
        street: "Main Street".into(),
    }
}

fn order(number: i64) -> Order {
    Order {
        id: id(number),
        note: "new".into(),
        coupon: Some("SUMMER".into()),
        count: 1,
        address: address("Oslo"),
        others: Vec::new(),
        shop: id(1),
        shop_name: String::new(),
        created: at(GIVEN),
        updated: at(GIVEN),
        version: 0,
    }
}

async fn opened(test: &str) -> (Harness, TestClock) {
    let (mut t, clock) = (empty(test).await, TestClock::at(at(1)));
    t.odm = clock.handle(&t.odm);
    let sync = t.odm.sync_indexes().only::<Order>().only::<Shop>();
    sync.await.unwrap();
    for (number, name) in [(1, "North"), (2, "South")] {
        let name = name.to_owned();
        let shop = Shop {
            id: id(number),
            name,
        };
        shop.insert(&t.odm).await.unwrap();
    }
    (t, clock)
}

#[tokio::test]
async fn a_write_returns_the_struct_as_it_is_stored() {
    let (t, clock) = opened("returning").await;
    let mut saved = order(1).insert(&t.odm).returning().await.unwrap();
    assert_eq!((saved.version, &*saved.shop_name), (1, "North"));
    assert_eq!((saved.created, saved.updated), (at(1), at(1)));
    for version in 2..=4 {
        clock.set(at(version));
        saved.count = version;
        saved.created = at(GIVEN);
        saved = saved.save(&t.odm).returning().await.unwrap();
        assert_eq!((saved.version, saved.count), (version, version));
        assert_eq!((saved.created, saved.updated), (at(1), at(version)));
    }
    assert_eq!(saved, Order::get(&t.odm, id(1)).await.unwrap());
    let stale = order(1).save(&t.odm).returning().await.unwrap_err();
    assert!(
        stale
            .to_string()
            .contains("`.returning()` returns the new one"),
        "{stale}"
    );
    let replaced = saved.replace(&t.odm).returning().await.unwrap();
    assert_eq!(replaced.version, 5);
    let nothing = order(9).replace(&t.odm).returning().await.unwrap_err();
    assert_eq!(nothing.kind(), ErrorKind::NotFound);
    let rejected = order(1).insert(&t.odm).returning().await.unwrap_err();
    assert!(rejected.is_duplicate_key());
}

#[tokio::test]
async fn a_write_in_a_transaction_returns_what_the_transaction_has_written() {
    let (t, _) = opened("returning_tx").await;
    let written = t.odm.transaction(async |tx| {
        let order = order(1).insert(&tx).returning().await?;
        assert!(
            Order::find_one(tx.odm())
                .filter(Order::fields().id.eq(id(1)))
                .await?
                .is_none()
        );
        order.save(&tx).returning().await
    });
    let written = written.await.unwrap();
    assert_eq!((written.version, &*written.shop_name), (2, "North"));
}

#[tokio::test]
async fn a_returning_write_costs_one_find() {
    let (t, _) = opened("returning_cost").await;
    let plain = Plain {
        id: id(1),
        left: 1,
        right: 1,
        rest: std::collections::BTreeMap::new(),
    };
    let inserted = plain.insert(&t.odm).returning();
    let (inserted, sent) = t.sent(async { inserted.await.unwrap() }).await;
    assert_eq!(
        (&inserted, sent),
        (&plain, vec!["insert".to_owned(), "find".to_owned()])
    );
    let (_, sent) = t
        .sent(async { plain.save(&t.odm).returning().await.unwrap() })
        .await;
    assert_eq!(sent, ["update", "find"]);
}

#[tokio::test]
async fn only_the_changed_fields_are_written() {
    let (t, clock) = opened("save_changes").await;
    let before = order(1).insert(&t.odm).returning().await.unwrap();
    clock.set(at(2));
    let mut changed = before.clone();
    changed.note = "urgent".into();
    changed.coupon = None;
    changed.address.city = "Rome".into();
    changed.others.push(address("Bari"));
    changed.shop = id(2);
    // The library ignores the values of these fields in the struct.
    (changed.shop_name, changed.created) = ("ignored".into(), at(GIVEN));
    let operators = doc! {
        "$set": {
            "n": "urgent", "address": { "city": "Rome", "street": "Main Street" },
            "others": [{ "city": "Bari", "street": "Main Street" }], "shop": 2_i64,
        },
        "$unset": { "coupon": "" },
    };
    let plan = changed.save_changes(&t.odm, &before).plan().unwrap();
    let by_hand = Order::update(&t.odm, id(1)).with(operators);
    let by_hand = by_hand.if_unchanged(&before).plan().unwrap();
    assert_eq!(plan.to_string(), by_hand.to_string());
    let report = changed.save_changes(&t.odm, &before).await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    let stored = Order::get(&t.odm, id(1)).await.unwrap();
    let expected = Order {
        shop_name: "South".into(),
        created: at(1),
        updated: at(2),
        version: 2,
        ..changed.clone()
    };
    assert_eq!(stored, expected);
    let stale = changed.save_changes(&t.odm, &before).await.unwrap_err();
    assert_eq!(stale.kind(), ErrorKind::Conflict);
    changed.others = ["a", "b", "c"].map(address).to_vec();
    let exceeding = changed.save_changes(&t.odm, &stored).await.unwrap_err();
    assert_eq!(exceeding.kind(), ErrorKind::BoundExceeded);
    Order::delete(&t.odm, id(1)).await.unwrap();
    changed.others.clear();
    let deleted = changed.save_changes(&t.odm, &stored).await.unwrap_err();
    assert_eq!(deleted.kind(), ErrorKind::Conflict);
}

#[tokio::test]
async fn an_unchanged_struct_sends_nothing() {
    let (t, _) = opened("save_changes_nothing").await;
    let before = order(1).insert(&t.odm).returning().await.unwrap();
    let (report, sent) = t
        .sent(async { before.save_changes(&t.odm, &before).await.unwrap() })
        .await;
    assert_eq!((report.matched, sent.len()), (0, 0));
    let other = before.save_changes(&t.odm, &order(2)).await.unwrap_err();
    assert!(
        other
            .to_string()
            .contains("two `Order` structs with different ids"),
        "{other}"
    );
}

#[tokio::test]
async fn concurrent_changes_to_other_fields_are_kept_without_a_version() {
    let (t, _) = opened("save_changes_plain").await;
    let before = Plain {
        id: id(1),
        left: 1,
        right: 1,
        rest: [("a".to_owned(), 1), ("b".to_owned(), 1)].into(),
    };
    before.insert(&t.odm).await.unwrap();
    let (mut first, mut second) = (before.clone(), before.clone());
    first.left = 2;
    first.rest.remove("a");
    second.right = 3;
    second.rest.insert("c".to_owned(), 4);
    first.save_changes(&t.odm, &before).await.unwrap();
    second.save_changes(&t.odm, &before).await.unwrap();
    let stored = Plain::get(&t.odm, id(1)).await.unwrap();
    let rest = [("b".to_owned(), 1), ("c".to_owned(), 4)].into();
    let expected = Plain {
        left: 2,
        right: 3,
        rest,
        ..before.clone()
    };
    assert_eq!(stored, expected);
    let mut dotted = before.clone();
    dotted.rest.insert("x.y".to_owned(), 1);
    let refused = dotted.save_changes(&t.odm, &before).await.unwrap_err();
    assert!(refused.to_string().contains("`x.y`"), "{refused}");
}

#[tokio::test]
async fn a_field_that_contains_nan_is_not_a_changed_field() {
    let (t, _) = opened("save_changes_nan").await;
    let before = Sensor {
        id: id(1),
        name: "old".into(),
        samples: vec![1.0, f64::NAN],
        ranges: [("low".to_owned(), f64::NAN), ("high".to_owned(), 2.0)].into(),
    };
    before.insert(&t.odm).await.unwrap();
    let unchanged = before.save_changes(&t.odm, &before).await.unwrap();
    assert_eq!(unchanged.matched, 0);
    let push = Sensor::update(&t.odm, id(1)).push(Sensor::fields().samples, 7.0);
    push.await.unwrap();
    let mut after = before.clone();
    after.name = "new".into();
    after.save_changes(&t.odm, &before).await.unwrap();
    let stored = Sensor::get(&t.odm, id(1)).await.unwrap();
    assert_eq!((stored.name.as_str(), stored.samples.len()), ("new", 3));
}
