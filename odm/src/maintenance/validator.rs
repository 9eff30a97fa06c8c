//! Validators: `$jsonSchema` documents that describe the models of a collection, and the comparison with the server.
//!
//! A validator accepts each document that a program with these models can read. It also accepts each document that the
//! program, its jobs, or an older version of the program stores. For this purpose, the rules are limited:
//!
//! - A validator accepts fields that no model declares.
//! - Derived fields are not restricted, because the library computes their values from other documents.
//! - A field is required only if serde always writes it and cannot read a document without it.
//! - In a collection with kinds, a validator accepts documents of kinds without a model.

mod diff;
mod json_schema;
pub(crate) mod server;
mod spec;
mod sync_report;

pub use diff::{ValidatorChange, ValidatorDiff};
pub(crate) use json_schema::rules;
pub use spec::Validator;
pub use sync_report::ValidatorReport;
