//! What is read of the reply to a command.

use mongodb::bson::{Bson, Document};

/// Returns a number of a reply, of whichever size the server writes it; 0 if there is none.
pub(crate) fn number(reply: &Document, name: &str) -> u64 {
    let number = match reply.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        _ => 0,
    };
    u64::try_from(number).unwrap_or_default()
}
