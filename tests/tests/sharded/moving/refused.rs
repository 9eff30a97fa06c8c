//! Moves that fail. The document then stays on its shard.

use std::sync::Arc;

use mongo_odm::{Error, Odm, prelude::*};
use mongo_odm_testkit::{Server, TestDb, Topology};

use super::*;

fn in_south(loaded: Parcel) -> Parcel {
    Parcel {
        depot: Id::from_key(60),
        ..loaded
    }
}

/// Returns the error of a rejected move, and checks that the stored document is unchanged.
async fn refused(odm: &Odm, moved: Parcel) -> Error {
    let find = async || {
        let all = Parcel::find(odm).with_deleted();
        all.sort(Parcel::fields().id.asc()).await.unwrap()
    };
    let before = find().await;
    let failed = moved.save(odm).moving().await.unwrap_err();
    let replaced = moved.replace(odm).moving().await.unwrap_err();
    assert_eq!(failed.to_string(), replaced.to_string());
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(find().await, before);
    failed
}

/// In each of these moves, the `insert` fails after the `delete` has removed the document from its shard.
async fn refuse_moves(odm: &Odm) {
    let mut taken = parcel(9, 60);
    "parcel 1".clone_into(&mut taken.label);
    taken.insert(odm).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let duplicate = refused(odm, in_south(stored(odm).await)).await;
    assert!(duplicate.is_duplicate_key(), "{duplicate}");
    let loaded = stored(odm).await;
    let weight = Parcel::fields().weight;
    Parcel::update(odm, loaded.id).inc(weight, 1).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let labelled = |label: &str, version| Parcel {
        label: label.to_owned(),
        version,
        ..in_south(loaded.clone())
    };
    for version in [0, loaded.version] {
        let conflict = refused(odm, labelled("free", version)).await;
        let Error::Conflict {
            expected, found, ..
        } = &conflict
        else {
            panic!("{conflict}");
        };
        assert_eq!((*expected, *found), (version, Some(loaded.version + 1)));
    }
    Parcel::delete(odm, loaded.id).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let deleted = refused(odm, labelled("free", loaded.version + 2)).await;
    assert!(matches!(deleted, Error::Deleted { .. }), "{deleted}");
    assert_right(odm).await;
}

#[tokio::test]
async fn a_failed_move_changes_nothing() {
    let odm = on_cluster("moving_refused").await;
    refuse_moves(&odm).await;
    assert_eq!(per_shard(&odm, "moving_parcels").await, [3, 1]);
}

#[tokio::test]
async fn a_failed_move_on_a_replica_set_changes_nothing() {
    let t = on_replica_set("moving_refused_replica_set").await;
    refuse_moves(&t.odm).await;
}

#[tokio::test]
async fn without_moving_the_error_contains_the_remedy() {
    let t = on_replica_set("moving_remedy").await;
    let moved = in_south(stored(&t.odm).await);
    let expected = "`Parcel.depot` is part of the shard key, which only `save` and `replace` with `.moving()` can change; \
                    set the field in the struct, and call `.save(&odm).moving()`";
    let update = Parcel::update(&t.odm, moved.id).set(Parcel::fields().depot, moved.depot);
    for failed in [
        moved.save(&t.odm).await.unwrap_err(),
        moved.replace(&t.odm).await.unwrap_err(),
        update.await.unwrap_err(),
    ] {
        assert!(failed.to_string().contains(expected), "{failed}");
    }
}

#[tokio::test]
async fn a_standalone_server_cannot_move_a_document() {
    let server = Server::builder().private().topology(Topology::Standalone);
    let server = Arc::new(server.start().await.unwrap());
    let database = TestDb::builder("moving_standalone").server(server);
    let database = database.open().await.unwrap();
    let odm = Odm::new(database.database());
    event(1, 10).insert(&odm).await.unwrap();
    let failed = event(1, 60).save(&odm).moving().await.unwrap_err();
    assert!(matches!(failed, Error::NoTransactions), "{failed:?}");
    assert_eq!(Event::get(&odm, Id::from_key(1)).await.unwrap().room, 10);
}
