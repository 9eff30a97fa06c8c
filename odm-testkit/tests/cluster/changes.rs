//! Change streams over both shards.

use std::time::Duration;

use mongodb::{
    bson::{Document, doc},
    change_stream::{
        ChangeStream,
        event::{ChangeStreamEvent, OperationType},
    },
    options::{FullDocumentBeforeChangeType, FullDocumentType},
};
use tokio::time::timeout;

use crate::{Shop, numbered};

type Events = ChangeStream<ChangeStreamEvent<Document>>;

async fn next(stream: &mut Events) -> ChangeStreamEvent<Document> {
    let next = timeout(Duration::from_secs(20), async {
        loop {
            if let Some(event) = stream.next_if_any().await.unwrap() {
                return event;
            }
        }
    });
    next.await.expect("an event within 20 s")
}

async fn ids(stream: &mut Events, count: usize) -> Vec<i32> {
    let mut ids = Vec::new();
    while ids.len() < count {
        let event = next(stream).await;
        ids.push(event.document_key.unwrap().get_i32("_id").unwrap());
    }
    ids
}

#[tokio::test]
async fn events_of_both_shards_arrive_in_the_order_of_the_writes() {
    let shop = Shop::new("order_of_the_writes").await;
    let mut stream = shop.ranged.watch().await.unwrap();
    // Every second document is on the other shard.
    let order: Vec<i32> = (0..40)
        .map(|n| if n % 2 == 0 { n } else { 99 - n })
        .collect();
    for n in &order {
        shop.ranged
            .insert_one(doc! { "_id": n, "n": n })
            .await
            .unwrap();
    }
    let first = ids(&mut stream, 15).await;
    let token = stream.resume_token().unwrap();
    assert_eq!(first, order[..15]);
    assert_eq!(ids(&mut stream, 25).await, order[15..]);
    drop(stream);
    let mut resumed = shop.ranged.watch().resume_after(token).await.unwrap();
    assert_eq!(ids(&mut resumed, 25).await, order[15..]);
}

#[tokio::test]
async fn a_moved_chunk_causes_no_events_and_updates_are_looked_up_there() {
    let shop = Shop::new("moves_are_no_events").await;
    shop.ranged.insert_many(numbered(0..10)).await.unwrap();
    let database = shop.database();
    let stream = database
        .watch()
        .full_document(FullDocumentType::UpdateLookup);
    let mut stream = stream.await.unwrap();
    let namespace = format!("{}.ranged", shop.name);
    shop.cluster
        .move_chunk(&namespace, doc! { "n": 0 }, 1)
        .await
        .unwrap();
    let set = doc! { "$set": { "v": 7 } };
    shop.ranged.update_one(doc! { "n": 3 }, set).await.unwrap();
    let event = next(&mut stream).await;
    assert_eq!(event.operation_type, OperationType::Update);
    assert_eq!(
        event.full_document.unwrap(),
        doc! { "_id": 3, "n": 3, "v": 7 }
    );
}

#[tokio::test]
async fn a_filter_sees_the_documents_before_and_after_an_update() {
    let shop = Shop::new("filtered_changes").await;
    let images = doc! { "collMod": "ranged", "changeStreamPreAndPostImages": { "enabled": true } };
    shop.database().run_command(images).await.unwrap();
    shop.ranged.insert_many(numbered(40..60)).await.unwrap();
    for after in [
        FullDocumentType::UpdateLookup,
        FullDocumentType::WhenAvailable,
    ] {
        let filter = doc! { "fullDocument.v": { "$mod": [2, 1] }, "fullDocumentBeforeChange.n": { "$gt": 45 } };
        let stream = shop
            .ranged
            .watch()
            .pipeline([doc! { "$match": filter }])
            .full_document(after)
            .full_document_before_change(FullDocumentBeforeChangeType::WhenAvailable);
        let mut stream = stream.await.unwrap();
        for (n, v) in [(41, 1), (47, 1), (55, 2), (56, 3)] {
            let set = doc! { "$set": { "v": v } };
            shop.ranged.update_one(doc! { "n": n }, set).await.unwrap();
        }
        for (n, v) in [(47, 1), (56, 3)] {
            let event = next(&mut stream).await;
            let expected = doc! { "_id": n, "n": n, "v": v };
            assert_eq!(event.full_document, Some(expected));
            let before = event.full_document_before_change.unwrap();
            assert_eq!(before, doc! { "_id": n, "n": n, "v": 0 });
        }
        let reset = doc! { "$set": { "v": 0 } };
        shop.ranged.update_many(doc! {}, reset).await.unwrap();
    }
}
