//! An oracle for the library: random declarations, random programs of writes, and a naive model that says what must be
//! stored.
//!
//! It knows the public interface of the library, its documentation and the driver, and nothing of its inside.
//!
//! | module | what it does |
//! |---|---|
//! | [`declaration`], [`draw`], [`source`], [`versions`] | declarations as data, drawn from a seed, written as Rust |
//! | [`generated`], [`adapter`] | what such source uses; a model without its type |
//! | [`program`], [`compose`] | programs as data, drawn from a seed |
//! | [`world`], [`naive`], [`mod@derive`] | the naive model: documents, writes, and what is derived from scratch |
//! | [`run`], [`compare`], [`promises`] | runs a program, and compares what is stored |
//! | [`inject`] | errors that are written past the library, for the oracle to find |
//! | [`campaign`], [`reduce`], [`mod@print`] | runs many programs, makes those shorter that fail, and shows them |

#![allow(
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a part of tests: it panics to fail"
)]

pub use odm_oracle_declarations::{declaration, draw, random, source, versions};

pub mod adapter;
pub mod campaign;
pub mod compare;
pub mod compose;
pub mod derive;
pub mod generated;
pub mod inject;
pub mod naive;
pub mod print;
pub mod program;
pub mod promises;
pub mod reduce;
pub mod run;
pub mod world;
