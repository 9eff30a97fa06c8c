//! Children in unusual forms: stored whole in a list, with inner arrays, with references to a key other than `_id`, and
//! with extreme numbers.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, i32>,
    code: String,
    #[recent(of = "Order", via = "shop", sort = "number", limit = 2)]
    orders: Vec<Order>,
    #[recent(of = "Order", via = "shop", sort = "number", limit = 2)]
    names: Vec<OrderLines>,
    #[rollup(count, of = "Visit", via = "shop")]
    visits: i64,
    #[rollup(sum, of = "Order", via = "shop", field = "total")]
    total: i64,
    #[rollup(average, of = "Order", via = "shop", field = "weight")]
    weight: Average,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    #[parent_ref]
    shop: Id<Shop, i32>,
    number: i32,
    total: i64,
    weight: Decimal128,
    note: String,
    lines: Vec<OrderLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct OrderLine {
    name: String,
    quantity: i32,
}

/// Only the names of all lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Order")]
struct OrderLines {
    #[embed]
    lines: Vec<LineName>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "OrderLine")]
struct LineName {
    name: String,
}

/// A visit, which refers to the shop by its code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, i32>,
    #[parent_ref(to = "Shop.code")]
    shop: String,
}

async fn shops(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Shop>().only::<Order>();
    sync.only::<Visit>().await.unwrap();
    for (id, code) in [(1, "2"), (2, "1")] {
        let shop = Shop {
            id: Id::from_key(id),
            code: code.to_owned(),
            orders: Vec::new(),
            names: Vec::new(),
            visits: 0,
            total: 0,
            weight: Average::default(),
        };
        shop.insert(&t.odm).await.unwrap();
    }
    t
}

fn order(number: i32, total: i64) -> Order {
    let line = |name: &str| OrderLine {
        name: name.to_owned(),
        quantity: 1,
    };
    Order {
        id: Id::from_key(number),
        shop: Id::from_key(1),
        number,
        total,
        weight: Decimal128::from_str("0.5").unwrap(),
        note: "soon".to_owned(),
        lines: vec![line("bolt"), line("nut")],
    }
}

async fn shop(odm: &Odm) -> Shop {
    Shop::get(odm, Id::from_key(1)).await.unwrap()
}

#[tokio::test]
async fn children_that_are_kept_as_a_whole_follow_in_all_their_fields() {
    let t = shops("computed_whole").await;
    let order = order(1, 10);
    order.insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let fields = Order::fields();
    Order::update(&t.odm, order.id)
        .set(fields.note, "late")
        .await
        .unwrap();
    assert_eq!(shop(&t.odm).await.orders[0].note, "late");
    let saved = Order {
        note: "never".to_owned(),
        ..order
    };
    saved.save(&t.odm).await.unwrap();
    assert_eq!(shop(&t.odm).await.orders, [saved]);
}

#[tokio::test]
async fn what_is_inside_arrays_of_children_is_seen_to_change() {
    let t = shops("computed_inside").await;
    let order = order(1, 10);
    order.insert(&t.odm).await.unwrap();
    let names = async || {
        settle(&t.odm).await;
        let shop = shop(&t.odm).await;
        let lines = shop.names[0].lines.iter();
        lines.map(|line| line.name.clone()).collect::<Vec<_>>()
    };
    let update = || Order::update(&t.odm, order.id);
    settle(&t.odm).await;
    update()
        .with(doc! { "$set": { "lines.1.name": "washer" } })
        .await
        .unwrap();
    assert_eq!(names().await, ["bolt", "washer"]);
    update()
        .with(doc! { "$set": { "lines.$[].name": "pin" } })
        .await
        .unwrap();
    assert_eq!(names().await, ["pin", "pin"]);
    let fields = Order::fields();
    update().pop_first(fields.lines).await.unwrap();
    assert_eq!(names().await, ["pin"]);
    let more = OrderLine {
        name: "cog".to_owned(),
        quantity: 2,
    };
    update().push(fields.lines, more).await.unwrap();
    assert_eq!(names().await, ["pin", "cog"]);
    update().set(fields.lines, Vec::new()).await.unwrap();
    assert_eq!(names().await, Vec::<String>::new());
}

#[tokio::test]
async fn children_lead_by_the_key_that_their_reference_names() {
    let t = shops("computed_keys").await;
    let visit = |id: i32, shop: &str| Visit {
        id: Id::from_key(id),
        shop: shop.to_owned(),
    };
    let visits = [visit(1, "1"), visit(2, "2"), visit(3, "2")];
    Visit::insert_many(&t.odm, &visits).await.unwrap();
    let counts = async || {
        let shops = Shop::find(&t.odm)
            .sort(Shop::fields().id.asc())
            .await
            .unwrap();
        shops.iter().map(|shop| shop.visits).collect::<Vec<_>>()
    };
    assert_eq!(counts().await, [2, 1]);
    // With a different key, the shop has different children.
    Shop::update(&t.odm, Id::from_key(1))
        .set(Shop::fields().code, "3")
        .await
        .unwrap();
    assert_eq!(counts().await, [0, 1]);
    Visit::update(&t.odm, Id::from_key(2))
        .set(Visit::fields().shop, "3")
        .await
        .unwrap();
    assert_eq!(counts().await, [1, 1]);
    settle(&t.odm).await;
    assert!(t.odm.verify().only::<Shop>().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_sum_that_no_long_holds_is_refused_with_the_write() {
    let t = shops("computed_overflow").await;
    order(1, i64::MAX).insert(&t.odm).await.unwrap();
    let refused = order(2, 1).insert(&t.odm).await.unwrap_err();
    assert_eq!(refused.code(), "odm.overflow");
    assert_eq!(refused.kind().http_status(), 422);
    assert_eq!(
        refused.to_string(),
        "`Shop.total` of NumberLong(\"1\") cannot store `sum(total)` of the `Order` that refer to it, because the result does not fit \
         into a 64-bit integer; correct the values, or sum doubles or decimals"
    );
    assert_eq!(count(&t.odm, "computed_orders", doc! {}).await, 1);
    assert_eq!(shop(&t.odm).await.total, i64::MAX);
}

/// A write that stores a delta does not know the sum.
#[tokio::test]
async fn a_sum_that_no_long_holds_postpones_the_job_of_a_delta() {
    let t = weather("computed_overflow_delta").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let wet = |number: i64, rain: i64| Reading {
        rain,
        ..reading(north.id, number)
    };
    wet(1, i64::MAX - 10).insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    wet(2, 100).insert(&t.odm).deferred().await.unwrap();
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 1);
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(t.odm.jobs().count().await.unwrap().put_off, 1);
    let jobs = t.odm.jobs().await.unwrap();
    let error = jobs[0].last_error.as_deref().unwrap();
    assert!(
        error.contains("does not fit into a 64-bit integer"),
        "{error}"
    );
    let stored = Station::get(&t.odm, north.id).await.unwrap();
    assert_eq!((stored.readings, stored.rain), (1, i64::MAX - 10));
}

/// A document was stored without the library, and makes a sum too large. Only the parent of this document cannot be
/// updated.
#[tokio::test]
async fn a_sum_that_no_long_holds_keeps_nobody_from_the_rest() {
    let t = shops("computed_overflowed").await;
    let large = Order {
        shop: Id::from_key(2),
        ..order(10, i64::MAX)
    };
    large.insert(&t.odm).await.unwrap();
    order(1, 10).insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let more = doc! { "_id": 11, "shop": 2, "number": 11, "total": i64::MAX };
    put(&t.odm, "computed_orders", [more]).await;
    let fields = Order::fields();
    for id in [1, 10] {
        let update = Order::update(&t.odm, Id::from_key(id)).set(fields.total, 20);
        update.deferred().await.unwrap();
    }
    // The sum of the other shop would now be i64::MAX + 20.
    t.odm.jobs().count().await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(shop(&t.odm).await.total, 20);
    let jobs = t.odm.jobs().await.unwrap();
    let put_off: Vec<_> = jobs.iter().filter(|job| !job.failed.is_empty()).collect();
    assert_eq!(put_off.len(), 1, "{jobs:?}");
    assert_eq!(put_off[0].failed, [Bson::Int64(2)]);
    t.odm.health().await.unwrap();
    let drift = t.odm.verify().only::<Shop>().await.unwrap();
    let found: Vec<_> = drift
        .items
        .iter()
        .map(|it| (it.kind, it.id.clone()))
        .collect();
    assert_eq!(
        found,
        [(mongo_odm::DriftKind::Unreadable, Bson::Int64(2))],
        "{drift}"
    );
}

/// The values were stored without the library, and cannot be part of a sum.
#[tokio::test]
async fn values_that_do_not_fit_count_for_nothing_and_keep_nobody_from_the_rest() {
    let t = shops("computed_unfit").await;
    order(1, 10).insert(&t.odm).await.unwrap();
    let unfit = [
        doc! { "_id": 7, "shop": 1, "number": 0, "total": 2.5, "weight": Decimal128::from_str("1E400").unwrap() },
        doc! { "_id": 8, "shop": 1, "number": 0, "total": "5", "weight": "heavy" },
    ];
    put(&t.odm, "computed_orders", unfit).await;
    order(2, 4).insert(&t.odm).await.unwrap();
    order(3, 6).insert(&t.odm).await.unwrap();
    let held = shop(&t.odm).await;
    assert_eq!(held.total, 20);
    assert_eq!(held.weight, Average { sum: 1.5, count: 3 });
    settle(&t.odm).await;
    assert!(t.odm.verify().only::<Shop>().await.unwrap().is_empty());
}
