//! `Settle::Immediate`: a write completes its own jobs and deltas before it returns.

use std::time::Duration;

use mongo_odm::{Guarantee, Odm, Settle, prelude::*};
use odm_tests::Harness;

use crate::{
    computed::{Board, Reading, Station, assert_right, index_weather, reading, station},
    models::*,
    setting::*,
};

/// Opens a database with three messages of a host, and a handle whose writes complete their jobs.
async fn logs(test: &str) -> (Harness, Host) {
    let mut t = shop(test).await;
    index_weather(&t.odm).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    settle(&t.odm).await;
    let settings = settings().settle(Settle::Immediate);
    // With this grace period, no job reaches its last look during the test.
    let settings = settings.grace(Duration::from_secs(180));
    t.odm = t.odm.with_settings(settings);
    (t, host)
}

/// Returns the phases of the stored jobs.
async fn phases(odm: &Odm) -> Vec<String> {
    let jobs = jobs(odm).await;
    let phases = jobs.iter().map(|job| job.get_str("phase").unwrap());
    phases.map(str::to_owned).collect()
}

#[tokio::test]
async fn the_jobs_of_a_deferred_write_run_before_it_returns() {
    let (t, host) = logs("immediate_rename").await;
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.9");
    let report = rename.deferred().await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    assert!(report.token().is_empty());
    assert_eq!(report.copies[0].guarantee, Guarantee::Converged);
    assert_eq!(report.copies[0].modified, 3);
    // Only the job's last look remains.
    assert_eq!(phases(&t.odm).await, ["settle"]);
}

#[tokio::test]
async fn deltas_are_applied_before_a_write_returns() {
    let (t, _) = logs("immediate_deltas").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let board = Board {
        id: Id::new(),
        station: north.id,
        readings: 0,
    };
    board.insert(&t.odm).await.unwrap();
    for number in 1..4 {
        let new = reading(north.id, number);
        let report = new.insert(&t.odm).deferred().await.unwrap();
        assert!(report.token().is_empty(), "{report:?}");
        assert_right(&t.odm, "inserted").await;
        let shown = Board::get(&t.odm, board.id).await.unwrap().readings;
        assert_eq!(shown, number, "the copy of a count");
    }
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 0);
}

#[tokio::test]
async fn delete_rules_are_applied_before_a_deferred_delete_returns() {
    let (t, _) = logs("immediate_delete").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    reading(north.id, 1).insert(&t.odm).await.unwrap();
    let report = Station::delete(&t.odm, north.id).deferred().await.unwrap();
    assert!(report.token().is_empty());
    let left = Reading::find_one(&t.odm).await.unwrap().unwrap();
    assert_eq!(left.station, None);
}

#[tokio::test]
async fn the_writes_of_a_transaction_are_completed_after_its_commit() {
    let (t, host) = logs("immediate_transaction").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let (host_id, north_id) = (host.id, north.id);
    let token = t.odm.transaction(async |tx| {
        let rename = Host::update(&tx, host_id).set(Host::fields().ipaddr, "10.0.0.9");
        rename.deferred().await?;
        let report = reading(north_id, 1).insert(&tx).deferred().await?;
        Ok(report.token().clone())
    });
    let token = token.await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    assert_right(&t.odm, "committed").await;
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 0);
    t.odm.wait(&token).await.unwrap();
}

#[tokio::test]
async fn a_write_that_leaves_nothing_sends_nothing_more() {
    let (t, host) = logs("immediate_nothing").await;
    let manual = t.odm.with_settings(settings());
    let mut sent = Vec::new();
    for (odm, to) in [(&manual, "10.0.0.7"), (&t.odm, "10.0.0.8")] {
        let rename = Host::update(odm, host.id).set(Host::fields().ipaddr, to);
        let (report, names) = t.sent(async { rename.await.unwrap() }).await;
        assert_eq!(report.copies[0].guarantee, Guarantee::Atomic);
        sent.push(names);
    }
    assert_eq!(sent[0], sent[1]);
}

#[tokio::test]
async fn a_job_that_fails_stays_pending_and_does_not_block_the_write() {
    let (t, host) = logs("immediate_failure").await;
    let refuses = doc! { "ipaddr": { "$ne": "10.0.0.9" } };
    validate(&t.odm, "logmsg", refuses).await;
    let began = std::time::Instant::now();
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.9");
    let report = rename.deferred().await.unwrap();
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    assert!(!report.token().is_empty());
    assert_eq!(report.copies[0].guarantee, Guarantee::Eventual);
    assert_eq!(stale(&t.odm, &host).await, 3);
}
