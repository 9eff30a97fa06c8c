//! Random models: declarations as data, drawn from a seed, and written as Rust.
//!
//! A crate of its own, because the build of the oracle writes with it what the oracle is compiled with.
//!
//! | module | what it does |
//! |---|---|
//! | [`declaration`] | models, their fields, and what is derived from what |
//! | [`random`] | numbers from a seed |
//! | [`draw`] | draws a declaration |
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
