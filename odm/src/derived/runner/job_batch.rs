//! One batch of a fan-out. Each batch updates some of the copies.

use std::{collections::HashMap, sync::Arc};

use mongodb::{
    bson::{Bson, Document, doc},
    options::Hint,
};

use crate::{
    client::{
        command::{AggregateCommand, FindCommand, UpdateCommand, number, simple},
        id_order,
        odm::{Exec, Odm},
        place::Place,
    },
    derived::{
        follow::{self, Candidates},
        outbox::{self, JobCursor, JobId},
        values::{self, Values, resolve_stored},
    },
    error::Result,
    graph::{Derivation, ExtendedReference},
    value::key::JoinKey,
};

/// The limit for counting copies, as a multiple of the copies that fit into a batch. The count shows how many keys fit
/// into the next batch.
const COUNTED: u64 = 16;

/// The copies that a batch updates.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) reference: Arc<ExtendedReference>,
    pub(crate) keys: Vec<JoinKey>,
    pub(crate) extent: Extent,
    /// Whether the index on the key exists. The index might not exist if your code forced the write (`force`).
    pub(crate) is_indexed: bool,
}

/// Selects the documents that a batch updates, among those that contain copies for its keys.
#[derive(Clone, Debug)]
pub(crate) enum Extent {
    /// Documents that have the keys as their ids.
    ById,
    /// At most the given number of documents that follow the given id, in the order of `_id`.
    After(Option<Bson>, usize),
    /// All documents, but only if their number does not exceed this limit. `None` if the documents have already been
    /// counted.
    All(Option<u64>),
}

/// The result of one batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchOutcome {
    pub(crate) modified: u64,
    /// The `_id` of the last document in the batch. `None` if no documents are left.
    pub(crate) hi: Option<Bson>,
    /// Number of documents that contain copies for the keys. The documents are counted only for [`Extent::All`].
    pub(crate) copies: u64,
    /// The values in the source for the first key.
    pub(crate) values: Option<Values>,
    /// The jobs that the batch has stored for copies of the written copies.
    pub(crate) made: Vec<JobId>,
}

impl Extent {
    /// Whether the batch contained too many copies and therefore wrote nothing.
    pub(crate) const fn is_exceeded(&self, copies: u64) -> bool {
        matches!(self, Self::All(Some(most)) if copies > *most)
    }
}

/// Runs a batch in one transaction: updates the cursor, reads the source, and updates the stale copies.
pub(crate) async fn run(span: Span, cursor: JobCursor, odm: &Odm) -> Result<BatchOutcome> {
    Exec::on(odm.clone())
        .together((span, cursor), |(span, cursor), exec| async move {
            let copies = span.count(&exec).await?;
            if span.extent.is_exceeded(copies) {
                return Ok(BatchOutcome {
                    copies,
                    ..BatchOutcome::default()
                });
            }
            let hi = span.end(&exec).await?;
            let position = hi.as_ref().or(span.lo());
            // The cursor is updated before the sources are read, so that a runner that has lost its lease stops here.
            cursor
                .advance(&span.reference.name_with_copies(), position, &exec)
                .await?;
            let keys = span.keys_to_write(&exec).await?;
            // The sources are read in the snapshot of the batch. A value that was read earlier could overwrite a newer
            // value.
            let resolved = resolve_stored(&span.reference, &keys, &exec).await?;
            // Each batch of a group begins with a different key, so its values cannot be compared with the values of
            // the previous batch.
            let first = keys
                .first()
                .filter(|_| matches!(span.extent, Extent::After(..)));
            let mut done = BatchOutcome {
                hi: hi.clone(),
                copies,
                values: first.and_then(|key| resolved.get(key)).cloned(),
                ..BatchOutcome::default()
            };
            let updates = values::updates(&span.reference, &keys, &resolved)?.into_iter();
            let updates = updates.map(|update| span.restrict(update, hi.as_ref()));
            let updates: Vec<UpdateCommand> = updates.collect();
            (done.modified, done.made) =
                follow::write(&span.reference, Candidates::Keys(&keys), &updates, &exec).await?;
            Ok(done)
        })
        .await
}

impl Span {
    fn index(&self) -> Option<Document> {
        self.is_indexed
            .then(|| doc! { self.reference.key_path(): 1, "_id": 1 })
    }

    fn keys(&self) -> Vec<Bson> {
        self.keys.iter().map(JoinKey::to_bson).collect()
    }

    /// Returns the keys of the copies to write. For two-way arrays, this batch may add an element that a concurrent
    /// writer tries to remove. That writer finds no element and writes only the job. So the batch also writes the job,
    /// and the two transactions conflict.
    async fn keys_to_write(&self, exec: &Exec) -> Result<Vec<JoinKey>> {
        match self.reference.derivation {
            Derivation::Mirror => outbox::hold(&self.reference, &self.keys, exec).await,
            Derivation::Copy
            | Derivation::ReferrerCopy
            | Derivation::Fold
            | Derivation::DeleteRule => Ok(self.keys.clone()),
        }
    }

    const fn lo(&self) -> Option<&Bson> {
        match &self.extent {
            Extent::After(lo, _) => lo.as_ref(),
            Extent::ById | Extent::All(_) => None,
        }
    }

    /// Counts the documents that contain copies for the keys, if the batch has a limit. Sends one `aggregate`, which
    /// reads only the index.
    async fn count(&self, exec: &Exec) -> Result<u64> {
        let Extent::All(Some(most)) = self.extent else {
            return Ok(0);
        };
        let hint = self.index().map(Hint::Keys);
        let limit = most.saturating_mul(COUNTED);
        follow::count_tied(&self.reference, &self.keys(), hint, limit, exec).await
    }

    /// Counts the documents that contain copies for each key. Sends one `aggregate`, which reads only the index.
    ///
    /// Returns `None` if the documents contain the keys in arrays, or if there are many more copies than `room`.
    pub(super) async fn counts(
        &self,
        room: u64,
        exec: &Exec,
    ) -> Result<Option<HashMap<JoinKey, u64>>> {
        let limit = room.saturating_mul(COUNTED);
        let pipeline = vec![
            doc! { "$match": values::tied(&self.reference, &self.keys()) },
            doc! { "$limit": i64::try_from(limit).unwrap_or(i64::MAX) },
            doc! { "$group": { "_id": format!("${}", self.reference.key_path()), "n": { "$sum": 1 } } },
        ];
        let mut counting = AggregateCommand::new(Place::at(&self.reference.target), pipeline);
        counting.options.hint = self.index().map(Hint::Keys);
        // If the reply contains fewer documents than the batch size, the server closes the cursor.
        counting.options.batch_size = u32::try_from(self.keys.len() + 1).ok();
        let counts = exec.documents(counting.collation(simple())).await?;
        let counts = counts
            .iter()
            .filter_map(|it| Some((it.get("_id")?, number(it, "n"))));
        let counts: Vec<(&Bson, u64)> = counts.collect();
        let is_array = |key: &Bson| key.as_array().is_some();
        let are_all = counts.iter().map(|(_, n)| n).sum::<u64>() < limit
            && !counts.iter().any(|(key, _)| is_array(key));
        let counts = counts.into_iter();
        let counts = counts.map(|(key, n)| (JoinKey::from(key.clone()), n));
        Ok(are_all.then(|| counts.collect()))
    }

    /// Returns the last id of the batch. In most cases, the query reads only the index. Only the last batches also read
    /// documents.
    pub(super) async fn end(&self, exec: &Exec) -> Result<Option<Bson>> {
        let Extent::After(lo, size) = &self.extent else {
            return Ok(None);
        };
        let find = FindCommand::new(
            Place::at(&self.reference.target),
            values::tied(&self.reference, &self.keys()),
        )
        .hint(self.index())
        .collation(simple());
        id_order::end(&find, lo.as_ref(), *size, exec).await
    }

    fn restrict(&self, update: UpdateCommand, hi: Option<&Bson>) -> UpdateCommand {
        match &self.extent {
            Extent::ById => update,
            // Without the hint, the server might use the index on `_id` for the range, and then also read documents
            // that contain other keys.
            Extent::After(lo, _) => {
                let range = id_order::between(lo.as_ref(), hi);
                update.and(range).hint(self.index())
            }
            Extent::All(_) => update.hint(self.index()),
        }
    }
}
