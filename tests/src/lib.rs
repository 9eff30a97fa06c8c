//! Code that several tests share: a separate database for each test, and the models of the
//! literature.

#![allow(
    clippy::missing_panics_doc,
    clippy::doc_markdown,
    reason = "parts of tests: they panic to fail"
)]

pub mod cluster;
pub mod data;
pub mod declared;
pub mod explained;
mod harness;
pub mod planned;
pub mod sent;
pub mod shop;

pub use harness::{Harness, known_to_all};
