//! Bulk writes: the handle of each operation, and the write concern of the handle.

use mongo_odm::{
    Settings,
    bson::doc,
    mongodb::options::{ReadConcern, ReadPreference, WriteConcern},
    prelude::*,
};

use odm_tests::Harness;

use crate::models::*;

#[tokio::test]
async fn the_write_concern_of_a_handle_is_sent_with_each_command() {
    let t = opened("bulk_write_concern").await;
    t.given(&[note(1), note(2)]).await;
    let journal = WriteConcern::builder().journal(true).build();
    let odm = &t.odm.with_write_concern(journal);
    let stars = |number: i64| Note::update(odm, id(number)).inc(Note::fields().stars, 1);
    let bulk = odm.bulk_write().add(stars(1)).add(stars(2));
    let bulk = bulk.add(note(3).insert(odm)).add(note(4).insert(odm));
    let bulk = bulk.add(Note::delete(odm, id(3)));
    t.forget();
    bulk.add(Note::delete(odm, id(4))).await.unwrap();
    assert_eq!(t.recorder().names(), ["update", "insert", "delete"]);
    assert_concerns(&t);
    t.forget();
    let causal = odm.causal();
    let stars = |number: i64| Note::update(&causal, id(number)).inc(Note::fields().stars, 1);
    let bulk = causal.bulk_write().add(stars(1)).add(stars(2));
    bulk.await.unwrap();
    assert_concerns(&t);
    t.forget();
    let body = async |tx: Tx| {
        let stars = |number: i64| Note::update(&tx, id(number)).inc(Note::fields().stars, 1);
        tx.bulk_write().add(stars(1)).add(stars(2)).await
    };
    odm.transaction(body).await.unwrap();
    let update = &t.recorder().commands()[0].command;
    assert!(!update.contains_key("writeConcern"), "{update}");
}

/// Checks that each command contains the write concern of the handle.
fn assert_concerns(t: &Harness) {
    let sent = t.recorder().commands();
    assert!(!sent.is_empty());
    for it in sent {
        let concern = it.command.get_document("writeConcern").unwrap();
        assert_eq!(concern, &doc! { "j": true }, "{}", it.command);
    }
}

#[tokio::test]
async fn an_operation_of_another_handle_is_rejected() {
    let t = opened("bulk_other_handle").await;
    let odm = &t.odm;
    let others = [
        odm.in_database("writes_elsewhere"),
        odm.with_read_concern(ReadConcern::majority()),
        odm.with_write_concern(WriteConcern::majority()),
        odm.with_read_preference(ReadPreference::SecondaryPreferred {
            options: Option::default(),
        }),
        odm.with_settings(Settings::default().max_documents(7)),
        odm.acting_as("tove"),
        odm.for_tenant(7),
    ];
    t.forget();
    for other in &others {
        let bulk = odm.bulk_write().add(note(1).insert(other));
        let error = bulk.await.unwrap_err().to_string();
        assert!(error.contains("has another handle"), "{other:?}: {error}");
        let bulk = other.bulk_write().add(note(1).insert(odm));
        assert!(bulk.await.is_err(), "{other:?}");
    }
    assert!(t.recorder().names().is_empty());
    let equal = || {
        odm.for_tenant(7)
            .with_write_concern(WriteConcern::majority())
    };
    let bulk = equal().bulk_write().add(note(1).insert(&equal()));
    assert_eq!(bulk.await.unwrap().counts.inserted, 1);
}

/// A `delete_many` of documents with derived data cannot report a version conflict, so the library rejects the check.
#[tokio::test]
async fn a_delete_of_many_documents_cannot_check_a_version() {
    let t = opened("bulk_delete_many_version").await;
    let odm = &t.odm;
    writer(1).insert(odm).await.unwrap();
    let many = || Writer::delete_many(odm, Writer::fields().id.eq(id(1)));
    let error = many().if_version(9).await.unwrap_err().to_string();
    assert!(error.contains("write `Writer::delete(..)`"), "{error}");
    let bulk = odm.bulk_write().add(many().if_version(1)).await;
    assert!(bulk.unwrap_err().to_string().contains("Writer::delete(..)"));
    assert_eq!(Writer::count(odm).await.unwrap(), 2);
}
