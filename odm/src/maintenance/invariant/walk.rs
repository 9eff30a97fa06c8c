//! The walk that checks an invariant.
//!
//! 1. The invariant's query returns items: documents, or groups of equal references. The walk collects these items into
//!    batches.
//! 2. The invariant compares a batch with the current data, and returns suspects. Other writes can happen between the
//!    two reads, so a suspect is not necessarily wrong.
//! 3. The invariant reads the suspects again. The same transaction reads everything that the suspects are compared
//!    with. In one snapshot, a copy either equals its source, or has a pending job, or is wrong.
//! 4. The same transaction then reads the jobs and deltas. The jobs and deltas are read last, so that the transaction
//!    finds a job that was stored in the meantime, even on a server without snapshots. Findings that a job will correct
//!    are pending.
//! 5. The other findings are reported. Each finding contains its invariant, whose code repairs the finding.
//!
//! Suspects are not always documents. For copies, the suspects are keys, so that no extra query has to find the ids of
//! the documents.
//!
//! If the server cannot read or compare a batch because of one item, [`Walk::examine`] halves the batch until only that
//! item is left, and reports the item. All other items are still checked.

use std::sync::Arc;

use futures_util::{
    StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use mongodb::bson::{Bson, Document, RawDocument};

use super::{Check, Checking, Invariant, finding::Drifted, pending_job::set_aside};
use crate::{
    batches::{BatchSize, parts, size_of},
    client::{
        command::FindCommand,
        odm::{Exec, each_document},
        place::Place,
    },
    error::{Error, Result},
    value::{codec::decode, path::projection},
};

/// An invariant that the walk checks.
pub(super) trait Walked: Invariant + Sized + 'static {
    /// One item of the query: a document, or a group of equal references.
    type Item: Send + Sync;
    /// The suspects that one transaction reads again.
    type Suspects: Clone + Send + Sync + 'static;

    /// Decodes an item that the query returned.
    fn read(&self, raw: &RawDocument) -> Seen<Self::Item>;

    /// Maximum weight of a batch, and also the maximum number of its items.
    fn batch_size(&self) -> usize {
        5_000
    }

    /// The weight of an item, which is the number of keys that the item adds to a batch.
    fn weight(&self, _: &Self::Item) -> usize {
        1
    }

    /// Number of references or copies in an item.
    fn places(&self, item: &Self::Item) -> u64 {
        self.weight(item) as u64
    }

    /// Joins items that must stay together when the batch is halved.
    fn join(batch: Vec<Self::Item>) -> Vec<Self::Item> {
        batch
    }

    /// Compares a batch with the current data, and returns the suspects.
    fn suspects(
        &self,
        _: &[Self::Item],
        _: &Exec,
    ) -> impl Future<Output = Result<SuspectStream<Self::Suspects>>> + Send {
        async { Ok(stream::empty().boxed()) }
    }

    /// Reads suspects again, together with everything that they are compared with.
    fn confirm(
        &self,
        _: Self::Suspects,
        _: &Exec,
    ) -> impl Future<Output = Result<Confirmed<Self::Suspects>>> + Send {
        async { Ok((Vec::new(), None)) }
    }

    /// Whether the library can repair a finding.
    fn is_repaired(&self, finding: &Drifted) -> bool {
        let job = finding.job.as_ref();
        job.is_some_and(|job| job.reference.is_some())
    }

    /// Returns the `_id` of a document that contains the given item, if the server can search for this document. The
    /// walk calls this function only for items that cannot be compared.
    fn document_with(&self, _: &Self::Item, _: &Exec) -> impl Future<Output = Option<Bson>> + Send {
        async { None }
    }

    /// Returns the stored path of the keys by which the query groups the references.
    fn key_path(&self) -> String {
        String::new()
    }
}

/// The result of decoding a document that the query returned.
pub(super) enum Seen<T> {
    Item(T),
    /// The findings in a document that does not have to be compared with other documents.
    Findings(Vec<Drifted>),
    /// A document that cannot be read.
    Unreadable(Error),
    /// A group with a key that cannot be read.
    UnreadableKey,
}

/// The findings of one transaction, and the suspects that are left for the next one.
pub(super) type Confirmed<S> = (Vec<Drifted>, Option<S>);

/// The suspects in a batch. Each element contains the suspects that one transaction reads again.
pub(super) type SuspectStream<S> = BoxStream<'static, Result<S>>;

/// Returns a stream of suspects that are already known.
pub(super) fn suspect_stream<S: Send + 'static>(
    all: impl IntoIterator<Item = S>,
) -> SuspectStream<S> {
    let all: Vec<_> = all.into_iter().map(Ok).collect();
    stream::iter(all).boxed()
}

/// Number of documents with findings that one transaction reads again.
const DOCUMENTS: usize = 500;

/// Returns the ids of the documents with findings. The findings for one document are consecutive.
pub(super) fn documents_of(found: Vec<Drifted>) -> SuspectStream<Vec<Bson>> {
    let mut ids: Vec<Bson> = found.into_iter().map(|it| it.id).collect();
    ids.dedup();
    suspect_stream(parts(&ids, DOCUMENTS, size_of).map(<[Bson]>::to_vec))
}

impl<I: Walked> Check for I {
    fn check(self: Arc<Self>, checking: &Checking) -> BoxFuture<'_, Result<()>> {
        let walk = Walk {
            invariant: self,
            exec: Exec::on(checking.odm.clone()),
            checking,
        };
        Box::pin(async move {
            if walk.run().await? {
                return Ok(());
            }
            walk.report_unreadable_keys().await
        })
    }
}

struct Walk<'w, I> {
    invariant: Arc<I>,
    exec: Exec,
    checking: &'w Checking,
}

impl<I: Walked> Walk<'_, I> {
    /// Runs the query, and examines the returned items in batches. Returns whether all keys can be read.
    async fn run(&self) -> Result<bool> {
        let mut batches = self.invariant.query().open(&self.exec).await?;
        let (mut items, mut weight, mut is_readable) = (Vec::new(), 0, true);
        while let Some(batch) = batches.next().await? {
            let (mut read, mut found) = (Vec::new(), Vec::new());
            each_document(&batch, |raw| {
                match self.invariant.read(raw) {
                    Seen::Item(item) => read.push(item),
                    Seen::Findings(findings) => found.extend(findings),
                    Seen::Unreadable(error) => found.extend(self.unreadable(&error, None)),
                    Seen::UnreadableKey => is_readable = false,
                }
                Ok(())
            })?;
            self.checking.out.add_page(found).await?;
            for item in read {
                weight += self.invariant.weight(&item);
                items.push(item);
                // The number of items is also limited. Otherwise, all items without keys would be kept in memory.
                if weight.max(items.len()) >= self.invariant.batch_size() {
                    self.examine(std::mem::take(&mut items)).await?;
                    weight = 0;
                }
            }
        }
        self.examine(items).await?;
        Ok(is_readable)
    }

    /// Examines a batch. If the server cannot read the batch because of one item, the batch is halved until only that
    /// item is left. The item then becomes a finding.
    async fn examine(&self, batch: Vec<I::Item>) -> Result<()> {
        let batch = I::join(batch);
        let (mut left, mut size) = (batch.as_slice(), BatchSize::new(batch.len()));
        while let (Some(item), (part, rest)) = (left.first(), size.split(left)) {
            match self.compare(part).await {
                Ok(()) => size.grow(),
                Err(error) if !error.is_about_one_document() => return Err(error),
                Err(_) if size.halve(part.len()) => continue,
                Err(error) => {
                    let document = self.invariant.document_with(item, &self.exec).await;
                    let finding = self.unreadable(&error, document).into_iter();
                    self.checking.out.add_page(finding.collect()).await?;
                }
            }
            left = rest;
        }
        Ok(())
    }

    /// Reports the documents that contain keys that cannot be read. Some keys cannot be read because the server accepts
    /// strings that are not UTF-8. Sends one `find` for all these documents, but only if the query has returned a key
    /// that cannot be read.
    async fn report_unreadable_keys(&self) -> Result<()> {
        let (models, path) = (self.invariant.models(), self.invariant.key_path());
        let Some(model) = models.first() else {
            return Ok(());
        };
        let find = FindCommand::new(Place::of(model), Document::new());
        let find = find.select(projection([path.as_str()])).all();
        let mut batches = self.exec.open(find).await?;
        while let Some(batch) = batches.next().await? {
            let mut found = Vec::new();
            each_document(&batch, |raw| {
                let read = decode::<Document>(model.collection, raw);
                found.extend(read.err().and_then(|error| self.unreadable(&error, None)));
                Ok(())
            })?;
            self.checking.out.add_page(found).await?;
        }
        Ok(())
    }

    fn unreadable(&self, error: &Error, document: Option<Bson>) -> Option<Drifted> {
        let names = self.invariant.names();
        Drifted::unreadable(names.first()?, &self.invariant.models(), error, document)
    }

    /// Finds the suspects in one part of a batch, and reads the suspects again to confirm the findings.
    async fn compare(&self, part: &[I::Item]) -> Result<()> {
        let (out, include_pending) = (&self.checking.out, self.checking.include_pending);
        let mut suspects = self.invariant.suspects(part, &self.exec).await?;
        while let Some(some) = suspects.try_next().await? {
            let mut left = Some(some);
            while let Some(suspects) = left {
                let state = (Arc::clone(&self.invariant), suspects, include_pending);
                let (found, pending, rest) = self.exec.together(state, confirm).await?;
                out.add_page(found).await?;
                out.pending(pending).await?;
                left = rest;
            }
        }
        let places = part.iter().map(|item| self.invariant.places(item));
        out.checked(places.sum()).await
    }
}

/// Reads some suspects again in one transaction, and marks findings as pending if a job will correct them. Returns the
/// findings, the number of pending ones, and the suspects that are left for the next transaction.
async fn confirm<I: Walked>(
    (invariant, suspects, include_pending): (Arc<I>, I::Suspects, bool),
    exec: Exec,
) -> Result<(Vec<Drifted>, u64, Option<I::Suspects>)> {
    let (mut found, left) = invariant.confirm(suspects, &exec).await?;
    let pending = set_aside(&mut found, include_pending, &exec).await?;
    for item in &mut found {
        if invariant.is_repaired(item) {
            item.repaired_by = Some(Arc::clone(&invariant) as Arc<dyn Invariant>);
        }
    }
    Ok((found, pending, left))
}
