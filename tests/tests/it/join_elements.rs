//! Joins to documents that contain keys of several owners, with a condition on each owner's element.

use mongo_odm::{ElementFilter, JoinKey, bson::Bson, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "je_products",
    has_many(orders = "Order.lines.product"),
    has_many(rushed = "Order.lines.product", sort(number = -1), filter = "Order::rushed"),
    has_many(open_rushed = "Order.lines.product", filter = "Order::open_rushed"),
    has_many(sent = "Order.parcels.contents.product"),
    has_many(by_code = "Order.lines.code")
)]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product, i32>,
    codes: Vec<Code>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Code {
    code: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    product: Id<Product, i32>,
    #[refs(one, to = "Product.codes.code", name = "coded")]
    code: String,
    quantity: i64,
    rush: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Parcel {
    lost: bool,
    contents: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "je_orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    number: i32,
    open: bool,
    lines: Vec<Option<Line>>,
    parcels: Vec<Parcel>,
}

impl Order {
    fn rushed() -> ElementFilter<Order> {
        ElementFilter::new(Order::fields().lines, |line| line.rush.eq(true))
    }

    fn open_rushed() -> ElementFilter<Order> {
        Self::rushed().and(Order::fields().open.eq(true))
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Order")]
#[serde(deny_unknown_fields)]
struct OrderNumber {
    number: i32,
}

fn product(id: i32) -> Product {
    Product {
        id: id.into(),
        codes: ["a", "b"]
            .map(|code| Code {
                code: format!("{code}{id}"),
            })
            .to_vec(),
    }
}

fn line(product: i32, code: &str, quantity: i64, rush: bool) -> Line {
    Line {
        product: product.into(),
        code: format!("{code}{product}"),
        quantity,
        rush,
    }
}

/// An order of the products 1, 2 and 3: one of two lines of the first is urgent, none of the second, both of the third.
fn order(id: i32, open: bool) -> Order {
    let lines = [
        line(1, "a", 1, true),
        line(1, "b", 9, false),
        line(2, "a", 5, false),
        line(3, "a", 1, true),
        line(3, "a", 2, true),
    ];
    let parcel = |lost, lines: &[Line]| Parcel {
        lost,
        contents: lines.to_vec(),
    };
    Order {
        id: id.into(),
        number: id,
        open,
        parcels: vec![
            parcel(true, &lines[..2]),
            parcel(false, &lines[2..]),
            parcel(false, &[]),
        ],
        lines: std::iter::once(None)
            .chain(lines.into_iter().map(Some))
            .collect(),
    }
}

/// Stores two orders of all three products, and one order with a single urgent line for the second product.
async fn given(test: &str) -> (Harness, Vec<Product>) {
    let t = Harness::new(test).await;
    let products: Vec<Product> = (1..=4).map(product).collect();
    t.given(&products).await;
    let third = Order {
        lines: vec![Some(line(2, "a", 7, true))],
        parcels: vec![],
        ..order(12, true)
    };
    t.given(&[order(10, true), order(11, false), third]).await;
    (t, products)
}

fn numbers<'o>(orders: impl IntoIterator<Item = &'o Order>) -> Vec<i32> {
    let mut numbers: Vec<i32> = orders.into_iter().map(|order| order.number).collect();
    numbers.sort_unstable();
    numbers
}

#[tokio::test]
async fn a_filter_describes_the_document_and_a_filter_of_the_element_the_owners_own_one() {
    let (t, products) = given("je_join").await;
    let fields = Order::fields();
    let whole = Product::join_orders(&products, &t.odm)
        .filter(doc! { "lines": { "$elemMatch": { "rush": true } } })
        .await
        .unwrap();
    assert_eq!(
        numbers(whole.of(&products[1])),
        [10, 11, 12],
        "of others, too"
    );
    let own = Product::join_orders(&products, &t.odm)
        .filter_element(fields.lines, |line| line.rush.eq(true))
        .await
        .unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(own.of(it))).collect();
    assert_eq!(found, [vec![10, 11], vec![12], vec![10, 11], vec![]]);
    assert_eq!(own.len(), 3, "each document came once");
    let none = own
        .unmatched()
        .iter()
        .map(JoinKey::to_bson)
        .collect::<Vec<_>>();
    assert_eq!(none, [Bson::Int64(4)]);
    let both = Product::join_orders(&products, &t.odm)
        .filter(fields.open.eq(true))
        .filter_element(fields.lines, |line| line.rush.eq(true))
        .filter_element(fields.lines, |line| line.quantity.gt(1))
        .await
        .unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(both.of(it))).collect();
    assert_eq!(found, [vec![], vec![12], vec![10], vec![]]);
    for (product, expected) in products.iter().zip([2, 1, 2, 0]) {
        let load = product.load_orders(&t.odm);
        let load = load.filter_element(fields.lines, |line| line.rush.eq(true));
        assert_eq!(load.await.unwrap().len(), expected, "{product:?}");
        let count = product.count_orders(&t.odm);
        let count = count.filter_element(fields.lines, |line| line.rush.eq(true));
        assert_eq!(count.await.unwrap(), expected as u64, "{product:?}");
    }
}

#[tokio::test]
async fn a_declared_filter_of_the_element_restricts_every_call_of_the_relation() {
    let (t, products) = given("je_declared").await;
    let joined = Product::join_rushed(&products, &t.odm).await.unwrap();
    let in_order = |product: &Product| joined.of(product).map(|it| it.number).collect::<Vec<_>>();
    let found: Vec<_> = products.iter().map(in_order).collect();
    assert_eq!(found, [vec![11, 10], vec![12], vec![11, 10], vec![]]);
    let counts = Product::join_rushed(&products, &t.odm).count_each();
    let counts = counts.await.unwrap();
    let counts: Vec<_> = products.iter().map(|it| counts.of(it)).collect();
    assert_eq!(counts, [2, 1, 2, 0]);
    let open = Product::join_open_rushed(&products, &t.odm).await.unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(open.of(it))).collect();
    assert_eq!(found, [vec![10], vec![12], vec![10], vec![]]);
    for limited in [true, false] {
        let some = Product::join_rushed(&products, &t.odm).limit_each(if limited { 1 } else { 5 });
        let some = some.await.unwrap();
        let of = |product: &Product| some.of(product).map(|it| it.number).collect::<Vec<_>>();
        let found: Vec<_> = products.iter().map(of).collect();
        let expected = [vec![11, 10], vec![12], vec![11, 10], vec![]];
        let expected = expected.map(|mut all| {
            all.truncate(if limited { 1 } else { 5 });
            all
        });
        assert_eq!(found, expected);
    }
    let skipped = Product::join_rushed(&products, &t.odm);
    let skipped = skipped.skip_each(1).limit_each(3).await.unwrap();
    assert_eq!(numbers(skipped.of(&products[0])), [10]);
    assert_eq!(numbers(skipped.of(&products[1])), [0; 0]);
    assert_eq!(products[1].count_rushed(&t.odm).await.unwrap(), 1);
}

#[tokio::test]
async fn an_owner_with_several_keys_has_each_document_where_its_element_matches() {
    let (t, products) = given("je_several_keys").await;
    let fields = Order::fields();
    // The first product has two codes. One is in an urgent line, the other is not.
    for (rush, code) in [(true, "a1"), (false, "b1")] {
        let load = products[0].load_by_code(&t.odm);
        let load = load.filter_element(fields.lines, |line| line.rush.eq(rush));
        assert_eq!(numbers(&load.await.unwrap()), [10, 11], "once each");
        let slots = products[0].load_by_code(&t.odm);
        let slots = slots.filter_element(fields.lines, |line| line.rush.eq(rush));
        let slots = slots.slots().await.unwrap();
        assert_eq!(
            slots.len(),
            3,
            "{code}: two documents, and a key without one"
        );
    }
    let sorted = products[0].load_by_code(&t.odm).sort(fields.number.desc());
    let sorted = sorted.filter_element(fields.lines, |line| line.rush.eq(true));
    assert_eq!(sorted.await.unwrap()[0].number, 11);
    let joined = Product::join_by_code(&products, &t.odm)
        .filter_element(fields.lines, |line| line.rush.eq(false))
        .select::<OrderNumber>()
        .await
        .unwrap();
    let found: Vec<usize> = products.iter().map(|it| joined.of(it).len()).collect();
    assert_eq!(found, [2, 2, 0, 0]);
    let plain = Product::join_orders(&products, &t.odm)
        .filter_element(fields.lines, |line| line.rush.eq(true))
        .project::<bson::Document>(doc! { "open": 0, "parcels": 0 })
        .await
        .unwrap();
    let first = plain.of(&products[1]).next().unwrap();
    let names: Vec<&str> = first.keys().map(String::as_str).collect();
    assert_eq!(names, ["_id", "number", "lines"]);
}

#[tokio::test]
async fn conditions_on_arrays_inside_one_another_are_about_the_same_elements() {
    let (t, products) = given("je_nested").await;
    let fields = Order::fields();
    let join = || Product::join_sent(&products, &t.odm);
    let inner = join()
        .filter_element(fields.parcels.contents, |line| line.rush.eq(true))
        .await
        .unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(inner.of(it))).collect();
    assert_eq!(found, [vec![10, 11], vec![], vec![10, 11], vec![]]);
    let outer = || join().filter_element(fields.parcels, |parcel| parcel.lost.eq(false));
    let found = outer().await.unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(found.of(it))).collect();
    assert_eq!(found, [vec![], vec![10, 11], vec![10, 11], vec![]]);
    let both = outer().filter_element(fields.parcels.contents, |line| line.rush.eq(true));
    let both = both.await.unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(both.of(it))).collect();
    assert_eq!(found, [vec![], vec![], vec![10, 11], vec![]]);
    let alone = products[0].load_sent(&t.odm);
    let alone = alone.filter_element(fields.parcels, |parcel| parcel.lost.eq(false));
    let alone = alone.filter_element(fields.parcels.contents, |line| line.rush.eq(true));
    assert_eq!(alone.await.unwrap(), []);
}

#[tokio::test]
async fn split_joins_and_joins_in_transactions_have_the_same_documents() {
    let (t, products) = given("je_split").await;
    let settings = t.odm.settings().clone();
    let split = t.odm.with_settings(settings.split_from(2));
    let expected = [vec![10, 11], vec![12], vec![10, 11], vec![]];
    let joined = Product::join_orders(&products, &split)
        .filter_element(Order::fields().lines, |line| line.rush.eq(true))
        .await
        .unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(joined.of(it))).collect();
    assert_eq!(found, expected);
    let joined = t.odm.transaction(async |tx| {
        Product::join_orders(&products, &tx)
            .filter_element(Order::fields().lines, |line| line.rush.eq(true))
            .await
    });
    let joined = joined.await.unwrap();
    let found: Vec<_> = products.iter().map(|it| numbers(joined.of(it))).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn an_array_without_the_keys_is_refused() {
    let (t, products) = given("je_refused").await;
    let join = Product::join_orders(&products, &t.odm)
        .filter_element(Order::fields().parcels, |parcel| parcel.lost.eq(true));
    let error = join.await.unwrap_err().to_string();
    assert!(
        error.contains("`Order.parcels` does not contain the keys of `Product.orders`"),
        "{error}"
    );
    let plan = Product::join_orders(&products, &t.odm)
        .filter_element(Order::fields().lines, |line| line.rush.eq(true))
        .plan()
        .unwrap()
        .to_string();
    assert!(
        plan.contains("$documents") && plan.contains("$elemMatch"),
        "{plan}"
    );
}
