//! Writes models for an existing database from a survey of the database.
//!
//! `survey` sends all statements; `pull` plans structs and writes text. Values whose type is uncertain are kept
//! unchanged:
//!
//! - Values of mixed types are `Bson`.
//! - A small set of texts becomes an enum that has a variant for any other text.
//! - Documents with values as field names are maps.
//! - Fields whose names a struct cannot store (empty names, or names with `$` or `.`) are kept in a flattened
//!   `Document`.
//!
//! The tests contain the modules that were written for the datasets and for a hostile database
//! (`tests/tests/foreign/pull/written`). The tests compile these modules and compare them with the current output.
//! `UPDATE_EXPECT=1` accepts new output.
//!
//! | module | content |
//! |---|---|
//! | [`tree`] | the paths of a survey as a tree |
//! | [`ident`] | names of documents as names of Rust |
//! | [`kinds`] | collections with several kinds of documents |
//! | [`left_out`] | collections and fields without a model |
//! | [`targets`] | the model of a reference |
//! | [`dbrefs`] | keys that contain the name of their collection |
//! | [`structs`], [`types`], [`enums`] | structs and the types of their fields |
//! | [`rest`], [`order`] | fields without a field of Rust, and the order of fields |
//! | [`bounds`] | bounds of arrays |
//! | [`remarks`] | remarks that a type cannot express |
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
