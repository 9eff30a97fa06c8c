//! Databases of other programs, for which there are no models.

// What is written compiles without a warning, also one of those that only a whole crate can deny.
#![deny(warnings)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests: they panic to fail"
)]

mod datasets;
mod hostile;
mod pull;
mod references;
mod survey;
