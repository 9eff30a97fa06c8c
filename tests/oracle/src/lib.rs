//! An oracle for the library. It runs random programs of writes over random declarations, and compares the stored
//! documents with a naive model.
//!
//! The oracle uses only the public interface and the documentation of the library, and the driver. It does not use
//! private code of the library.
//!
//! | module | what it does |
//! |---|---|
//! | [`declaration`], [`draw`], [`source`], [`versions`] | declarations as data, generated from a seed, written as Rust |
//! | [`generated`], [`adapter`] | code that this source uses; access to a model without its type |
//! | [`program`], [`compose`] | programs as data, generated from a seed |
//! | [`world`], [`naive`], [`mod@derive`] | the naive model: documents, writes, and derived data computed from scratch |
//! | [`run`], [`compare`], [`promises`] | runs a program, and compares the stored documents |
//! | [`inject`] | errors that are written without the library, for the oracle to find |
//! | [`campaign`], [`reduce`], [`mod@print`] | runs many programs, and shortens and prints those that fail |

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
