//! One batch of a fan-out.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{FindCommand, UpdateCommand, simple},
        id_order,
        odm::{Exec, Odm},
        place::Place,
    },
    derived::{
        follow,
        outbox::{self, JobCursor, JobId},
        values::{self, SourceValues, Values, by_values, resolve_stored, update_of},
    },
    error::Result,
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// What one batch covers: the copies of some keys, in documents from a position on.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) reference: &'static ExtendedReference,
    pub(crate) keys: Vec<JoinKey>,
    /// Documents up to this `_id` are done; ignored where the keys are ids of the documents.
    pub(crate) lo: Option<Bson>,
    /// How many documents to look at.
    pub(crate) size: usize,
    /// Whether the index on the key exists. A forced write leaves jobs without it.
    pub(crate) is_indexed: bool,
}

/// What one batch did.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchOutcome {
    pub(crate) modified: u64,
    /// The last `_id` of the batch; none if there are no more documents.
    pub(crate) hi: Option<Bson>,
    /// The document that could not take its copies, and why.
    pub(crate) failed: Option<(Bson, String)>,
    /// What the copies had to hold, or some of them.
    pub(crate) values: Option<Values>,
    /// The jobs of what copies these copies.
    pub(crate) made: Vec<JobId>,
}

/// Runs a batch as a transaction of its own: the cursor, one read of the source, and the update of
/// the copies that differ.
pub(crate) async fn run(span: Span, cursor: JobCursor, odm: &Odm) -> Result<BatchOutcome> {
    Exec::on(odm.clone())
        .together((span, cursor), |(span, cursor), exec| async move {
            let hi = span.end(&exec).await?;
            let position = hi.as_ref().or(span.lo.as_ref());
            // Before the sources are read: a batch of a runner that has lost its cursor ends here.
            cursor
                .advance(&span.reference.name, position, &exec)
                .await?;
            let keys = span.keys_to_write(&exec).await?;
            // In the snapshot of the batch. A value from before the batch could overwrite a newer one.
            let resolved = resolve_stored(span.reference, &keys, &exec).await?;
            let first = keys.first();
            let mut done = BatchOutcome {
                hi: hi.clone(),
                values: first.and_then(|key| resolved.get(key)).cloned(),
                ..BatchOutcome::default()
            };
            for (keys, values) in by_values(&keys, &resolved)? {
                let source = values.map_or(SourceValues::Missing, SourceValues::Found);
                let Some(update) = update_of(span.reference, &keys, source) else {
                    continue;
                };
                let update = span.restrict(update, hi.as_ref());
                let (modified, made) = follow::write(span.reference, update, &exec).await?;
                done.modified += modified;
                done.made.extend(made);
            }
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

    /// Finds the last document of the batch, in the index alone but for the last batches.
    pub(super) async fn end(&self, exec: &Exec) -> Result<Option<Bson>> {
        if self.reference.is_by_document() {
            return Ok(None);
        }
        let find = FindCommand::new(
            Place::of(self.reference.target),
            values::tied(self.reference, &self.keys()),
        )
        .hint(self.index())
        .collation(simple());
        id_order::end(&find, self.lo.as_ref(), self.size, exec).await
    }

    fn restrict(&self, update: UpdateCommand, hi: Option<&Bson>) -> UpdateCommand {
        if self.reference.is_by_document() {
            return update;
        }
        let range = id_order::between(self.lo.as_ref(), hi);
        // Without the hint, the range may lead the server to the index on `_id`, and to documents with other keys.
        update.and(range).hint(self.index())
    }
}
