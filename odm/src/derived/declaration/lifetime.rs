//! Defines how long declarations are valid, measured by the server's clock.

use mongodb::bson::{Document, doc};

/// Milliseconds after which a declaration expires, unless a program stores it again.
const FRESH: i64 = 7 * 24 * 3_600 * 1_000;

/// Milliseconds after which a program counts as stopped, unless it has stored its declarations again. A running program
/// stores its declarations once a day.
pub(super) const CURRENT: i64 = 2 * 24 * 3_600 * 1_000;

/// Returns a pipeline expression that tests, by the server's clock, whether a declaration with the given date is still
/// valid.
pub(super) fn is_fresh(date: &str) -> Document {
    is_since(date, FRESH)
}

pub(super) fn is_since(date: &str, millis: i64) -> Document {
    doc! { "$gt": [date, { "$subtract": ["$$NOW", millis] }] }
}
