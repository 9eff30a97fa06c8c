//! Databases of other programs, for which there are no models.

// The generated models must compile without a warning, including the warnings that only a whole crate can deny.
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
