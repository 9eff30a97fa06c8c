//! Reads the ids of the documents that `update_many` and `delete_many` change, batch by batch.
//!
//! Between two batches, the library updates copies, which may take a long time. The server closes the cursor together
//! with its session after 30 minutes, or when the server restarts. In these cases, the library sends the query again
//! for the remaining documents.
//!
//! An alternative without a cursor would be one query per batch, in the order of `_id`. But if the filter uses another
//! index, each of these queries would read and sort all remaining documents.

use mongodb::bson::Bson;

use super::{
    command::FindCommand,
    id_order,
    odm::{Batches, Exec},
};
use crate::error::Result;

/// The ids that a query finds, batch by batch. The caller's work between two batches may take any length of time.
pub(crate) struct IdBatches<'e> {
    find: FindCommand,
    batches: Batches,
    /// The last id that was returned.
    last: Option<Bson>,
    /// The ids that `peek` has read.
    peeked: Option<Vec<Bson>>,
    exec: &'e Exec,
}

impl<'e> IdBatches<'e> {
    /// Sends the query. The only permitted sort is by `_id`. If the query has no sort, the caller must delete the
    /// documents of a batch before it requests the batch after the next one. Otherwise a repeated query finds these
    /// documents again.
    pub(crate) async fn open(find: FindCommand, size: u32, exec: &'e Exec) -> Result<Self> {
        let find = find.ids().batches_of(size);
        Ok(Self {
            batches: exec.open(find.clone()).await?,
            find,
            last: None,
            peeked: None,
            exec,
        })
    }

    /// Returns the next ids, or `None` if no ids are left.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Bson>>> {
        match self.peeked.take() {
            None => self.read().await,
            peeked => Ok(peeked),
        }
    }

    /// Returns the ids that the following call of `next` returns.
    pub(crate) async fn peek(&mut self) -> Result<Option<&Vec<Bson>>> {
        if self.peeked.is_none() {
            self.peeked = self.read().await?;
        }
        Ok(self.peeked.as_ref())
    }

    async fn read(&mut self) -> Result<Option<Vec<Bson>>> {
        let next = match (self.batches.next_ids().await, self.rest()) {
            (Err(error), Some(rest)) if error.has_lost_cursor() => {
                tracing::debug!(%error, "the server has closed a cursor; what is left is looked for once more");
                self.batches = self.exec.open(rest).await?;
                self.batches.next_ids().await?
            }
            (next, _) => next?,
        };
        let last = next.as_ref().and_then(|ids| ids.last());
        if let Some(last) = last {
            self.last = Some(last.clone());
        }
        Ok(next)
    }

    /// Returns the query for the remaining documents, or `None` if the last id does not determine which documents
    /// remain.
    fn rest(&self) -> Option<FindCommand> {
        let options = &self.find.options;
        if options.sort.is_none() {
            // Without a sort, the same query is repeated, because it finds only the documents that have not been
            // deleted yet.
            return Some(self.find.clone());
        }
        // Under a collation, different ids can be equal.
        let is_exact = options.collation.is_none();
        let rest = id_order::between(self.last.as_ref(), None);
        is_exact.then(|| self.find.clone().and(rest))
    }
}
