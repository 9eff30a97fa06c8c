//! Random models: declarations as data, generated from a seed, and written as Rust code.
//!
//! This is a separate crate, because the build script of the oracle uses it to write code with which the oracle is
//! compiled.
//!
//! | module | what it does |
//! |---|---|
//! | [`declaration`] | models, their fields, and the sources of derived fields |
//! | [`random`] | random numbers from a seed |
//! | [`draw`] | generates a random declaration |
//! | [`versions`] | the declarations of an old and a new program |
//! | [`source`] | writes a declaration as Rust |

#![allow(
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a part of tests: it panics to fail"
)]

pub mod declaration;
pub mod draw;
pub mod random;
pub mod source;
pub mod versions;
