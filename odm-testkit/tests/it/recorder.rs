//! The recorder records all commands of its own client, and no others.

use mongo_odm_testkit::{Recorder, TestDb};
use mongodb::bson::{Document, doc};

#[tokio::test]
async fn a_find_is_counted_with_its_filter() {
    let db = TestDb::new("a_find_is_counted").await.unwrap();
    db.collection("parts")
        .insert_one(doc! { "n": 1 })
        .await
        .unwrap();
    db.recorder().clear();
    db.collection("parts")
        .find_one(doc! { "n": 1 })
        .await
        .unwrap();

    let recorder = db.recorder();
    assert_eq!((recorder.count("find"), recorder.count("insert")), (1, 0));
    assert_eq!(
        (recorder.round_trips(), recorder.names()),
        (1, vec!["find".to_owned()])
    );
    let sent = &recorder.commands()[0];
    assert_eq!(
        (sent.name.as_str(), sent.database.as_str()),
        ("find", db.name())
    );
    assert_eq!(
        sent.command.get_document("filter").unwrap(),
        &doc! { "n": 1 }
    );
    assert!(sent.outcome.as_ref().unwrap().failure.is_none());

    let text = recorder.to_string();
    assert_eq!(text.lines().count(), 1);
    assert!(
        text.contains("\"find\": \"parts\"") && !text.contains("lsid"),
        "{text}"
    );
}

#[tokio::test]
async fn failures_and_pings_are_shown_and_pings_are_no_round_trips() {
    let db = TestDb::new("failures_and_pings").await.unwrap();
    db.database().run_command(doc! { "ping": 1 }).await.unwrap();
    db.database()
        .run_command(doc! { "noSuchCommand": 1 })
        .await
        .unwrap_err();
    assert_eq!(db.recorder().names(), ["noSuchCommand"]);
    assert_eq!(db.recorder().count("ping"), 1);
    assert!(db.recorder().to_string().contains("FAILED"));
}

#[tokio::test]
async fn other_clients_are_not_heard() {
    let (one, two) = (
        TestDb::new("one").await.unwrap(),
        TestDb::new("two").await.unwrap(),
    );
    one.collection("c").find_one(doc! {}).await.unwrap();
    assert_eq!(
        (one.recorder().round_trips(), two.recorder().round_trips()),
        (1, 0)
    );
}

#[tokio::test]
async fn a_recorder_follows_all_batches_of_a_cursor() {
    let db = TestDb::new("batches").await.unwrap();
    let documents = (0..25).map(|id| doc! { "_id": id });
    db.collection("c").insert_many(documents).await.unwrap();
    db.recorder().clear();
    let mut cursor = db
        .collection("c")
        .find(doc! {})
        .batch_size(10)
        .await
        .unwrap();
    let mut count = 0;
    while cursor.advance().await.unwrap() {
        cursor.deserialize_current().unwrap();
        count += 1;
    }
    assert_eq!(count, 25);
    assert_eq!(db.recorder().names(), ["find", "getMore", "getMore"]);
}

#[tokio::test]
async fn a_recorder_can_be_attached_to_any_options() {
    let db = TestDb::new("attached").await.unwrap();
    let mut options = db.server().client_options().await.unwrap();
    let recorder = Recorder::attached_to(&mut options);
    let client = mongodb::Client::with_options(options).unwrap();
    client
        .database(db.name())
        .collection::<Document>("c")
        .find_one(doc! {})
        .await
        .unwrap();
    assert_eq!(
        (recorder.count("find"), db.recorder().count("find")),
        (1, 0)
    );
}
