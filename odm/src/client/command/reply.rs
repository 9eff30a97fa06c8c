//! Numbers in replies of the server.

use mongodb::bson::{Bson, Document};

/// Returns a number from a reply, 32 or 64 bits long; 0 if it is missing.
pub(crate) fn number(reply: &Document, name: &str) -> u64 {
    let number = match reply.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        _ => 0,
    };
    u64::try_from(number).unwrap_or_default()
}
