//! Pages that are sorted by fields with values of all types. `$gt` and `$lt` do not order such
//! values as a sort does.

use std::fmt::Debug;

use mongo_odm::{
    AnyKey, Error, Sort,
    action::Page,
    bson::{
        Binary, Bson, DateTime, Decimal128, Document, JavaScriptCodeWithScope, RawDocumentBuf,
        Timestamp, oid::ObjectId, spec::BinarySubtype,
    },
    prelude::*,
};
use odm_tests::{Harness, sent};

/// A document with values of any type.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "mixed")]
struct Mixed {
    #[serde(rename = "_id")]
    id: Id<Mixed, AnyKey>,
    value: Bson,
    other: Bson,
}

/// Decodes a value from its bytes, because it has no constructor, or a different one in each major version of BSON.
fn from_bytes(kind: u8, value: &[u8]) -> Bson {
    let length = u8::try_from(4 + 1 + 2 + value.len() + 1).unwrap();
    let bytes = [&[length, 0, 0, 0, kind, b'v', 0], value, &[0]].concat();
    let raw = RawDocumentBuf::from_bytes(bytes).unwrap();
    let mut document = Document::try_from(&*raw).unwrap();
    document.remove("v").unwrap()
}

fn binary(subtype: u8, bytes: &[u8]) -> Bson {
    Bson::Binary(Binary {
        subtype: BinarySubtype::from(subtype),
        bytes: bytes.to_vec(),
    })
}

fn decimal(text: &str) -> Bson {
    Bson::Decimal128(text.parse::<Decimal128>().unwrap())
}

/// Returns unsorted values, with at least two of each type. `None` represents a missing field.
fn values() -> Vec<Option<Bson>> {
    let id = |byte: u8| Bson::ObjectId(ObjectId::from_bytes([byte; 12]));
    let date = |millis: i64| Bson::DateTime(DateTime::from_millis(millis));
    let timestamp = |time: u32, increment: u32| Bson::Timestamp(Timestamp { time, increment });
    let code = |text: &str| Bson::JavaScriptCode(text.to_owned());
    let scoped = |scope: Document| {
        let code = "f".to_owned();
        Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code, scope })
    };
    let pointer = |byte: u8| from_bytes(0x0c, &[&[2, 0, 0, 0, b'a', 0], &[byte; 12][..]].concat());
    let regex = |text: &[u8]| from_bytes(0x0b, text);
    let some = [
        Bson::MaxKey,
        Bson::from("b"),
        decimal("1"),
        date(i64::MIN),
        id(0xff),
        Bson::Null,
        Bson::Undefined,
        true.into(),
        doc! { "$gt": "" }.into(),
        f64::NAN.into(),
        regex(b"\0\0"),
        code("b"),
        scoped(doc! { "a": 1 }),
        pointer(9),
        binary(0, b"bb"),
        timestamp(9, 1),
        f64::INFINITY.into(),
        "".into(),
        doc! {}.into(),
        Bson::MinKey,
        id(0),
        false.into(),
        timestamp(u32::MAX, u32::MAX),
        1.0.into(),
        Bson::Symbol("a".to_owned()),
        date(0),
        binary(0, b""),
        Bson::Null,
        decimal("NaN"),
        regex(b"b\0i\0"),
        code(""),
        scoped(doc! {}),
        pointer(1),
        f64::NEG_INFINITY.into(),
        doc! { "a": 1 }.into(),
        date(-1),
        1_i64.into(),
        "$value".into(),
        doc! { "a": "x" }.into(),
        timestamp(0, 1),
        binary(0x80, b"a"),
        Bson::Undefined,
        f64::NAN.into(),
        (-0.0).into(),
        "a".into(),
        true.into(),
        Bson::MinKey,
        0.1.into(),
        regex(b"a\0\0"),
        date(i64::MAX),
        1.into(),
        binary(5, b"a"),
        i64::MIN.into(),
        decimal("0.1"),
        0.into(),
        id(7),
        "é".into(),
        decimal("-Infinity"),
        Bson::MaxKey,
        doc! { "a": [] }.into(),
        false.into(),
        doc! { "b": null }.into(),
        Bson::Null,
        "B".into(),
    ];
    let missing = [None, None, None];
    let (first, second) = some.split_at(some.len() / 2);
    let first = first.iter().cloned().map(Some);
    first
        .chain(missing)
        .chain(second.iter().cloned().map(Some))
        .collect()
}

/// Stores documents without the library.
async fn store(t: &Harness, documents: impl IntoIterator<Item = Document>) {
    let collection = t.database().collection("mixed");
    collection.insert_many(documents).await.unwrap();
}

fn with(id: impl Into<Bson>, fields: &[(&str, &Option<Bson>)]) -> Document {
    let mut document = doc! { "_id": id };
    for (name, value) in fields {
        if let Some(value) = value {
            document.insert(*name, value.clone());
        }
    }
    document
}

fn ids<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Vec<String> {
    let ids = documents.into_iter().map(|document| &document["_id"]);
    ids.map(|id| format!("{id:?}")).collect()
}

/// Compares the pages with the server's own sort.
async fn check(t: &Harness, sort: Document) {
    let mut with_tiebreak = sort.clone();
    if !sort.contains_key("_id") {
        with_tiebreak.insert("_id", 1);
    }
    let find = || Mixed::find(&t.odm).project::<Document>(doc! {});
    let expected = find().sort(Sort::from(with_tiebreak)).await.unwrap();
    for size in 1..=3 {
        let (mut found, mut next) = (Vec::new(), None);
        loop {
            let page = find().sort(Sort::from(sort.clone())).page(size).after(next);
            let Page {
                items, next: after, ..
            } = page.await.unwrap();
            found.extend(items);
            let Some(token) = after else { break };
            next = Some(token.to_string().parse().unwrap());
            assert!(found.len() <= expected.len(), "{sort} by {size}: no end");
        }
        same(&ids(&found), &ids(&expected), &format!("{sort} by {size}"));
    }
}

/// Compares two lists and shows the first difference.
fn same<T: PartialEq + Debug>(found: &[T], expected: &[T], what: &str) {
    let differ = found.iter().zip(expected).position(|(a, b)| a != b);
    let at = differ.unwrap_or(found.len().min(expected.len()));
    assert!(
        found == expected,
        "{what}: at {at}, {:?} instead of {:?}",
        found.get(at),
        expected.get(at)
    );
}

async fn index(t: &Harness, keys: Document) {
    let (name, mut parts) = ("by", Vec::new());
    for (path, direction) in &keys {
        parts.push(format!("{path}{direction}"));
    }
    let index = doc! { "key": keys, "name": format!("{name} {}", parts.join(" ")) };
    let command = doc! { "createIndexes": "mixed", "indexes": [index] };
    t.database().database().run_command(command).await.unwrap();
}

#[tokio::test]
async fn a_sort_by_values_of_every_type_is_paged_completely() {
    let t = Harness::new("pages_types").await;
    let documents = (0..).zip(values());
    store(
        &t,
        documents.map(|(id, value): (i32, _)| with(id, &[("value", &value)])),
    )
    .await;
    for _ in ["collection scan", "index"] {
        check(&t, doc! { "value": 1 }).await;
        check(&t, doc! { "value": -1 }).await;
        check(&t, doc! { "value": -1, "_id": -1 }).await;
        check(&t, doc! { "value": -1.0 }).await;
        index(&t, doc! { "value": 1, "_id": 1 }).await;
        index(&t, doc! { "value": -1, "_id": 1 }).await;
        // When the server merges index scans, it treats a missing field as undefined.
        let undefined = doc! { "value": { "$type": "undefined" } };
        let collection = t.database().collection("mixed");
        collection.delete_many(undefined).await.unwrap();
    }
}

#[tokio::test]
async fn ids_of_every_type_are_paged_completely() {
    let t = Harness::new("pages_types_ids").await;
    let mut stored = 0;
    for value in values().into_iter().flatten() {
        // Some values are equal on the server, and it rejects some types.
        let insert = t.database().collection("mixed");
        stored += u32::from(insert.insert_one(with(value, &[])).await.is_ok());
    }
    assert!(stored > 30, "{stored}");
    check(&t, doc! {}).await;
    check(&t, doc! { "_id": -1 }).await;
    check(&t, doc! { "value": -1 }).await;
}

#[tokio::test]
async fn several_fields_of_many_types_are_paged_completely() {
    let t = Harness::new("pages_types_pairs").await;
    let few = [
        None,
        Some(Bson::Null),
        Some(Bson::Undefined),
        Some(Bson::MinKey),
        Some(f64::NAN.into()),
        Some(1.into()),
        Some("a".into()),
        Some(true.into()),
        Some(Bson::MaxKey),
    ];
    let pairs = few
        .iter()
        .flat_map(|one| few.iter().map(move |other| (one, other)));
    let documents = (0..).zip(pairs).map(|(id, (value, other)): (i32, _)| {
        with(id * 7 % 100, &[("value", value), ("other", other)])
    });
    store(&t, documents.collect::<Vec<_>>()).await;
    for (value, other) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        check(&t, doc! { "value": value, "other": other }).await;
        check(&t, doc! { "other": other, "_id": -1, "value": value }).await;
    }
    let is_undefined = doc! { "$type": "undefined" };
    let undefined = doc! { "$or": [{ "value": is_undefined.clone() }, { "other": is_undefined }] };
    let collection = t.database().collection("mixed");
    collection.delete_many(undefined).await.unwrap();
    for (value, other) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let sort = doc! { "value": value, "other": other };
        let mut keys = sort.clone();
        keys.insert("_id", 1);
        index(&t, keys).await;
        check(&t, sort).await;
    }
}

#[tokio::test]
async fn fields_in_something_that_is_no_document_are_missing() {
    let t = Harness::new("pages_types_nested").await;
    let inner = values().into_iter().map(|value| match value {
        Some(value) => Some(doc! { "inner": value }.into()),
        None => Some(doc! {}.into()),
    });
    let outer = values().into_iter().chain(inner);
    let documents = (0..).zip(outer);
    store(
        &t,
        documents.map(|(id, value): (i32, _)| with(id, &[("value", &value)])),
    )
    .await;
    check(&t, doc! { "value.inner": 1 }).await;
    check(&t, doc! { "value.inner": -1 }).await;
}

#[tokio::test]
async fn values_that_a_collation_calls_equal_are_paged_completely() {
    let t = Harness::new("pages_types_collation").await;
    let collation = doc! { "locale": "en", "strength": 1 };
    let create = doc! { "create": "mixed", "collation": collation };
    t.database().database().run_command(create).await.unwrap();
    let more = ["A", "Ä", "", "\u{1}", "b", "$VALUE"];
    let more = more.into_iter().map(|text| Some(Bson::from(text)));
    // In a sort with a collation, the server compares symbols in a different way than in other commands.
    let values = values()
        .into_iter()
        .filter(|value| !matches!(value, Some(Bson::Symbol(_))));
    let documents = (0..).zip(values.chain(more));
    store(
        &t,
        documents.map(|(id, value): (i32, _)| with(id, &[("value", &value)])),
    )
    .await;
    check(&t, doc! { "value": 1 }).await;
    check(&t, doc! { "value": -1 }).await;
}

#[tokio::test]
async fn an_array_is_refused_by_the_page_that_meets_it() {
    for stored in [
        vec![],
        vec![Bson::from(5)],
        vec![1.into(), 9.into()],
        vec!["a".into()],
    ] {
        let t = Harness::new("pages_types_arrays").await;
        let array = Some(Bson::from(stored.clone()));
        let documents = (0..9).map(|id| with(id, &[("value", &Some(id.into()))]));
        store(&t, documents).await;
        store(&t, [with(100, &[("value", &array)])]).await;
        for direction in [1, -1] {
            let mut next = None;
            let refused = loop {
                let find = Mixed::find(&t.odm).project::<Document>(doc! {});
                let sort = Sort::from(doc! { "value": direction });
                match find.sort(sort).page(3).after(next).await {
                    Ok(page) => next = Some(page.next.expect("an array was passed over")),
                    Err(error) => break error,
                }
            };
            assert!(matches!(refused, Error::Invalid { .. }), "{refused:?}");
            assert_eq!(
                refused.to_string(),
                "pages cannot be sorted by `value`: in the document { _id: 100 } it is or lies in an \
                 array, which has no single place in a sort; sort by another field, or correct the document \
                 (`Mixed`)"
            );
        }
    }
}

#[tokio::test]
async fn a_page_reads_no_more_of_its_index_than_it_returns() {
    let t = Harness::new("pages_types_cost").await;
    let document = |id: i32| {
        let value = match id % 4 {
            0 => None,
            1 => Some(Bson::Null),
            _ => Some((id % 100).into()),
        };
        with(
            id,
            &[("value", &value), ("other", &Some((id % 300).into()))],
        )
    };
    store(&t, (0..2000).map(document)).await;
    let sorts = [
        doc! {},
        doc! { "_id": -1 },
        doc! { "value": 1 },
        doc! { "value": -1 },
        doc! { "value": 1, "other": -1 },
        doc! { "value": -1, "other": 1 },
    ];
    for sort in &sorts[2..] {
        let mut keys = sort.clone();
        keys.insert("_id", 1);
        index(&t, keys).await;
    }
    for sort in sorts {
        let (mut next, mut pages) = (None, 0);
        loop {
            t.forget();
            let find = Mixed::find(&t.odm).project::<Document>(doc! {});
            let page = find.sort(Sort::from(sort.clone())).page(100).after(next);
            next = page.await.unwrap().next;
            let examined = keys_examined(&t, &sent::only(&t, "find")).await;
            assert!(examined < 150, "{sort}, page {pages}: {examined} keys");
            pages += 1;
            if next.is_none() {
                break;
            }
        }
        assert_eq!(pages, 20);
    }
}

/// Returns the number of index keys that the server examines for a command.
async fn keys_examined(t: &Harness, command: &Document) -> i64 {
    let of_find = ["find", "filter", "sort", "limit", "projection"];
    let find = command
        .iter()
        .filter(|(name, _)| of_find.contains(&name.as_str()));
    let find: Document = find
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let explain = doc! { "explain": find, "verbosity": "executionStats" };
    let explained = t.database().database().run_command(explain).await.unwrap();
    let stats = explained.get_document("executionStats").unwrap();
    sent::number(stats, "totalKeysExamined").unwrap()
}
