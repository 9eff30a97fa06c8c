//! All tests against real servers. They share one binary, because linking the driver takes a long time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests panic to fail"
)]

mod attribute;
mod cache;
mod child;
mod data;
mod failover;
mod lifetime;
mod recorder;
mod test_db;
mod users;
mod version;
