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

/// What one batch covers.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) reference: &'static ExtendedReference,
    pub(crate) keys: Vec<JoinKey>,
    pub(crate) extent: Extent,
    /// Whether the index on the key exists. A forced write leaves jobs without it.
    pub(crate) is_indexed: bool,
}

/// Which documents with copies of the keys a batch covers.
#[derive(Clone, Debug)]
pub(crate) enum Extent {
    /// The documents whose ids the keys are.
    ById,
    /// So many documents in the order of their ids, after the one that was the last of the batch before.
    After(Option<Bson>, usize),
    /// All documents, if there are at most so many.
    All(u64),
}

/// What one batch did.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchOutcome {
    pub(crate) modified: u64,
    /// The last `_id` of the batch; none if there are no more documents.
    pub(crate) hi: Option<Bson>,
    /// Number of documents with copies of the keys. Only batches of [`Extent::All`] count them.
    pub(crate) copies: u64,
    /// The document that could not take its copies, and why.
    pub(crate) failed: Option<(Bson, String)>,
    /// What the copies had to hold, or some of them.
    pub(crate) values: Option<Values>,
    /// The jobs of what copies these copies.
    pub(crate) made: Vec<JobId>,
}

impl Extent {
    /// Whether a batch was too large, and has written nothing.
    pub(crate) const fn is_exceeded(&self, copies: u64) -> bool {
        matches!(self, Self::All(most) if copies > *most)
    }
}

/// Runs a batch as a transaction of its own: the cursor, one read of the source, and the update of
/// the copies that differ.
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
            // Before the sources are read: a batch of a runner that has lost its cursor ends here.
            cursor
                .advance(&span.reference.name, position, &exec)
                .await?;
            let keys = span.keys_to_write(&exec).await?;
            // In the snapshot of the batch. A value from before the batch could overwrite a newer one.
            let resolved = resolve_stored(span.reference, &keys, &exec).await?;
            // A group has another first key in each batch.
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

    /// Returns the keys whose copies are written. Of two arrays, what a batch adds may be taken away at the same time by
    /// somebody who finds nothing there and writes the job alone: both write that.
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

    /// Counts the documents with copies of the keys if their number decides: one `aggregate`, in the index alone.
    async fn count(&self, exec: &Exec) -> Result<u64> {
        let Extent::All(most) = self.extent else {
            return Ok(0);
        };
        let hint = self.index().map(Hint::Keys);
        // The number tells how many keys fit into a batch.
        let limit = most.saturating_mul(16);
        follow::count_tied(self.reference, &self.keys(), hint, limit, exec).await
    }

    /// Finds the last document of the batch, in the index alone but for the last batches.
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
            // Without the hint, the range may lead the server to the index on `_id`, and to documents with other keys.
            Extent::After(lo, _) => {
                let range = id_order::between(lo.as_ref(), hi);
                update.and(range).hint(self.index())
            }
            Extent::All(_) => update.hint(self.index()),
        }
    }
}
