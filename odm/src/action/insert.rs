//! Builder returned by `insert` and `insert_many`.
//!
//! Like all writes, an insert returns a report, because the library may have updated existing copies of the new
//! document's fields.

use std::{marker::PhantomData, sync::Arc};

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf},
    options::InsertManyOptions,
};

use super::{
    FindOne,
    returning::{Returning, ReturnsDocument, find_written},
    write_builder::{bulk_operation, hooks_setter, timestamps_setter, write_builder},
};
use crate::{
    client::{
        id_order::id_of,
        odm::{Exec, Running},
        plan::Plan,
    },
    derived::follow::FanOut,
    error::{EncodeError, Error, RejectedDocument, Result, cloned_result},
    model::{derive_traits::Storable, shape::ModelShape},
    query::{maintained::Stamp, stored_document::stored},
    setters::option_setters,
    write::{self, InsertReport},
};

/// Describes a document that was rejected because it cannot be sent.
fn unfit_at(index: usize, id: Option<Bson>, error: Error) -> RejectedDocument {
    let id_of_error = match &error {
        Error::BoundExceeded { id, .. } => id.as_deref().cloned(),
        _ => None,
    };
    RejectedDocument {
        index,
        id: id.or(id_of_error),
        reason: Arc::new(error),
    }
}

/// An insert of one document, `part.insert(&odm)`, or of several documents, `Part::insert_many(&odm, &parts)`. `R` is
/// the model or a `Vec` of the model.
///
/// By default, an insert is ordered: it ends at the first document that the server rejects, and all earlier documents
/// remain stored. An [`unordered`](Self::unordered) insert stores all documents that can be stored.
///
/// # Sends
///
/// | model | statements |
/// |---|---|
/// | neither contains nor affects derived data | one `insert` for every 100,000 documents or 48 MB |
/// | contains copies | a transaction for every 10,000 documents: one `find` for each copied model, then the `insert`; after the commit: the same `find` again |
/// | source of copies | a transaction for every 10,000 documents: the `insert`, then one `find` for each reference on which copies depend; after the commit: the same `find` again |
/// | child in a summary, a recent list or a two-way reference | the transaction also updates the parents, or stores deltas |
/// | has [hooks](crate::Hooks) | a transaction for every 500 documents, which also contains the statements of the hooks |
///
/// A transaction also contains at most 48 MB of documents. If the server aborts a transaction because it needs too much
/// memory, the library stores the documents in smaller transactions. Each transaction takes one more round trip for its
/// commit. Nothing is sent for an empty list. See also [the first write](super#the-first-write-of-a-handle).
///
/// # Index
///
/// The call uses an index on each reference that copies depend on. [`sync_indexes`](crate::Odm::sync_indexes) creates
/// these indexes.
///
/// # Guarantees
///
/// - Copies get the current values of their sources. The values in the structs are ignored.
/// - Snapshots get the current values too, unless [`keep_snapshots`](crate::CopyOptions::keep_snapshots) is set.
/// - If an ordered insert runs in transactions and a document is rejected, nothing from that document's transaction is
///   stored. Earlier transactions remain committed.
///
/// # Errors
///
/// - [`Error::InsertMany`] if documents of an `insert_many` were rejected, or if only some were stored. The error
///   contains the number of stored documents, and the position, the `_id` and the reason for each rejected document.
///   [`Error::is_duplicate_key`] recognizes duplicate keys.
/// - [`Error::BoundExceeded`], [`Error::Encode`], and also [`Error::Invalid`] if the struct belongs to another tenant
///   than the handle, or if the kind in the struct is not the
///   [kind](derive@crate::Model#kinds-of-documents-in-one-collection) of the model. [`Error::Validation`] if a document
///   violates a rule of a model that has the option `validate`. The library returns these errors before it sends
///   anything. An unordered insert rejects only the affected documents.
/// - [`Error::Hook`] if a hook fails. No document from the same transaction was stored.
/// - [`Error::NoTarget`](crate::Error::NoTarget) if a reference that must have a target
///   ([`exists`](derive@crate::Model#required-targets)) is dangling. Nothing was written. If an `insert_many` has already
///   stored other documents, the error is [`Error::InsertMany`], with this error as a reason.
#[must_use = "an insert is sent when it is awaited"]
#[derive(Debug)]
pub struct Insert<R> {
    model: &'static ModelShape,
    documents: Vec<Result<RawDocumentBuf>>,
    /// The path of a required snapshot that an insertable struct does not contain.
    lacking_snapshot: Option<String>,
    one: bool,
    options: InsertManyOptions,
    keeps_timestamps: bool,
    fan_out: FanOut,
    exec: Exec,
    of: PhantomData<fn() -> R>,
}

impl<M: Storable> Insert<M> {
    pub(crate) fn one(model: &M, exec: Exec) -> Self {
        Self::new(M::SHAPE, vec![stored(model, true)], true, exec)
    }

    /// Returns the stored document, which contains the current copies, the timestamps and the version.
    ///
    /// # Sends
    ///
    /// The statements of the insert, and a `find` on `_id` that reads the document from the primary.
    ///
    /// # Errors
    ///
    /// The errors of the insert, and those of [`Get`](super::Get). If only the `find` fails, the document remains
    /// stored.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     title: String,
    ///     #[version]
    ///     #[serde(default)]
    ///     version: i64,
    /// }
    ///
    /// async fn create(odm: &Odm, task: Task) -> mongo_odm::Result<()> {
    ///     let mut task = task.insert(odm).returning().await?;
    ///     assert_eq!(task.version, 1);
    ///     task.title = "Order timber".into();
    ///     task.save(odm).await?;
    ///     Ok(())
    /// }
    /// ```
    pub fn returning(self) -> Returning<Self, M> {
        Returning::new(self)
    }

    fn find_inserted(&self) -> FindOne<M> {
        let document = self.documents.first().and_then(|it| it.as_ref().ok());
        find_written(document.map(|raw| &**raw), &self.exec)
    }
}

impl<M: Storable> Insert<Vec<M>> {
    pub(crate) fn many<'a>(models: impl IntoIterator<Item = &'a M>, exec: Exec) -> Self {
        let documents = models.into_iter();
        let documents = documents.map(|model| stored(model, true)).collect();
        Self::new(M::SHAPE, documents, false, exec)
    }

    /// Stores all documents that can be stored, with their copies and summaries, and lists the rejected documents in
    /// [`Error::InsertMany`].
    ///
    /// A document is rejected in these cases:
    ///
    /// - One of the document's unique keys is a duplicate.
    /// - A validator rejects the document.
    /// - The document is too large.
    /// - The document refers to a target whose array of inverse references is full.
    /// - The document refers to a target that does not exist, and the reference requires an existing target (`exists`).
    /// - The document cannot be encoded, has another kind, violates a rule of `validate`, or belongs to another tenant than
    ///   the handle.
    ///
    /// # Sends
    ///
    /// One statement for a model that has neither copies nor summaries, as in the driver. For other models, each batch
    /// of documents is stored in a transaction, which the server aborts at the first rejected document. So rejected
    /// documents cost additional statements:
    ///
    /// - Duplicate keys cost one more transaction and one `listIndexes`. For each unique index, they also cost one
    ///   `find` for every 10,000 documents, or for every 500 if the index has several fields. A duplicate in a partial
    ///   index costs as much as a document that a validator rejects.
    /// - Each document that a validator rejects costs at most two more transactions.
    /// - Each document that is too large, or that no longer fits into the array of its parent, costs about
    ///   `2 * log2(n)` more transactions. Here, `n` is the number of documents between two such documents.
    /// - Documents that refer to missing documents cost one more transaction for each reference field, regardless of
    ///   the number of such documents.
    ///
    /// # Limits
    ///
    /// If the insert runs in your own transaction, the first document that the server rejects ends that transaction.
    /// Nothing is stored, and [`Error::InsertMany`] reports that the transaction has ended. A document that the library
    /// cannot send does not end the transaction.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::{Error, prelude::*};
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "parts")]
    /// struct Part {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Part>,
    ///     name: String,
    /// }
    ///
    /// async fn import(odm: &Odm, parts: Vec<Part>) -> mongo_odm::Result<()> {
    ///     match Part::insert_many(odm, &parts).unordered().await {
    ///         Err(Error::InsertMany { inserted, rejected, .. }) => {
    ///             println!("{inserted} parts are stored");
    ///             for document in rejected {
    ///                 println!("{document}");
    ///             }
    ///         }
    ///         other => println!("{} parts are stored", other?.inserted),
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn unordered(self) -> Self {
        self.options(|options| options.ordered = Some(false))
    }
}

impl<R> Insert<R> {
    /// Sets the documents, which are already encoded and checked, and the path of a snapshot that they lack.
    pub(super) fn with_documents(
        mut self,
        documents: Vec<Result<RawDocumentBuf>>,
        lacking_snapshot: Option<String>,
    ) -> Self {
        self.documents = documents;
        self.lacking_snapshot = lacking_snapshot;
        self
    }

    pub(super) const fn exec(&self) -> &Exec {
        &self.exec
    }

    pub(super) fn new(
        model: &'static ModelShape,
        documents: Vec<Result<RawDocumentBuf>>,
        one: bool,
        exec: Exec,
    ) -> Self {
        Self {
            model,
            documents,
            lacking_snapshot: None,
            one,
            options: InsertManyOptions::default(),
            keeps_timestamps: false,
            fan_out: FanOut::default(),
            exec,
            of: PhantomData,
        }
    }

    /// Clones the insert, so that it can be sent again.
    pub(super) fn again(&self) -> Self {
        Self {
            model: self.model,
            documents: self.documents.iter().map(cloned_result).collect(),
            lacking_snapshot: self.lacking_snapshot.clone(),
            one: self.one,
            options: self.options.clone(),
            keeps_timestamps: self.keeps_timestamps,
            fan_out: self.fan_out.clone(),
            exec: self.exec.clone(),
            of: PhantomData,
        }
    }

    /// Whether a hook can change the document before it is stored.
    pub(super) fn calls_before_insert(&self) -> bool {
        let hooks = self.fan_out.hooks(self.model);
        hooks.is_some_and(|hooks| hooks.has.before_insert)
    }

    /// Returns the encoded document of an insert of a single document. If the encoding has failed, this function returns
    /// the error.
    pub(super) fn encoded(&mut self) -> Result<Document> {
        let Some(encoded) = self.documents.pop() else {
            return Ok(Document::new());
        };
        let encoded = encoded?;
        let document = Document::try_from(&*encoded)
            .map_err(|error| Error::encode("a document", EncodeError(error.to_string())));
        self.documents.push(Ok(encoded));
        document
    }

    timestamps_setter!();

    hooks_setter!();
    option_setters!(comment, write_concern);
    option_setters!(@ any InsertManyOptions);

    pub(super) const fn options_mut(&mut self) -> &mut InsertManyOptions {
        &mut self.options
    }

    /// Rejects an insert that would store an empty value as a snapshot, because neither the insertable struct nor a
    /// hook sets the snapshot.
    fn check_snapshots(&self) -> Result<()> {
        let path = self.lacking_snapshot.as_ref();
        let Some(path) = path.filter(|_| self.fan_out.snapshots_are_given) else {
            return Ok(());
        };
        if self.calls_before_insert() {
            return Ok(());
        }
        let name = self.model.name;
        Err(Error::invalid(format!(
            "the new `{name}` has no value for the snapshot `{path}`, and `keep_snapshots` prevents the library from \
             setting it; add `{path}` to the insertable struct, or remove `keep_snapshots`"
        ))
        .in_model(self.model))
    }

    pub(super) fn into_write(self) -> Result<(write::InsertWrite, Exec)> {
        self.check_snapshots()?;
        let is_unordered = self.options.ordered == Some(false) && !self.one;
        let mut stamp = Stamp::of_struct(self.model, self.keeps_timestamps, &self.exec)?;
        let hooks = self.fan_out.hooks(self.model);
        // The timestamps are set after the hooks.
        let hooks = hooks.map(|hooks| (hooks, stamp.take()));
        let (mut documents, mut unfit) = (Vec::with_capacity(self.documents.len()), Vec::new());
        let after_hooks = hooks.as_ref().and_then(|(_, stamp)| stamp.as_ref());
        for (index, document) in self.documents.into_iter().enumerate() {
            let document = match document {
                Ok(document) => document,
                Err(error) if is_unordered => {
                    unfit.push(unfit_at(index, None, error));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let stamped = match (&stamp, after_hooks) {
                (Some(stamp), _) => stamp.document(&document, 0).map(Some),
                // The fields are set later, but a wrong tenant is an error before the first statement.
                (None, Some(stamp)) => stamp.tenant_of(&document).map(|_| None),
                (None, None) => Ok(None),
            };
            match stamped {
                Ok(stamped) => documents.push(stamped.unwrap_or(document)),
                Err(error) if is_unordered => {
                    unfit.push(unfit_at(index, id_of(&document), error));
                }
                Err(error) => return Err(error),
            }
        }
        let write = write::InsertWrite {
            model: self.model,
            documents,
            unfit,
            one: self.one,
            hooks,
            options: self.options,
            fan_out: self.fan_out,
            returned_as: None,
        };
        Ok((write, self.exec))
    }
}

write_builder!([R] Insert<R>: write::InsertWrite => InsertReport, "insert");
bulk_operation!([R] Insert<R>: Insert);

impl<M: Storable> ReturnsDocument<M> for Insert<M> {
    fn run(self) -> Running<M> {
        Box::pin(async move {
            let find = self.find_inserted();
            self.await?;
            find.require().await
        })
    }

    fn plan(self) -> Result<Plan> {
        let find = self.find_inserted();
        Ok(self.plan()?.followed_by(find.plan()?))
    }
}
