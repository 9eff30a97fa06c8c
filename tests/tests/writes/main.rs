//! Writes with an expected version, writes that return the stored document, and bulk writes.

#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "tests of one binary: they panic to fail"
)]

mod aliases;
mod bulk;
mod bulk_effects;
mod bulk_errors;
mod bulk_features;
mod bulk_handles;
mod bulk_models;
mod bulk_tenants;
mod models;
mod returning;
mod versions;
