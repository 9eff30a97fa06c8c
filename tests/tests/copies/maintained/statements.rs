//! The statements that writes send for models with and without maintained fields.

use mongo_odm::bson::Document;
use odm_tests::{planned::assert_sent, sent::only};

use super::*;

/// A note without maintained fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_plain")]
struct Plain {
    #[serde(rename = "_id")]
    id: Id<Plain, i64>,
    text: String,
}

fn plain(number: i64) -> Plain {
    Plain {
        id: id(number),
        text: "x".into(),
    }
}

/// Returns the first element of a list in the only command that has the given name.
fn sent(t: &Harness, name: &str, list: &str) -> Document {
    let command = only(t, name);
    let first = command.get_array(list).unwrap()[0].clone();
    first.as_document().unwrap().clone()
}

#[tokio::test]
async fn a_model_without_maintained_fields_sends_the_same_as_before() {
    let (t, _) = clocked("maintained_plain").await;
    let fields = Plain::fields();
    t.forget();
    plain(1).insert(&t.odm).await.unwrap();
    assert_eq!(
        sent(&t, "insert", "documents"),
        doc! { "_id": 1_i64, "text": "x" }
    );
    t.forget();
    plain(1).save(&t.odm).await.unwrap();
    let whole = doc! { "q": { "_id": 1_i64 }, "u": { "_id": 1_i64, "text": "x" }, "upsert": true };
    assert_eq!(sent(&t, "update", "updates"), whole);
    t.forget();
    Plain::update(&t.odm, id(1))
        .set(fields.text, "y")
        .await
        .unwrap();
    let set = doc! { "$set": { "text": "y" } };
    assert_eq!(
        sent(&t, "update", "updates"),
        doc! { "q": { "_id": 1_i64 }, "u": set.clone() }
    );
    t.forget();
    let upsert = Plain::upsert(&t.odm, fields.id.eq(id(1))).set(fields.text, "y");
    upsert.await.unwrap();
    let expected = doc! { "q": { "_id": 1_i64 }, "u": set, "upsert": true };
    assert_eq!(sent(&t, "update", "updates"), expected);
}

#[tokio::test]
async fn timestamps_cost_no_round_trip() {
    let (t, _) = clocked("maintained_round_trips").await;
    let (odm, fields) = (&t.odm, Note::fields());
    note(1).insert(odm).await.unwrap();
    t.forget();
    note(2).insert(odm).await.unwrap();
    note(1).save(odm).await.unwrap();
    note(1).replace(odm).await.unwrap();
    Note::update(odm, id(1))
        .set(fields.text, "y")
        .await
        .unwrap();
    Note::update_many(odm, fields.stars.eq(0))
        .set(fields.text, "y")
        .await
        .unwrap();
    Note::upsert(odm, fields.id.eq(id(3)))
        .set(fields.text, "y")
        .await
        .unwrap();
    Note::find_one_and_update(odm, fields.id.eq(id(3)))
        .set(fields.text, "z")
        .await
        .unwrap();
    assert_eq!(
        t.recorder().names(),
        [
            "insert",
            "update",
            "update",
            "update",
            "update",
            "update",
            "findAndModify"
        ]
    );
}

#[tokio::test]
async fn an_update_of_a_source_costs_no_round_trip_more() {
    let (t, _) = clocked("maintained_source_round_trips").await;
    person(1).insert(&t.odm).await.unwrap();
    t.forget();
    let rename = Person::update(&t.odm, id(1)).set(Person::fields().name, "other");
    rename.await.unwrap();
    // The library can compute the document after the update, so it does not read the document again.
    let names = t.recorder().names();
    assert_eq!(names[0], "findAndModify");
    assert_ne!(names[1], "find", "{names:?}");
}

#[tokio::test]
async fn a_plan_has_the_statements_with_the_times() {
    let (t, clock) = clocked("maintained_plans").await;
    let (odm, fields) = (&t.odm, Note::fields());
    note(9).insert(odm).await.unwrap();
    clock.set(at(0));
    let insert = note(1).insert(odm);
    let shown = note(1).save(odm).plan().unwrap().to_string();
    assert!(shown.contains("maintained_notes.updateOne"), "{shown}");
    assert!(shown.contains("{ created: \"$created\" }"), "{shown}");
    t.forget();
    let plan = note(1).insert(odm).plan().unwrap();
    insert.await.unwrap();
    assert_sent(&t, "insert", &plan);
    t.forget();
    let plan = note(1).save(odm).plan().unwrap();
    note(1).save(odm).await.unwrap();
    assert_sent(&t, "save", &plan);
    t.forget();
    let update = || Note::update(odm, id(1)).set(fields.text, "y");
    let plan = update().plan().unwrap();
    update().await.unwrap();
    assert_sent(&t, "update", &plan);
}
