//! Writes one batch of a backfill in a transaction.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::WriteConcern,
};

use super::position::BackfillState;
use crate::{
    client::{
        command::{FindCommand, UpdateCommand},
        id_order::{self, id_of},
        odm::{Exec, Write},
        place::Place,
    },
    derived::{
        follow::{self, Candidates, InboundCopies, WrittenCopies, differs, keys_in, recheck},
        outbox::JobId,
        runner::{run_all, warn_of_left},
        values::{Resolved, SourceValues, by_values, key_condition, resolve, update_of},
    },
    error::Result,
    graph::ExtendedReference,
    maintenance::resumable_walk::{BatchScope, Position},
    model::shape::ModelShape,
    value::{key::JoinKey, path::projection},
};

/// Write that fills in the copies of the next batch of documents in a backfill. The struct contains all arguments of
/// the write.
#[derive(Clone, Debug)]
pub(super) struct NextDocuments {
    pub(super) model: &'static ModelShape,
    pub(super) filter: Document,
    pub(super) own: InboundCopies,
    pub(super) position: Position,
    pub(super) scope: BatchScope,
}

/// The result of one batch of the backfill.
#[derive(Debug)]
struct Filled {
    so_far: BackfillState,
    written: Vec<WrittenCopies>,
    /// The jobs for other copies that depend on the copies that were filled in.
    made: Vec<JobId>,
}

impl Write for NextDocuments {
    type Report = Option<BackfillState>;

    fn model(&self) -> &'static ModelShape {
        self.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        None
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<Option<BackfillState>>> {
        Box::pin(async move {
            let Some(filled) = exec.together(self, Self::fill).await? else {
                return Ok(None);
            };
            finish(filled.written, filled.made, &exec).await;
            Ok(Some(filled.so_far))
        })
    }
}

/// Does the steps that follow the commit. Failures are only logged. The batch is stored, so an error about one document
/// must not make the walk repeat the batch or skip the next document.
async fn finish(written: Vec<WrittenCopies>, made: Vec<JobId>, exec: &Exec) {
    let rechecked = recheck(written, exec).await;
    let mut jobs = rechecked.unwrap_or_else(|error| {
        tracing::warn!(%error, "the sources of filled copies were not read again; a job does it later");
        Vec::new()
    });
    jobs.extend(made);
    let first = jobs.first().cloned();
    if let Err(error) = run_all(jobs, None, exec.odm()).await {
        warn_of_left(first.as_ref(), &error);
    }
}

impl NextDocuments {
    /// Fills in the copies of one batch: reads the documents and their sources, sends the updates, and stores the new
    /// position.
    async fn fill(self, exec: Exec) -> Result<Option<Filled>> {
        let Some(stored) = self.position.read(&exec).await? else {
            // Another call has already finished the walk and deleted the position.
            return Ok(None);
        };
        let mut so_far = BackfillState::read(&stored);
        let documents = self.documents(so_far.lo.as_ref(), &exec).await?;
        let ids: Vec<Bson> = documents.iter().filter_map(|raw| id_of(raw)).collect();
        let Some(last) = ids.last() else {
            self.position.remove(&exec).await?;
            return Ok(None);
        };
        so_far.lo = Some(last.clone());
        so_far.looked_at += ids.len() as u64;
        let (mut written, mut made) = (Vec::new(), Vec::new());
        if self.scope.skip {
            so_far.failed.extend(ids);
        } else {
            for reference in &self.own.references {
                let (changed, more) = fill(reference, &documents, &mut made, &exec).await?;
                so_far.changed += changed;
                written.extend(more);
            }
        }
        self.position.advance(so_far.document(), &exec).await?;
        Ok(Some(Filled {
            so_far,
            written,
            made,
        }))
    }

    /// Reads the next documents, restricted to their keys and copies.
    async fn documents(&self, lo: Option<&Bson>, exec: &Exec) -> Result<Vec<RawDocumentBuf>> {
        let paths: Vec<String> = self
            .own
            .references
            .iter()
            .flat_map(|reference| reference.copy_paths().chain([reference.key_path()]))
            .collect();
        let find = FindCommand::new(Place::of(self.model), self.filter.clone());
        let find = find.select(projection(paths.iter().map(String::as_str)));
        id_order::next(&find, lo, self.scope.size, exec).await
    }
}

/// Updates the copies of one extended reference in the documents whose copies differ from their sources.
async fn fill(
    reference: &Arc<ExtendedReference>,
    documents: &[RawDocumentBuf],
    made: &mut Vec<JobId>,
    exec: &Exec,
) -> Result<(u64, Option<WrittenCopies>)> {
    let keys = keys_in(reference, documents.iter().map(|raw| &**raw));
    let resolved = resolve(reference, keys.iter().cloned(), exec).await?;
    follow::mark(reference, &keys, exec).await?;
    let differing: Vec<_> = documents
        .iter()
        .filter(|document| differs(reference, &resolved, document))
        .collect();
    if differing.is_empty() {
        return Ok((0, None));
    }
    let ids: Vec<Bson> = differing.iter().filter_map(|raw| id_of(raw)).collect();
    let updates = updates(reference, &differing, &ids, &resolved)?;
    let (changed, jobs) = follow::write(reference, Candidates::Ids(&ids), &updates, exec).await?;
    made.extend(jobs);
    // A document that contains copies from several sources is updated once for each source, but counted only once.
    let changed = changed.min(ids.len() as u64);
    let keys = keys_in(reference, differing.iter().map(|raw| &***raw));
    let written = WrittenCopies::new(reference, ids, keys, resolved);
    Ok((changed, written))
}

/// Returns the updates to the copies: one statement for each distinct value, and one for null references. Each
/// statement selects its documents by `_id`.
fn updates(
    reference: &ExtendedReference,
    differing: &[&RawDocumentBuf],
    ids: &[Bson],
    resolved: &Resolved,
) -> Result<Vec<UpdateCommand>> {
    let mut with_key: HashMap<JoinKey, Vec<Bson>> = HashMap::new();
    for document in differing {
        let Some(id) = id_of(document) else {
            continue;
        };
        for key in keys_in(reference, [&***document]) {
            with_key.entry(key).or_default().push(id.clone());
        }
    }
    let keys: Vec<JoinKey> = with_key.keys().cloned().collect();
    let mut updates = Vec::new();
    for (keys, values) in by_values(&keys, resolved)? {
        let of_keys = keys
            .iter()
            .filter_map(|key| with_key.get(&JoinKey::from(key.clone())));
        let ids: Vec<Bson> = of_keys.flatten().cloned().collect();
        let update = update_of(reference, &keys, SourceValues::of(values));
        updates.extend(update.map(|update| restrict(update, &ids)));
    }
    let empty = update_of(reference, &[Bson::Null], SourceValues::NoKey);
    updates.extend(empty.map(|update| restrict(update, ids)));
    Ok(updates)
}

/// Restricts an update to the given documents. Because of the hint, the server does not have to choose an index.
fn restrict(update: UpdateCommand, ids: &[Bson]) -> UpdateCommand {
    let update = update.and(doc! { "_id": key_condition(ids) });
    update.hint(doc! { "_id": 1 })
}
