//! Stores the documents of an insert part by part, and sends the rest again after a rejected document.
//!
//! The module head of `insert` describes the steps.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use mongodb::{
    bson::{RawDocument, RawDocumentBuf},
    error::ErrorKind as DriverKind,
};

use super::{
    FailedInsert, InsertWrite, Inserted, Part, Unconfirmed, is_stored,
    unsent_documents::UnsentDocuments,
};
use crate::{
    client::{
        command::{Rows, rejected_documents},
        id_order::id_of,
        odm::Exec,
        place::Place,
    },
    derived::follow::Effects,
    error::{Error, RejectedDocument, Result},
    index::unique_key_lookup::{DuplicateKeys, look_up},
    write::{
        conflict::note_deleted,
        report::{InsertReport, Report},
    },
};

/// Largest number of documents in one transaction.
const AT_ONCE: usize = 10_000;

/// Largest number of documents in one transaction if the model has hooks.
const AT_ONCE_WITH_HOOKS: usize = 500;

/// Largest number of documents in one command: the server's limit.
const AT_ONCE_WITHOUT_EFFECTS: usize = 100_000;

/// An insert that is in progress.
pub(super) struct PartedInsert {
    /// The write, without its documents.
    write: InsertWrite,
    effects: Effects,
    rows: Rows,
    unsent: UnsentDocuments,
    report: InsertReport,
    /// The stored documents by their positions, if the write returns them.
    returned: BTreeMap<usize, RawDocumentBuf>,
    /// Whether each document is stored.
    stored: Vec<bool>,
    /// The rejected documents, by their positions among the sent documents.
    rejected: Vec<(usize, Arc<Error>)>,
    /// Documents with a dangling reference.
    dangling: Vec<(usize, Arc<Error>)>,
    unconfirmed: Option<Unconfirmed>,
    /// Number of documents that were stored when the documents with dangling references were last sent.
    stored_before: u64,
    /// Whether a document was rejected for a reason other than a duplicate key. After such a rejection, it may be
    /// possible to store another document that has the same key.
    frees_keys: bool,
}

impl PartedInsert {
    pub(super) fn new(mut write: InsertWrite, effects: Effects) -> Self {
        let documents = std::mem::take(&mut write.documents);
        let sizes = documents.iter().map(|raw| raw.as_bytes().len());
        Self {
            unsent: UnsentDocuments::new(sizes.collect(), most_at_once(&write, &effects)),
            stored: vec![false; documents.len()],
            rows: Rows::new(documents),
            write,
            effects,
            report: InsertReport::default(),
            returned: BTreeMap::new(),
            rejected: Vec::new(),
            dangling: Vec::new(),
            unconfirmed: None,
            stored_before: 0,
            frees_keys: false,
        }
    }

    pub(super) async fn run(mut self, exec: &Exec) -> Result<Inserted, FailedInsert> {
        while let Some(positions) = self.next() {
            let error = match self.store(positions.clone(), exec).await {
                Ok(None) => {
                    self.unsent.size().grow();
                    continue;
                }
                // The other documents of the part are stored.
                Ok(Some(error)) => {
                    self.reject_by_position(&positions, &error);
                    self.note_unconfirmed(&positions, &error);
                    // If one command contained all documents, its error contains all reasons.
                    let is_last = !self.has_transactions() && self.unsent.is_empty();
                    if !self.is_unordered() || is_last {
                        return Err(self.failed(error, exec).await);
                    }
                    continue;
                }
                Err(error) => error,
            };
            if let Err(error) = self.continue_after(&positions, error, exec).await {
                return Err(self.failed(error, exec).await);
            }
        }
        self.conclude(exec).await
    }

    /// Returns the positions of the next documents. After all other documents, returns the positions of rejected
    /// documents, because later inserts may have made these documents valid.
    fn next(&mut self) -> Option<Vec<usize>> {
        let next = self.unsent.next();
        if next.is_some() {
            return next;
        }
        if !self.has_transactions() {
            // No transaction was undone, so each document was rejected because of a stored document.
            return None;
        }
        let mut again = self.take_referring();
        if again.is_empty() && std::mem::take(&mut self.frees_keys) {
            again = self.take_duplicates();
        }
        self.unsent.put_last(again);
        self.unsent.size().set(usize::MAX);
        self.unsent.next()
    }

    /// Removes and returns the documents with a dangling reference whose target may have been stored in the meantime.
    fn take_referring(&mut self) -> Vec<usize> {
        let is_stuck = self.report.inserted == self.stored_before;
        if is_stuck || !self.has_dangling_in_own_collection() {
            return Vec::new();
        }
        self.stored_before = self.report.inserted;
        let dangling = std::mem::take(&mut self.dangling);
        dangling.into_iter().map(|(at, _)| at).collect()
    }

    /// Removes and returns the documents with a duplicate key. The document that has the same key may have been
    /// rejected in the meantime.
    fn take_duplicates(&mut self) -> Vec<usize> {
        let taken = self
            .rejected
            .extract_if(.., |(_, error)| error.is_duplicate_key());
        taken.map(|(at, _)| at).collect()
    }

    /// Whether a dangling reference refers to the collection into which the documents are inserted.
    fn has_dangling_in_own_collection(&self) -> bool {
        let mut errors = self.dangling.iter().map(|(_, error)| &**error);
        errors.any(|error| {
            matches!(error, Error::NoTarget { target_collection, .. }
                if *target_collection == self.write.model.collection)
        })
    }

    /// Stores documents with their effects. Returns the error for the documents that the server has not stored.
    async fn store(&mut self, positions: Vec<usize>, exec: &Exec) -> Result<Option<Error>> {
        let write = &self.write;
        let part = Part {
            // Another program may have declared copies since the last part.
            effects: Effects::of_write(write.model, &write.fan_out, exec).await?,
            rows: self.rows.pick(positions.clone()),
            one: write.one,
            hooks: write.hooks.clone(),
            options: write.options.clone(),
            fan_out: write.fan_out.clone(),
            returned_as: write.returned_as,
        };
        let outcome = match write.hooks {
            Some(_) => exec.transact(part, Part::insert).await?,
            // No derived data depends on the documents. A transaction would only add the round trip for its commit.
            None if self.effects.is_empty() => Box::pin(part.insert(exec.clone())).await?,
            None => exec.together(part, Part::insert).await?,
        };
        let (stored, done) = outcome.finish(&write.fan_out, exec).await;
        self.report.inserted += stored.inserted;
        self.report.add_finished(done);
        let error = stored.error;
        if let Some(rows) = stored.rows {
            let positions = positions.iter().copied();
            self.returned.extend(positions.zip(rows.iter().cloned()));
        }
        let refused = error.as_ref().map(rejected_documents::positions);
        let refused = refused.unwrap_or_default();
        for (at, position) in positions.into_iter().enumerate() {
            if let Some(stored) = self.stored.get_mut(position) {
                *stored = is_stored(at, &refused, &self.write.options);
            }
        }
        Ok(error)
    }

    /// Whether each part is stored in a transaction.
    fn has_transactions(&self) -> bool {
        !self.effects.is_empty() || self.write.hooks.is_some()
    }

    fn is_unordered(&self) -> bool {
        self.write.options.ordered == Some(false)
    }

    /// Removes the documents that caused an error, and queues the other documents again.
    ///
    /// # Errors
    ///
    /// Returns the given error if no single document caused it, or if the other documents cannot be sent again.
    async fn continue_after(
        &mut self,
        positions: &[usize],
        error: Error,
        exec: &Exec,
    ) -> Result<()> {
        if self.write.one || matches!(error, Error::Hook { .. }) {
            return Err(error);
        }
        let can_divide = error.is_transaction_too_large() && !exec.in_transaction();
        if can_divide && self.unsent.size().halve(positions.len()) {
            self.unsent.put_back(positions);
            return Ok(());
        }
        if !self.is_unordered() || exec.in_transaction() {
            self.reject_by_position(positions, &error);
            return Err(error);
        }
        if self.reject_by_position(positions, &error) {
            return self.after_rejected(positions, &error, exec).await;
        }
        let rows = self.rows.pick(positions.to_vec());
        let documents = numbered(positions, &rows);
        let dangling = self.effects.existing.by_document(&error, documents);
        if !dangling.is_empty() {
            let others: Vec<usize> = without(positions, |at| dangling.contains_key(&at));
            self.unsent.put_back(&others);
            self.frees_keys = true;
            self.dangling.extend(dangling);
            return Ok(());
        }
        if !is_of_documents(&error) {
            return Err(error);
        }
        if self.unsent.size().halve(positions.len()) {
            self.unsent.put_back(positions);
            return Ok(());
        }
        self.frees_keys = true;
        let error = Arc::new(error);
        let only = positions.iter().map(|at| (*at, Arc::clone(&error)));
        self.rejected.extend(only);
        Ok(())
    }

    /// Records the documents that the server has rejected. Returns whether the server has rejected any.
    fn reject_by_position(&mut self, positions: &[usize], error: &Error) -> bool {
        let reasons = rejected_documents::reasons(error, &Place::of(self.write.model), "insert");
        let known = self.rejected.len();
        self.frees_keys |= !error.is_duplicate_key();
        let reasons = reasons.into_iter().filter_map(|(at, reason)| {
            let position = positions.get(at)?;
            Some((*position, Arc::new(reason)))
        });
        self.rejected.extend(reasons);
        self.rejected.len() > known
    }

    /// Puts back the documents that were sent together with a rejected one, except for documents with keys that are
    /// already stored.
    async fn after_rejected(
        &mut self,
        positions: &[usize],
        error: &Error,
        exec: &Exec,
    ) -> Result<()> {
        let refused = rejected_documents::positions(error);
        let first = refused.first().copied().unwrap_or_default();
        let sent = positions.iter().enumerate();
        let others = sent.filter(|(at, _)| !refused.contains(at));
        let others: Vec<usize> = others.map(|(_, position)| *position).collect();
        if !error.is_duplicate_key() || !self.unsent.look_up(&others) {
            self.unsent.put_back(&others);
            self.unsent.size().set(first);
            return Ok(());
        }
        let DuplicateKeys { stored, twice } = self.look_up_keys(&others, exec).await?;
        let left = without(&others, |at| {
            stored.contains_key(&at) || twice.contains(&at)
        });
        self.unsent.put_back(&left);
        self.unsent
            .put_last(without(&others, |at| !twice.contains(&at)));
        self.rejected.extend(stored);
        Ok(())
    }

    async fn look_up_keys(&self, positions: &[usize], exec: &Exec) -> Result<DuplicateKeys> {
        let rows = self.rows.pick(positions.to_vec());
        let documents: Vec<_> = numbered(positions, &rows).collect();
        let place = Place::of(self.write.model);
        let inbound = &self.effects.inbound;
        look_up(&place, &documents, |path| inbound.has_copy_at(path), exec).await
    }

    async fn conclude(mut self, exec: &Exec) -> Result<Inserted, FailedInsert> {
        self.rejected.append(&mut self.dangling);
        self.note_deleted(None, exec).await;
        let unfit = self.write.unfit.iter().map(|it| &it.reason);
        let first = self
            .rejected
            .iter()
            .min_by_key(|(at, _)| *at)
            .map(|(_, reason)| reason);
        let first = first.or(unfit.into_iter().next());
        let unconfirmed = self.unconfirmed.as_ref().map(|it| &it.reason);
        match first.or(unconfirmed).cloned() {
            None => Ok(Inserted {
                report: self.report,
                documents: self.returned.into_values().collect(),
            }),
            Some(first) => Err(FailedInsert {
                error: self.error(first, false, exec),
                unsent: self.unsent(),
                dangling: BTreeMap::new(),
                unconfirmed: self.unconfirmed,
            }),
        }
    }

    /// Returns the error for an insert that ends early.
    async fn failed(mut self, mut error: Error, exec: &Exec) -> FailedInsert {
        self.rejected.append(&mut self.dangling);
        self.note_deleted(Some(&mut error), exec).await;
        let are_none = self.rejected.is_empty() && self.write.unfit.is_empty();
        let has_stored = self.report.inserted > 0 && !exec.in_transaction();
        let unsent = self.unsent();
        let documents = self.rows.pick(unsent.clone());
        let documents = numbered(&unsent, &documents);
        let dangling = self.effects.existing.by_document(&error, documents);
        if !self.write.one && (!are_none || has_stored) {
            let most = if self.is_unordered() { usize::MAX } else { 1 };
            let listed = dangling.iter().take(most);
            let listed = listed.map(|(at, error)| (*at, Arc::clone(error)));
            self.rejected.extend(listed);
            error = self.error(Arc::new(error), true, exec);
        }
        FailedInsert {
            error,
            unsent,
            dangling,
            unconfirmed: self.unconfirmed,
        }
    }

    /// Records the documents of a part that are stored, but that too few servers have confirmed.
    fn note_unconfirmed(&mut self, positions: &[usize], error: &Error) {
        let place = Place::of(self.write.model);
        let Some(reason) = rejected_documents::unconfirmed(error, &place, "insert") else {
            return;
        };
        let reason = Arc::new(reason.in_model(self.write.model));
        let known = self.unconfirmed.take().map(|it| it.positions);
        let mut all = known.unwrap_or_default();
        let is_stored = |at: &&usize| self.stored.get(**at).copied().unwrap_or_default();
        all.extend(positions.iter().filter(is_stored));
        self.unconfirmed = Some(Unconfirmed {
            reason,
            positions: all,
        });
    }

    /// Returns the positions of the documents that are neither stored nor rejected.
    fn unsent(&self) -> Vec<usize> {
        let rejected: BTreeSet<usize> = self.rejected.iter().map(|(at, _)| *at).collect();
        let left = self.stored.iter().enumerate();
        let left = left.filter(|(at, stored)| !**stored && !rejected.contains(at));
        left.map(|(at, _)| at).collect()
    }

    /// Notes which rejected documents have the `_id` of a deleted document. `last` is the error that ended the insert.
    async fn note_deleted(&mut self, last: Option<&mut Error>, exec: &Exec) {
        let rows: Vec<_> = self.rows.iter().collect();
        let id = |at: usize| rows.get(at).and_then(|raw| id_of(raw));
        // Several documents can share an error that is not a duplicate key.
        let own = self.rejected.iter_mut();
        let own = own.filter_map(|(at, error)| Some((id(*at)?, Arc::get_mut(error)?)));
        let only = last.filter(|_| self.write.one);
        let only = only.and_then(|error| Some((id(0)?, error)));
        note_deleted(self.write.model, own.chain(only), exec).await;
    }

    /// Returns the error that lists the rejected documents. `ended_early` states whether the insert ended before it sent
    /// all documents.
    fn error(&self, source: Arc<Error>, ended_early: bool, exec: &Exec) -> Error {
        let is_ended = ended_early || !self.rejected.is_empty();
        let transaction_ended = exec.in_transaction() && is_ended;
        let mut rejected = self.write.unfit.clone();
        let numbers = self.numbers();
        let rows = self.rows.iter().collect::<Vec<_>>();
        rejected.extend(self.rejected.iter().map(|(at, reason)| RejectedDocument {
            index: numbers.get(*at).copied().unwrap_or(*at),
            id: rows.get(*at).and_then(|raw| id_of(raw)),
            reason: Arc::clone(reason),
        }));
        rejected.sort_by_key(|it| it.index);
        Error::InsertMany {
            model: self.write.model.name,
            collection: self.write.model.collection,
            inserted: if transaction_ended {
                0
            } else {
                self.report.inserted
            },
            rejected,
            transaction_ended,
            source,
        }
    }

    /// Returns the positions of the sent documents in the list that was passed to the insert.
    fn numbers(&self) -> Vec<usize> {
        let unfit: BTreeSet<usize> = self.write.unfit.iter().map(|it| it.index).collect();
        let all = 0..self.rows.len() + unfit.len();
        all.filter(|number| !unfit.contains(number)).collect()
    }
}

/// Returns the largest number of documents in one transaction, or in one command if the documents have neither effects
/// nor hooks.
fn most_at_once(write: &InsertWrite, effects: &Effects) -> usize {
    if write.hooks.is_some() {
        AT_ONCE_WITH_HOOKS
    } else if effects.is_empty() {
        AT_ONCE_WITHOUT_EFFECTS
    } else {
        AT_ONCE
    }
}

/// Pairs documents with their positions.
fn numbered<'r>(
    positions: &[usize],
    rows: &'r Rows,
) -> impl Iterator<Item = (usize, &'r RawDocument)> {
    let rows = rows.iter().map(|raw| &**raw);
    positions.iter().copied().zip(rows)
}

fn without(positions: &[usize], is_out: impl Fn(usize) -> bool) -> Vec<usize> {
    let kept = positions.iter().copied().filter(|at| !is_out(*at));
    kept.collect()
}

/// Whether single documents caused the error, so that the other documents can still be stored.
fn is_of_documents(error: &Error) -> bool {
    // The driver's error for a document that is too large.
    let kind = error.driver().map(|driver| driver.kind.as_ref());
    error.is_about_one_document() || matches!(kind, Some(DriverKind::InvalidArgument { .. }))
}
