//! Kills writers and workers of two versions of a program at random, and the primary every few seconds, and delays
//! commands. When all work is done, no copy is stale, no document lacks its parent, and all fields that are computed
//! from children are correct.
//!
//! If `ODM_TEST_TOPOLOGY` is `sharded`, the servers are a sharded cluster in which chunks move all the time. Then
//! shards are killed instead of primaries, including during commits over two shards, and the config server is also
//! killed.
//!
//! The test takes about two minutes. `ODM_NEMESIS_SECS` is the time in seconds during which processes are killed; the
//! default is 60. `ODM_NEMESIS_SEED` changes the random kills. All events are written to standard error.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::unnecessary_fallible_conversions,
    unreachable_pub,
    dead_code,
    reason = "tests panic to fail, and share the models of others"
)]

#[path = "../copies/models.rs"]
mod models;

mod chaos;
mod figures;
mod games;
mod life;
mod oracle;
mod process;
mod program;
mod random;
mod relinks;
mod renames;
mod role;
mod servers;
mod setting;
mod shards;
mod shelves;
mod tallies;
mod transactions;
mod tree;
mod vandal;

use std::{
    io::{Write, stderr},
    sync::Arc,
    time::Duration,
};

use figures::Figures;
use program::number;
use setting::Setting;

#[tokio::test(flavor = "multi_thread")]
async fn no_copy_is_stale_after_everything_has_died() {
    let figures = Arc::new(Figures::default());
    let setting = Arc::new(Setting::start(number("ODM_NEMESIS_SEED", 1)).await);
    let length = Duration::from_secs(number("ODM_NEMESIS_SECS", 60));
    chaos::run(&setting, length, &figures).await;
    let settled = setting.settle(&figures).await;
    let mut found = oracle::compare(&setting.database).await;
    let counted = tallies::compare(&setting.database).await;
    let acknowledged = figures.sum("counted");
    found.wrong.extend(counted.wrong);
    let report = format!(
        "{figures}\nat the end: {found}, {} writes of counters, {acknowledged} of them acknowledged, and {} applied \
         twice, {} jobs, {} cursors and {} deltas left\n",
        counted.writes,
        counted.twice,
        settled.jobs.len(),
        settled.cursors.len(),
        settled.deltas.len()
    );
    // Written to standard error directly, because the test harness would capture the figures of this test.
    stderr().write_all(report.as_bytes()).unwrap();
    assert!(found.wrong.is_empty(), "{:#?}", found.wrong);
    assert_eq!(counted.twice, 0);
    assert!(
        acknowledged <= counted.writes,
        "an acknowledged write is lost"
    );
    assert_eq!(settled.jobs, []);
    assert_eq!(settled.cursors, []);
    assert_eq!(settled.deltas, []);
    let sharded: &[_] = if program::is_sharded() {
        &ON_SHARDS
    } else {
        &[]
    };
    for what in WHAT_HAPPENS.iter().chain(sharded) {
        assert!(figures.has(what), "nobody {what}: {figures}");
    }
}

/// The acts that must have happened, in any form. Otherwise, the comparison at the end proves nothing.
const WHAT_HAPPENS: [&str; 15] = [
    "counted",
    "renamed",
    "inserted",
    "relinked",
    "upserted",
    "planted",
    "deleted",
    "transaction",
    "vandalized",
    "scored",
    "scored later",
    "renamed by the older program",
    "edited a crate",
    "deleted a shelf",
    "restored a shelf",
];

/// The events that must also have happened on a sharded cluster.
const ON_SHARDS: [&str; 3] = ["chunk moved", "commit over two shards", "killed "];

/// Not a test: the main function of a process that runs until it is killed.
#[tokio::test]
#[ignore = "a process of the other test"]
async fn life() {
    program::die_with_parent();
    role::live().await;
}
