//! Reads numbers from the server's replies.

use mongodb::bson::{Bson, Document};

/// Returns a 32-bit or 64-bit number from a reply, or 0 if the number is missing.
pub(crate) fn number(reply: &Document, name: &str) -> u64 {
    let number = match reply.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        _ => 0,
    };
    u64::try_from(number).unwrap_or_default()
}
