//! The documents to which filters are converted, and the documents that they match.

mod exact;
mod left_out;
mod nested_arrays;

use mongo_odm::{IntoFilter, bson::Document, prelude::*};
use odm_tests::{Harness, explained::explained, shop::*};

/// A line of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    sku: String,
    quantity: i32,
    tags: Vec<String>,
}

/// The destination of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(rename_all = "camelCase")]
struct Target {
    zip_code: String,
    door: Option<i32>,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    lines: Vec<Line>,
    numbers: Vec<i32>,
    target: Option<Target>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn line(sku: &str, quantity: i32) -> Line {
    Line {
        sku: sku.to_owned(),
        quantity,
        tags: vec![format!("{sku}-tag")],
    }
}

fn order(id: i32, lines: Vec<Line>, numbers: Vec<i32>) -> Order {
    Order {
        id: Id::from_key(id),
        lines,
        numbers,
        target: None,
        note: None,
    }
}

fn document(filter: impl IntoFilter<Order>) -> Document {
    filter.into_filter().into_document().unwrap()
}

/// No ids.
const NONE: [i32; 0] = [];

async fn ids(t: &Harness, filter: impl IntoFilter<Order>) -> Vec<i32> {
    let orders = Order::find(&t.odm)
        .filter(filter)
        .sort(Order::fields().id.asc())
        .await
        .unwrap();
    orders.iter().map(|order| *order.id.key()).collect()
}

#[test]
fn every_comparison_is_the_document_of_the_server() {
    let order = Order::fields();
    let numbers = order.lines.quantity;
    assert_eq!(document(numbers.eq(1)), doc! { "lines.quantity": 1 });
    assert_eq!(
        document(numbers.ne(1)),
        doc! { "lines.quantity": { "$ne": 1 } }
    );
    assert_eq!(
        document(numbers.gt(1)),
        doc! { "lines.quantity": { "$gt": 1 } }
    );
    assert_eq!(
        document(numbers.gte(1)),
        doc! { "lines.quantity": { "$gte": 1 } }
    );
    assert_eq!(
        document(numbers.lt(1)),
        doc! { "lines.quantity": { "$lt": 1 } }
    );
    assert_eq!(
        document(numbers.lte(1)),
        doc! { "lines.quantity": { "$lte": 1 } }
    );
    assert_eq!(
        document(numbers.is_in([1, 2])),
        doc! { "lines.quantity": { "$in": [1, 2] } }
    );
    assert_eq!(
        document(numbers.is_not_in([1])),
        doc! { "lines.quantity": { "$nin": [1] } }
    );
    assert_eq!(
        document(order.note.exists()),
        doc! { "note": { "$exists": true } }
    );
    assert_eq!(
        document(order.note.is_missing()),
        doc! { "note": { "$exists": false } }
    );
    assert_eq!(
        document(order.note.is_null()),
        doc! { "note": { "$type": "null" } }
    );
    assert_eq!(
        document(order.note.matches("^a", "i")),
        doc! { "note": { "$regex": "^a", "$options": "i" } }
    );
    assert_eq!(document(order.numbers.contains(3)), doc! { "numbers": 3 });
    assert_eq!(
        document(order.numbers.contains_any([1, 2])),
        doc! { "numbers": { "$in": [1, 2] } }
    );
    assert_eq!(
        document(order.numbers.contains_all([1])),
        doc! { "numbers": { "$all": [1] } }
    );
    assert_eq!(
        document(order.numbers.size(2)),
        doc! { "numbers": { "$size": 2_i64 } }
    );
    assert_eq!(
        document(order.numbers.eq([1, 2])),
        doc! { "numbers": [1, 2] }
    );
    assert_eq!(
        document(order.target.zip_code.eq("1")),
        doc! { "target.zipCode": "1" }
    );
    assert_eq!(document(order.id.eq(Id::from_key(4))), doc! { "_id": 4 });
}

#[test]
fn filters_combine_as_documents() {
    let order = Order::fields();
    let (a, b, c) = (
        || order.note.eq("a"),
        || order.note.eq("b"),
        || order.note.eq("c"),
    );
    let (a_doc, b_doc, c_doc) = (
        doc! { "note": "a" },
        doc! { "note": "b" },
        doc! { "note": "c" },
    );
    let and = |clauses: &[&Document]| doc! { "$and": clauses.to_vec() };
    let or = |clauses: &[&Document]| doc! { "$or": clauses.to_vec() };

    assert_eq!(document(a() & b()), and(&[&a_doc, &b_doc]));
    assert_eq!(document(a() | b()), or(&[&a_doc, &b_doc]));
    assert_eq!(document(!a()), doc! { "$nor": [a_doc.clone()] });
    assert_eq!(document(a() & b() & c()), and(&[&a_doc, &b_doc, &c_doc]));
    assert_eq!(document(a() | (b() | c())), or(&[&a_doc, &b_doc, &c_doc]));
    assert_eq!(
        document(a() & b() | c()),
        or(&[&and(&[&a_doc, &b_doc]), &c_doc])
    );
    assert_eq!(
        document((a() | b()) & c()),
        and(&[&or(&[&a_doc, &b_doc]), &c_doc])
    );
    assert_eq!(document(a().and(b()).or(c())), document(a() & b() | c()));
    assert_eq!(
        document(!!a()),
        doc! { "$nor": [{ "$nor": [a_doc.clone()] }] }
    );

    assert_eq!(document(Filter::all() & a()), a_doc);
    assert_eq!(document(a() & Filter::all()), a_doc);
    assert_eq!(document(Filter::<Order>::all()), doc! {});
    assert_eq!(document(Filter::all() | a()), or(&[&doc! {}, &a_doc]));
    let plain = Filter::from(doc! { "note": "a", "numbers": 1 });
    assert_eq!(
        document(plain & b()),
        and(&[&doc! { "note": "a", "numbers": 1 }, &b_doc])
    );
}

#[tokio::test]
async fn combined_filters_match_what_their_parts_say() {
    let t = Harness::new("filters_combined").await;
    let orders: Vec<Order> = (0..8)
        .map(|n| order(n, vec![], vec![n & 1, n & 2, n & 4]))
        .collect();
    t.given(&orders).await;
    let numbers = Order::fields().numbers;
    let (one, two, four) = (
        || numbers.contains(1),
        || numbers.contains(2),
        || numbers.contains(4),
    );
    assert_eq!(ids(&t, one() & two()).await, [3, 7]);
    assert_eq!(ids(&t, one() | two()).await, [1, 2, 3, 5, 6, 7]);
    assert_eq!(ids(&t, !one()).await, [0, 2, 4, 6]);
    assert_eq!(ids(&t, one() & (two() | four())).await, [3, 5, 7]);
    assert_eq!(ids(&t, one() & two() | four()).await, [3, 4, 5, 6, 7]);
    assert_eq!(ids(&t, !(one() | two())).await, [0, 4]);
    assert_eq!(ids(&t, !one() & !two() & !four()).await, [0]);
    assert_eq!(ids(&t, !!one()).await, [1, 3, 5, 7]);
    assert_eq!(ids(&t, Filter::all() | one()).await.len(), 8);
    assert_eq!(ids(&t, !Filter::all()).await, NONE);
}

#[tokio::test]
async fn elem_match_asks_one_element_and_two_conditions_ask_two() {
    let t = Harness::new("filters_elem_match").await;
    t.given(&[
        order(1, vec![line("a", 5), line("b", 1)], vec![]),
        order(2, vec![line("a", 1), line("b", 5)], vec![]),
        order(3, vec![line("a", 1)], vec![]),
    ])
    .await;
    let lines = Order::fields().lines;
    assert_eq!(
        ids(&t, lines.sku.eq("a") & lines.quantity.eq(5)).await,
        [1, 2]
    );
    let matching = || lines.elem_match(|line| line.sku.eq("a") & line.quantity.eq(5));
    assert_eq!(
        document(matching()),
        doc! { "lines": { "$elemMatch": { "$and": [{ "sku": "a" }, { "quantity": 5 }] } } }
    );
    assert_eq!(ids(&t, matching()).await, [1]);
    assert_eq!(ids(&t, !matching()).await, [2, 3]);
    let plain = lines.elem_match(|_| doc! { "sku": "b", "quantity": { "$gt": 1 } });
    assert_eq!(ids(&t, plain).await, [2]);
    let inner = lines.elem_match(|line| line.tags.contains("b-tag") & line.quantity.lt(5));
    assert_eq!(ids(&t, inner).await, [1]);
    let either = lines.elem_match(|line| line.quantity.gt(4) | line.sku.eq("c"));
    assert_eq!(ids(&t, either).await, [1, 2]);
}

#[tokio::test]
async fn missing_null_and_none_are_three_questions() {
    let t = Harness::new("filters_null").await;
    let target = |door| {
        Some(Target {
            zip_code: "8000".to_owned(),
            door,
        })
    };
    let mut orders = [
        order(1, vec![], vec![]),
        order(2, vec![], vec![]),
        order(3, vec![], vec![]),
    ];
    orders[0].note = Some("here".to_owned());
    orders[0].target = target(Some(4));
    orders[1].target = target(None);
    t.given(&orders).await;
    let collection = t.database().collection("orders");
    collection
        .update_one(doc! { "_id": 2 }, doc! { "$set": { "note": null } })
        .await
        .unwrap();

    let order = Order::fields();
    assert_eq!(ids(&t, order.note.exists()).await, [1, 2]);
    assert_eq!(ids(&t, order.note.is_missing()).await, [3]);
    assert_eq!(ids(&t, order.note.is_null()).await, [2]);
    assert_eq!(ids(&t, order.note.eq(None)).await, [2, 3]);
    assert_eq!(ids(&t, order.note.ne(None)).await, [1]);
    assert_eq!(ids(&t, order.note.eq("here")).await, [1]);
    assert_eq!(ids(&t, order.target.is_null()).await, [3]);
    assert_eq!(ids(&t, order.target.door.eq(4)).await, [1]);
    assert_eq!(ids(&t, order.target.door.is_null()).await, [2]);
    assert_eq!(ids(&t, order.target.door.is_missing()).await, [3]);
    assert_eq!(ids(&t, order.target.door.eq(None)).await, [2, 3]);
    assert_eq!(ids(&t, order.target.zip_code.eq("8000")).await, [1, 2]);
    assert_eq!(ids(&t, order.target.eq(target(None))).await, [2]);
    assert_eq!(ids(&t, order.target.eq(None)).await, [3]);
}

#[tokio::test]
async fn a_pattern_matches_with_its_options() {
    let t = Harness::new("filters_regex").await;
    t.given(&[
        order(1, vec![line("Grommet", 1)], vec![]),
        order(2, vec![line("grommet-2", 1)], vec![]),
        order(3, vec![line("a.c", 1)], vec![]),
    ])
    .await;
    let sku = Order::fields().lines.sku;
    assert_eq!(ids(&t, sku.matches("^grommet", "")).await, [2]);
    assert_eq!(ids(&t, sku.matches("^grommet", "i")).await, [1, 2]);
    assert_eq!(ids(&t, sku.matches("2$", "")).await, [2]);
    assert_eq!(ids(&t, sku.matches("^a\\.c$", String::new())).await, [3]);
    assert_eq!(ids(&t, sku.eq("^grommet")).await, NONE);
}

#[tokio::test]
async fn arrays_are_asked_for_their_elements_and_their_size() {
    let t = Harness::new("filters_arrays").await;
    t.given(&[
        order(1, vec![], vec![1, 2, 3]),
        order(2, vec![line("a", 1)], vec![3, 4]),
        order(3, vec![line("a", 1), line("b", 2)], vec![]),
    ])
    .await;
    let order = Order::fields();
    assert_eq!(ids(&t, order.numbers.size(2)).await, [2]);
    assert_eq!(ids(&t, order.numbers.size(0)).await, [3]);
    assert_eq!(ids(&t, order.lines.size(2)).await, [3]);
    assert_eq!(ids(&t, order.numbers.contains(3)).await, [1, 2]);
    assert_eq!(ids(&t, order.numbers.contains_all([1, 3])).await, [1]);
    assert_eq!(ids(&t, order.numbers.contains_all([1, 4])).await, NONE);
    assert_eq!(
        ids(&t, order.numbers.contains_all(Vec::<i32>::new())).await,
        NONE
    );
    assert_eq!(ids(&t, order.numbers.contains_any([1, 4])).await, [1, 2]);
    assert_eq!(
        ids(&t, order.numbers.contains_any(Vec::<i32>::new())).await,
        NONE
    );
    assert_eq!(ids(&t, order.numbers.eq(vec![3, 4])).await, [2]);
    assert_eq!(ids(&t, order.numbers.eq([4, 3])).await, NONE);
    assert_eq!(ids(&t, order.lines.contains(line("b", 2))).await, [3]);
    assert_eq!(ids(&t, order.numbers.each().gt(3)).await, [2]);
    assert_eq!(ids(&t, order.lines.tags.contains("b-tag")).await, [3]);
}

#[tokio::test]
async fn a_plain_document_is_a_filter_and_a_sort() {
    let t = Harness::new("filters_plain").await;
    t.given(&parts(3)).await;
    let part = Part::fields();
    let plain = doc! { "partno": { "$in": ["000000-aff", "000002-aff"] } };
    let found = Part::find(&t.odm)
        .filter(plain.clone())
        .sort(doc! { "partno": -1 })
        .await
        .unwrap();
    assert_eq!(
        found.iter().map(|part| &*part.partno).collect::<Vec<_>>(),
        ["000002-aff", "000000-aff"]
    );
    let mixed = Part::find(&t.odm)
        .filter(plain.clone())
        .filter(part.name.eq("#2 grommet"));
    assert_eq!(mixed.await.unwrap().len(), 1);
    assert_eq!(Part::count(&t.odm).filter(plain.clone()).await.unwrap(), 2);
    assert!(Part::exists(&t.odm).filter(plain.clone()).await.unwrap());
    assert!(
        Part::find_one(&t.odm)
            .filter(plain.clone())
            .await
            .unwrap()
            .is_some()
    );
    let updated = Part::update_many(&t.odm, plain.clone())
        .set(part.qty, 1)
        .await
        .unwrap();
    assert_eq!(updated.modified, 2);
    assert_eq!(Part::delete_many(&t.odm, plain).await.unwrap().deleted, 2);
}

#[test]
fn filters_are_joined_in_place_and_in_lists() {
    let order = Order::fields();
    let by_note = |note: &str| order.note.eq(note);
    let mut filter = Filter::all();
    filter &= by_note("a");
    filter &= by_note("b");
    let both = doc! { "$and": [{ "note": "a" }, { "note": "b" }] };
    assert_eq!(document(filter), both);
    let mut filter = by_note("a");
    filter |= by_note("b");
    let either = doc! { "$or": [{ "note": "a" }, { "note": "b" }] };
    assert_eq!(document(filter), either);

    assert_eq!(document(Filter::all_of(["a", "b"].map(by_note))), both);
    assert_eq!(document(Filter::any_of(["a", "b"].map(by_note))), either);
    assert_eq!(document(Filter::all_of([])), doc! {});
    assert_eq!(document(Filter::any_of([])), doc! { "$nor": [{}] });
}

#[test]
fn a_condition_on_a_value_that_is_absent_is_none() {
    let order = Order::fields();
    let search = |note: Option<&str>, number: Option<i32>| {
        Filter::all()
            .and_if(note, |note| order.note.eq(note))
            .and_if(number, |number| doc! { "numbers": number })
    };
    assert_eq!(document(search(None, None)), doc! {});
    assert_eq!(document(search(Some("a"), None)), doc! { "note": "a" });
    let both = doc! { "$and": [{ "note": "a" }, { "numbers": 1 }] };
    assert_eq!(document(search(Some("a"), Some(1))), both);
}

/// A text with every character that has a special meaning in a pattern.
const SPECIAL: &str = r"a.b^c$d*e+f?g(h)i[j]k{1}l|m\n#o p\Eq";

#[tokio::test]
async fn a_text_in_a_string_is_found_to_the_letter() {
    let t = Harness::new("filters_text").await;
    let noted = |id: i32, note: &str| {
        let lines = vec![line(note, 1)];
        let note = Some(note.to_owned());
        Order {
            note,
            ..order(id, lines, vec![])
        }
    };
    let mut orders = vec![
        noted(1, SPECIAL),
        noted(2, &format!("before {SPECIAL} after")),
        noted(3, "axb"),
        noted(4, &format!("{SPECIAL}\n")),
        noted(5, "ü\0ö"),
        order(6, vec![], vec![]),
    ];
    t.given(&orders).await;
    let order = Order::fields();
    assert_eq!(ids(&t, order.note.contains(SPECIAL)).await, [1, 2, 4]);
    assert_eq!(ids(&t, order.note.starts_with(SPECIAL)).await, [1, 4]);
    assert_eq!(ids(&t, order.note.ends_with(SPECIAL)).await, [1]);
    assert_eq!(ids(&t, order.note.starts_with("a.b")).await, [1, 4]);
    assert_eq!(ids(&t, order.note.contains("\0")).await, [5]);
    assert_eq!(ids(&t, order.note.ends_with("ö")).await, [5]);
    assert_eq!(ids(&t, order.lines.sku.contains("after")).await, [2]);
    // Every ASCII character separately.
    for letter in (1..128_u8).map(char::from) {
        orders = vec![noted(100, &format!("<{letter}>"))];
        let all = Order::delete_many(&t.odm, doc! {}).everything();
        all.await.unwrap();
        t.given(&orders).await;
        let around = format!("<{letter}>");
        assert_eq!(
            ids(&t, order.note.contains(&around)).await,
            [100],
            "{letter:?}"
        );
        assert_eq!(
            ids(&t, order.note.starts_with(&around)).await,
            [100],
            "{letter:?}"
        );
    }
}

#[tokio::test]
async fn the_beginning_of_a_string_is_found_by_an_index() {
    let t = Harness::new("filters_starts_with").await;
    t.odm.sync_indexes().await.unwrap();
    t.given(&parts(50)).await;
    t.forget();
    let found = Part::find(&t.odm)
        .filter(Part::fields().partno.starts_with("00001"))
        .await
        .unwrap();
    assert_eq!(found.len(), 10);
    let find = t.recorder().commands()[0].command.clone();
    let explained = explained(&t, find).await;
    assert_eq!((explained.keys, explained.documents), (11, 10));
}
