//! Selects the pending work that is so old that it has to be completed before a fresh read.

use std::time::Duration;

use mongodb::bson::{Bson, Document, doc};

/// Returns a filter for work that has at least the given age. Returns `None` if the age is zero, because all work is
/// then selected.
pub(super) fn is_older_than(bound: Duration) -> Option<Document> {
    if bound.is_zero() {
        return None;
    }
    let least = i64::try_from(bound.as_millis()).unwrap_or(i64::MAX);
    // A time in the future was written by a server whose clock is ahead. The age of such work is unknown, so it counts
    // as too old.
    Some(doc! { "$or": [{ "age": { "$gte": least } }, { "age": { "$lt": 0 } }] })
}

/// Returns a pipeline expression for the milliseconds that have passed since a time. Timestamps are whole seconds, so
/// the result can be up to a second too high.
pub(crate) fn age(since: impl Into<Bson>) -> Document {
    doc! { "$toLong": { "$subtract": ["$$NOW", { "$toDate": since.into() }] } }
}
