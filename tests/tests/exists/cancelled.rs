//! Writes that are dropped before they end. No committed reference is dangling.

use std::time::Duration;

use mongo_odm::{Error, prelude::*};

use crate::models::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "dropped_hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: Id<Host, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "dropped_guests")]
struct Guest {
    #[serde(rename = "_id")]
    id: Id<Guest, i64>,
    #[index]
    #[parent_ref(exists, on_delete = "restrict")]
    host: Id<Host, i64>,
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_dropped_no_reference_leads_nowhere() {
    let t = workshop("exists_dropped").await;
    let odm = &t.odm;
    for (round, after) in (0..9_000)
        .step_by(300)
        .map(Duration::from_micros)
        .enumerate()
    {
        let number = i64::try_from(round).unwrap();
        let host = Host { id: id(number) };
        t.given(&[host.clone()]).await;
        let guest = Guest {
            id: id(number),
            host: host.id,
        };
        let delete = tokio::spawn(Host::delete(odm, host.id).into_future());
        let _ = tokio::time::timeout(after, guest.insert(odm).into_future()).await;
        match delete.await.unwrap() {
            Ok(_) | Err(Error::Restricted { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
        odm.finish_writes().await;
        expect_no_drift(odm).await;
    }
}

/// If a write in a transaction is dropped, either its references are checked completely, or nothing is committed.
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_write_that_is_refused_is_not_committed() {
    let t = workshop("exists_dropped_refused").await;
    for after in (0..6_000).step_by(400).map(Duration::from_micros) {
        let done = t.odm.transaction(async |tx| {
            let guest = Guest {
                id: id(1),
                host: id(7),
            };
            let _ = tokio::time::timeout(after, guest.insert(&tx).into_future()).await;
            Ok(())
        });
        let done = done.await;
        assert_eq!(
            Guest::count(&t.odm).await.unwrap(),
            0,
            "{after:?}: {done:?}"
        );
    }
}
