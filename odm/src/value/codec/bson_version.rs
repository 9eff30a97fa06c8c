//! The two serde entry points of BSON, for both majors that the driver can re-export.
//!
//! Their names differ between the majors. Features of this crate do not decide the major, because another crate may
//! switch the driver to BSON 3. Therefore each function imports everything from the driver's BSON in its own block. An
//! import shadows names from outside of the block, but only those that exist in BSON. With BSON 3, its own functions
//! are therefore called. Otherwise the functions of `bson_2` are called, which call BSON 2 in the same way.

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

/// Stand-ins for names that exist only in BSON 2, for builds with BSON 3. They are never called.
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
