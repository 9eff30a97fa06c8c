//! Calls the two functions that encode and decode BSON with serde, in either major version of `bson` that the driver
//! can re-export.
//!
//! The names of these functions differ between the major versions. The features of this crate do not decide the
//! version, because another crate may switch the driver to BSON 3. Therefore each function imports all names of the
//! driver's BSON inside its own block. These names shadow the names from outside the block. If the driver uses BSON 3,
//! the shadowing names are the functions of BSON 3. Otherwise the functions of the module `bson_2` are called, which
//! use the same shadowing to call BSON 2.

#![allow(
    unused_imports,
    dead_code,
    clippy::wildcard_imports,
    clippy::implicit_clone,
    reason = "in each build one half of the names is shadowed"
)]

use bson_2::{deserialize_from_slice, serialize_to_raw_document_buf};
use mongodb::bson::RawDocumentBuf;
use serde::{Deserialize, Serialize};

/// Decodes a document directly from its bytes.
pub(crate) fn decode_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, String> {
    use mongodb::bson::*;
    deserialize_from_slice(bytes).map_err(|error| error.to_string())
}

/// Encodes a struct or map as the document that the driver would insert.
pub(super) fn encode_raw<T: Serialize>(value: &T) -> Result<RawDocumentBuf, String> {
    use mongodb::bson::*;
    serialize_to_raw_document_buf(value).map_err(|error| error.to_string())
}

mod bson_2 {
    use mongodb::bson::RawDocumentBuf;
    use serde::{Deserialize, Serialize};

    use super::absent::{from_slice, to_raw_document_buf};

    pub(super) fn deserialize_from_slice<'de, T: Deserialize<'de>>(
        bytes: &'de [u8],
    ) -> Result<T, String> {
        use mongodb::bson::*;
        from_slice(bytes).map_err(|error| error.to_string())
    }

    pub(super) fn serialize_to_raw_document_buf<T: Serialize>(
        value: &T,
    ) -> Result<RawDocumentBuf, String> {
        use mongodb::bson::*;
        to_raw_document_buf(value).map_err(|error| error.to_string())
    }
}

/// Placeholders for the functions that exist only in BSON 2. If the driver uses BSON 3, the module `bson_2` needs these
/// names to compile, but is never called. If the driver uses BSON 2, the driver's functions shadow the placeholders.
mod absent {
    use mongodb::bson::RawDocumentBuf;
    use serde::{Deserialize, Serialize};

    pub(super) fn from_slice<'de, T: Deserialize<'de>>(_: &'de [u8]) -> Result<T, String> {
        Err("unknown BSON major".to_owned())
    }

    pub(super) fn to_raw_document_buf<T: Serialize>(_: &T) -> Result<RawDocumentBuf, String> {
        Err("unknown BSON major".to_owned())
    }
}
