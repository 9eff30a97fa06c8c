//! Calls that are dropped after some time.

use std::{sync::Arc, time::Duration};

use mongo_odm::{Tx, prelude::*};
use odm_tests::Harness;

use super::band::*;
use crate::setting::*;

/// Delays after which a call is dropped, from before its first statement to after its last one.
fn moments() -> impl Iterator<Item = Duration> {
    (500..9_000).step_by(2_100).map(Duration::from_micros)
}

async fn bands(test: &str) -> Harness {
    let t = empty(test).await;
    index(&t.odm).await;
    t
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_of_any_kind_that_is_dropped_in_a_transaction_is_committed_as_a_whole() {
    let t = bands("cancelled_anywhere").await;
    for (way, odm, kind) in ways(&t.odm) {
        for after in moments() {
            let context = format!("{way}: {kind:?} dropped after {after:?}");
            let stored = Stored::anew(&t.odm).await;
            let dropped = async |tx: Tx| {
                let write = kind.write(&tx, &stored, "new");
                let _ = tokio::time::timeout(after, write).await;
                Ok(())
            };
            let committed = odm.transaction(dropped).await;
            committed.unwrap_or_else(|error| panic!("{context}: {error}"));
            expect_together(&t.odm, &context).await;
        }
    }
}

/// After the drop, the transaction continues with a different write of the same source.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_after_a_dropped_one_follows_it_as_a_whole() {
    let t = bands("cancelled_go_on").await;
    for (way, odm, kind) in ways(&t.odm) {
        for after in moments() {
            let context = format!("{way}: {kind:?} dropped after {after:?}");
            let stored = Stored::anew(&t.odm).await;
            let dropped = async |tx: Tx| {
                tokio::select! {
                    biased;
                    done = kind.write(&tx, &stored, "new") => done?,
                    () = tokio::time::sleep(after) => {}
                }
                Kind::Update.write(&tx, &stored, "newer").await
            };
            let committed = odm.transaction(dropped).await;
            committed.unwrap_or_else(|error| panic!("{context}: {error}"));
            expect_together(&t.odm, &context).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_still_runs_when_the_closure_returns_is_committed_as_a_whole_or_not_at_all() {
    let t = bands("cancelled_spawned").await;
    for (way, odm, kind) in ways(&t.odm) {
        for after in moments() {
            let context = format!("{way}: {kind:?} still runs after {after:?}");
            let stored = Arc::new(Stored::anew(&t.odm).await);
            let before = everything(&t.odm).await;
            let spawned = async |tx: Tx| {
                let stored = Arc::clone(&stored);
                let write = async move { kind.write(&tx, &stored, "new").await };
                let running = tokio::spawn(write);
                tokio::time::sleep(after).await;
                Ok(running)
            };
            let committed = odm.transaction(spawned).await;
            let running = committed.unwrap_or_else(|error| panic!("{context}: {error}"));
            let written = running.await.unwrap();
            expect_together(&t.odm, &context).await;
            let is_changed = everything(&t.odm).await != before;
            assert_eq!(written.is_ok(), is_changed, "{context}: {written:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_dropped_is_committed_as_a_whole_or_not_at_all() {
    let t = bands("cancelled_whole").await;
    for (way, odm, kind) in ways(&t.odm) {
        for after in moments() {
            let context = format!("{way}: {kind:?} dropped after {after:?}");
            let stored = Stored::anew(&t.odm).await;
            let run = async |tx: Tx| kind.write(&tx, &stored, "new").await;
            let _ = tokio::time::timeout(after, odm.transaction(run)).await;
            // This write waits for the end of the transaction, which has locked the documents.
            let next = Kind::UpdateMany.write(&t.odm, &stored, "newer");
            let next = tokio::time::timeout(Duration::from_secs(20), next).await;
            next.unwrap().unwrap();
            expect_together(&t.odm, &context).await;
        }
    }
}
