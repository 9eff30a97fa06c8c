//! Decides which pending work is older than the bound of a fresh read.

use std::time::Duration;

use mongodb::bson::{Bson, Document, doc};

/// Returns a filter for work with an `age` of at least the bound, and `None` if the bound is zero.
pub(super) fn is_older_than(bound: Duration) -> Option<Document> {
    if bound.is_zero() {
        return None;
    }
    let least = i64::try_from(bound.as_millis()).unwrap_or(i64::MAX);
    // A time in the future was written by a server with a fast clock. Its age is unknown, so it counts as old.
    Some(doc! { "$or": [{ "age": { "$gte": least } }, { "age": { "$lt": 0 } }] })
}

/// Returns an expression: the age of a time in milliseconds. Timestamps have whole seconds, so their age can be one
/// second too high.
pub(crate) fn age(since: impl Into<Bson>) -> Document {
    doc! { "$toLong": { "$subtract": ["$$NOW", { "$toDate": since.into() }] } }
}
