//! Concurrent renames, inserts and changed references of one source.

use std::{sync::Arc, time::Duration};

use mongo_odm::prelude::*;
use odm_tests::Harness;
use tokio::sync::Barrier;

use super::places::{Bolt, BoltRef, Ledger, Line, Order};
use crate::{models::*, setting::*};

async fn rename(odm: &Odm, host: Id<Host>, to: String) {
    let rename = Host::update(odm, host).set(Host::fields().ipaddr, to);
    rename.await.unwrap();
}

async fn one_host(test: &str) -> (Harness, Host) {
    let t = shop(test).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    (t, host)
}

/// All renames end, and at the end the copies equal the source.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_renames_at_once_leave_one_value() {
    for inline in [1_000, 0] {
        let (t, host) = one_host("races_renames").await;
        let odm = t.odm.with_settings(settings().inline_copies(inline));
        t.given(&messages(&host, 50)).await;
        let tasks = (0..20).map(|at| {
            let (odm, id) = (odm.clone(), host.id);
            tokio::spawn(async move { rename(&odm, id, format!("10.0.0.{at}")).await })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.unwrap();
        }
        assert_eq!(stale(&odm, &host).await, 0, "inline {inline}");
        settle(&odm).await;
        assert_eq!(stale(&odm, &host).await, 0, "settled, inline {inline}");
    }
}

/// The inserter has read the old value, and the renamer has not seen the insert. The read after the commit of the
/// insert corrects the copy at once.
#[tokio::test]
async fn an_insert_that_commits_after_a_rename_is_right_at_once() {
    let (t, host) = one_host("races_insert_last").await;
    for (at, (way, odm)) in both_ways(&t.odm).into_iter().enumerate() {
        let message = messages(&host, 1).remove(0);
        let inserted = t.odm.transaction(async |tx| {
            message.insert(&tx).await?;
            // The rename reads no document that the transaction has locked, and does not see the insert.
            rename(&odm, host.id, format!("10.0.0.{at}")).await;
            assert_eq!(
                LogMsg::get(&tx, message.id).await?.ipaddr,
                if at == 0 { "127.66.66.1" } else { "10.0.0.0" }
            );
            Ok(())
        });
        inserted.await.unwrap();
        assert_eq!(stale(&odm, &host).await, 0, "{way}");
        settle(&odm).await;
    }
}

/// In the opposite order, neither write sees the other. The last look of the rename's job finds the stale copy.
#[tokio::test]
async fn an_insert_that_commits_before_a_rename_is_right_when_its_job_is_done() {
    let (t, host) = one_host("races_rename_last").await;
    let message = messages(&host, 1).remove(0);
    let renamed = t.odm.transaction(async |tx| {
        Host::update(&tx, host.id)
            .set(Host::fields().ipaddr, "10.0.0.1")
            .await?;
        message.insert(&t.odm).await
    });
    renamed.await.unwrap();
    assert_eq!(
        stale(&t.odm, &host).await,
        1,
        "the schedule is one in which both miss the other"
    );
    settle(&t.odm).await;
    assert_eq!(stale(&t.odm, &host).await, 0);
}

/// The same race with a reference that is changed to the source, and with a pushed element.
#[tokio::test]
async fn a_changed_reference_and_a_push_are_as_safe_as_an_insert() {
    let (t, host) = one_host("races_relink").await;
    let sync = t.odm.sync_indexes().only::<Bolt>().only::<Ledger>();
    sync.await.unwrap();
    let other = self::host(2);
    let bolt = Bolt {
        id: Id::new(),
        name: "old".to_owned(),
    };
    t.given(&[other.clone()]).await;
    t.given(&[bolt.clone()]).await;
    let message = messages(&other, 1).remove(0);
    message.insert(&t.odm).await.unwrap();
    let ledger = Ledger {
        id: Id::new(),
        orders: vec![],
    };
    ledger.insert(&t.odm).await.unwrap();
    let part = Some(BoltRef {
        id: Some(bolt.id),
        name: None,
    });
    let order = Order {
        lines: vec![Line { part }],
    };
    let changed = t.odm.transaction(async |tx| {
        let relink = LogMsg::update(&tx, message.id).set(LogMsg::fields().host, host.id);
        relink.await?;
        let push = Ledger::update(&tx, ledger.id).push(Ledger::fields().orders, &order);
        push.await?;
        rename(&t.odm, host.id, "10.0.0.1".to_owned()).await;
        let rename = Bolt::update(&t.odm, bolt.id).set(Bolt::fields().name, "new");
        rename.await
    });
    changed.await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    let stored = Ledger::get(&t.odm, ledger.id).await.unwrap().orders;
    let name = stored[0].lines[0].part.clone().unwrap().name;
    assert_eq!(name.as_deref(), Some("new"));
    settle(&t.odm).await;
}

/// In whichever order the writes commit, no copy is stale when all jobs are done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inserts_and_renames_at_the_same_moment_converge() {
    const ROUNDS: usize = 15;
    let (t, host) = one_host("races_storm").await;
    let start = Arc::new(Barrier::new(4));
    let renamer = |number: usize| {
        let (odm, id, start) = (t.odm.clone(), host.id, Arc::clone(&start));
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                start.wait().await;
                rename(&odm, id, format!("10.{number}.0.{round}")).await;
            }
        })
    };
    let inserter = || {
        let (odm, host, start) = (t.odm.clone(), host.clone(), Arc::clone(&start));
        tokio::spawn(async move {
            for _ in 0..ROUNDS {
                start.wait().await;
                LogMsg::insert_many(&odm, &messages(&host, 5))
                    .await
                    .unwrap();
            }
        })
    };
    for task in [renamer(0), renamer(1), inserter(), inserter()] {
        task.await.unwrap();
    }
    settle(&t.odm).await;
    assert_eq!(stale(&t.odm, &host).await, 0);
    assert_eq!(
        count(&t.odm, "logmsg", doc! {}).await,
        2 * 5 * ROUNDS as u64
    );
}

/// The caller drops the write. The library finishes the statements of the write, and the jobs update the other copies.
#[tokio::test]
async fn a_dropped_write_leaves_no_stale_copies_behind() {
    let (t, host) = one_host("races_dropped").await;
    t.given(&messages(&host, 300)).await;
    for (way, odm) in both_ways(&t.odm) {
        for micros in [200, 1_000, 3_000, 6_000, 12_000, 25_000] {
            let rename =
                Host::update(&odm, host.id).set(Host::fields().ipaddr, format!("{way} {micros}"));
            let limit = std::time::Duration::from_micros(micros);
            let _ = tokio::time::timeout(limit, rename.into_future()).await;
        }
        // The writes continue without their callers.
        odm.finish_writes().await;
        runners_are_dead(&odm).await;
        settle(&odm).await;
        assert_eq!(stale(&odm, &host).await, 0, "{way}");
    }
}

/// The longest grace period of all writers determines when a job ends, whichever runner runs it.
#[tokio::test]
async fn a_hasty_runner_leaves_a_patient_writer_its_grace() {
    let (t, host) = one_host("races_grace").await;
    t.given(&messages(&host, 3)).await;
    let patient = t
        .odm
        .with_settings(settings().grace(Duration::from_secs(3_600)));
    rename(&patient, host.id, "10.0.0.2".to_owned()).await;
    for deferred in [false, true] {
        if deferred {
            let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.3");
            rename.deferred().await.unwrap();
        }
        t.odm.run_pending_jobs().await.unwrap();
        let jobs = jobs(&t.odm).await;
        assert_eq!(jobs.len(), 1, "deferred {deferred}");
        let date = |name| jobs[0].get_datetime(name).unwrap().timestamp_millis();
        assert_eq!(date("due_at") - date("changed_at"), 3_600_000);
        assert_eq!(stale(&t.odm, &host).await, 0);
    }
    later(&t.odm).await;
    settle(&t.odm).await;
}
