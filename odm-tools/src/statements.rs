//! Options for the statements that the tools send, and the formatting of statements in mongosh syntax.

use std::time::Duration;

use mongo_odm::__tools::mongosh_value;
use mongodb::{
    bson::{Bson, Document},
    options::{AggregateOptions, Collation, FindOptions},
};

/// Batch size that no reply reaches in practice, because a reply is limited to 16 MB.
const LARGE_BATCH: u32 = 100_000;

/// The longest time limit. The server rejects more milliseconds than an `i32` can contain.
pub(crate) const LONGEST: Duration = Duration::from_secs(24 * 86_400);

/// Returns the simple collation, which compares strings byte by byte. A statement that specifies this collation does
/// not use the collection's default collation.
pub(crate) fn simple_collation() -> Collation {
    Collation::builder().locale("simple".to_owned()).build()
}

/// Returns the options for a `find` that reads all documents in large batches.
pub(crate) fn all(projection: impl Into<Option<Document>>) -> FindOptions {
    let options = FindOptions::builder().projection(projection.into());
    options.batch_size(LARGE_BATCH).build()
}

/// Returns the options for a `find` that reads a limited number of documents in one batch.
pub(crate) fn at_most(documents: usize) -> FindOptions {
    FindOptions::builder()
        .limit(i64::try_from(documents).ok())
        .batch_size(u32::try_from(documents.saturating_add(1)).ok())
        .build()
}

/// Returns the options for a `find` that reads one document. A negative limit requests a single batch, so the server
/// does not keep a cursor open.
pub(crate) fn first() -> FindOptions {
    FindOptions::builder().limit(-1).build()
}

/// Returns the options for an aggregation that has a time limit.
pub(crate) fn limited(time: Duration) -> AggregateOptions {
    AggregateOptions::builder().max_time(accepted(time)).build()
}

/// Returns the time limit that the server accepts. The server would interpret 0 as no limit.
pub(crate) fn accepted(time: Duration) -> Duration {
    time.clamp(Duration::from_millis(1), LONGEST)
}

/// Formats a call on a collection in mongosh syntax.
pub(crate) fn shown(collection_name: &str, method: &str, argument: impl Into<Bson>) -> String {
    let argument = mongosh_value(&argument.into());
    format!("{}.{method}({argument})", collection(collection_name))
}

/// Formats a collection in mongosh syntax.
pub(crate) fn collection(name: &str) -> String {
    if is_identifier(name) {
        format!("db.{name}")
    } else {
        format!("db.getCollection({name:?})")
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_with_an_unusual_name_is_quoted() {
        assert_eq!(collection("log_2026"), "db.log_2026");
        assert_eq!(collection("log-2026"), r#"db.getCollection("log-2026")"#);
    }
}
