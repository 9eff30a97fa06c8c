//! Fills copies that were declared late once, concurrently with all other writes.

use std::{
    future::IntoFuture,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};
use mongo_odm_testkit::TestDb;
use odm_tests::Harness;

use crate::{models::*, setting::*};

/// Five servers with entries that lack all copies, as if the copies had just been declared.
async fn unfilled(test: &str, each: i64) -> (Harness, Vec<Server>, Vec<Entry>) {
    let t = shop(test).await;
    let servers: Vec<_> = (0..5).map(server).collect();
    t.given(&servers).await;
    let all: Vec<_> = servers.iter().flat_map(|it| entries(it, each)).collect();
    t.given(&all).await;
    let stored = t.odm.database().collection::<Document>("entries");
    let without = doc! { "$unset": { "name": "", "ipaddr": "", "rack": "" } };
    stored.update_many(doc! {}, without).await.unwrap();
    (t, servers, all)
}

#[tokio::test]
async fn all_copies_are_filled() {
    let (t, _, all) = unfilled("backfill_all", 300).await;
    let report = t.odm.backfill::<Entry>().await.unwrap();
    assert_eq!((report.looked_at, report.changed), (1_500, 1_500));
    assert!(!report.resumed && report.failed.is_empty());
    let stored = Entry::find(&t.odm).sort(Entry::fields().id.asc()).await;
    assert_eq!(stored.unwrap(), all);
    settle(&t.odm).await;
    let again = t.odm.backfill::<Entry>().await.unwrap();
    assert_eq!((again.looked_at, again.changed), (1_500, 0));
}

#[tokio::test]
async fn a_filter_says_which_documents_are_filled() {
    let (t, servers, all) = unfilled("backfill_filter", 100).await;
    let fields = Entry::fields();
    let of = |server: &Server| fields.host.eq(server.id);
    let backfill = || t.odm.backfill::<Entry>().batch_size(60);
    let report = backfill().filter(of(&servers[1])).await.unwrap();
    assert_eq!((report.looked_at, report.changed), (100, 100));
    assert_eq!(all_of(&t).await, (100, 0));
    // An interrupted backfill is resumed only by a backfill with the same filter.
    let stop = backfill()
        .filter(of(&servers[2]))
        .on_progress(|_| panic!("stopped"));
    tokio::spawn(stop.into_future()).await.unwrap_err();
    assert_eq!(all_of(&t).await, (160, 1));
    let other = backfill().filter(of(&servers[3])).await.unwrap();
    assert!(!other.resumed);
    assert_eq!((other.looked_at, other.changed), (100, 100));
    assert_eq!(all_of(&t).await, (260, 1));
    let same = backfill().filter(of(&servers[2])).await.unwrap();
    assert!(same.resumed);
    assert_eq!((same.looked_at, same.changed), (100, 100));
    let rest = backfill().await.unwrap();
    assert_eq!((rest.looked_at, rest.changed), (500, 200));
    let stored = Entry::find(&t.odm).sort(Entry::fields().id.asc()).await;
    assert_eq!(stored.unwrap(), all);
}

/// Each call has its own position.
#[tokio::test(flavor = "multi_thread")]
async fn backfills_with_different_filters_do_not_end_each_other() {
    let (t, servers, _) = unfilled("backfill_two_filters", 100).await;
    let of = |server: &Server| {
        let only = Entry::fields().host.eq(server.id);
        let backfill = t.odm.backfill::<Entry>().batch_size(10).filter(only);
        backfill.into_future()
    };
    let (one, two) = futures_util::join!(of(&servers[0]), of(&servers[1]));
    for report in [one.unwrap(), two.unwrap()] {
        assert_eq!((report.looked_at, report.changed), (100, 100));
    }
    assert_eq!(all_of(&t).await, (200, 0));
}

/// While the copies were not declared, another program stored no jobs for them.
#[tokio::test]
async fn a_backfill_begins_again_if_its_copies_were_forgotten_meanwhile() {
    let (t, ..) = unfilled("backfill_forgotten", 20).await;
    let stop = t.odm.backfill::<Entry>().batch_size(60);
    let stop = stop.on_progress(|_| panic!("stopped"));
    tokio::spawn(stop.into_future()).await.unwrap_err();
    assert_eq!(all_of(&t).await, (60, 1));
    let relation = "entries.host <- servers._id";
    assert!(t.odm.forget_declaration(relation).await.unwrap());
    let stored = t.odm.database().collection::<Document>("servers");
    let renamed = doc! { "$set": { "name": "renamed" } };
    stored.update_many(doc! {}, renamed).await.unwrap();
    let report = program(&t.odm).backfill::<Entry>().await.unwrap();
    assert!(!report.resumed);
    assert_eq!((report.looked_at, report.changed), (100, 100));
    let filled = doc! { "name": "renamed" };
    assert_eq!(count(&t.odm, "entries", filled).await, 100);
}

#[tokio::test]
async fn copies_in_arrays_and_by_keys_in_the_source_are_filled() {
    let t = shop("backfill_arrays").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, [&parts[0], &parts[1], &parts[0]]);
    t.given(&[product.clone()]).await;
    settle(&t.odm).await;
    let database = t.odm.database();
    let products = database.collection::<Document>("products");
    let without = doc! { "$unset": { "parts.$[].name": "" } };
    products.update_many(doc! {}, without).await.unwrap();
    let stored = database.collection::<Document>("parts");
    let without = doc! { "$unset": { "product_name": "" } };
    stored.update_many(doc! {}, without).await.unwrap();
    assert_eq!(t.odm.backfill::<Product>().await.unwrap().changed, 1);
    assert_eq!(t.odm.backfill::<Part>().await.unwrap().changed, 2);
    let stored = Product::get(&t.odm, product.id).await.unwrap();
    assert_eq!(stored.parts, product.parts);
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backfill_that_was_dropped_goes_on_where_it_was() {
    let (t, _, all) = unfilled("backfill_resume", 200).await;
    let batches = Arc::new(AtomicU64::new(0));
    let (seen, stopped) = (Arc::clone(&batches), Arc::new(tokio::sync::Notify::new()));
    let (stop, odm) = (Arc::clone(&stopped), t.odm.clone());
    let first = tokio::spawn(async move {
        let backfill = odm.backfill::<Entry>().batch_size(100);
        let counted = backfill.on_progress(move |so_far| {
            seen.store(so_far.batches, Ordering::Relaxed);
            if so_far.batches == 4 {
                stop.notify_one();
                // The task is aborted before the backfill continues.
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        });
        counted.await
    });
    stopped.notified().await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    let before = batches.load(Ordering::Relaxed);
    assert_eq!(all_of(&t).await, (before * 100, 1));

    let report = t.odm.backfill::<Entry>().batch_size(100).await.unwrap();
    assert!(report.resumed);
    assert_eq!((report.looked_at, report.changed), (1_000, 1_000));
    assert_eq!(report.batches, 10 - before);
    let stored = Entry::find(&t.odm).sort(Entry::fields().id.asc()).await;
    assert_eq!(stored.unwrap(), all);
    settle(&t.odm).await;
}

/// Counts the filled entries and the stored cursors.
async fn all_of(t: &Harness) -> (u64, usize) {
    let filled = Entry::count(&t.odm).filter(doc! { "name": { "$exists": true } });
    let cursors = all(&t.odm, "_odm_cursors").await;
    (filled.await.unwrap(), cursors.len())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backfill_and_renames_do_not_undo_each_other() {
    let (t, servers, _) = unfilled("backfill_renames", 400).await;
    let odm = &t.odm;
    let renames = async {
        for number in 0..60 {
            let server = &servers[number % 2];
            let rename = Server::update(odm, server.id);
            let name = format!("name {number}");
            rename
                .set(Server::fields().name, name.as_str())
                .await
                .unwrap();
        }
    };
    let backfill = async { odm.backfill::<Entry>().batch_size(50).await.unwrap() };
    let second = async { odm.backfill::<Entry>().batch_size(70).await.unwrap() };
    let (report, _, ()) = futures_util::join!(backfill, second, renames);
    assert!(report.failed.is_empty());
    // The copies are correct at once, before the last look of any job.
    let drift = odm.verify().include_pending().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    settle(odm).await;
    let unfilled = Entry::count(odm).filter(doc! { "name": { "$exists": false } });
    assert_eq!(unfilled.await.unwrap(), 0);
}

#[tokio::test]
async fn a_document_that_cannot_take_its_copies_is_reported_and_left() {
    let (t, _, all) = unfilled("backfill_failed", 60).await;
    let refuse = doc! { "_id": all[77].id, "name": { "$exists": true } };
    let validator = doc! { "collMod": "entries", "validator": { "$nor": [refuse] } };
    t.odm.database().run_command(validator).await.unwrap();
    let report = t.odm.backfill::<Entry>().await.unwrap();
    assert_eq!(report.failed, [all[77].id.into()]);
    assert_eq!((report.looked_at, report.changed), (300, 299));
    settle(&t.odm).await;
}

/// The batch is already stored when the library reads the sources again. So an error of this read neither repeats the
/// batch nor skips a document.
#[tokio::test]
async fn an_error_after_the_commit_does_not_reject_the_batch() {
    let server = mongo_odm_testkit::Server::builder().private();
    let server = Arc::new(server.test_commands(true).start().await.unwrap());
    let test = TestDb::builder("backfill_after_commit").server(server);
    let db = test.open().await.unwrap();
    let odm = long_known(&Odm::new(db.database())).await;
    index_shop(&odm).await;
    let host = host(1);
    host.insert(&odm).await.unwrap();
    let all = messages(&host, 5);
    LogMsg::insert_many(&odm, &all).await.unwrap();
    let without = doc! { "$unset": { "ipaddr": "" } };
    let stored = db.collection("logmsg");
    stored.update_many(doc! {}, without).await.unwrap();
    // The first `find` reads the source in the transaction. The second one fails with the code `TypeMismatch`.
    let namespace = format!("{}.hosts", db.name());
    let data = doc! { "failCommands": ["find"], "errorCode": 14, "namespace": namespace };
    let fail = doc! { "configureFailPoint": "failCommand", "mode": { "skip": 1 }, "data": data };
    let admin = db.client().database("admin");
    admin.run_command(fail).await.unwrap();
    let report = odm.backfill::<LogMsg>().await.unwrap();
    assert!(report.failed.is_empty());
    assert_eq!((report.looked_at, report.changed), (5, 5));
    let off = doc! { "configureFailPoint": "failCommand", "mode": "off" };
    admin.run_command(off).await.unwrap();
    let filled = LogMsg::find(&odm).sort(LogMsg::fields().id.asc()).await;
    assert_eq!(filled.unwrap(), all);
}

#[tokio::test]
async fn ids_of_several_types_are_all_walked() {
    let t = shop("backfill_id_types").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let ids = ids_of_several_types();
    let message = |id: &Bson| doc! { "_id": id.clone(), "host": host.id, "ipaddr": "old" };
    put(&t.odm, "logmsg", ids.iter().map(message)).await;
    for size in [1, 2, 3, 100] {
        let old = doc! { "$set": { "ipaddr": "old" } };
        let stored = t.odm.database().collection::<Document>("logmsg");
        stored.update_many(doc! {}, old).await.unwrap();
        let report = t.odm.backfill::<LogMsg>().batch_size(size).await.unwrap();
        let all = ids.len() as u64;
        assert_eq!((report.looked_at, report.changed), (all, all), "{size}");
        let filled = doc! { "ipaddr": &host.ipaddr };
        assert_eq!(count(&t.odm, "logmsg", filled).await, all);
    }
}
