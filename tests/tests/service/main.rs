//! Models, ids and errors as the types of an HTTP service: JSON, paths, query strings, descriptions and responses.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::pedantic,
    reason = "tests: they panic to fail"
)]

mod descriptions;
mod key_table;
mod map_keys;
mod models;
mod native_table;
mod patches;
mod places;
mod requests;
mod responses;
mod validation;
