//! The text and the data of errors. The error for a document that does not fit its type contains the type, the
//! collection, the `_id` and the path.

mod duplicate;
mod kind;
mod unreachable;

use std::net::IpAddr;

use futures_util::TryStreamExt;
use mongo_odm::{
    Error,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{Harness, shop::*};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Color {
    Red,
}

/// A model that begins with types that a human-readable format would encode differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: Id<Thing, i32>,
    #[serde(with = "mongo_odm::with::native")]
    key: uuid::Uuid,
    ip: IpAddr,
    color: Color,
    inner: Vec<Inner>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Inner {
    #[serde(with = "mongo_odm::with::native")]
    key: uuid::Uuid,
    #[serde(rename = "theCount")]
    count: i32,
}

fn thing() -> Thing {
    let inner = |count| Inner {
        key: uuid::Uuid::new_v4(),
        count,
    };
    Thing {
        id: Id::from_key(7),
        key: uuid::Uuid::new_v4(),
        ip: "127.0.0.1".parse().unwrap(),
        color: Color::Red,
        inner: vec![inner(1), inner(2)],
    }
}

/// Stores a person, and changes the second address with an update of the driver.
async fn person(t: &Harness, update: Document) -> Person {
    let address = |city: &str| Address {
        street: "High Street".to_owned(),
        city: city.to_owned(),
        cc: "CH".to_owned(),
    };
    let person = Person {
        id: Id::new(),
        name: "Ann".to_owned(),
        addresses: vec![address("Bern"), address("Basel")],
        tasks: vec![],
    };
    person.insert(&t.odm).await.unwrap();
    let people = t.database().collection("people");
    people
        .update_one(doc! { "_id": person.id }, update)
        .await
        .unwrap();
    person
}

/// Asserts the complete text of a decoding error, except the details from serde at the end.
#[track_caller]
fn says(error: &Error, start: &str, words: &str) {
    assert!(matches!(error, Error::Decode { .. }), "{error:?}");
    let text = error.to_string();
    let rest = text
        .strip_prefix(start)
        .unwrap_or_else(|| panic!("{text}\nnot {start}"));
    assert!(rest.contains(words), "{text}");
}

#[tokio::test]
async fn a_value_of_the_wrong_type_is_named_with_its_place() {
    let t = Harness::new("errors_type").await;
    let person = person(&t, doc! { "$set": { "addresses.1.city": 5 } }).await;
    let error = Person::get(&t.odm, person.id).await.unwrap_err();
    let start = format!(
        "cannot decode a document of `people` (_id ObjectId(\"{}\")) into `Person` at \
         `addresses.1.city`: ",
        person.id
    );
    says(&error, &start, "invalid type");
    match &error {
        Error::Decode {
            type_name,
            collection,
            id,
            path,
            ..
        } => {
            assert_eq!((*type_name, &**collection), ("Person", "people"));
            assert_eq!(id.as_deref(), Some(&Bson::from(person.id)));
            assert_eq!(path, "addresses.1.city");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_missing_field_is_named() {
    let t = Harness::new("errors_missing").await;
    let person = person(&t, doc! { "$unset": { "addresses.1.cc": "", "name": "" } }).await;
    let start = format!(
        "cannot decode a document of `people` (_id ObjectId(\"{}\")) into `Person` at \
         `addresses.1`: ",
        person.id
    );
    says(
        &Person::get(&t.odm, person.id).await.unwrap_err(),
        &start,
        "missing field `cc`",
    );

    let set = doc! { "$set": { "addresses.1.cc": "CH" } };
    t.database()
        .collection("people")
        .update_many(doc! {}, set)
        .await
        .unwrap();
    let start = start.replace("addresses.1", "(document)");
    says(
        &Person::get(&t.odm, person.id).await.unwrap_err(),
        &start,
        "missing field `name`",
    );
}

#[tokio::test]
async fn the_path_is_found_past_values_that_are_not_human_readable() {
    let t = Harness::new("errors_raw").await;
    let things = t.database().collection("things");
    for (path, value, place, words) in [
        ("color", "Green", "color", "unknown variant `Green`"),
        (
            "inner.1.theCount",
            "many",
            "inner.1.theCount",
            "invalid type",
        ),
        ("inner.0.key", "text", "inner.0.key", ""),
        ("key", "text", "key", ""),
        ("ip", "text", "ip", ""),
    ] {
        let thing = thing();
        thing.save(&t.odm).await.unwrap();
        assert_eq!(Thing::get(&t.odm, thing.id).await.unwrap(), thing);
        things
            .update_many(doc! {}, doc! { "$set": { path: value } })
            .await
            .unwrap();
        let start =
            format!("cannot decode a document of `things` (_id 7) into `Thing` at `{place}");
        says(
            &Thing::get(&t.odm, thing.id).await.unwrap_err(),
            &start,
            words,
        );
    }
}

#[tokio::test]
async fn every_way_to_read_names_the_document() {
    let t = Harness::new("errors_everywhere").await;
    let parts = parts(3);
    let product = product(1, &parts);
    t.given(&parts).await;
    t.given(std::slice::from_ref(&product)).await;
    let bad = &parts[1];
    let raw = t.database().collection("parts");
    raw.update_one(doc! { "_id": bad.id }, doc! { "$set": { "name": 1 } })
        .await
        .unwrap();
    let starting = |type_name: &str| {
        format!(
            "cannot decode a document of `parts` (_id ObjectId(\"{}\")) into `{type_name}` at \
             `name`: ",
            bad.id
        )
    };
    let start = starting("Part");
    let fields = Part::fields();
    let odm = &t.odm;
    let wrong = "invalid type";
    says(&Part::get(odm, bad.id).await.unwrap_err(), &start, wrong);
    says(&Part::find(odm).await.unwrap_err(), &start, wrong);
    says(
        &Part::find_one(odm)
            .filter(fields.id.eq(bad.id))
            .await
            .unwrap_err(),
        &start,
        wrong,
    );
    let streamed = Part::find(odm).stream().try_collect::<Vec<_>>().await;
    says(&streamed.unwrap_err(), &start, wrong);
    let batched = Part::find(odm).batches(2).try_collect::<Vec<_>>().await;
    says(&batched.unwrap_err(), &start, wrong);
    let all = Part::find(odm).batches(usize::MAX);
    says(
        &all.try_collect::<Vec<_>>().await.unwrap_err(),
        &start,
        wrong,
    );
    says(
        &Part::find(odm)
            .sort(fields.partno.asc())
            .page(3)
            .await
            .unwrap_err(),
        &start,
        wrong,
    );
    let aggregated = Part::aggregate::<Part>(odm, [doc! { "$match": {} }]).await;
    says(&aggregated.unwrap_err(), &start, wrong);
    says(&product.load_parts(odm).await.unwrap_err(), &start, wrong);
    says(
        &Product::join_parts([&product], odm).await.unwrap_err(),
        &start,
        wrong,
    );
    let found = Part::find_one_and_update(odm, fields.id.eq(bad.id))
        .inc(fields.qty, 1)
        .await;
    says(&found.unwrap_err(), &start, wrong);
    let inside = odm
        .transaction(async |tx| Part::get(&tx, bad.id).await)
        .await;
    says(&inside.unwrap_err(), &start, wrong);

    let unknown = "cannot decode a document of `parts` (_id unknown) into `PartName` at `name`: ";
    let names = Part::find(odm).select::<PartName>().await;
    says(&names.unwrap_err(), unknown, wrong);
    let distinct = Part::distinct(odm, fields.name).await.unwrap_err();
    says(
        &distinct,
        "cannot decode a document of `parts` (_id unknown) into `String` at `name`: ",
        wrong,
    );
    assert_eq!(
        Part::find(odm)
            .filter(fields.id.ne(bad.id))
            .await
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn the_message_of_the_server_and_its_code_are_kept() {
    let t = Harness::new("errors_driver").await;
    let error = Part::find(&t.odm)
        .filter(doc! { "$nonsense": 1 })
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("unknown top level operator: $nonsense"),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .starts_with("while `find` on `parts` (`Part`): "),
        "{error}"
    );
    assert!(matches!(&error, Error::Driver { .. }));
    assert_eq!(error.server_code(), Some(2));
    assert!(!error.contains_label("TransientTransactionError"));
    let error = mongo_odm::Odm::connect("mongodb://127.0.0.1:1/")
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the connection string names no database; add it after the hosts: \
         `mongodb://localhost:27017/shop`"
    );
    assert!(mongo_odm::Odm::connect("nonsense").await.is_err());
}
