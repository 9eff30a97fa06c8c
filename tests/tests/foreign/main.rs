//! Databases of others, for which there are no models.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests: they panic to fail"
)]

mod datasets;
mod hostile;
mod pull;
mod survey;
