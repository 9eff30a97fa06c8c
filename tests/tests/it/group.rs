//! Typed aggregations.

mod left_out;
mod nested_arrays;

use mongo_odm::{
    ErrorKind,
    bson::{Bson, Decimal128, Document},
    prelude::*,
};
use odm_tests::Harness;
use rust_decimal::Decimal;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    part: String,
    qty: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grouped_orders", kind(kind = "order"))]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    #[serde(rename = "customerName")]
    customer: String,
    city: Option<String>,
    price: f64,
    #[embed(max = 10)]
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct PerCustomer {
    customer: String,
    city: Option<String>,
    #[serde(rename = "n")]
    orders: i64,
    spent: f64,
    mean: f64,
    cheapest: f64,
    dearest: Option<f64>,
    ids: Vec<Id<Order, i32>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct PerPart {
    #[serde(rename = "_id")]
    part: String,
    qty: i64,
    customers: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Total {
    orders: u64,
    spent: f64,
    mean: Option<f64>,
}

fn order(id: i32, customer: &str, price: f64, lines: &[(&str, i32)]) -> Order {
    let line = |(part, qty): &(&str, i32)| Line {
        part: (*part).to_owned(),
        qty: *qty,
    };
    Order {
        id: Id::from_key(id),
        customer: customer.to_owned(),
        city: (customer == "ann").then(|| "Bern".to_owned()),
        price,
        lines: lines.iter().map(line).collect(),
    }
}

async fn harness(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.given(&[
        order(1, "ann", 10.0, &[("nut", 2), ("bolt", 1)]),
        order(2, "bob", 5.0, &[("nut", 7)]),
        order(3, "ann", 20.0, &[("bolt", 5)]),
        order(4, "eve", 1.0, &[]),
    ])
    .await;
    // A document of a different kind.
    let other = doc! { "_id": 5, "kind": "offer", "customerName": "ann", "price": 100.0 };
    let orders = t.odm.database().collection("grouped_orders");
    orders.insert_one(other).await.unwrap();
    t
}

#[tokio::test]
async fn groups_are_read_into_a_struct() {
    let t = harness("group_fields").await;
    let fields = Order::fields();
    let rows = Order::group_into::<PerCustomer>(&t.odm)
        .filter(fields.price.gt(2.0))
        .by(|row| row.customer, fields.customer)
        .by(|row| row.city, fields.city)
        .count(|row| row.orders)
        .sum(|row| row.spent, fields.price)
        .avg(|row| row.mean, fields.price)
        .min(|row| row.cheapest, fields.price)
        .max(|row| row.dearest, fields.price)
        .push(|row| row.ids, fields.id)
        .sort(|row| row.spent.desc());
    let mut rows = rows.await.unwrap();
    rows[0].ids.sort_by_key(|id| *id.key());
    let row =
        |customer: &str, city: Option<&str>, orders, prices: [f64; 4], ids: &[i32]| PerCustomer {
            customer: customer.to_owned(),
            city: city.map(str::to_owned),
            orders,
            spent: prices[0],
            mean: prices[1],
            cheapest: prices[2],
            dearest: Some(prices[3]),
            ids: ids.iter().map(|id| Id::from_key(*id)).collect(),
        };
    let expected = [
        row("ann", Some("Bern"), 2, [30.0, 15.0, 10.0, 20.0], &[1, 3]),
        row("bob", None, 1, [5.0; 4], &[2]),
    ];
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn elements_of_an_array_are_grouped() {
    let t = harness("group_unwind").await;
    let fields = Order::fields();
    let parts = || {
        Order::group_into::<PerPart>(&t.odm)
            .unwind(fields.lines)
            .by(|row| row.part, fields.lines.part)
            .sum(|row| row.qty, fields.lines.qty)
            .distinct(|row| row.customers, fields.customer)
    };
    let rows = parts().sort(|row| row.part.asc()).await.unwrap();
    let rows: Vec<_> = rows
        .iter()
        .map(|it| (it.part.as_str(), it.qty, it.customers.len()))
        .collect();
    assert_eq!(rows, [("bolt", 6, 1), ("nut", 9, 2)]);
    let many = parts().having(|row| row.qty.gt(6) & row.part.ne("screw"));
    let many = many.limit(1).await.unwrap();
    assert_eq!(many.len(), 1);
    assert_eq!(many[0].part, "nut");
    assert_eq!(parts().limit(0).await.unwrap().len(), 2);
    let renamed = parts().having(|row| row.part.eq("bolt"));
    let renamed = renamed.stage(doc! { "$set": { "qty": 0 } }).await.unwrap();
    assert_eq!(renamed[0].qty, 0);
}

/// Without `unwind`, the server would read the array of all values, which a sum ignores.
#[tokio::test]
async fn fields_inside_an_array_need_an_unwind() {
    let t = harness("group_arrays").await;
    let fields = Order::fields();
    let group = || Order::group_into::<PerPart>(&t.odm);
    let first = fields.lines.at::<0>();
    for (refused, reason) in [
        (
            group().sum(|row| row.qty, fields.lines.qty),
            "`Order.lines.qty` is inside the array `lines`",
        ),
        (
            group().by(|row| row.part, fields.lines.part),
            "`Order.lines.part` is inside the array `lines`",
        ),
        (
            group().sum(|row| row.qty, first.qty),
            "`Order.lines.0.qty` contains the position of an element",
        ),
    ] {
        let error = refused.await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error:?}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    let unwound_last = group()
        .by(|row| row.part, fields.lines.part)
        .sum(|row| row.qty, fields.lines.qty)
        .distinct(|row| row.customers, fields.customer)
        .unwind(fields.lines);
    assert_eq!(unwound_last.await.unwrap().len(), 2);
}

#[tokio::test]
async fn without_a_key_there_is_one_group() {
    let t = harness("group_all").await;
    let fields = Order::fields();
    let total = |filter: Filter<Order>| {
        Order::group_into::<Total>(&t.odm)
            .filter(filter)
            .count(|row| row.orders)
            .sum(|row| row.spent, fields.price)
            .avg(|row| row.mean, fields.price)
    };
    let all = total(Filter::all()).await.unwrap();
    let expected = Total {
        orders: 4,
        spent: 36.0,
        mean: Some(9.0),
    };
    assert_eq!(all, [expected]);
    assert_eq!(total(fields.price.gt(100.0)).await.unwrap(), []);
    let plan = total(fields.price.gt(1.0)).plan().unwrap().to_string();
    let (groups, sent) = t
        .sent(async { total(fields.price.gt(1.0)).await.unwrap() })
        .await;
    assert_eq!((groups.len(), sent), (1, vec!["aggregate".to_owned()]));
    assert!(plan.contains("kind: \"order\""), "{plan}");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct PerPlace {
    customer: String,
    city: Option<String>,
    orders: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct PerCity {
    city: Option<String>,
    orders: i64,
}

#[tokio::test]
async fn a_missing_field_and_null_are_one_group() {
    let t = harness("group_missing").await;
    let of = |id: i32, customer: &str| doc! { "_id": id, "kind": "order", "customerName": customer, "price": 1.0 };
    let with_null = |mut order: Document| {
        order.insert("city", Bson::Null);
        order
    };
    let orders = t.odm.database().collection("grouped_orders");
    let missing = [of(6, "bob"), of(7, "ann"), with_null(of(8, "ann"))];
    orders.insert_many(missing).await.unwrap();
    let fields = Order::fields();
    let rows = Order::group_into::<PerPlace>(&t.odm)
        .by(|row| row.customer, fields.customer)
        .by(|row| row.city, fields.city)
        .count(|row| row.orders)
        .sort(|row| row.customer.asc().then(row.city.asc()));
    let rows = rows.await.unwrap();
    let rows: Vec<_> = rows
        .iter()
        .map(|row| (row.customer.as_str(), row.city.as_deref(), row.orders))
        .collect();
    let expected = [
        ("ann", None, 2),
        ("ann", Some("Bern"), 2),
        ("bob", None, 2),
        ("eve", None, 1),
    ];
    assert_eq!(rows, expected);
    let rows = Order::group_into::<PerCity>(&t.odm)
        .by(|row| row.city, fields.city)
        .count(|row| row.orders)
        .sort(|row| row.city.asc());
    let row = |city: Option<&str>, orders| PerCity {
        city: city.map(str::to_owned),
        orders,
    };
    assert_eq!(rows.await.unwrap(), [row(None, 5), row(Some("Bern"), 2)]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grouped_visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, i32>,
    #[serde(with = "mongo_odm::with::native")]
    day: chrono::DateTime<chrono::Utc>,
    page: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Period {
    page: String,
    #[serde(with = "mongo_odm::with::native")]
    first: chrono::DateTime<chrono::Utc>,
    #[serde(with = "mongo_odm::with::native")]
    last: Option<chrono::DateTime<chrono::Utc>>,
    #[serde(with = "mongo_odm::with::native")]
    days: Vec<chrono::DateTime<chrono::Utc>>,
}

#[tokio::test]
async fn results_are_stored_in_the_form_of_the_values() {
    let t = Harness::new("group_with").await;
    let day = |day: i64| chrono::DateTime::from_timestamp(86_400 * day, 0).unwrap();
    let visit = |id: i32, on: i64, page: &str| Visit {
        id: Id::from_key(id),
        day: day(on),
        page: page.to_owned(),
    };
    t.given(&[visit(1, 5, "a"), visit(2, 3, "a"), visit(3, 9, "a")])
        .await;
    let visits = Visit::fields();
    let found = Visit::group_into::<Period>(&t.odm)
        .by(|row| row.page, visits.page)
        .min(|row| row.first, visits.day)
        .max(|row| row.last, visits.day)
        .push(|row| row.days, visits.day);
    let expected = Period {
        page: "a".to_owned(),
        first: day(3),
        last: Some(day(9)),
        days: vec![day(3), day(5), day(9)],
    };
    let mut found = found.await.unwrap();
    found[0].days.sort();
    assert_eq!(found, [expected]);
}

/// A codec of the application, which stores an amount as a number of cents.
mod cents {
    use super::*;

    #[allow(
        clippy::cast_possible_truncation,
        clippy::trivially_copy_pass_by_ref,
        reason = "a codec receives a reference, and the amounts are small"
    )]
    pub(super) fn serialize<S: serde::Serializer>(price: &f64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64((price * 100.0).round() as i64)
    }

    #[allow(clippy::cast_precision_loss, reason = "amounts of a test")]
    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        i64::deserialize(from).map(|cents| cents as f64 / 100.0)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grouped_bills")]
struct Bill {
    #[serde(rename = "_id")]
    id: Id<Bill, i32>,
    shop: String,
    paid: Option<Decimal128>,
    #[serde(with = "mongo_odm::with::native")]
    tip: Option<Decimal>,
    #[serde(with = "cents")]
    price: f64,
    weight: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Paid {
    shop: String,
    paid: Decimal128,
    #[serde(with = "mongo_odm::with::native")]
    tip: Decimal,
    mean_tip: Option<Decimal128>,
}

fn bill(id: i32, shop: &str, amounts: Option<(&str, &str)>) -> Bill {
    Bill {
        id: Id::from_key(id),
        shop: shop.to_owned(),
        paid: amounts.map(|(paid, _)| paid.parse().unwrap()),
        tip: amounts.map(|(_, tip)| tip.parse().unwrap()),
        price: 19.99,
        weight: 0.5,
    }
}

/// Without a value, the server would return an integer, which no decimal can be read from.
#[tokio::test]
async fn the_sum_of_no_decimals_is_a_decimal() {
    let t = Harness::new("group_decimals").await;
    t.given(&[
        bill(1, "a", Some(("1.50", "0.25"))),
        bill(2, "a", Some(("2.25", "0.5"))),
        bill(3, "a", None),
        bill(4, "b", None),
    ])
    .await;
    let bills = t.odm.database().collection::<Document>("grouped_bills");
    let without = doc! { "_id": 5, "shop": "c", "price": 100_i64, "weight": 1.0 };
    bills.insert_one(without).await.unwrap();
    let fields = Bill::fields();
    let rows = Bill::group_into::<Paid>(&t.odm)
        .by(|row| row.shop, fields.shop)
        .sum(|row| row.paid, fields.paid)
        .sum(|row| row.tip, fields.tip)
        .avg(|row| row.mean_tip, fields.tip)
        .sort(|row| row.shop.asc());
    let rows = rows.await.unwrap();
    let number = |paid: Decimal128| {
        let text = paid.to_string();
        let number = text.parse().or_else(|_| Decimal::from_scientific(&text));
        number.unwrap()
    };
    let sums: Vec<(&str, Decimal, Decimal)> = rows
        .iter()
        .map(|row| (row.shop.as_str(), number(row.paid), row.tip))
        .collect();
    let expected = [("a", "3.75", "0.75"), ("b", "0", "0"), ("c", "0", "0")];
    let expected =
        expected.map(|(shop, paid, tip)| (shop, paid.parse().unwrap(), tip.parse().unwrap()));
    assert_eq!(sums, expected);
    let means: Vec<Option<Decimal>> = rows.iter().map(|row| row.mean_tip.map(number)).collect();
    let mean: Decimal = "0.375".parse().unwrap();
    assert_eq!(means, [Some(mean), None, None]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Amounts {
    sum: f64,
    mean: Option<f64>,
    #[serde(with = "cents")]
    coded: f64,
}

#[tokio::test]
async fn fields_with_a_codec_are_not_summed() {
    let t = Harness::new("group_codecs").await;
    let fields = Bill::fields();
    let group = || Bill::group_into::<Amounts>(&t.odm);
    for (refused, field) in [
        (group().sum(|row| row.sum, fields.price), "Bill.price"),
        (group().avg(|row| row.mean, fields.price), "Bill.price"),
        (group().sum(|row| row.coded, fields.weight), "Amounts.coded"),
    ] {
        let error = refused.await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error:?}");
        let reason =
            format!("`{field}`: the server adds up the stored values and does not know `cents`");
        assert!(error.to_string().contains(&reason), "{error}");
    }
    let plain = group().sum(|row| row.sum, fields.weight);
    assert!(plain.plan().is_ok());
}
