//! Copies, summaries, links and delete rules of a document that was moved.

use mongo_odm::{Odm, prelude::*};

use super::*;

/// Moves the first parcel from the first depot to the second one.
async fn move_parcel(odm: &Odm) {
    let before = stored(odm).await;
    let moved = Parcel {
        depot: Id::from_key(60),
        label: "fragile".to_owned(),
        ..before.clone()
    };
    let report = moved.save(odm).moving().await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    odm.run_pending_jobs().await.unwrap();
    let after = stored(odm).await;
    assert!(after.updated >= before.updated);
    let expected = Parcel {
        depot_name: "south".to_owned(),
        updated: after.updated,
        version: before.version + 1,
        ..moved
    };
    assert_eq!(after, expected);
}

async fn assert_moved(odm: &Odm) {
    let depot = async |id| Depot::get(odm, Id::from_key(id)).await.unwrap();
    let (north, south) = (depot(1).await, depot(60).await);
    assert_eq!((north.parcels, south.parcels), (2, 1));
    let lightest = |depot: &Depot| depot.lightest.iter().map(|it| *it.id.key()).collect();
    let lightest: [Vec<i32>; 2] = [&north, &south].map(lightest);
    assert_eq!(lightest, [vec![2, 3], vec![1]]);
    for scan in Scan::find(odm).await.unwrap() {
        let copies = (scan.label.as_str(), scan.depot_name.as_str());
        assert_eq!(copies, ("fragile", "south"));
    }
    let route = Route::get(odm, Id::from_key(7)).await.unwrap();
    assert_eq!(route.parcels, [Id::from_key(1)]);
    assert_right(odm).await;
}

/// Checks that delete rules and copies still find the moved document and its children.
async fn delete_and_restore(odm: &Odm) {
    let rename = Depot::update(odm, Id::from_key(60)).set(Depot::fields().name, "far south");
    rename.await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let copied = Scan::find(odm).await.unwrap();
    assert!(copied.iter().all(|it| it.depot_name == "far south"));
    Parcel::delete(odm, Id::from_key(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Scan::count(odm).await.unwrap(), 0);
    let south = Depot::get(odm, Id::from_key(60)).await.unwrap();
    assert_eq!((south.parcels, south.lightest.len()), (0, 0));
    Parcel::restore(odm, Id::from_key(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Scan::count(odm).await.unwrap(), 2);
    assert_right(odm).await;
}

#[tokio::test]
async fn derived_data_of_a_moved_document_is_right() {
    let odm = on_cluster("moving_derived").await;
    assert_eq!(per_shard(&odm, "moving_parcels").await, [3, 0]);
    move_parcel(&odm).await;
    assert_eq!(per_shard(&odm, "moving_parcels").await, [2, 1]);
    assert_moved(&odm).await;
    delete_and_restore(&odm).await;
    assert_eq!(per_shard(&odm, "moving_parcels").await, [2, 1]);
}

/// On a replica set, a move needs no delete. If all tests run on a cluster, the shared server is a cluster too, and the
/// library moves the document.
#[tokio::test]
async fn on_a_replica_set_a_move_has_the_same_result() {
    let t = on_replica_set("moving_replica_set").await;
    t.forget();
    move_parcel(&t.odm).await;
    let names = t.recorder().names();
    let deletes = names.iter().any(|it| it.contains("delete"));
    assert_eq!(deletes, is_sharded(), "{names:?}");
    assert_moved(&t.odm).await;
    delete_and_restore(&t.odm).await;
}

/// A program that watches the sources receives the delete. This program must not apply the delete rules.
#[tokio::test]
async fn a_move_in_a_transaction_is_atomic_with_other_writes() {
    let odm = on_cluster("moving_in_a_transaction").await;
    let moved = Parcel {
        depot: Id::from_key(60),
        ..stored(&odm).await
    };
    let failed = odm.transaction(async |tx| {
        moved.save(&tx).moving().await?;
        let inside = Parcel::get(&tx, moved.id).await?;
        assert_eq!(inside.depot_name, "south");
        Err::<(), _>(mongo_odm::Error::NoTransactions)
    });
    failed.await.unwrap_err();
    assert_eq!(stored(&odm).await.depot, Id::from_key(1));
    let done = odm.transaction(async |tx| {
        moved.save(&tx).moving().await?;
        scan(3, 1).insert(&tx).await?;
        Depot::delete(&tx, Id::from_key(60)).await.unwrap_err();
        Ok(())
    });
    done.await.unwrap_err();
    assert_eq!(per_shard(&odm, "moving_parcels").await, [3, 0]);
    let done = odm.transaction(async |tx| {
        moved.save(&tx).moving().await?;
        scan(3, 1).insert(&tx).await.map(drop)
    });
    done.await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(per_shard(&odm, "moving_parcels").await, [2, 1]);
    assert_right(&odm).await;
}
