//! A write is one task. If its caller is dropped at any point, the write is done completely or not
//! at all.

use std::time::Duration;

use mongo_odm::prelude::*;

use crate::{models::*, setting::*};

/// Renames a host, and is dropped after a while.
async fn cancelled_rename(odm: &impl mongo_odm::Executor, host: &Host, after: Duration) {
    let name = format!("10.0.0.{}", after.as_micros());
    let rename = Host::update(odm, host.id).set(Host::fields().ipaddr, name);
    let _ = tokio::time::timeout(after, rename.into_future()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_of_a_transaction_that_is_dropped_leaves_no_source_without_its_copies() {
    let t = shop("whole_cancelled").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 20)).await;
    for micros in (0..8_000).step_by(250) {
        let cancelled = async |tx: mongo_odm::Tx| {
            cancelled_rename(&tx, &host, Duration::from_micros(micros)).await;
            Ok(())
        };
        // The caller may have dropped the write before there was anything to commit.
        t.odm.transaction(cancelled).await.unwrap();
        assert_eq!(stale(&t.odm, &host).await, 0, "dropped after {micros} us");
    }
    let renamed = Host::get(&t.odm, host.id).await.unwrap();
    assert_ne!(renamed.ipaddr, host.ipaddr, "some of them were carried out");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_dropped_goes_on_to_its_end() {
    let t = shop("whole_dropped").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 20)).await;
    for micros in (0..8_000).step_by(500) {
        cancelled_rename(&t.odm, &host, Duration::from_micros(micros)).await;
    }
    t.odm.finish_writes().await;
    settle(&t.odm).await;
    assert_eq!(stale(&t.odm, &host).await, 0);
    let renamed = Host::get(&t.odm, host.id).await.unwrap();
    assert_ne!(renamed.ipaddr, host.ipaddr, "some of them were carried out");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_writes_at_once_in_a_transaction_run_one_after_the_other() {
    let t = shop("whole_at_once").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 20)).await;
    for round in 0..10 {
        let both = async |tx: mongo_odm::Tx| {
            let rename = |name: String| {
                Host::update(&tx, host.id)
                    .set(Host::fields().ipaddr, name)
                    .into_future()
            };
            let (one, two) = (
                rename(format!("one {round}")),
                rename(format!("two {round}")),
            );
            let (one, two) = tokio::join!(one, two);
            assert_eq!((one?.modified, two?.modified), (1, 1));
            Ok(())
        };
        t.odm.transaction(both).await.unwrap();
        assert_eq!(stale(&t.odm, &host).await, 0, "round {round}");
    }
}

#[tokio::test]
async fn a_transaction_that_swallows_a_failed_write_is_not_committed() {
    let t = shop("whole_swallowed").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2)).await;
    validate(&t.odm, "logmsg", doc! { "ipaddr": { "$ne": "refused" } }).await;
    let swallowed = async |tx: mongo_odm::Tx| {
        let rename = Host::update(&tx, host.id).set(Host::fields().ipaddr, "refused");
        assert!(rename.atomic().await.is_err());
        Ok(())
    };
    let refused = t.odm.transaction(swallowed).await.unwrap_err().to_string();
    assert!(refused.contains("nothing was committed"), "{refused}");
    assert_eq!(Host::get(&t.odm, host.id).await.unwrap(), host);
    assert_eq!(stale(&t.odm, &host).await, 0);
}
