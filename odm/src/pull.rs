//! Writes models for a database that exists, from a survey of it.
//!
//! | module | what it does |
//! |---|---|
//! | [`tree`] | the paths of a survey as a tree |
//! | [`ident`] | names of documents as names of Rust |
//! | [`kinds`] | collections whose documents are of several kinds |
//! | [`targets`] | which model a reference leads to |
//! | [`structs`], [`types`], [`enums`] | structs and the types of their fields |
//! | [`indexes`] | indexes as attributes |
//! | [`models`] | the models of a database |
//! | [`text`] | all of it as source |

mod enums;
mod ident;
mod indexes;
mod kinds;
mod models;
mod structs;
mod targets;
mod text;
mod tree;
mod types;

pub use text::write_models;
