//! Runs programs over the declarations with which this test was compiled.
//!
//! `ODM_ORACLE_SECS` is the duration in seconds; the default is one minute. `ODM_ORACLE_PROGRAMS` is the largest number
//! of programs for each declaration, `ODM_ORACLE_FIRST` the seed of the first program, and `ODM_ORACLE_LANES` the
//! number of concurrent programs. `ODM_ORACLE_ONLY` selects a single declaration.

#![allow(missing_docs, clippy::indexing_slicing, reason = "a test")]

use std::{env, time::Duration};

use odm_oracle::{
    campaign::{self, Campaign},
    compose, draw,
    inject::{ERRORS, Repair},
    program::Step,
    run::{self, Bench, Setting, Wrong},
    versions::Versions,
};

#[allow(unreachable_pub, reason = "one source for all that include it")]
mod declared {
    use odm_oracle::generated::Adapters;

    include!(concat!(env!("OUT_DIR"), "/declared.rs"));
}

/// Shorter than the lifetime of two transactions. This is enough if no transaction is kept open.
const GRACE: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_is_what_the_naive_model_says() {
    let only = env::var("ODM_ORACLE_ONLY").ok();
    let tally = campaign::run(Campaign {
        declared: declared::DECLARED,
        only: only.map(|name| &*name.leak()),
        first: number("ODM_ORACLE_FIRST", 0),
        programs: number("ODM_ORACLE_PROGRAMS", 1_000),
        limit: Duration::from_secs(number("ODM_ORACLE_SECS", 60)),
        lanes: usize::try_from(number("ODM_ORACLE_LANES", 4)).unwrap(),
        grace: Some(GRACE),
        other: Some((env!("CARGO_BIN_EXE_newer"), pairs())),
    })
    .await;
    println!("{tally}");
    assert!(tally.failed.is_empty(), "{tally}");
}

/// Returns how many declarations have an old and a new version.
fn pairs() -> usize {
    let compiled = option_env!("ODM_ORACLE_PAIRS").and_then(|text| text.parse().ok());
    compiled.unwrap_or(10)
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The default `grace` is three minutes, so the test does not wait for the last look of a job.
#[tokio::test(flavor = "multi_thread")]
async fn fifty_programs_keep_every_promise_with_the_default_grace() {
    let declared = declared::DECLARED.get(pairs()..).unwrap_or_default();
    let each = 50_usize.div_ceil(declared.len().max(1));
    let tally = campaign::run(Campaign {
        declared,
        only: None,
        first: 2_000,
        programs: u64::try_from(each).unwrap(),
        limit: Duration::from_secs(60),
        lanes: 10,
        grace: None,
        other: None,
    })
    .await;
    println!("{tally}");
    assert!(tally.failed.is_empty(), "{tally}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_injected_error_is_reported() {
    let mut missing: Vec<usize> = (0..ERRORS.len()).collect();
    for (name, models) in declared::DECLARED.iter().skip(pairs()) {
        if missing.is_empty() {
            break;
        }
        let mut bench = Bench::new(
            Versions::one(draw::named(name)),
            Setting {
                models: *models,
                other: None,
                grace: Some(GRACE),
                // The errors are injected without the library, so a validator could reject them.
                validates: false,
            },
        )
        .await;
        bench.patience = Duration::from_secs(3);
        let mut program = compose::program(&bench.programs, 1_000);
        program.retain(|step| matches!(step, Step::Call(_)));
        program.truncate(bench.declaration.models.len() + 4);
        program.push(Step::Settle);
        if run::run(&bench, &program).await.is_ok() {
            missing = still_missing(&bench, &program, missing).await;
        }
        bench.close().await;
    }
    let missing: Vec<_> = missing.into_iter().map(|error| ERRORS[error].0).collect();
    assert!(missing.is_empty(), "no place was found for {missing:?}");
}

/// Injects errors after a program without errors, and returns those for which there was no place.
async fn still_missing(bench: &Bench, program: &[Step], errors: Vec<usize>) -> Vec<usize> {
    let mut missing = Vec::new();
    for error in errors {
        bench.clear().await;
        let injected = [program, &[Step::Inject(error), Step::Settle]].concat();
        match run::run(bench, &injected).await {
            Err(wrong) if wrong.found == [run::NO_PLACE] => missing.push(error),
            Err(wrong) => assert!(wrong.step + 2 >= injected.len(), "{wrong:?}"),
            Ok(()) => panic!("{} is not reported", ERRORS[error].0),
        }
        if ERRORS[error].1 == Repair::Whole {
            bench.clear().await;
            let repaired = [program, &[Step::Repair(error), Step::Settle]].concat();
            let repaired = run::run(bench, &repaired).await;
            let is_other = |wrong: &Wrong| wrong.found != [run::NO_PLACE];
            let wrong = repaired.err().filter(is_other);
            assert!(wrong.is_none(), "{}: {wrong:?}", ERRORS[error].0);
        }
    }
    missing
}
