//! Change streams of models that keep their deleted documents.

use std::pin::pin;

use futures_util::TryStreamExt;
use mongo_odm::{
    action::DocumentChange,
    bson::{Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::*;

#[tokio::test]
async fn a_stream_reports_deletes_and_restores() {
    let t = filled("life_events").await;
    let odm = &t.odm;
    let mut events = pin!(Task::watch(odm).await.unwrap());
    let mut next = async || events.try_next().await.unwrap().unwrap().change;
    Task::delete(odm, id(1)).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Deleted { id: task, .. } if task == id(1)));
    // The copy in the deleted task changes, too, but the stream does not report this change.
    let tasks = Task::fields();
    let renamed = Project::update(odm, id(1)).set(Project::fields().name, "other");
    renamed.await.unwrap();
    for _ in 0..2 {
        let DocumentChange::Updated {
            id: task, changes, ..
        } = next().await
        else {
            panic!("expected the copies in the other tasks");
        };
        assert!(changes.is_changed(tasks.project_name) && task != id(1));
    }
    Task::restore(odm, id(1)).await.unwrap();
    let DocumentChange::Restored { document, .. } = next().await else {
        panic!("expected the restore");
    };
    assert_eq!(document.unwrap().id, id(1));
    Task::update(odm, id(1)).set(tasks.hours, 1).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Updated { .. }));
    Task::purge(odm, id(1)).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Deleted { .. }));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_letters", pre_images)]
struct Letter {
    #[serde(rename = "_id")]
    id: Id<Letter, i32>,
    text: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

/// The document was stored before the model had the field `deleted_at`. It is large, so the server logs only the fields
/// that a save changes.
#[tokio::test]
async fn a_save_that_adds_the_field_is_no_restore() {
    let t = Harness::new("life_events_added").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<Letter>().await.unwrap();
    let letters = odm.database().collection::<Document>("life_letters");
    let old = doc! { "_id": 1, "text": "word ".repeat(500) };
    letters.insert_one(old).await.unwrap();
    let mut events = pin!(Letter::watch(odm).with_before().await.unwrap());
    let letter = Letter::get(odm, Id::from_key(1)).await.unwrap();
    letter.save(odm).await.unwrap();
    let event = events.try_next().await.unwrap().unwrap();
    let DocumentChange::Updated {
        before, changes, ..
    } = event.change
    else {
        panic!("{event:?}");
    };
    assert!(changes.is_changed(Letter::fields().deleted_at));
    assert_eq!(before.as_ref(), Some(&letter));
    Letter::delete(odm, letter.id).await.unwrap();
    Letter::restore(odm, letter.id).await.unwrap();
    let mut next = async || events.try_next().await.unwrap().unwrap().change;
    assert!(matches!(next().await, DocumentChange::Deleted { .. }));
    assert!(matches!(next().await, DocumentChange::Restored { .. }));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_writers")]
struct Writer {
    #[serde(rename = "_id")]
    id: Id<Writer, i32>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_novels")]
struct Novel {
    #[serde(rename = "_id")]
    id: Id<Novel, i32>,
    #[parent_ref]
    writer: Id<Writer, i32>,
    #[denorm(from = Writer.name, via = writer)]
    writer_name: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

/// The event of the insert does not contain the copy, so the stream reads the document again.
#[tokio::test]
async fn an_upserted_document_that_is_deleted_in_the_meantime_is_an_insert() {
    let t = Harness::new("life_events_upserted").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Writer>().only::<Novel>();
    sync.await.unwrap();
    let writer = Writer {
        id: Id::from_key(1),
        name: "Tove".to_owned(),
    };
    writer.insert(odm).await.unwrap();
    let mut events = pin!(Novel::watch(odm).own_fields().await.unwrap());
    let id: Id<Novel, i32> = Id::from_key(1);
    let fields = Novel::fields();
    let upsert = Novel::upsert(odm, fields.id.eq(id));
    upsert.set(fields.writer, writer.id).await.unwrap();
    Novel::delete(odm, id).await.unwrap();
    let mut next = async || events.try_next().await.unwrap().unwrap().change;
    let DocumentChange::Inserted(novel) = next().await else {
        panic!("expected the insert");
    };
    let expected = ("Tove", None);
    assert_eq!((novel.writer_name.as_str(), novel.deleted_at), expected);
    assert!(matches!(next().await, DocumentChange::Deleted { .. }));
}
