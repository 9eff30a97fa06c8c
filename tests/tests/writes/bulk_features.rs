//! Bulk writes together with archives, kinds, bounded arrays, timestamps, validators, and callers that are dropped.

use std::future::IntoFuture;

use futures_util::FutureExt;
use mongo_odm::{
    Error, ErrorKind,
    bson::{Bson, Document, doc},
    prelude::*,
};

use crate::{bulk_models::*, models::*};

#[tokio::test]
async fn deletes_of_a_model_with_an_archive_move_the_documents() {
    let t = opened("bulk_archive").await;
    let odm = &t.odm;
    t.given(&[letter(1), letter(2), letter(3)]).await;
    let bulk = odm.bulk_write().add(Letter::delete(odm, id(1)));
    let bulk = bulk.add(Letter::delete(odm, id(2)));
    let report = bulk.add(letter(1).insert(odm)).await.unwrap();
    assert_eq!((report.counts.deleted, report.counts.inserted), (2, 1));
    let archive = odm
        .database()
        .collection::<Document>("writes_letters_archive");
    assert_eq!(archive.count_documents(doc! {}).await.unwrap(), 2);
    assert_eq!(Letter::count(odm).await.unwrap(), 2);
    let purge = [1, 2, 3].map(|number| Letter::purge(odm, id(number)));
    let report = odm.bulk_write().add_all(purge).unordered().await.unwrap();
    assert_eq!(report.counts.deleted, 4);
    assert_eq!(archive.count_documents(doc! {}).await.unwrap(), 0);
}

#[tokio::test]
async fn kinds_of_one_collection_do_not_share_a_command() {
    let t = opened("bulk_kinds_of_one_collection").await;
    let odm = &t.odm;
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add(circle(1).insert(odm)).add(square(2).insert(odm));
    let bulk = bulk.add(circle(3).insert(odm)).add(square(4).insert(odm));
    t.forget();
    assert_eq!(bulk.await.unwrap().counts.inserted, 4);
    assert_eq!(t.recorder().names(), ["insert", "insert"]);
    // A filter with the id of a circle does not match a square.
    let (of_circle, of_square) = (Circle::fields().size, Square::fields().size);
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add(Circle::update(odm, id(1)).inc(of_circle, 1));
    let bulk = bulk.add(Square::update(odm, id(1)).inc(of_square, 1));
    let bulk = bulk.add(Circle::update(odm, id(3)).inc(of_circle, 1));
    let bulk = bulk.add(Square::update(odm, id(2)).inc(of_square, 1));
    assert_eq!(bulk.await.unwrap().counts.matched, 3);
    let deletes = odm.bulk_write().unordered().add(Square::delete(odm, id(1)));
    let deletes = deletes.add(Circle::delete(odm, id(1)));
    let deletes = deletes.add(Square::delete(odm, id(4)));
    let deletes = deletes.add(Circle::purge(odm, id(3)));
    assert_eq!(deletes.await.unwrap().counts.deleted, 3);
    let all = odm.database().collection::<Document>("writes_shapes");
    assert_eq!(all.count_documents(doc! {}).await.unwrap(), 2);
    assert_eq!(Circle::count(odm).await.unwrap(), 0);
    let replaces = odm.bulk_write().unordered().add(circle(1).replace(odm));
    let failed = replaces.add(square(2).replace(odm)).await.unwrap_err();
    assert_eq!(failed.kind().code(), "odm.deleted", "{failed}");
}

#[tokio::test]
async fn a_full_array_and_timestamps_are_those_of_single_calls() {
    let t = opened("bulk_bounds").await;
    let odm = &t.odm;
    let bulk = odm.bulk_write().add(rack(1).insert(odm).keep_timestamps());
    bulk.add(rack(2).insert(odm)).await.unwrap();
    let old = rack(1).created;
    assert_eq!(Rack::get(odm, id(1)).await.unwrap().created, old);
    assert!(Rack::get(odm, id(2)).await.unwrap().created > old);
    let push = |number: i64, tag: &str| {
        Rack::update(odm, id(number)).push(Rack::fields().tags, tag.to_owned())
    };
    let bulk = odm.bulk_write().add(push(1, "a")).add(push(1, "b"));
    let bulk = bulk.add(push(1, "c")).add(push(2, "a"));
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk.await else {
        panic!()
    };
    assert_eq!((counts.modified, failed[0].index), (2, 2));
    let reason = &*failed[0].reason;
    assert!(
        matches!(reason, Error::BoundExceeded { max: 2, .. }),
        "{reason}"
    );
    let mut replaced = rack(1);
    replaced.tags = vec!["x".to_owned()];
    let bulk = odm.bulk_write().add(replaced.save(odm));
    let bulk = bulk.add(rack(2).replace(odm).keep_timestamps());
    assert_eq!(bulk.await.unwrap().counts.modified, 2);
    let one = Rack::get(odm, id(1)).await.unwrap();
    assert_eq!((one.tags.len(), one.created), (1, old));
    assert!(one.updated > old);
    assert_eq!(Rack::get(odm, id(2)).await.unwrap().updated, old);
}

#[tokio::test]
async fn an_upsert_fills_copies_and_reports_the_id() {
    let t = opened("bulk_upsert_copies").await;
    let odm = &t.odm;
    t.given(&[writer(1), writer(2)]).await;
    let fields = Essay::fields();
    let upsert = |number: i64| {
        let upsert = Essay::upsert(odm, fields.id.eq(id(number)));
        let upsert = upsert.set(fields.text, "new");
        upsert.set_on_insert(fields.writer, id(2))
    };
    let bulk = odm.bulk_write().add(essay(1, 1).insert(odm));
    let report = bulk.add(upsert(1)).add(upsert(5)).await.unwrap();
    let upserted: Vec<(usize, Bson)> = report.counts.upserted.clone().into_iter().collect();
    assert_eq!(upserted, [(2, Bson::Int64(5))]);
    let essays = Essay::find(odm).sort(fields.id.asc()).await.unwrap();
    let names: Vec<&str> = essays.iter().map(|it| it.writer_name.as_str()).collect();
    assert_eq!(names, ["writer 1", "writer 2"]);
    assert_eq!(Writer::get(odm, id(2)).await.unwrap().essays, 1);
}

#[tokio::test]
async fn the_reason_of_a_rejected_operation_names_the_field() {
    let t = opened("bulk_validator").await;
    let odm = &t.odm;
    let validator = doc! { "$jsonSchema": { "properties": { "stars": { "maximum": 5 } } } };
    let change = doc! { "collMod": "writes_notes", "validator": validator };
    odm.database().run_command(change).await.unwrap();
    let mut starred = note(2);
    starred.stars = 9;
    let insert = || starred.insert(odm);
    let update = || Note::update(odm, id(1)).inc(Note::fields().stars, 9);
    t.given(&[note(1), note(4)]).await;
    let single = [
        insert().await.unwrap_err().to_string(),
        update().await.unwrap_err().to_string(),
    ];
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add(note(3).insert(odm)).add(insert()).add(update());
    let other = Note::update(odm, id(4)).inc(Note::fields().stars, 1);
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk.add(other).await else {
        panic!()
    };
    assert_eq!((counts.inserted, counts.modified), (1, 1));
    assert_eq!(failed.iter().map(|it| it.index).collect::<Vec<_>>(), [1, 2]);
    for (failed, single) in failed.iter().zip(&single) {
        assert_eq!(failed.reason.kind(), ErrorKind::InvalidDocument);
        assert_eq!(&failed.reason.to_string(), single);
    }
}

#[tokio::test]
async fn a_dropped_caller_does_not_stop_a_bulk_write() {
    let t = opened("bulk_dropped").await;
    let odm = &t.odm;
    let notes: Vec<Note> = (1..=3).map(note).collect();
    let bulk = odm.bulk_write().add(writer(1).insert(odm));
    let bulk = bulk.add(essay(1, 1).insert(odm));
    let bulk = bulk.add_all(notes.iter().map(|note| note.insert(odm)));
    let bulk = bulk.add(Writer::update(odm, id(1)).set(Writer::fields().name, "Tove"));
    assert!(bulk.into_future().now_or_never().is_none());
    odm.finish_writes().await;
    assert_eq!(Note::count(odm).await.unwrap(), 3);
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Essay::get(odm, id(1)).await.unwrap().writer_name, "Tove");
    assert_eq!(Writer::get(odm, id(1)).await.unwrap().essays, 1);
}

#[tokio::test]
async fn a_failed_hook_ends_an_ordered_bulk_write() {
    let t = opened("bulk_hook_ends").await;
    let odm = &t.odm;
    let inserts =
        ["one", "refused", "three"].map(|text| hooked(text.len().try_into().unwrap(), text));
    let bulk = || {
        odm.bulk_write()
            .add_all(inserts.iter().map(|it| it.insert(odm)))
    };
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk().await else {
        panic!()
    };
    assert_eq!((counts.inserted, failed[0].index, failed.len()), (1, 1, 1));
    assert_eq!(Hooked::count(odm).await.unwrap(), 1);
    let fields = Hooked::fields();
    let upsert = Hooked::upsert(odm, fields.id.eq(id(8))).set(fields.text, "up");
    let update = Hooked::update(odm, id(3)).set(fields.text, "up");
    let upserts = odm.bulk_write().add(update);
    let upserts = upserts.add(upsert.set_on_insert(fields.slug, ""));
    let counts = upserts.await.unwrap().counts;
    assert_eq!((counts.matched, counts.upserted.len()), (1, 1));
    let slugs = Hooked::find(odm)
        .sort(Hooked::fields().id.asc())
        .await
        .unwrap();
    let slugs: Vec<&str> = slugs.iter().map(|it| it.slug.as_str()).collect();
    assert_eq!(slugs, ["updated", "inserted"]);
}

#[tokio::test]
async fn a_tenant_can_save_replace_and_upsert_only_its_own_documents() {
    let t = opened("bulk_tenant_saves").await;
    let (one, two) = (&t.odm.for_tenant(1_i64), &t.odm.for_tenant(2_i64));
    let bulk = one.bulk_write().add(item(1, 1).save(one));
    assert_eq!(
        bulk.add(item(2, 1).save(one))
            .await
            .unwrap()
            .counts
            .upserted
            .len(),
        2
    );
    // The document with this id belongs to the other tenant.
    let bulk = two.bulk_write().unordered().add(item(1, 2).save(two));
    let bulk = bulk.add(item(3, 2).save(two)).add(item(2, 2).replace(two));
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk.await else {
        panic!()
    };
    assert_eq!((counts.upserted.len(), counts.matched), (1, 0));
    assert_eq!((failed.len(), failed[0].index), (1, 0));
    assert!(failed[0].reason.is_duplicate_key(), "{}", failed[0]);
    let foreign = two.bulk_write().add(item(4, 1).insert(two)).await;
    assert!(foreign.is_err());
    let by_id = |number: i64| Item::fields().id.eq(id(number));
    let upsert = |odm, number: i64| Item::upsert(odm, by_id(number)).inc(Item::fields().stars, 1);
    let bulk = two.bulk_write().add(upsert(two, 3)).add(upsert(two, 5));
    let counts = bulk.await.unwrap().counts;
    assert_eq!((counts.matched, counts.upserted.len()), (1, 1));
    assert_eq!(Item::count(two).await.unwrap(), 2);
    assert_eq!(Item::count(one).await.unwrap(), 2);
}
