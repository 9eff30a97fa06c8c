//! The error for a bulk write that did not carry out all of its operations.

use std::{collections::BTreeMap, fmt, sync::Arc};

use mongodb::bson::Bson;
use serde::Serialize;

use super::Error;

/// The counts of a bulk write. [`BulkReport`](crate::BulkReport) and [`Error::BulkWrite`] contain them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BulkCounts {
    /// Number of documents that inserts have stored.
    pub inserted: u64,
    /// Number of documents that matched updates, upserts, saves and replaces.
    pub matched: u64,
    /// Number of matched documents that changed.
    pub modified: u64,
    /// The `_id` of each document that an upsert or a save has inserted, by the position of the operation.
    pub upserted: BTreeMap<usize, Bson>,
    /// Number of deleted documents that matched, not counting those that cascades deleted.
    pub deleted: u64,
}

/// An operation of a bulk write that failed. [`Error::BulkWrite`] lists these operations.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FailedOperation {
    /// The position of the operation in the bulk write, counted from 0.
    pub index: usize,
    /// The reason, for example a duplicate key, or a version that has changed.
    pub reason: Arc<Error>,
}

impl Error {
    /// Returns the error for a bulk write. `failed` contains at least one operation.
    pub(crate) fn bulk_write(
        operations: usize,
        counts: BulkCounts,
        failed: Vec<FailedOperation>,
    ) -> Self {
        let source = failed.first().map(|it| Arc::clone(&it.reason));
        Self::BulkWrite {
            operations,
            counts: Box::new(counts),
            source: source.unwrap_or_else(|| Arc::new(Self::Shutdown)),
            failed,
        }
    }
}

impl fmt::Display for FailedOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.index, self.reason)
    }
}

/// Formats the first few failed operations.
pub(super) struct ListedFailures<'a>(pub(super) &'a [FailedOperation]);

impl fmt::Display for ListedFailures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        for (at, failed) in self.0.iter().take(SHOWN).enumerate() {
            let separator = if at == 0 { "" } else { "; " };
            write!(f, "{separator}{failed}")?;
        }
        if self.0.len() > SHOWN {
            write!(f, "; and {} more", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}
