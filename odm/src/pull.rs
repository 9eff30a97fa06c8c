//! Writes models for a database that exists, from a survey of it.
//!
//! | module | what it does |
//! |---|---|
//! | [`tree`] | the paths of a survey as a tree |
//! | [`ident`] | names of documents as names of Rust |
//! | [`kinds`] | collections whose documents are of several kinds |
//! | [`left_out`] | what becomes no model |
//! | [`targets`] | which model a reference leads to |
//! | [`dbrefs`] | keys that name their collection |
//! | [`structs`], [`types`], [`enums`] | structs and the types of their fields |
//! | [`rest`], [`order`] | fields without a field of Rust, and what becomes of the order of fields |
//! | [`bounds`] | bounds of arrays |
//! | [`remarks`] | what a type does not say |
//! | [`indexes`] | indexes as attributes |
//! | [`models`] | the models of a database |
//! | [`text`], [`comment`] | all of it as source |

mod bounds;
mod comment;
mod dbrefs;
mod enums;
mod ident;
mod indexes;
mod kinds;
mod left_out;
mod models;
mod order;
mod remarks;
mod rest;
mod structs;
mod targets;
mod text;
mod tree;
mod types;

pub use text::write_models;
