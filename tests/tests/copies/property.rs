//! Random histories of writes, crashes and workers: in the end every copy equals its source.
//!
//! `ODM_PROPERTY_CASES` and `ODM_PROPERTY_SEED` ask for more and for other histories than the 24 that
//! run by default. A failure prints the shortest history that shows it.

mod bench;
mod history;
mod hostile;
mod known;
mod model;
mod offices;
mod oracle;
mod perform;
mod run;
mod world;

use std::env;

use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};

use bench::Bench;

#[test]
fn copies_equal_their_sources_after_any_history() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let bench = runtime.block_on(Bench::start());
    let config = ProptestConfig {
        cases: number("ODM_PROPERTY_CASES", 24),
        failure_persistence: None,
        max_shrink_iters: 1_000,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, rng());
    let histories = history::histories(30);
    let result = runner.run(&histories, |history| {
        let outcome = runtime.block_on(bench.run(&history));
        outcome.map_err(TestCaseError::fail)
    });
    eprintln!("{}", bench.tally());
    result.unwrap_or_else(|error| panic!("{error}"));
    runtime.block_on(bench.close());
}

/// The same histories in every run, unless another seed is asked for.
fn rng() -> TestRng {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number::<u64>("ODM_PROPERTY_SEED", 1).to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &seed)
}

fn number<N: std::str::FromStr>(name: &str, default: N) -> N {
    let given = env::var(name).ok().and_then(|text| text.parse().ok());
    given.unwrap_or(default)
}
