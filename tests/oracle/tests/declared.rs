//! Runs programs over the declarations that this test was compiled with.
//!
//! `ODM_ORACLE_SECS` is for how long (two minutes), `ODM_ORACLE_PROGRAMS` how many programs each declaration gets at
//! most, `ODM_ORACLE_FIRST` the seed of the first one, and `ODM_ORACLE_LANES` how many run side by side.

#![allow(missing_docs, clippy::indexing_slicing, reason = "a test")]

use std::{env, time::Duration};

use odm_oracle::campaign::{self, Campaign};

#[allow(unreachable_pub, reason = "one source for all that include it")]
mod declared {
    use odm_oracle::generated::Adapters;

    include!(concat!(env!("OUT_DIR"), "/declared.rs"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_is_what_the_naive_model_says() {
    let tally = campaign::run(Campaign {
        declared: declared::DECLARED,
        first: number("ODM_ORACLE_FIRST", 0),
        programs: number("ODM_ORACLE_PROGRAMS", 1_000),
        limit: Duration::from_secs(number("ODM_ORACLE_SECS", 120)),
        lanes: usize::try_from(number("ODM_ORACLE_LANES", 4)).unwrap(),
        grace: Some(Duration::from_millis(200)),
    })
    .await;
    println!("{}", tally.report());
    assert!(tally.failed.is_empty(), "{}", tally.report());
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
