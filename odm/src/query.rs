//! Typed field handles, filters, sorts and updates. Handles only build documents and send nothing.

pub mod field;
pub(crate) mod filter;
pub(crate) mod given;
pub(crate) mod maintained;
pub(crate) mod single_collection;
pub(crate) mod sort;
pub(crate) mod stored_document;
pub(crate) mod text;
pub(crate) mod update;
