//! Stored values: codecs, keys, ids, paths and fields that can be missing.
//!
//! This module does not depend on models or collections.

pub(crate) mod bson_form;
pub(crate) mod codec;
pub(crate) mod decode;
#[cfg(feature = "garde")]
mod garde;
#[cfg(feature = "geo")]
pub(crate) mod geo;
pub(crate) mod id;
pub(crate) mod key;
pub mod path;
pub(crate) mod presence;
#[cfg(feature = "schemars")]
pub(crate) mod schemars;
pub(crate) mod text_schema;
#[cfg(feature = "utoipa")]
pub(crate) mod utoipa;
pub mod with;
