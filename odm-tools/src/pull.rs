//! Writes Rust models for an existing database from a survey of this database.
//!
//! Only `survey` sends statements. From its result, this module decides which structs the documents need, and writes
//! the source code of these structs. The models must be able to store every value of the database, including values of
//! an uncertain type:
//!
//! - A field that contains values of several types becomes a `Bson`.
//! - A field that contains only a few distinct strings becomes an enum. The enum has an additional variant for any
//!   other string.
//! - Documents that use values as field names become maps.
//! - Fields whose names a struct cannot store (empty names, or names with `$` or `.`) are kept in a flattened
//!   `Document`.
//!
//! `tests/tests/foreign/pull/written` contains the modules that `pull` wrote for the data sets and for a database with
//! unusual contents. The tests compile these modules and compare them with the current output. `UPDATE_EXPECT=1`
//! accepts new output.
//!
//! | module | content |
//! |---|---|
//! | [`tree`] | the paths of a survey as a tree |
//! | [`ident`] | converts names in the database to Rust identifiers |
//! | [`kinds`] | collections with several kinds of documents |
//! | [`left_out`] | collections and views without a model |
//! | [`targets`] | the target models of references |
//! | [`dbrefs`] | keys that contain the name of their target collection |
//! | [`structs`], [`types`], [`enums`] | structs and the types of their fields |
//! | [`rest`], [`order`] | fields that a struct cannot store, and the order of fields |
//! | [`bounds`] | maximum lengths of arrays |
//! | [`remarks`] | comments about properties that a type cannot express |
//! | [`indexes`] | converts indexes to attributes |
//! | [`models`] | the models of a database |
//! | [`text`], [`comment`] | the source text of all models |

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
