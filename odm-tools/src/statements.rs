//! Options of the reads of tools, and statements as text.

use std::time::Duration;

use mongo_odm::__tools::mongosh_value;
use mongodb::{
    bson::{Bson, Document},
    options::{AggregateOptions, Collation, FindOptions},
};

/// More documents than fit into one reply of 16 MB, in practice.
const LARGE_BATCH: u32 = 100_000;

/// Returns the collation that compares texts byte by byte, whatever the default of a collection is.
pub(crate) fn simple_collation() -> Collation {
    Collation::builder().locale("simple".to_owned()).build()
}

/// Finds all documents, as many in the first batch as a reply holds.
pub(crate) fn all(projection: impl Into<Option<Document>>) -> FindOptions {
    let options = FindOptions::builder().projection(projection.into());
    options.batch_size(LARGE_BATCH).build()
}

/// Finds so many documents at most, in one batch.
pub(crate) fn at_most(documents: usize) -> FindOptions {
    FindOptions::builder()
        .limit(i64::try_from(documents).ok())
        .batch_size(u32::try_from(documents.saturating_add(1)).ok())
        .build()
}

/// Finds one document: a negative limit asks for a single batch and leaves no cursor behind.
pub(crate) fn first() -> FindOptions {
    FindOptions::builder().limit(-1).build()
}

/// An aggregation that the server ends after some time.
pub(crate) fn limited(time: Duration) -> AggregateOptions {
    AggregateOptions::builder().max_time(time).build()
}

/// Shows a call of a collection as mongosh text.
pub(crate) fn shown(collection: &str, method: &str, argument: impl Into<Bson>) -> String {
    let argument = mongosh_value(&argument.into());
    if is_identifier(collection) {
        format!("db.{collection}.{method}({argument})")
    } else {
        format!("db.getCollection({collection:?}).{method}({argument})")
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
