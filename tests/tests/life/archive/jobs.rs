//! Cascades that are too large for one transaction, deletes of many documents, and concurrent calls.

use futures_util::future::join;
use mongo_odm::{Error, bson::doc, prelude::*};

use super::*;
use crate::models::assert_verified;

async fn large(test: &str) -> (Harness, Odm) {
    let t = library(test).await;
    let volumes: Vec<Volume> = (11..=40).map(|number| volume(number, 1)).collect();
    t.given(&volumes).await;
    let marks: Vec<Mark> = (11..=40).map(|number| mark(number, number)).collect();
    t.given(&marks).await;
    t.odm.run_pending_jobs().await.unwrap();
    let odm = t.odm.with_settings(settings().inline_copies(10));
    (t, odm)
}

fn counts(all: [Vec<i64>; 4]) -> [usize; 4] {
    all.map(|ids| ids.len())
}

#[tokio::test]
async fn jobs_archive_and_restore_the_children_of_a_large_cascade() {
    let (_t, odm) = large("arch_large").await;
    Volume::delete(&odm, id(17)).await.unwrap();
    let report = Shelf::delete(&odm, id(1)).await.unwrap();
    odm.wait(report.token()).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(counts(places(&odm).await), [1, 1, 33, 32]);
    assert_verified(&odm).await;

    let report = Shelf::restore(&odm, id(1)).await.unwrap();
    odm.wait(report.token()).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(counts(places(&odm).await), [33, 32, 1, 1]);
    let shelf: Shelf = Shelf::get(&odm, id(1)).await.unwrap();
    assert_eq!(shelf.volumes, 32);
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_restore_cancels_a_cascade_that_is_still_a_job_and_a_delete_a_restore() {
    let (_t, odm) = large("arch_cancel").await;
    Shelf::delete(&odm, id(1)).deferred().await.unwrap();
    assert_eq!(counts(places(&odm).await), [34, 33, 0, 0]);
    Shelf::restore(&odm, id(1)).deferred().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(counts(places(&odm).await), [34, 33, 0, 0]);
    assert_verified(&odm).await;

    Shelf::delete(&odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    Shelf::restore(&odm, id(1)).deferred().await.unwrap();
    let restored: Shelf = Shelf::get(&odm, id(1)).await.unwrap();
    restored.save(&odm).await.unwrap();
    Shelf::delete(&odm, id(1)).deferred().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(counts(places(&odm).await), [1, 1, 33, 32]);
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_save_of_a_restored_document_does_not_cancel_the_rest_of_the_restore() {
    let (_t, odm) = large("arch_saved").await;
    let report = Shelf::delete(&odm, id(1)).await.unwrap();
    odm.wait(report.token()).await.unwrap();
    Shelf::restore(&odm, id(1)).deferred().await.unwrap();
    let restored: Shelf = Shelf::get(&odm, id(1)).await.unwrap();
    restored.save(&odm).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(counts(places(&odm).await), [34, 33, 0, 0]);
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_delete_of_many_documents_archives_them_in_batches() {
    let t = library("arch_many").await;
    let odm = &t.odm;
    let readers: Vec<Reader> = (1..=1_100).map(reader).collect();
    t.given(&readers).await;
    let all = || Reader::delete_many(odm, Filter::all()).everything();
    assert_eq!(all().await.unwrap().deleted, 1_100);
    assert_eq!(ids_in(odm, "arch_readers_archive").await.len(), 1_100);
    t.given(&readers[..5]).await;
    let deleted = Reader::purge_many(odm, Filter::all()).everything().await;
    assert_eq!(deleted.unwrap().deleted, 1_105);
    assert!(ids_in(odm, "arch_readers_archive").await.is_empty());
    assert_verified(odm).await;
}

/// A reference to a new document does not restrict the purge of an archived one with the same `_id`.
#[tokio::test]
async fn a_purge_in_batches_ignores_references_to_new_documents() {
    let t = library("arch_purge_batches").await;
    let odm = &t.odm;
    let readers: Vec<Reader> = (1..=501).map(reader).collect();
    t.given(&readers).await;
    let all = Reader::delete_many(odm, Filter::all()).everything();
    assert_eq!(all.await.unwrap().deleted, 501);
    t.given(&readers[..1]).await;
    let owner = Volume::fields().owner;
    Volume::update(odm, id(1))
        .set(owner, Some(id(1)))
        .await
        .unwrap();
    let archived = doc! { "_odm_deleted_at": { "$exists": true } };
    let purged = Reader::purge_many(odm, archived).await.unwrap();
    assert_eq!(purged.deleted, 501);
    assert_eq!(ids_in(odm, "arch_readers").await, [1]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_depots", tenant = "org", on_delete = "archive")]
struct Depot {
    #[serde(rename = "_id")]
    id: Id<Depot, i64>,
    org: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_crates", tenant = "org", on_delete = "archive")]
struct Crate {
    #[serde(rename = "_id")]
    id: Id<Crate, i64>,
    org: Option<i64>,
    #[parent_ref(on_delete = "cascade", exists)]
    depot: Id<Depot, i64>,
}

#[tokio::test]
async fn jobs_restore_the_documents_of_all_tenants() {
    let t = library("arch_jobs_tenants").await;
    for (number, worker) in [(1, t.odm.clone()), (2, t.odm.for_tenant(9_i64))] {
        let odm = t.odm.for_tenant(number);
        let (id, org) = (id(number), None);
        Depot { id, org }.insert(&odm).await.unwrap();
        let child = Crate {
            id: Id::from_key(number),
            org,
            depot: id,
        };
        child.insert(&odm).await.unwrap();
        Depot::delete(&odm, id).await.unwrap();
        assert_eq!(Crate::count(&odm).await.unwrap(), 0);
        Depot::restore(&odm, id).deferred().await.unwrap();
        worker.run_pending_jobs().await.unwrap();
        assert_eq!(Crate::count(&odm).await.unwrap(), 1, "tenant {number}");
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_yards", on_delete = "archive")]
struct Yard {
    #[serde(rename = "_id")]
    id: Id<Yard, i64>,
    #[refs(many, inverse = "guards", max = 1)]
    watched_by: Vec<Id<Guard, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_guards", on_delete = "archive")]
struct Guard {
    #[serde(rename = "_id")]
    id: Id<Guard, i64>,
    #[parent_ref(on_delete = "cascade")]
    home: Id<Yard, i64>,
    #[refs(one, exists)]
    truck: Option<Id<Truck, i64>>,
    #[refs(one, inverse = "watched_by")]
    guards: Option<Id<Yard, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_trucks")]
struct Truck {
    #[serde(rename = "_id")]
    id: Id<Truck, i64>,
}

fn guard(number: i64) -> Guard {
    Guard {
        id: id(number),
        home: id(1),
        truck: (number == 7).then(|| id(1)),
        guards: (number == 9).then(|| id(2)),
    }
}

/// A job skips a document that refers to a missing document, and a document that would make an array too long.
#[tokio::test]
async fn a_job_restores_the_other_children_if_one_cannot_be_restored() {
    let t = library("arch_unfit_children").await;
    let odm = t.odm.with_settings(settings().inline_copies(10));
    let yard = |number| Yard {
        id: id(number),
        watched_by: Vec::new(),
    };
    let sync = t.odm.sync_indexes().only::<Yard>().only::<Guard>();
    sync.await.unwrap();
    t.given(&[yard(1), yard(2)]).await;
    t.given(&[Truck { id: id(1) }]).await;
    let guards: Vec<Guard> = (1..=30).map(guard).collect();
    t.given(&guards).await;
    odm.run_pending_jobs().await.unwrap();
    Yard::delete(&odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Guard::count(&odm).await.unwrap(), 0);

    Truck::delete(&odm, id(1)).await.unwrap();
    let other = Guard {
        home: id(2),
        guards: Some(id(2)),
        ..guard(31)
    };
    other.insert(&odm).await.unwrap();
    Yard::restore(&odm, id(1)).deferred().await.unwrap();
    let report = odm.run_pending_jobs().await.unwrap();
    assert!(report.failed > 0 && report.left == 0, "{report}");
    let left = Guard::find(&odm)
        .only_deleted()
        .sort(Guard::fields().id.asc());
    let left: Vec<i64> = left.await.unwrap().iter().map(|it| *it.id.key()).collect();
    assert_eq!(left, [7, 9]);
    assert_eq!(Guard::count(&odm).await.unwrap(), 29);
}

#[tokio::test]
async fn a_purge_keeps_the_archived_documents_of_another_tenant() {
    let t = library("arch_purge_tenants").await;
    let (ours, theirs) = (t.odm.for_tenant(1_i64), t.odm.for_tenant(2_i64));
    let depot = Depot {
        id: id(1),
        org: None,
    };
    depot.insert(&ours).await.unwrap();
    let child = Crate {
        id: Id::from_key(1),
        org: None,
        depot: id(1),
    };
    child.insert(&ours).await.unwrap();
    Depot::delete(&ours, id(1)).await.unwrap();
    depot.insert(&theirs).await.unwrap();
    let purged = Depot::purge(&theirs, id(1)).await.unwrap();
    assert_eq!((purged.deleted, purged.cascaded.len()), (1, 0));
    Depot::restore(&ours, id(1)).await.unwrap();
    assert_eq!(Crate::count(&ours).await.unwrap(), 1);
    Depot::purge(&ours, id(1)).await.unwrap();
    assert_eq!(Crate::count(&ours).only_deleted().await.unwrap(), 0);
}

#[tokio::test]
async fn concurrent_deletes_and_restores_leave_each_document_in_one_place() {
    let t = library("arch_concurrent").await;
    let odm = &t.odm;
    for _ in 0..15 {
        let delete = Shelf::delete(odm, id(1)).into_future();
        let update = Volume::update(odm, id(1)).inc(Volume::fields().pages, 1);
        let restore = Shelf::restore(odm, id(1)).into_future();
        let ((deleted, restored), updated) =
            join(join(delete, restore), update.into_future()).await;
        deleted.unwrap();
        restored.unwrap();
        updated.unwrap();
        odm.run_pending_jobs().await.unwrap();
        let all = places(odm).await;
        let is_deleted = !ids_in(odm, "arch_shelves").await.contains(&1);
        let expected = if is_deleted {
            [1, 1, 3, 2]
        } else {
            [4, 3, 0, 0]
        };
        assert_eq!(counts(all), expected);
        assert_verified(odm).await;
    }
}

#[tokio::test]
async fn an_insert_during_a_delete_leaves_no_child_without_a_parent() {
    let t = library("arch_race").await;
    let odm = &t.odm;
    for number in 100..110 {
        let child = volume(number, 1);
        let insert = child.insert(odm).into_future();
        let (deleted, inserted) = join(Shelf::delete(odm, id(1)).into_future(), insert).await;
        deleted.unwrap();
        match inserted {
            Ok(_) | Err(Error::NoTarget { .. }) => {}
            Err(error) => panic!("{error}"),
        }
        odm.run_pending_jobs().await.unwrap();
        assert_verified(odm).await;
        assert_eq!(ids_in(odm, "arch_volumes").await, [4]);
        Shelf::restore(odm, id(1)).await.unwrap();
    }
}

#[tokio::test]
async fn a_transaction_of_the_caller_contains_the_move() {
    let t = library("arch_tx").await;
    let odm = &t.odm;
    let aborted = odm
        .transaction(async |tx: mongo_odm::Tx| {
            Shelf::delete(&tx, id(1)).await?;
            assert_eq!(Volume::count(&tx).await?, 1);
            Shelf::restore(&tx, id(1)).await?;
            assert_eq!(Volume::count(&tx).await?, 4);
            Shelf::delete(&tx, id(1)).await?;
            Err::<(), _>(Error::NoChangeStreams)
        })
        .await;
    assert!(aborted.is_err());
    assert_eq!(counts(places(odm).await), [4, 3, 0, 0]);
    odm.transaction(async |tx: mongo_odm::Tx| Shelf::delete(&tx, id(1)).await)
        .await
        .unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(counts(places(odm).await), [1, 1, 3, 2]);
    let dry = Shelf::restore(odm, id(1)).dry_run().await.unwrap();
    assert_eq!(dry.restored, 1);
    assert_eq!(counts(places(odm).await), [1, 1, 3, 2]);
    assert_verified(odm).await;
}
