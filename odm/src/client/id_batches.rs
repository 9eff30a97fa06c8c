//! The ids of the documents that a write of many changes, batch by batch.
//!
//! `update_many` and `delete_many` update copies between two batches, which may take long. A cursor ends with its
//! session after 30 minutes, or with its server. The query is then sent again for the remaining documents.
//!
//! One query per batch in the order of `_id` would avoid the cursor. But if the filter has an index of its own, each of
//! these queries would read and sort all remaining documents.

use mongodb::bson::Bson;

use super::{
    command::FindCommand,
    id_order,
    odm::{Batches, Exec},
};
use crate::error::Result;

/// The ids that a query finds, batch by batch, however long the work between two of them takes.
pub(crate) struct IdBatches<'e> {
    find: FindCommand,
    batches: Batches,
    /// The last id of the batches so far.
    last: Option<Bson>,
    /// The ids that `peek` has read.
    peeked: Option<Vec<Bson>>,
    exec: &'e Exec,
}

impl<'e> IdBatches<'e> {
    /// Sends the query. One that is sorted is sorted by `_id`; of one that is not, the documents are to be deleted
    /// before the batch after the next is asked for.
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

    /// Returns the next ids, or none at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Bson>>> {
        match self.peeked.take() {
            None => self.read().await,
            peeked => Ok(peeked),
        }
    }

    /// Returns the ids that `next` will return.
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

    /// Returns the query for what is left; none where the last id does not tell which documents were found.
    fn rest(&self) -> Option<FindCommand> {
        let options = &self.find.options;
        if options.sort.is_none() {
            // What is deleted is not found again.
            return Some(self.find.clone());
        }
        // Under a collation, different ids can be equal.
        let is_exact = options.collation.is_none();
        let rest = id_order::between(self.last.as_ref(), None);
        is_exact.then(|| self.find.clone().and(rest))
    }
}
