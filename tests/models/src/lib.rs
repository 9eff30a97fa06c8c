//! Models in a crate of their own: nothing that the derives write may be a warning in it, whatever it denies.

#![deny(
    warnings,
    clippy::all,
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    unused_qualifications
)]

pub mod people;
