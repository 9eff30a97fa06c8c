//! Bulk writes: the reason of each failed operation, and which operations an error lists.

use std::sync::Arc;

use mongo_odm::{
    BulkCounts, Error, FailedOperation, Odm, action::BulkWrite, bson::doc,
    mongodb::options::WriteConcern, prelude::*,
};
use mongo_odm_testkit::{Server, TestDb};

use crate::{bulk_models::*, models::*};

fn failures(done: mongo_odm::Result<mongo_odm::BulkReport>) -> (BulkCounts, Vec<FailedOperation>) {
    match done {
        Err(Error::BulkWrite { counts, failed, .. }) => (*counts, failed),
        other => panic!("{other:?}"),
    }
}

fn positions(failed: &[FailedOperation]) -> Vec<usize> {
    failed.iter().map(|it| it.index).collect()
}

fn assert_deleted(error: &Error, number: i64) {
    match error {
        Error::Deleted { model, id, .. } => {
            assert_eq!((*model, (**id).clone()), ("Post", number.into()));
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_replace_of_a_deleted_document_fails_as_the_single_call_does() {
    let t = opened("bulk_replace_deleted").await;
    let odm = &t.odm;
    t.given(&[post(1, "a"), post(2, "a"), post(3, "a")]).await;
    Post::delete(odm, id(2)).await.unwrap();
    let single = post(2, "b").replace(odm).await.unwrap_err();
    assert_deleted(&single, 2);
    let bulk = |text: &str| {
        let replaced = [1, 9, 2, 3].map(|number| post(number, text).replace(odm));
        odm.bulk_write().add_all(replaced)
    };
    let texts = async || {
        let all = Post::find(odm).sort(Post::fields().id.asc()).await.unwrap();
        all.into_iter().map(|it| it.text).collect::<Vec<_>>()
    };
    let (counts, failed) = failures(bulk("b").await);
    assert_eq!((counts.matched, positions(&failed)), (1, vec![2]));
    assert_deleted(&failed[0].reason, 2);
    assert_eq!(texts().await, ["b", "a"]);

    let (counts, failed) = failures(bulk("c").unordered().await);
    assert_eq!((counts.matched, positions(&failed)), (2, vec![2]));
    assert_deleted(&failed[0].reason, 2);
    assert_eq!(texts().await, ["c", "c"]);

    let single = post(2, "d").save(odm).await.unwrap_err();
    let saved = [1, 2, 3].map(|number| post(number, "d").save(odm));
    let (counts, failed) = failures(odm.bulk_write().add_all(saved).unordered().await);
    assert_eq!((counts.matched, positions(&failed)), (2, vec![1]));
    assert_deleted(&single, 2);
    assert_deleted(&failed[0].reason, 2);
}

#[tokio::test]
async fn replaces_in_a_transaction_share_a_command_and_are_checked() {
    let t = opened("bulk_replace_in_transaction").await;
    t.given(&[post(1, "a"), post(2, "a"), post(3, "a")]).await;
    let run = async |numbers: [i64; 3]| {
        let odm = &t.odm;
        let body = async |tx: Tx| {
            let replaced = numbers.map(|number| post(number, "b").replace(&tx));
            tx.bulk_write().add_all(replaced).await
        };
        odm.transaction(body).await
    };
    t.forget();
    let done = run([1, 2, 3]).await.unwrap();
    assert_eq!(done.counts.matched, 3);
    assert_eq!(t.recorder().names(), ["update", "commitTransaction"]);
    let done = run([1, 9, 3]).await.unwrap();
    assert_eq!(done.counts.matched, 2);

    Post::delete(&t.odm, id(3)).await.unwrap();
    let (counts, failed) = failures(run([1, 9, 3]).await);
    assert_eq!((counts.matched, positions(&failed)), (0, vec![2]));
    assert_deleted(&failed[0].reason, 3);
}

const MEGABYTE: usize = 1 << 20;

/// Returns sixty documents of one megabyte; one of them is replaced by `other`. A command has at most 48 megabytes.
fn blobs(at: usize, other: &Blob) -> Vec<Blob> {
    let all = 0..60_u8;
    let mut all: Vec<Blob> = all.map(|it| blob(it.into(), MEGABYTE)).collect();
    all[at] = other.clone();
    all
}

fn inserts(odm: &Odm, blobs: &[Blob]) -> BulkWrite {
    let inserts = blobs.iter().map(|blob| blob.insert(odm));
    odm.bulk_write().add_all(inserts)
}

async fn stored(odm: &Odm) -> u64 {
    let stored = Blob::count(odm).await.unwrap();
    Blob::delete_many(odm, Blob::fields().id.ne(id(1_000)))
        .await
        .unwrap();
    stored
}

#[tokio::test]
async fn a_rejected_document_in_a_later_command_is_the_only_failed_one() {
    let t = opened("bulk_later_duplicate").await;
    let odm = &t.odm;
    t.given(&[blob(1_000, 1)]).await;
    let blobs = blobs(55, &blob(1_000, 1));
    let (counts, failed) = failures(inserts(odm, &blobs).await);
    assert_eq!((counts.inserted, positions(&failed)), (55, vec![55]));
    assert!(failed[0].reason.is_duplicate_key(), "{}", failed[0]);
    assert_eq!(stored(odm).await, 56);

    let (counts, failed) = failures(inserts(odm, &blobs).unordered().await);
    assert_eq!((counts.inserted, positions(&failed)), (59, vec![55]));
    assert_eq!(stored(odm).await, 60);
}

#[tokio::test]
async fn a_document_that_is_too_large_is_the_only_failed_one() {
    let t = opened("bulk_later_large").await;
    let odm = &t.odm;
    let blobs = blobs(50, &blob(1_000, 17 * MEGABYTE));
    let (counts, failed) = failures(inserts(odm, &blobs).await);
    assert_eq!((counts.inserted, positions(&failed)), (50, vec![50]));
    assert_eq!(stored(odm).await, 50);

    let (counts, failed) = failures(inserts(odm, &blobs).unordered().await);
    assert_eq!((counts.inserted, positions(&failed)), (59, vec![50]));
    assert_eq!(stored(odm).await, 59);

    // `insert_many` splits the documents in the same way.
    let many = Blob::insert_many(odm, &blobs);
    let Err(Error::InsertMany {
        inserted, rejected, ..
    }) = many.unordered().await
    else {
        panic!()
    };
    let rejected: Vec<usize> = rejected.iter().map(|it| it.index).collect();
    assert_eq!((inserted, rejected), (59, vec![50]));
    assert_eq!(stored(odm).await, 59);
    let Err(Error::InsertMany { inserted, .. }) = Blob::insert_many(odm, &blobs).await else {
        panic!()
    };
    assert_eq!(stored(odm).await, inserted);
}

/// Opens a database on its own server, because a fail point is a setting of the whole server.
async fn failing_later_inserts(test: &str, collection: &str, skip: i32) -> TestDb {
    let server = Server::builder().private().test_commands(true);
    let server = Arc::new(server.start().await.unwrap());
    let database = TestDb::builder(test).server(server).open().await.unwrap();
    let odm = Odm::new(database.database());
    odm.sync_indexes().await.unwrap();
    writer(1).insert(&odm).await.unwrap();
    essay(2, 1).insert(&odm).await.unwrap();
    blob(2, 1).insert(&odm).await.unwrap();
    let namespace = format!("{}.{collection}", database.name());
    let data = doc! { "failCommands": ["insert"], "errorCode": 13, "namespace": namespace };
    let mode = doc! { "skip": skip };
    let fail = doc! { "configureFailPoint": "failCommand", "mode": mode, "data": data };
    let admin = database.client().database("admin");
    admin.run_command(fail).await.unwrap();
    database
}

#[tokio::test]
async fn documents_that_were_not_sent_again_after_a_rejected_one_are_listed() {
    let database = failing_later_inserts("bulk_later_parts", "writes_essays", 1).await;
    let odm = &Odm::new(database.database());
    // The first transaction contains a duplicate key. It is repeated without this document, and fails again.
    let essays = [essay(1, 1), essay(2, 1), essay(3, 1), essay(4, 1)];
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add_all(essays.iter().map(|essay| essay.insert(odm)));
    let (counts, failed) = failures(bulk.await);
    assert_eq!((counts.inserted, positions(&failed)), (0, vec![0, 1, 2, 3]));
    let codes = failed.iter().map(|it| it.reason.server_code());
    let codes: Vec<Option<i32>> = codes.collect();
    assert_eq!(codes, [Some(13), Some(11000), Some(13), Some(13)]);
    assert_eq!(Essay::count(odm).await.unwrap(), 1);
}

#[tokio::test]
async fn documents_of_a_later_command_that_fails_are_listed() {
    let database = failing_later_inserts("bulk_later_command", "writes_blobs", 1).await;
    let odm = &Odm::new(database.database());
    let mut blobs = blobs(2, &blob(2, 1));
    let (counts, failed) = failures(inserts(odm, &blobs).unordered().await);
    let first = failed[1].index;
    assert!((40..50).contains(&first), "{first}");
    let expected: Vec<usize> = std::iter::once(2).chain(first..60).collect();
    assert_eq!(positions(&failed), expected);
    assert_eq!(counts.inserted, (60 - expected.len()) as u64);
    assert_eq!(Blob::count(odm).await.unwrap(), counts.inserted + 1);

    // An ordered bulk write reports the first document that was not inserted.
    blobs.retain(|it| it.id != id(2));
    for blob in &mut blobs {
        blob.id = id(100 + *blob.id.key());
    }
    let admin = database.client().database("admin");
    let namespace = format!("{}.writes_blobs", database.name());
    let data = doc! { "failCommands": ["insert"], "errorCode": 13, "namespace": namespace };
    let fail = doc! { "configureFailPoint": "failCommand", "mode": { "skip": 1 }, "data": data };
    admin.run_command(fail).await.unwrap();
    let (counts, failed) = failures(inserts(odm, &blobs).await);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].index as u64, counts.inserted);
    assert!(counts.inserted > 40);
}

#[tokio::test]
async fn an_ordered_insert_is_divided_if_its_transaction_is_too_large() {
    let database = failing_later_inserts("insert_divided", "writes_blobs", 0).await;
    let odm = &Odm::new(database.database());
    let namespace = format!("{}.writes_essays", database.name());
    let data = doc! { "failCommands": ["insert"], "errorCode": 388, "namespace": namespace };
    let fail = |times: i32| {
        let mode = doc! { "times": times };
        doc! { "configureFailPoint": "failCommand", "mode": mode, "data": &data }
    };
    let admin = database.client().database("admin");
    admin.run_command(fail(2)).await.unwrap();
    let essays = [3, 4, 5, 6].map(|number| essay(number, 1));
    let report = Essay::insert_many(odm, &essays).await.unwrap();
    assert_eq!(report.inserted, 4);
    // Neither the essay 7 nor the essay 8 is stored, because a transaction of your code is not divided.
    admin.run_command(fail(1)).await.unwrap();
    let more = [essay(7, 1), essay(8, 1)];
    let done = odm.transaction(async |tx| Essay::insert_many(&tx, &more).await);
    assert_eq!(done.await.unwrap_err().server_code(), Some(388));
    assert_eq!(Essay::count(odm).await.unwrap(), 5);
}

/// More servers must confirm a write than have data. The primary carries out the write.
#[tokio::test]
async fn unconfirmed_operations_are_not_reported_as_rejected() {
    let t = opened("bulk_unconfirmed").await;
    note(3).insert(&t.odm).await.unwrap();
    let odm = &t.odm.with_write_concern(WriteConcern::nodes(50));
    let stored = async || Note::count(&t.odm).await.unwrap();

    let error = note(1).insert(odm).await.unwrap_err().to_string();
    assert!(
        error.contains("the primary has carried out the write"),
        "{error}"
    );
    let notes = [note(3), note(4)];
    let error = Note::insert_many(odm, &notes)
        .unordered()
        .await
        .unwrap_err();
    let Error::InsertMany {
        inserted, rejected, ..
    } = &error
    else {
        panic!("{error:?}");
    };
    let rejected: Vec<usize> = rejected.iter().map(|it| it.index).collect();
    assert_eq!((*inserted, rejected), (1, vec![0]));
    let text = error.to_string();
    assert!(
        text.contains("have confirmed the stored documents"),
        "{text}"
    );
    assert_eq!(stored().await, 3);

    let set = |number: i64| Note::update(odm, id(number)).set(Note::fields().stars, 1);
    let bulk = odm.bulk_write().add(set(3)).add(set(4));
    let error = bulk.add(note(5).insert(odm)).await.unwrap_err();
    assert!(
        error.to_string().contains("the primary has carried out"),
        "{error}"
    );
    let (counts, failed) = failures(Err(error));
    assert_eq!((counts.modified, positions(&failed)), (2, vec![0, 1]));
    assert_eq!(stored().await, 3);

    let unordered = odm.bulk_write().unordered();
    let unordered = unordered.add(note(6).insert(odm)).add(note(6).insert(odm));
    let (counts, failed) = failures(unordered.await);
    assert_eq!((counts.inserted, positions(&failed)), (1, vec![0, 1]));
    assert!(
        failed[0].to_string().contains("has carried out"),
        "{failed:?}"
    );
    assert!(failed[1].reason.is_duplicate_key(), "{failed:?}");

    for ordered in [true, false] {
        let first = 10 + 10 * i64::from(ordered);
        let notes = [note(first), note(first + 1)];
        let insert = Note::insert_many(odm, &notes);
        let insert = if ordered { insert } else { insert.unordered() };
        let error = insert.await.unwrap_err();
        assert!(
            error.to_string().contains("stored 2 and rejected 0"),
            "{error}"
        );
        assert!(error.to_string().contains("has carried out"), "{error}");
        let bulk = odm.bulk_write().add(note(first + 2).insert(odm));
        let bulk = bulk.add(note(first + 3).insert(odm));
        let bulk = if ordered { bulk } else { bulk.unordered() };
        let (counts, failed) = failures(bulk.await);
        assert_eq!((counts.inserted, positions(&failed)), (2, vec![0, 1]));
    }

    // Writes with derived data wait for a majority instead.
    writer(1).insert(odm).await.unwrap();
    essay(1, 1).insert(odm).await.unwrap();
}
