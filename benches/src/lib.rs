//! Code that the benchmarks share: models, data, hand-written variants, and paired measurements.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "measured times and counts of operations are far from the limits of a double"
)]

pub mod data;
pub mod hand;
pub mod krate;
pub mod library;
pub mod measure;
pub mod models;
pub mod options;
pub mod place;
pub mod plain;
pub mod report;
pub mod table;
pub mod usual;

/// The result of a benchmark's function. Any error ends the benchmark.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Combines values into a number that depends on each value and on their order.
///
/// Each variant of a workload computes a digest of its result. The digests ensure that each result
/// is read, and that all variants return the same result.
pub fn digest(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(0, |digest: u64, value| {
        (digest.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

/// Returns the hash of a text, to be used in a digest.
pub fn text(text: &str) -> u64 {
    use std::hash::BuildHasher;
    foldhash::fast::FixedState::default().hash_one(text)
}
