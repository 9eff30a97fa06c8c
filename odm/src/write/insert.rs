//! Inserts documents, and fills in their copies from the sources.
//!
//! If the documents have derived data, they are stored in parts, each in its own transaction. The server aborts a
//! transaction at the first document that it rejects. An unordered insert then continues as follows:
//!
//! 1. The rejected document is removed from the part.
//! 2. If its key is a duplicate, the unique keys of the other documents are looked up (`index::unique_key_lookup`).
//!    Documents whose keys are already stored are rejected without being sent again. Documents whose keys occur twice
//!    in the list are sent at the end.
//! 3. The rest is sent again. If no key explains the rejection, the next part is smaller: it contains as many documents
//!    as were accepted before the rejected one. If the error does not identify a document, the part contains half as
//!    many documents as the previous one. The number doubles with each part that is stored.
//! 4. Documents with a dangling reference (`exists`) are removed together. These documents are sent again at the end if
//!    their targets belong to the same collection and may have been stored in the meantime.
//!
//! If the server aborts a transaction because it needs too much memory, the next part contains half as many documents.
//! This also applies to an ordered insert.
//!
//! So after each failed transaction, the library rejects a document, halves the part, or removes all duplicates of the
//! part.
//!
//! If the documents have no derived data, each part of the list is sent as one command. So if a later command fails,
//! the library can determine which documents the error concerns.
//!
//! If the model has hooks, each part has at most 500 documents. The hooks run in the transaction of the part, before
//! the copies are filled in. They run again if the part is sent again. An error of a hook ends the insert.

mod retry_without_rejected;
mod unsent_documents;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, RawDocument, RawDocumentBuf, doc},
    options::{InsertManyOptions, WriteConcern},
};

use super::report::InsertReport;
use crate::{
    client::{
        command::{self, FindCommand, Rows, rejected_documents},
        id_order::id_of,
        odm::{Exec, Write},
    },
    derived::{
        after_commit::{Outcome, ready},
        follow::{Effects, FanOut, ReferredKeys},
        values::key_condition,
    },
    error::{Error, RejectedDocument, Result},
    hook::{Committed, ModelHooks},
    model::shape::ModelShape,
    observe::stats::{Writes, Wrote},
    query::maintained::Stamp,
    value::key::JoinKey,
};
use retry_without_rejected::PartedInsert;

/// An insert of one document or many.
#[derive(Clone, Debug)]
pub(crate) struct InsertWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) documents: Vec<RawDocumentBuf>,
    /// Documents that cannot be sent, and their positions in the list that was passed to the insert.
    pub(crate) unfit: Vec<RejectedDocument>,
    pub(crate) one: bool,
    /// The hooks of the model, and the values of the maintained fields, which are set after the hooks.
    pub(crate) hooks: Option<(ModelHooks, Option<Stamp>)>,
    pub(crate) options: InsertManyOptions,
    pub(crate) fan_out: FanOut,
    /// The function that checks before the insert that each document can be read into the struct. The value is `None`
    /// if the write does not return the stored documents.
    pub(crate) returned_as: Option<ReadCheck>,
}

/// A function that checks that a document can be read into the struct of its model.
pub(crate) type ReadCheck = fn(&RawDocument) -> Result<()>;

/// The result of an insert.
#[derive(Debug)]
pub(crate) struct Inserted {
    pub(crate) report: InsertReport,
    /// The documents as they are stored, in the order in which they were passed to the insert. The list is empty if the
    /// write does not return documents.
    pub(crate) documents: Vec<RawDocumentBuf>,
}

impl Wrote for Inserted {
    fn wrote(&self) -> Writes {
        self.report.wrote()
    }
}

impl From<Inserted> for InsertReport {
    fn from(inserted: Inserted) -> Self {
        inserted.report
    }
}

impl Write for InsertWrite {
    type Report = Inserted;

    fn model(&self) -> &'static ModelShape {
        self.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<Inserted>> {
        Box::pin(async move { self.insert(&exec).await.map_err(|failed| failed.error) })
    }
}

/// An insert that did not store all of its documents.
#[derive(Debug)]
pub(super) struct FailedInsert {
    pub(super) error: Error,
    /// The positions of the documents that are neither stored nor rejected, because the insert ended before they were
    /// sent.
    pub(super) unsent: Vec<usize>,
    /// The documents that caused the error because of a dangling reference, by their positions.
    pub(super) dangling: BTreeMap<usize, Arc<Error>>,
    pub(super) unconfirmed: Option<Unconfirmed>,
}

/// The write concern error of an insert, and the positions of the documents that the primary has stored nevertheless.
#[derive(Debug)]
pub(super) struct Unconfirmed {
    pub(super) reason: Arc<Error>,
    pub(super) positions: BTreeSet<usize>,
}

impl InsertWrite {
    /// Inserts the documents.
    pub(super) async fn insert(self, exec: &Exec) -> Result<Inserted, FailedInsert> {
        if self.documents.is_empty() && self.unfit.is_empty() {
            return Ok(Inserted {
                report: InsertReport::default(),
                documents: Vec::new(),
            });
        }
        let effects = match self.effects(exec).await {
            Ok(effects) => effects,
            Err(error) => {
                let unsent = (0..self.documents.len()).collect();
                return Err(FailedInsert {
                    error,
                    unsent,
                    dangling: BTreeMap::new(),
                    unconfirmed: None,
                });
            }
        };
        PartedInsert::new(self, effects).run(exec).await
    }

    async fn effects(&self, exec: &Exec) -> Result<Effects> {
        let effects = Effects::of_write(self.model, &self.fan_out, exec).await?;
        ready(&effects, &self.fan_out, exec).await?;
        Ok(effects)
    }
}

/// Whether the server has stored the document at a position of a command, although it has rejected other documents of
/// the command. An ordered insert ends at the first rejected document.
fn is_stored(at: usize, refused: &BTreeSet<usize>, options: &InsertManyOptions) -> bool {
    match refused.first() {
        Some(first) if options.ordered != Some(false) => at < *first,
        _ => !refused.contains(&at),
    }
}

/// The documents of one transaction.
#[derive(Clone, Debug)]
struct Part {
    effects: Effects,
    rows: Rows,
    one: bool,
    hooks: Option<(ModelHooks, Option<Stamp>)>,
    options: InsertManyOptions,
    fan_out: FanOut,
    returned_as: Option<ReadCheck>,
}

/// The result of sending one part of the documents.
#[derive(Debug)]
struct Stored {
    /// Number of inserted documents.
    inserted: u64,
    /// The error of a statement outside a transaction that has stored only some of the documents.
    error: Option<Error>,
    /// The stored documents, if the write returns them.
    rows: Option<Rows>,
}

impl Part {
    async fn insert(mut self, exec: Exec) -> Result<Outcome<Stored>> {
        let effects = self.effects.clone();
        if let Some((hooks, stamp)) = &self.hooks {
            before_insert(hooks, stamp.as_ref(), &mut self.rows, &exec).await?;
        }
        // The copies are filled in before the insert, so that they do not require a second write.
        let written = effects.inbound.fill(&mut self.rows, true, &exec).await?;
        self.check_readable(&exec)?;
        let stored = self.send(&exec).await?;
        // The images are read from the documents whose copies were filled in, because the copies that the caller passed
        // may be old.
        let images = effects.images.take_all(&self.rows)?;
        let referred = effects.existing.held(self.rows.iter().map(|raw| &**raw));
        let mut outcome = Outcome::new(stored);
        effects
            .existing
            .require(&ReferredKeys::default(), &referred, &exec)
            .await?;
        let how = self.fan_out.how;
        outcome
            .follow(&effects, (None, &images), how, &exec)
            .await?;
        outcome.written = written;
        if self.is_observed() && outcome.followed.has_changed(effects.place().name()) {
            self.read_again(&exec).await?;
            outcome.value.rows = self.returned_as.map(|_| self.rows.clone());
        }
        if let Some((hooks, _)) = &self.hooks {
            let documents = self.rows.iter().cloned();
            outcome.committed = hooks.committed(Committed::Inserted, documents);
        }
        Ok(outcome)
    }

    /// Whether the caller or a hook receives the stored documents.
    fn is_observed(&self) -> bool {
        let hooks = self.hooks.as_ref();
        self.returned_as.is_some() || hooks.is_some_and(|(hooks, _)| hooks.has.after_commit)
    }

    /// Reads the documents again, because the updates to derived data in the same insert may have changed them. For
    /// example, a document can copy a counter that its own insert has increased.
    async fn read_again(&mut self, exec: &Exec) -> Result<()> {
        let ids: Vec<Bson> = self.rows.iter().filter_map(|row| id_of(row)).collect();
        let find = FindCommand::new(self.effects.place(), doc! { "_id": key_condition(&ids) });
        let stored = exec.raw_documents(find).await?.into_iter();
        let mut stored: HashMap<JoinKey, RawDocumentBuf> = stored
            .filter_map(|row| Some((JoinKey::from(id_of(&row)?), row)))
            .collect();
        self.rows.change(|row| {
            let id = id_of(row).map(JoinKey::from);
            Ok(id.and_then(|id| stored.remove(&id)))
        })
    }

    /// Checks before the insert that the caller can read the documents, because a copied value might not fit its field.
    fn check_readable(&self, exec: &Exec) -> Result<()> {
        match self.returned_as.filter(|_| !exec.is_paper()) {
            Some(check) => self.rows.iter().try_for_each(|row| check(row)),
            None => Ok(()),
        }
    }

    /// Sends the documents, and removes the rejected ones from `rows`.
    async fn send(&mut self, exec: &Exec) -> Result<Stored> {
        let insert = command::InsertCommand {
            place: self.effects.place(),
            rows: self.rows.clone(),
            one: self.one,
            options: self.options.clone(),
        };
        let error = match exec.send(insert).await {
            Ok(inserted) => return Ok(self.stored(inserted, None)),
            // In a transaction, nothing has been stored.
            Err(error) if self.one || exec.in_transaction() => return Err(error),
            Err(error) => error,
        };
        let refused = rejected_documents::positions(&error);
        if refused.is_empty() && !error.is_unconfirmed() {
            return Err(error);
        }
        let options = &self.options;
        self.rows.retain(|at| is_stored(at, &refused, options));
        Ok(self.stored(self.rows.len() as u64, Some(error)))
    }

    fn stored(&self, inserted: u64, error: Option<Error>) -> Stored {
        let rows = self.returned_as.map(|_| self.rows.clone());
        Stored {
            inserted,
            error,
            rows,
        }
    }
}

/// Calls the hook for each document, and then sets the maintained fields.
async fn before_insert(
    hooks: &ModelHooks,
    stamp: Option<&Stamp>,
    rows: &mut Rows,
    exec: &Exec,
) -> Result<()> {
    // The maintained fields are set before the hook runs, so that the hook can read the tenant. They are set again
    // afterwards, so that the hook cannot change them.
    set_maintained(stamp, rows)?;
    if hooks.has.before_insert && exec.is_paper() {
        exec.note(|| "after `before_insert` of each document".to_owned());
    } else if hooks.has.before_insert {
        let mut documents = Vec::with_capacity(rows.len());
        for document in rows.iter() {
            documents.push(hooks.before_insert(document.clone(), exec).await?);
        }
        let mut documents = documents.into_iter();
        rows.change(|_| Ok::<_, Error>(documents.next()))?;
        // The transaction already contains the writes of the hooks, so the transaction must not commit.
        set_maintained(stamp, rows).inspect_err(|error| exec.poison(error))?;
    }
    Ok(())
}

fn set_maintained(stamp: Option<&Stamp>, rows: &mut Rows) -> Result<()> {
    match stamp {
        Some(stamp) => rows.change(|document| stamp.document(document, 0).map(Some)),
        None => Ok(()),
    }
}
