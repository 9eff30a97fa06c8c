//! Decides which pending work is too old for a fresh read.

use std::time::Duration;

use mongodb::bson::{Bson, Document, doc};

/// Returns a filter for work that has at least the given age. Returns `None` if the bound is zero, because all work
/// then counts.
pub(super) fn is_older_than(bound: Duration) -> Option<Document> {
    if bound.is_zero() {
        return None;
    }
    let least = i64::try_from(bound.as_millis()).unwrap_or(i64::MAX);
    // A time in the future was written by a server with a fast clock. Its age is unknown, so it counts as old.
    Some(doc! { "$or": [{ "age": { "$gte": least } }, { "age": { "$lt": 0 } }] })
}

/// Returns a pipeline expression for the age of a time, in milliseconds. Timestamps are whole seconds, so the
/// result can be up to a second too high.
pub(crate) fn age(since: impl Into<Bson>) -> Document {
    doc! { "$toLong": { "$subtract": ["$$NOW", { "$toDate": since.into() }] } }
}
