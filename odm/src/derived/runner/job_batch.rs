//! One batch of a fan-out. Each batch updates some of the copies.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use mongodb::{
    bson::{Bson, Document, RawBsonRef, RawDocumentBuf, doc},
    options::Hint,
};

use crate::{
    batches::size_of,
    client::{
        command::{FindCommand, UpdateCommand, simple},
        id_order,
        odm::{Exec, Odm},
        place::Place,
    },
    derived::{
        follow::{self, Candidates, keys_in},
        outbox::{self, JobCursor, JobId},
        values::{self, Resolved, Values, existing_keys, resolve_stored},
    },
    error::Result,
    graph::{Derivation, ExtendedReference},
    value::{
        key::JoinKey,
        path::{projection, raw_value_at},
    },
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
    /// Whether most copies are probably correct.
    pub(crate) is_last_look: bool,
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
            let keys = if span.compares(&keys, &resolved) {
                span.keys_of_stale(keys, &resolved, &exec).await?
            } else {
                keys
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
            // After a delete of many documents, the summaries of missing documents would be computed in vain.
            Derivation::Fold if self.keys.len() > 1 => {
                let stored = existing_keys(&self.reference, &self.keys, exec).await?;
                let keys = self.keys.iter().filter(|key| stored.contains(key));
                Ok(keys.cloned().collect())
            }
            Derivation::Copy
            | Derivation::ReferrerCopy
            | Derivation::Fold
            | Derivation::DeleteRule => Ok(self.keys.clone()),
        }
    }

    /// Whether the batch reads the copies and sends updates only for stale copies. The last look of many sources would
    /// otherwise send one update for each source, although most of these updates change nothing.
    fn compares(&self, keys: &[JoinKey], resolved: &Resolved) -> bool {
        /// Largest average size of the copied values, in bytes. Reading larger values takes longer than the updates.
        const MOST: usize = 256;
        let values = || resolved.values().flat_map(|it| it.0.iter().flatten());
        self.is_last_look
            && keys.len() > 1
            && matches!(self.extent, Extent::All(_))
            && self.reference.place.arrays.is_empty()
            && values().map(size_of).sum::<usize>() <= keys.len().saturating_mul(MOST)
    }

    /// Returns the keys for which copies are stale. Sends one `find`.
    async fn keys_of_stale(
        &self,
        keys: Vec<JoinKey>,
        resolved: &Resolved,
        exec: &Exec,
    ) -> Result<Vec<JoinKey>> {
        let reference = &self.reference;
        let wanted: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        let paths = reference.copy_paths().chain([reference.key_path()]);
        let paths: Vec<String> = paths.collect();
        let find = FindCommand::new(
            Place::at(&reference.target),
            values::tied(reference, &wanted),
        );
        let find = find.select(projection(paths.iter().map(String::as_str)));
        let find = find.hint(self.index()).collation(simple()).all();
        let mut stale = exec.raw_documents(find).await?;
        // The filter also finds a document in which an array contains the key or its struct. Only the updates can compare
        // the copies of such a document.
        let known: HashSet<&JoinKey> = keys.iter().collect();
        let is_plain = |document: &RawDocumentBuf| {
            let found = keys_in(reference, [&**document]);
            !found.is_empty() && found.iter().all(|key| known.contains(key))
        };
        if !stale.iter().all(is_plain) {
            return Ok(keys);
        }
        stale.retain(|document| follow::differs(reference, resolved, document));
        Ok(keys_in(reference, stale.iter().map(|raw| &**raw)))
    }

    const fn lo(&self) -> Option<&Bson> {
        match &self.extent {
            Extent::After(lo, _) => lo.as_ref(),
            Extent::ById | Extent::All(_) => None,
        }
    }

    /// Counts the documents that contain copies for the keys, if the batch has a limit. Sends one `find`, which reads
    /// only the index.
    async fn count(&self, exec: &Exec) -> Result<u64> {
        let Extent::All(Some(most)) = self.extent else {
            return Ok(0);
        };
        let hint = self.index().map(Hint::Keys);
        let limit = most.saturating_mul(COUNTED);
        follow::count_tied(&self.reference, &self.keys(), hint, limit, exec).await
    }

    /// Counts the documents that contain copies for each key. Sends one `find`, which reads only the index.
    ///
    /// Returns `None` if the documents contain the keys in arrays, or if there are many more copies than `room`.
    pub(super) async fn counts(
        &self,
        room: u64,
        exec: &Exec,
    ) -> Result<Option<HashMap<JoinKey, u64>>> {
        let limit = room.saturating_mul(COUNTED);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let hint = self.index().map(Hint::Keys);
        let find = follow::tied_find(&self.reference, &self.keys(), hint, limit);
        let path = self.reference.key_path();
        let found = exec.raw_documents(find.select(projection([path.as_str()])));
        let found = found.await?;
        let mut counts: HashMap<JoinKey, u64> = HashMap::new();
        for document in &found {
            match raw_value_at(document, &path) {
                None | Some(RawBsonRef::Array(_)) => return Ok(None),
                Some(key) => *counts.entry(JoinKey::from_raw(key)).or_default() += 1,
            }
        }
        Ok((found.len() < limit).then_some(counts))
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
