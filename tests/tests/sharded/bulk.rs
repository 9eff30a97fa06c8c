//! Bulk writes of documents on both shards.

use mongo_odm::{BulkReport, Error, Odm, action::BulkWrite, bson::Bson, prelude::*};

use crate::models::{Event, Host, Log, event, host, log, sharded};

/// Returns the result of a bulk write, and the commands that it sends to the collections of the models.
async fn sent(odm: &Odm, bulk: BulkWrite) -> (mongo_odm::Result<BulkReport>, Vec<&'static str>) {
    let observed = odm.observe(async { bulk.await }).await;
    let own = observed.sent.iter().filter(|sent| {
        let collection = sent.collection.as_deref().unwrap_or_default();
        sent.command != "hello" && !collection.starts_with("_odm")
    });
    (observed.value, own.map(|sent| sent.command).collect())
}

/// Returns events in several rooms. Rooms below 50 are on the first shard.
fn events() -> [Event; 4] {
    [(1, 10), (2, 60), (3, 10), (4, 60)].map(|(id, room)| event(id, room))
}

fn see(odm: &Odm, id: i32) -> mongo_odm::action::UpdateOne<Event> {
    Event::update(odm, Id::from_key(id)).set(Event::fields().state, "seen")
}

#[tokio::test]
async fn inserts_share_a_command_and_other_operations_contain_the_key() {
    let odm = &sharded("sharded_bulk").await;
    let inserts = events().map(|event| event.insert(odm));
    let (report, names) = sent(odm, odm.bulk_write().add_all(inserts)).await;
    assert_eq!(report.unwrap().counts.inserted, 4);
    assert_eq!(names, ["insert"]);

    let mut saved = event(2, 60);
    saved.state = "saved".into();
    let bulk = odm.bulk_write().add(see(odm, 1)).add(see(odm, 4));
    let bulk = bulk.add(saved.save(odm)).add(event(7, 80).save(odm));
    let bulk = bulk.add(event(3, 10).replace(odm)).add(see(odm, 99));
    let report = bulk.await.unwrap();
    let upserted: Vec<(usize, Bson)> = report.counts.upserted.into_iter().collect();
    assert_eq!(upserted, [(3, Bson::Int32(7))]);
    assert_eq!((report.counts.matched, report.counts.modified), (4, 3));

    let many = Event::update_many(odm, Event::fields().state.eq("seen"));
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add(many.set(Event::fields().state, "old"));
    let bulk = bulk.add(Event::delete(odm, Id::from_key(2)));
    let bulk = bulk.add(Event::delete_many(odm, Event::fields().room.eq(80)));
    let counts = bulk.await.unwrap().counts;
    assert_eq!((counts.modified, counts.deleted), (2, 2));
    assert_eq!(Event::count(odm).await.unwrap(), 3);
}

#[tokio::test]
async fn a_changed_key_and_a_duplicate_are_the_errors_of_their_operations() {
    let odm = &sharded("sharded_bulk_errors").await;
    Event::insert_many(odm, &events()).await.unwrap();
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk
        .add(event(5, 10).insert(odm))
        .add(event(2, 60).insert(odm));
    let bulk = bulk
        .add(event(1, 70).save(odm))
        .add(event(6, 70).insert(odm));
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk.add(see(odm, 4)).await else {
        panic!()
    };
    assert_eq!((counts.inserted, counts.modified), (2, 1));
    assert_eq!(failed.iter().map(|it| it.index).collect::<Vec<_>>(), [1, 2]);
    assert!(failed[0].reason.is_duplicate_key(), "{}", failed[0]);
    let reason = failed[1].reason.to_string();
    assert!(reason.contains("is part of the shard key"), "{reason}");
    assert_eq!(Event::count(odm).await.unwrap(), 6);
}

#[tokio::test]
async fn a_bulk_write_updates_copies_and_summaries_on_the_other_shard() {
    let odm = &sharded("sharded_bulk_effects").await;
    let bulk = odm.bulk_write().add(host(10).insert(odm));
    let bulk = bulk.add(host(60).insert(odm)).add(log(1, 10).insert(odm));
    let bulk = bulk.add(log(2, 60).insert(odm)).add(log(3, 60).insert(odm));
    let rename = Host::update(odm, Id::from_key(60)).set(Host::fields().name, "renamed");
    let report = bulk.add(rename).await.unwrap();
    assert_eq!((report.counts.inserted, report.counts.modified), (5, 1));
    odm.run_pending_jobs().await.unwrap();
    let logs = Log::find(odm).sort(Log::fields().id.asc()).await.unwrap();
    let names: Vec<&str> = logs.iter().map(|log| log.host_name.as_str()).collect();
    assert_eq!(names, ["host 10", "renamed", "renamed"]);
    let hosts = Host::find(odm).sort(Host::fields().id.asc()).await.unwrap();
    assert_eq!(hosts.iter().map(|it| it.logs).collect::<Vec<_>>(), [1, 2]);

    let stale = Log::update(odm, Id::from_key(1)).set(Log::fields().text, "x");
    let bulk = odm.bulk_write().add(Host::delete(odm, Id::from_key(60)));
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk.add(stale.if_version(9)).await else {
        panic!()
    };
    assert_eq!((counts.deleted, failed[0].index), (1, 1));
    assert!(
        matches!(&*failed[0].reason, Error::Conflict { .. }),
        "{}",
        failed[0]
    );
    assert_eq!(Log::count(odm).await.unwrap(), 1);
}

#[tokio::test]
async fn a_bulk_write_in_a_transaction_is_atomic_over_both_shards() {
    let odm = &sharded("sharded_bulk_transaction").await;
    Event::insert_many(odm, &events()).await.unwrap();
    let write = async |last: i32| {
        let body = async |tx: Tx| {
            let see =
                |id: i32| Event::update(&tx, Id::from_key(id)).set(Event::fields().state, "seen");
            let bulk = tx.bulk_write().add(see(1)).add(see(2));
            bulk.add(event(last, 70).insert(&tx)).await
        };
        odm.transaction(body).await
    };
    // The second shard already has a document with this id.
    let Err(Error::BulkWrite { failed, .. }) = write(4).await.map(drop) else {
        panic!()
    };
    assert_eq!(failed[0].index, 2);
    let seen = Event::find(odm).filter(Event::fields().state.eq("seen"));
    assert_eq!(seen.await.unwrap(), []);
    let counts = write(9).await.unwrap().counts;
    assert_eq!((counts.inserted, counts.modified), (1, 2));
}
