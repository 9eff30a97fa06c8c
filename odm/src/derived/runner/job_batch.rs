//! One batch of a fan-out.

use mongodb::{
    bson::{Bson, Document, doc},
    options::Hint,
};

use crate::{
    client::{
        command::{FindCommand, UpdateCommand, simple},
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
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// The range of a batch.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) reference: &'static ExtendedReference,
    pub(crate) keys: Vec<JoinKey>,
    pub(crate) extent: Extent,
    /// Whether the index on the key exists. After a forced write it can be missing.
    pub(crate) is_indexed: bool,
}

/// The documents of a batch, among those with copies of its keys.
#[derive(Clone, Debug)]
pub(crate) enum Extent {
    /// The documents whose ids are the keys.
    ById,
    /// A number of documents in the order of their ids, after a given id.
    After(Option<Bson>, usize),
    /// All documents, up to a limit.
    All(u64),
}

/// The result of one batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchOutcome {
    pub(crate) modified: u64,
    /// The last `_id` in the batch, or `None` if no documents are left.
    pub(crate) hi: Option<Bson>,
    /// Number of documents with copies of the keys. Only batches of [`Extent::All`] count them.
    pub(crate) copies: u64,
    /// The document that could not store its copies, and the message of the error.
    pub(crate) failed: Option<(Bson, String)>,
    /// The values of the first key.
    pub(crate) values: Option<Values>,
    /// The jobs that the batch has stored for copies of these copies.
    pub(crate) made: Vec<JobId>,
}

impl Extent {
    /// Whether the batch was too large, and has written nothing.
    pub(crate) const fn is_exceeded(&self, copies: u64) -> bool {
        matches!(self, Self::All(most) if copies > *most)
    }
}

/// Runs a batch in one transaction: an update of the cursor, one read of the source, and the update of the stale
/// copies.
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
            // This comes before the read of the sources, so that a runner that has lost its lease stops here.
            cursor
                .advance(&span.reference.name, position, &exec)
                .await?;
            let keys = span.keys_to_write(&exec).await?;
            // The sources are read in the snapshot of the batch. A value from before the batch could overwrite a newer
            // one.
            let resolved = resolve_stored(span.reference, &keys, &exec).await?;
            // A group has another first key in each batch, so its values cannot be compared.
            let first = keys
                .first()
                .filter(|_| matches!(span.extent, Extent::After(..)));
            let mut done = BatchOutcome {
                hi: hi.clone(),
                copies,
                values: first.and_then(|key| resolved.get(key)).cloned(),
                ..BatchOutcome::default()
            };
            let updates = values::updates(span.reference, &keys, &resolved)?.into_iter();
            let updates = updates.map(|update| span.restrict(update, hi.as_ref()));
            let updates: Vec<UpdateCommand> = updates.collect();
            (done.modified, done.made) =
                follow::write(span.reference, Candidates::Keys(&keys), &updates, &exec).await?;
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

    /// Returns the keys whose copies have to be written. For two-way arrays, a concurrent writer may find no entry and
    /// store only the job, while this batch adds the entry. So the batch also writes the job, and they conflict.
    async fn keys_to_write(&self, exec: &Exec) -> Result<Vec<JoinKey>> {
        if self.reference.is_mirrored() {
            return outbox::hold(self.reference, &self.keys, exec).await;
        }
        Ok(self.keys.clone())
    }

    const fn lo(&self) -> Option<&Bson> {
        match &self.extent {
            Extent::After(lo, _) => lo.as_ref(),
            Extent::ById | Extent::All(_) => None,
        }
    }

    /// Counts the documents with copies of the keys, if the batch has a limit. Sends one `aggregate`, which reads only
    /// the index.
    async fn count(&self, exec: &Exec) -> Result<u64> {
        let Extent::All(most) = self.extent else {
            return Ok(0);
        };
        let hint = self.index().map(Hint::Keys);
        // A count above the limit shows how many keys fit into the next batch.
        let limit = most.saturating_mul(16);
        follow::count_tied(self.reference, &self.keys(), hint, limit, exec).await
    }

    /// Returns the last id of the batch. The query reads only the index, except for the last batches.
    pub(super) async fn end(&self, exec: &Exec) -> Result<Option<Bson>> {
        let Extent::After(lo, size) = &self.extent else {
            return Ok(None);
        };
        let find = FindCommand::new(
            Place::of(self.reference.target),
            values::tied(self.reference, &self.keys()),
        )
        .hint(self.index())
        .collation(simple());
        id_order::end(&find, lo.as_ref(), *size, exec).await
    }

    fn restrict(&self, update: UpdateCommand, hi: Option<&Bson>) -> UpdateCommand {
        match &self.extent {
            Extent::ById => update,
            // Without the hint, the server may use the index on `_id` for the range, and read documents with other
            // keys.
            Extent::After(lo, _) => {
                let range = id_order::between(lo.as_ref(), hi);
                update.and(range).hint(self.index())
            }
            Extent::All(_) => update.hint(self.index()),
        }
    }
}
