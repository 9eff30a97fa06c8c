//! The lifetime of declarations, by the clock of the server.

use mongodb::bson::{Document, doc};

/// The time after which a declaration expires unless it is stored again, in milliseconds.
const FRESH: i64 = 7 * 24 * 3_600 * 1_000;

/// The time after which the program that stored a declaration counts as stopped, in milliseconds. A running program
/// stores its declarations once a day.
pub(super) const CURRENT: i64 = 2 * 24 * 3_600 * 1_000;

/// Returns an expression: whether a date is within the lifetime of declarations, by the clock of the server.
pub(super) fn is_fresh(date: &str) -> Document {
    is_since(date, FRESH)
}

pub(super) fn is_since(date: &str, millis: i64) -> Document {
    doc! { "$gt": [date, { "$subtract": ["$$NOW", millis] }] }
}
