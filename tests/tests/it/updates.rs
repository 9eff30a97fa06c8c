//! The operators to which updates are converted, and their effects.

mod codecs;
mod elements;

use mongo_odm::{
    Error, Update, UpdateOperators,
    bson::{Bson, Document},
    mongodb::options::UpdateModifications,
    prelude::*,
};
use odm_tests::Harness;

/// An element of a cart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Item {
    sku: String,
    quantity: i32,
}

/// A cart without bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "carts")]
struct Cart {
    #[serde(rename = "_id")]
    id: Id<Cart>,
    owner: String,
    note: Option<String>,
    total: i64,
    rate: f64,
    changed: DateTime,
    numbers: Vec<i32>,
    items: Vec<Item>,
}

fn item(sku: &str, quantity: i32) -> Item {
    Item {
        sku: sku.to_owned(),
        quantity,
    }
}

fn cart() -> Cart {
    Cart {
        id: Id::new(),
        owner: "Ann".to_owned(),
        note: Some("gift".to_owned()),
        total: 10,
        rate: 0.5,
        changed: DateTime::from_millis(0),
        numbers: vec![1, 2, 3],
        items: vec![item("a", 1), item("b", 2)],
    }
}

fn operators(update: Update<Cart>) -> Document {
    match update.into_modifications().unwrap() {
        UpdateModifications::Document(operators) => operators,
        other => panic!("{other:?}"),
    }
}

fn refused(update: Update<Cart>) -> String {
    let error = update.into_modifications().unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    error.to_string()
}

/// Applies an update to a stored cart and returns the updated cart.
async fn applied(t: &Harness, cart: &Cart, update: Update<Cart>) -> Cart {
    cart.save(&t.odm).await.unwrap();
    let (report, sent) = t
        .sent(async {
            Cart::update(&t.odm, cart.id)
                .modifications(operators(update))
                .await
        })
        .await;
    assert_eq!(report.unwrap().matched, 1);
    assert_eq!(sent, ["update"]);
    Cart::get(&t.odm, cart.id).await.unwrap()
}

/// Asserts the document of an update, and its effect on a cart.
macro_rules! does {
    ($t:expr, $update:expr, $document:expr, $change:expr) => {{
        let before = cart();
        assert_eq!(operators($update), $document);
        let mut expected = before.clone();
        let change: fn(&mut Cart) = $change;
        change(&mut expected);
        assert_eq!(applied($t, &before, $update).await, expected);
    }};
}

#[tokio::test]
async fn operators_on_values() {
    let t = Harness::new("updates_values").await;
    let cart = Cart::fields();
    let update = Update::new;
    does!(
        &t,
        update().set(cart.owner, "Bob"),
        doc! { "$set": { "owner": "Bob" } },
        |cart| {
            cart.owner = "Bob".to_owned();
        }
    );
    does!(
        &t,
        update().set(cart.note, None).set(cart.total, 3),
        doc! { "$set": { "note": null, "total": 3_i64 } },
        |cart| (cart.note, cart.total) = (None, 3)
    );
    does!(
        &t,
        update().unset(cart.note),
        doc! { "$unset": { "note": "" } },
        |cart| {
            cart.note = None;
        }
    );
    does!(
        &t,
        update().inc(cart.total, 5).inc(cart.rate, -0.25),
        doc! { "$inc": { "total": 5_i64, "rate": -0.25 } },
        |cart| (cart.total, cart.rate) = (15, 0.25)
    );
    does!(
        &t,
        update().mul(cart.rate, 4.0),
        doc! { "$mul": { "rate": 4.0 } },
        |cart| {
            cart.rate = 2.0;
        }
    );
    does!(
        &t,
        update().min(cart.total, 7).max(cart.rate, 0.75),
        doc! { "$min": { "total": 7_i64 }, "$max": { "rate": 0.75 } },
        |cart| (cart.total, cart.rate) = (7, 0.75)
    );
    does!(
        &t,
        update().min(cart.total, 70).max(cart.rate, 0.25),
        doc! { "$min": { "total": 70_i64 }, "$max": { "rate": 0.25 } },
        |_| {}
    );
    does!(
        &t,
        update().set_on_insert(cart.owner, "Eve").inc(cart.total, 1),
        doc! { "$setOnInsert": { "owner": "Eve" }, "$inc": { "total": 1_i64 } },
        |cart| cart.total = 11
    );
}

#[tokio::test]
async fn the_current_date_is_that_of_the_server() {
    let t = Harness::new("updates_date").await;
    let update = || Update::new().current_date(Cart::fields().changed);
    assert_eq!(
        operators(update()),
        doc! { "$currentDate": { "changed": true } }
    );
    let changed = applied(&t, &cart(), update()).await.changed;
    let age = DateTime::now().timestamp_millis() - changed.timestamp_millis();
    assert!(age.abs() < 60_000, "{changed}");
}

#[tokio::test]
async fn operators_on_arrays() {
    let t = Harness::new("updates_arrays").await;
    let cart = Cart::fields();
    let update = Update::new;
    does!(
        &t,
        update().push(cart.numbers, 9),
        doc! { "$push": { "numbers": { "$each": [9] } } },
        |cart| cart.numbers.push(9)
    );
    does!(
        &t,
        update()
            .push_all(cart.numbers, [9, 8])
            .push(cart.numbers, 7),
        doc! { "$push": { "numbers": { "$each": [9, 8, 7] } } },
        |cart| cart.numbers.extend([9, 8, 7])
    );
    does!(
        &t,
        update().push(cart.items, item("c", 3)),
        doc! { "$push": { "items": { "$each": [{ "sku": "c", "quantity": 3 }] } } },
        |cart| cart.items.push(item("c", 3))
    );
    does!(
        &t,
        update()
            .add_to_set(cart.numbers, 2)
            .add_all_to_set(cart.numbers, [3, 4]),
        doc! { "$addToSet": { "numbers": { "$each": [2, 3, 4] } } },
        |cart| cart.numbers.push(4)
    );
    does!(
        &t,
        update().pull(cart.numbers, 2),
        doc! { "$pullAll": { "numbers": [2] } },
        |cart| cart.numbers = vec![1, 3]
    );
    does!(
        &t,
        update().pull(cart.numbers, 2).pull(cart.numbers, 3),
        doc! { "$pullAll": { "numbers": [2, 3] } },
        |cart| cart.numbers = vec![1]
    );
    does!(
        &t,
        update().pull(cart.items, item("b", 2)),
        doc! { "$pullAll": { "items": [{ "sku": "b", "quantity": 2 }] } },
        |cart| cart.items = vec![item("a", 1)]
    );
    does!(
        &t,
        update().pull_where(cart.items, Item::fields().quantity.lt(2)),
        doc! { "$pull": { "items": { "quantity": { "$lt": 2 } } } },
        |cart| cart.items = vec![item("b", 2)]
    );
    does!(
        &t,
        update().pull_where(
            cart.items,
            Item::fields().sku.eq("a") & Item::fields().quantity.eq(1)
        ),
        doc! { "$pull": { "items": { "$and": [{ "sku": "a" }, { "quantity": 1 }] } } },
        |cart| cart.items = vec![item("b", 2)]
    );
    does!(
        &t,
        update().pop_last(cart.numbers),
        doc! { "$pop": { "numbers": 1 } },
        |cart| {
            cart.numbers = vec![1, 2];
        }
    );
    does!(
        &t,
        update().pop_first(cart.items),
        doc! { "$pop": { "items": -1 } },
        |cart| {
            cart.items = vec![item("b", 2)];
        }
    );
    does!(
        &t,
        update().push_all(cart.numbers, Vec::<i32>::new()),
        doc! { "$push": { "numbers": { "$each": [] } } },
        |_| {}
    );
}

#[tokio::test]
async fn plain_operators_are_merged_into_typed_ones() {
    let t = Harness::new("updates_with").await;
    let cart = Cart::fields();
    let update = || {
        Update::new().set(cart.owner, "Bob").with(doc! {
            "$set": { "items.$[].quantity": 0 },
            "$inc": { "total": 1_i64 },
        })
    };
    does!(
        &t,
        update(),
        doc! {
            "$set": { "owner": "Bob", "items.$[].quantity": 0 },
            "$inc": { "total": 1_i64 },
        },
        |cart| {
            cart.owner = "Bob".to_owned();
            cart.total = 11;
            cart.items.iter_mut().for_each(|item| item.quantity = 0);
        }
    );
    let last = Update::new()
        .set(cart.owner, "Bob")
        .with(doc! { "$set": { "owner": "Eve" } });
    assert_eq!(operators(last), doc! { "$set": { "owner": "Eve" } });
    let twice = Update::<Cart>::from(doc! { "$inc": { "total": 1 } }).inc(cart.total, 5);
    assert_eq!(operators(twice), doc! { "$inc": { "total": 5_i64 } });
}

#[test]
fn a_push_keeps_what_was_pushed_before_it() {
    let numbers = Cart::fields().numbers;
    let capped = || doc! { "$push": { "numbers": { "$each": [1], "$slice": -3, "$sort": 1 } } };
    assert_eq!(
        operators(Update::new().with(capped()).push(numbers, 2)),
        doc! { "$push": { "numbers": { "$each": [1, 2], "$slice": -3, "$sort": 1 } } }
    );
    let bare = Update::new()
        .with(doc! { "$push": { "numbers": 1 } })
        .push(numbers, 2);
    assert_eq!(
        operators(bare),
        doc! { "$push": { "numbers": { "$each": [1, 2] } } }
    );
    let set = Update::new()
        .with(doc! { "$addToSet": { "numbers": 1 } })
        .add_to_set(numbers, 2);
    assert_eq!(
        operators(set),
        doc! { "$addToSet": { "numbers": { "$each": [1, 2] } } }
    );
}

#[tokio::test]
async fn an_update_without_an_operator_is_refused_before_it_is_sent() {
    let t = Harness::new("updates_empty").await;
    let cart = cart();
    cart.insert(&t.odm).await.unwrap();
    let nothing = "the update has nothing to do; add `set` or another operator (`Cart`)";
    let all = mongo_odm::Filter::all;
    let updates = async {
        let odm = &t.odm;
        [
            Cart::update(odm, cart.id).await.unwrap_err(),
            Cart::update_many(odm, all()).await.unwrap_err(),
            Cart::find_one_and_update(odm, all()).await.unwrap_err(),
            Cart::upsert(odm, all()).await.unwrap_err(),
            Cart::update(odm, cart.id).with(doc! {}).await.unwrap_err(),
            Cart::update(odm, cart.id)
                .modifications(vec![])
                .await
                .unwrap_err(),
        ]
    };
    let (errors, sent) = t.sent(updates).await;
    for error in errors {
        assert_eq!(error.to_string(), nothing);
    }
    assert!(sent.is_empty(), "{sent:?}");
}

#[test]
fn what_is_no_update_is_refused() {
    let cart = Cart::fields();
    assert_eq!(
        refused(Update::from(doc! { "owner": "Bob" })),
        "an update consists of operators such as `$set`, but has the field `owner`; use `replace` \
         for a whole document"
    );
    assert_eq!(
        refused(Update::new().with(doc! { "owner": "Bob" })),
        "an update consists of operators with a document each; `owner` has \"Bob\""
    );
    let pipeline = Update::from(vec![doc! { "$set": { "total": 1 } }]);
    assert_eq!(
        refused(pipeline.set(cart.owner, "Bob")),
        "`$set` cannot be added to an update that is a pipeline; add a stage to the pipeline, or send two updates"
    );
    assert_eq!(
        refused(Update::new().set(cart.total, 1).inc(cart.total, 1)),
        "`$set` changes `total`, and `$inc` changes the same field; write one of the two, or send two updates"
    );
}

#[tokio::test]
async fn a_pipeline_computes_from_the_document() {
    let t = Harness::new("updates_pipeline").await;
    let cart = cart();
    cart.insert(&t.odm).await.unwrap();
    let sum = vec![doc! { "$set": { "total": { "$sum": "$numbers" } } }];
    let report = Cart::update(&t.odm, cart.id)
        .modifications(sum.clone())
        .await
        .unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_eq!(Cart::get(&t.odm, cart.id).await.unwrap().total, 6);
    let found = Cart::find_one_and_update(&t.odm, Cart::fields().owner.eq("Ann"))
        .modifications(vec![
            doc! { "$set": { "note": { "$concat": ["$note", "!"] } } },
        ])
        .return_new()
        .await
        .unwrap();
    assert_eq!(found.unwrap().note.as_deref(), Some("gift!"));
    let many = Cart::update_many(&t.odm, doc! {})
        .modifications(sum)
        .await
        .unwrap();
    assert_eq!((many.matched, many.modified), (1, 0));
}

#[tokio::test]
async fn a_filter_besides_the_id_compares_before_it_sets() {
    let t = Harness::new("updates_cas").await;
    let before = cart();
    before.insert(&t.odm).await.unwrap();
    let cart = Cart::fields();
    let buy = |expected: i64| {
        Cart::update(&t.odm, before.id)
            .filter(cart.total.eq(expected))
            .inc(cart.total, -4)
    };
    let (report, sent) = t.sent(async { buy(10).await.unwrap() }).await;
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_eq!(sent, ["update"]);
    assert_eq!(buy(10).await.unwrap().matched, 0);
    assert_eq!(Cart::get(&t.odm, before.id).await.unwrap().total, 6);

    let tries = (0..20).map(|_| tokio::spawn(buy(6).into_future()));
    let mut won = 0;
    for report in tries {
        won += report.await.unwrap().unwrap().modified;
    }
    assert_eq!(won, 1);
    assert_eq!(Cart::get(&t.odm, before.id).await.unwrap().total, 2);
}

#[tokio::test]
async fn a_bson_null_is_a_value_and_a_missing_field_is_none() {
    let t = Harness::new("updates_null").await;
    let before = cart();
    before.insert(&t.odm).await.unwrap();
    let raw = async || {
        let carts = t.database().collection("carts");
        carts
            .find_one(doc! { "_id": before.id })
            .await
            .unwrap()
            .unwrap()
    };
    Cart::update(&t.odm, before.id)
        .set(Cart::fields().note, None)
        .await
        .unwrap();
    assert_eq!(raw().await.get("note"), Some(&Bson::Null));
    Cart::update(&t.odm, before.id)
        .unset(Cart::fields().note)
        .await
        .unwrap();
    assert_eq!(raw().await.get("note"), None);
    assert_eq!(Cart::get(&t.odm, before.id).await.unwrap().note, None);
}
