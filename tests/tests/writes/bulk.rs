//! Bulk writes of documents that no derived data depends on: statements, counts, errors and plans.

use mongo_odm::{
    BulkReport, Error, FailedOperation, Plan,
    action::BulkWrite,
    bson::{Bson, doc},
    prelude::*,
};
use odm_tests::{Harness, planned::assert_sent};

use crate::models::*;

/// Plans and sends a bulk write, and compares both.
async fn sent(t: &Harness, bulk: impl Fn() -> BulkWrite) -> mongo_odm::Result<BulkReport> {
    let plan: Plan = bulk().plan().unwrap();
    t.forget();
    let done = bulk().await;
    assert_sent(t, "bulk write", &plan);
    done
}

fn failures(error: &Error) -> (&mongo_odm::BulkCounts, Vec<usize>) {
    let Error::BulkWrite { counts, failed, .. } = error else {
        panic!("{error}");
    };
    (
        counts,
        failed.iter().map(|it: &FailedOperation| it.index).collect(),
    )
}

fn stars(odm: &Odm, number: i64, by: i64) -> mongo_odm::action::UpdateOne<Note> {
    Note::update(odm, id(number)).inc(Note::fields().stars, by)
}

#[tokio::test]
async fn inserts_of_one_model_are_one_statement() {
    let t = opened("bulk_inserts").await;
    let notes: Vec<Note> = (1..=50).map(note).collect();
    let bulk = || {
        t.odm
            .bulk_write()
            .add_all(notes.iter().map(|note| note.insert(&t.odm)))
    };
    let report = sent(&t, bulk).await.unwrap();
    assert_eq!(t.recorder().names(), ["insert"]);
    assert_eq!(report.counts.inserted, 50);
    assert_eq!(Note::count(&t.odm).await.unwrap(), 50);
}

#[tokio::test]
async fn operations_of_one_kind_share_a_command() {
    let t = opened("bulk_kinds").await;
    let odm = &t.odm;
    let bulk = || {
        let bulk = odm
            .bulk_write()
            .add(note(1).insert(odm))
            .add(note(2).insert(odm));
        let bulk = bulk.add(page(1).insert(odm)).add(page(2).insert(odm));
        let bulk = bulk.add(stars(odm, 1, 1)).add(stars(odm, 2, 2));
        let many = Note::update_many(odm, Note::fields().stars.gt(0));
        let bulk = bulk.add(many.inc(Note::fields().stars, 10));
        let by_text = Note::fields().text.eq("third");
        let upsert = Note::upsert(odm, by_text).set_on_insert(Note::fields().id, id(3));
        let bulk = bulk
            .add(upsert)
            .add(note(4).save(odm))
            .add(note(9).replace(odm));
        let bulk = bulk.add(Note::delete(odm, id(1)));
        bulk.add(Note::delete_many(odm, Note::fields().stars.gt(11)))
    };
    let report = sent(&t, bulk).await.unwrap();
    assert_eq!(
        t.recorder().names(),
        ["insert", "insert", "update", "delete"]
    );
    let counts = report.counts;
    assert_eq!(
        (counts.inserted, counts.matched, counts.modified),
        (4, 4, 4)
    );
    let upserted: Vec<(usize, Bson)> = counts.upserted.into_iter().collect();
    assert_eq!(upserted, [(7, Bson::Int64(3)), (8, Bson::Int64(4))]);
    assert_eq!(counts.deleted, 2);
    let left = Note::find(odm).sort(Note::fields().id.asc()).await.unwrap();
    let left: Vec<&str> = left.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(left, ["third", "note 4"]);
}

#[tokio::test]
async fn an_unordered_bulk_write_joins_operations_that_do_not_follow_each_other() {
    let t = opened("bulk_unordered").await;
    let odm = &t.odm;
    t.given(&[note(1), note(2)]).await;
    let bulk = || {
        let bulk = odm
            .bulk_write()
            .add(note(3).insert(odm))
            .add(stars(odm, 1, 1));
        let bulk = bulk.add(page(1).insert(odm)).add(note(4).insert(odm));
        bulk.add(stars(odm, 2, 1)).add(page(2).insert(odm))
    };
    let report = sent(&t, || bulk().unordered()).await.unwrap();
    assert_eq!(t.recorder().names(), ["insert", "update", "insert"]);
    assert_eq!((report.counts.inserted, report.counts.modified), (4, 2));
    // The order of the operations is kept, so each insert is a separate statement.
    let names = bulk().plan().unwrap().statements.len();
    assert_eq!(names, 6);
}

#[tokio::test]
async fn an_ordered_bulk_write_ends_at_the_first_error() {
    let t = opened("bulk_ordered_error").await;
    let odm = &t.odm;
    let mut twin = note(3);
    twin.text = "note 1".into();
    let bulk = odm
        .bulk_write()
        .add(note(1).insert(odm))
        .add(note(2).insert(odm));
    let bulk = bulk
        .add(twin.insert(odm))
        .add(note(4).insert(odm))
        .add(stars(odm, 1, 1));
    let error = bulk.await.unwrap_err();
    let (counts, failed) = failures(&error);
    assert_eq!((counts.inserted, counts.modified, failed), (2, 0, vec![2]));
    assert_eq!(error.kind().code(), "odm.duplicate_key");
    let message = error.to_string();
    assert!(
        message.starts_with("1 of 5 operations of a bulk write failed: operation 2: two documents"),
        "{message}"
    );
    assert_eq!(Note::count(odm).await.unwrap(), 2);

    // The same for updates.
    let set =
        |number: i64, text: &str| Note::update(odm, id(number)).set(Note::fields().text, text);
    let bulk = odm
        .bulk_write()
        .add(set(1, "first"))
        .add(set(2, "first"))
        .add(set(2, "second"));
    let error = bulk.await.unwrap_err();
    let (counts, failed) = failures(&error);
    assert_eq!((counts.matched, counts.modified, failed), (1, 1, vec![1]));
    let Error::BulkWrite { source, .. } = &error else {
        panic!()
    };
    match &**source {
        Error::DuplicateKey { model, fields, .. } => {
            assert_eq!(
                (*model, &**fields),
                (Some("Note"), &doc! { "text": "first" })
            );
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn an_unordered_bulk_write_lists_all_errors() {
    let t = opened("bulk_unordered_errors").await;
    let odm = &t.odm;
    t.given(&[note(1), note(2), note(3)]).await;
    t.given(&[page(1)]).await;
    let set =
        |number: i64, text: &str| Note::update(odm, id(number)).set(Note::fields().text, text);
    let page_text = Page::update(odm, id(1)).set(Page::fields().text, "x");
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk
        .add(note(1).insert(odm))
        .add(set(1, "note 2"))
        .add(note(4).insert(odm));
    let bulk = bulk
        .add(page_text.if_version(7))
        .add(set(2, "new"))
        .add(set(3, "new"));
    let error = bulk.add(note(2).insert(odm)).await.unwrap_err();
    let (counts, failed) = failures(&error);
    assert_eq!((counts.inserted, counts.modified), (1, 1));
    assert_eq!(failed, [0, 1, 3, 5, 6]);
    let Error::BulkWrite { failed, .. } = &error else {
        panic!()
    };
    assert!(matches!(
        &*failed[2].reason,
        Error::Conflict {
            expected: 7,
            found: Some(1),
            ..
        }
    ));
    assert!(error.to_string().ends_with("; and 2 more"), "{error}");
}

#[tokio::test]
async fn an_invalid_operation_is_an_error_before_anything_is_sent() {
    let t = opened("bulk_invalid").await;
    let odm = &t.odm;
    let two = || {
        Note::update(odm, id(1))
            .set(Note::fields().stars, 1)
            .inc(Note::fields().stars, 1)
    };
    t.forget();
    let bulk = || {
        let bulk = odm.bulk_write().add(note(1).insert(odm));
        bulk.add(two()).add(two())
    };
    assert_eq!(failures(&bulk().await.unwrap_err()).1, [1, 2]);
    assert_eq!(failures(&bulk().unordered().plan().unwrap_err()).1, [1, 2]);
    let elsewhere = odm.acting_as("tove");
    let bulk = odm.bulk_write().add(note(1).insert(&elsewhere));
    let error = bulk.await.unwrap_err().to_string();
    assert!(
        error.contains("another handle than the bulk write"),
        "{error}"
    );
    assert!(t.recorder().names().is_empty());
    assert_eq!(odm.bulk_write().await.unwrap(), BulkReport::default());
    assert!(odm.bulk_write().plan().unwrap().statements.is_empty());
}

#[tokio::test]
async fn an_unordered_bulk_write_carries_out_the_operations_beside_invalid_ones() {
    let t = opened("bulk_invalid_unordered").await;
    let odm = &t.odm;
    t.given(&[note(1)]).await;
    let two = || {
        let update = Note::update(odm, id(1)).set(Note::fields().stars, 1);
        update.inc(Note::fields().stars, 1)
    };
    let bulk = odm.bulk_write().unordered().add(two());
    let bulk = bulk
        .add(note(2).insert(odm))
        .add(note(1).insert(odm))
        .add(two())
        .add(Note::upsert(odm, Note::fields().id.eq(id(3))).set(Note::fields().text, "third"));
    let error = bulk.await.unwrap_err();
    let (counts, failed) = failures(&error);
    assert_eq!((counts.inserted, counts.upserted.len()), (1, 1));
    assert_eq!(counts.upserted.keys().collect::<Vec<_>>(), [&4]);
    assert_eq!(failed, [0, 2, 3]);
    assert!(Note::get(odm, id(2)).await.is_ok());
    let only_invalid = odm.bulk_write().unordered().add(two());
    assert_eq!(failures(&only_invalid.await.unwrap_err()).1, [0]);
}

#[tokio::test]
async fn a_bulk_write_in_a_transaction_is_atomic() {
    let t = opened("bulk_transaction").await;
    t.given(&[note(1)]).await;
    let run = t.odm.transaction(async |tx| {
        let bulk = tx
            .bulk_write()
            .add(note(2).insert(&tx))
            .add(note(3).insert(&tx));
        let update = Note::update(&tx, id(1)).set(Note::fields().text, "note 2");
        let error = bulk
            .unordered()
            .add(update)
            .add(page(1).insert(&tx))
            .await
            .unwrap_err();
        let (counts, failed) = failures(&error);
        assert_eq!((counts.inserted, failed), (0, vec![2]));
        Ok(())
    });
    let error = run.await.unwrap_err();
    assert!(matches!(error, Error::TransactionPoisoned(_)), "{error}");
    assert_eq!(Note::count(&t.odm).await.unwrap(), 1);

    let run = t.odm.transaction(async |tx| {
        let bulk = tx
            .bulk_write()
            .add(note(2).insert(&tx))
            .add(page(1).insert(&tx));
        let bulk = bulk.add(
            Page::update(&tx, id(1))
                .set(Page::fields().text, "x")
                .if_version(1),
        );
        let report = bulk.await?;
        assert_eq!((report.counts.inserted, report.counts.modified), (2, 1));
        let outside = tx.bulk_write().add(note(9).insert(&t.odm)).await;
        assert!(outside.is_err());
        Ok(())
    });
    run.await.unwrap();
    assert_eq!(Note::count(&t.odm).await.unwrap(), 2);

    // The failed operation has changed nothing.
    let run = t.odm.transaction(async |tx| {
        let update = Page::update(&tx, id(1)).set(Page::fields().text, "y");
        let bulk = tx.bulk_write().add(update.if_version(9)).await;
        assert_eq!(failures(&bulk.unwrap_err()).1, vec![0]);
        Ok(())
    });
    let error = run.await.unwrap_err();
    assert!(matches!(error, Error::TransactionPoisoned(_)), "{error}");
}

#[tokio::test]
async fn updates_share_a_command_with_array_filters_and_hints() {
    let t = opened("bulk_many_updates").await;
    let notes: Vec<Note> = (1..=1_500).map(note).collect();
    t.given(&notes).await;
    t.forget();
    let bulk = t.odm.bulk_write();
    let updates = notes
        .iter()
        .map(|it| Note::update(&t.odm, it.id).inc(Note::fields().stars, 1));
    let report = bulk.add_all(updates).await.unwrap();
    assert_eq!(t.recorder().names(), ["update", "update"]);
    assert_eq!(
        (report.counts.matched, report.counts.modified),
        (1_500, 1_500)
    );
    let dry = t
        .odm
        .bulk_write()
        .add(stars(&t.odm, 1, 5))
        .add(stars(&t.odm, 2, 5));
    assert_eq!(dry.dry_run().await.unwrap().counts.modified, 2);
    assert_eq!(Note::get(&t.odm, id(1)).await.unwrap().stars, 1);
    let stats = t.odm.stats();
    let notes = stats.models.iter().find(|it| it.model == "Note").unwrap();
    assert_eq!((notes.inserted, notes.updated), (1_500, 1_500));
}
