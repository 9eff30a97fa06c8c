//! Writers and workers die at random, the primary is killed every few seconds, and commands come late:
//! when all is quiet again, no copy is stale.
//!
//! It takes about two minutes. `ODM_NEMESIS_SECS` says for how long things die, 60 seconds by default;
//! `ODM_NEMESIS_SEED` chooses other deaths. What happened is written to standard error.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    unreachable_pub,
    dead_code,
    reason = "tests panic to fail, and share the models of others"
)]

#[path = "../copies/models.rs"]
mod models;

mod chaos;
mod figures;
mod oracle;
mod process;
mod random;
mod role;
mod setting;

use std::{
    env,
    io::{Write, stderr},
    sync::Arc,
    time::Duration,
};

use figures::Figures;
use setting::Setting;

#[tokio::test(flavor = "multi_thread")]
async fn no_copy_is_stale_after_everything_has_died() {
    let figures = Arc::new(Figures::default());
    let setting = Arc::new(Setting::start(number("ODM_NEMESIS_SEED", 1)).await);
    let length = Duration::from_secs(number("ODM_NEMESIS_SECS", 60));
    chaos::run(&setting, length, &figures).await;
    let settled = setting.settle().await;
    let found = oracle::compare(&setting.database).await;
    let report = format!(
        "{figures}\nat the end: {found}, {} jobs and {} cursors left\n",
        settled.jobs, settled.cursors
    );
    // Past the capture of the test harness: these figures are the result.
    stderr().write_all(report.as_bytes()).unwrap();
    assert!(found.stale.is_empty(), "{:#?}", found.stale);
    assert_eq!(settled.jobs, 0);
    assert!(figures.get("renamed") > 0 && figures.get("inserted") > 0);
}

/// Not a test: the life of a process, until it is killed.
#[tokio::test]
#[ignore = "a process of the other test"]
async fn life() {
    process::die_with_parent();
    role::live().await;
}

fn number<N: std::str::FromStr>(name: &str, default: N) -> N {
    let given = env::var(name).ok().and_then(|text| text.parse().ok());
    given.unwrap_or(default)
}
