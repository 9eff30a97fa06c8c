//! Moves the documents of one model to another, for example to combine two collections into one that uses kinds, or to
//! split such a collection.
//!
//! An update cannot change the kind of a document, so a move inserts and deletes documents. A batch runs an
//! `InsertWrite`, then a `SaveWrite` for each document to overwrite, then a `DeleteWrite`. All these writes run in the
//! transaction that also stores the position, and they update all derived data.
//!
//! The comparison of a converted document with the target's version skips the fields that the library maintains.
//! Mirrors are nevertheless compared, because neither array of the pair can be derived from other data.

mod batch;
mod check;
mod existing_target;
mod position;
mod route;

use std::{fmt, marker::PhantomData};

use mongodb::bson::Bson;

use super::resumable_walk::each_batch;
use crate::{
    action::model::Model,
    client::odm::{Odm, into_future, traced},
    derived::outbox::ProgressFn,
    error::{Error, Result},
    graph::{Content, graph},
};
use batch::NextToMove;
pub use check::{CheckMove, MoveDrift};
use position::position;
use route::{Convert, Route};

/// Moves the documents of one model to another: `odm.move_documents(|old: OldStudent| Student { .. }).await?`.
///
/// Use a move to combine two collections into one that contains several
/// [kinds](derive@crate::Model#kinds-of-documents-in-one-collection), or to split such a collection. The move walks
/// over the documents of `Old` by `_id` in batches. The `_id`s in the collection may have different types. Your
/// function converts each document, and the library stores the result with the kind of `New`.
///
/// By default, nothing is overwritten or deleted. A document that the target already contains is counted as
/// [`present`](MoveReport::present) if it equals the converted document. Otherwise, its id is listed in
/// [`differing`](MoveReport::differing). Data that the library maintains (copies, computed fields, arrays that are
/// derived from their children) is not compared. [`Odm::verify`] checks this data.
///
/// # Sends
///
/// Each batch is one transaction:
///
/// 1. a `find` that reads the documents of `Old`
/// 2. a `find` in the target for documents of any kind whose `_id` equals that of a converted document
/// 3. an insert of the missing documents, which has the same effects as [`insert_many`](crate::Documents::insert_many).
///    Snapshots keep the values that your function returns.
/// 4. with [`overwrite`](Self::overwrite), a save of each document that differs from its version in the target
/// 5. with [`delete_moved`](Self::delete_moved), a delete of those `Old` documents that the target contains
/// 6. an update to `_odm_cursors` that stores the position of the walk
///
/// A batch takes about 50 milliseconds. The first batch contains up to 1,000 documents. Set a smaller
/// [`batch_size`](Self::batch_size) if your documents are large. The move pauses between batches for as long as a job
/// would ([`Settings::nice`](crate::Settings)).
///
/// # Guarantees
///
/// - After an interruption, even by a crash, a call with the same options continues after the last completed batch. The
///   call deletes its saved position once the walk over the collection has finished. An unused position expires a week
///   after the last batch.
/// - The library cannot detect that you changed the function. After such a change, call [`restart`](Self::restart).
/// - Two concurrent calls with the same options divide the work between them.
///
/// # Concurrent writes
///
/// Each batch reads its documents in one snapshot. If a document in `Old` changes after it was moved, this call does
/// not transfer the change to `New`. Nor does it move a new document whose `_id` sorts before the position that the
/// walk has already reached. So follow these steps:
///
/// 1. While your program uses only `Old`, repeat the call with `overwrite()` until the report contains neither
///    [`moved`](MoveReport::moved) nor [`overwritten`](MoveReport::overwritten) documents.
/// 2. Stop all writes to `Old`, and run the call once more.
/// 3. Call [`check`](Self::check). Then start the programs that use `New`. From then on, do not use `overwrite()`,
///    because it would undo the writes of those programs.
/// 4. Drop the collection of `Old`, or run the call again with `delete_moved()`.
///
/// # Limits
///
/// - The move processes the documents of all tenants, even if the handle has a tenant.
/// - Deleted documents of `Old` are moved only if both models have `#[deleted_at]`. Otherwise, they would become live
///   documents. Archived documents are never moved.
/// - If a document is deleted from `Old` after it was moved, its counterpart remains in `New`. A check lists the
///   counterpart in `left_over`.
/// - References to `Old` in other models are not changed. Move the models that contain such references in the same way,
///   and convert their references to the new ids.
/// - A standalone server has no transactions. If a crash interrupts a batch, some of its documents may have been moved
///   already. The next call counts the moved documents as present.
///
/// # Errors
///
/// - [`Error::IdTaken`] if a document of a different kind or tenant in the target collection already has the `_id` of a
///   converted document, or if two documents in a batch are converted to the same `_id`. A batch with such a conflict
///   is not written.
/// - [`Error::Invalid`] if `Old` and `New` share documents, or if `delete_moved` is set and the delete would change
///   other documents
/// - [`Error::Declaration`] if the declarations in either model contradict other declarations
/// - server errors
///
/// If a document cannot be read as `Old`, or cannot be stored as `New` (because of a bound, a unique index, a
/// validator, a missing tenant, or a missing target of a reference with `exists`), its id is listed in
/// [`failed`](MoveReport::failed), and the reason is logged. All other documents are moved.
///
/// # Cancel safety
///
/// Dropping the future ends the move after the current batch. The next call continues after this batch.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "students")]
/// struct OldStudent {
///     #[serde(rename = "_id")]
///     id: Id<OldStudent, i64>,
///     name: String,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "school", kind(doc_type = "student"))]
/// struct Student {
///     #[serde(rename = "_id")]
///     id: Id<Student, String>,
///     name: String,
/// }
///
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let moving = odm.move_documents(|old: OldStudent| Student {
///     id: Id::from_key(format!("S{}", old.id)),
///     name: old.name,
/// });
/// println!("{}", moving.clone().await?);
/// let drift = moving.check().await?;
/// assert!(drift.is_empty(), "{drift}");
/// # Ok(()) }
/// ```
#[must_use = "nothing is moved until it is awaited"]
#[derive(Debug)]
pub struct MoveDocuments<Old, New> {
    odm: Odm,
    route: Route,
    size: Option<usize>,
    restart: bool,
    progress: Option<ProgressFn<MoveReport>>,
    models: PhantomData<fn(Old) -> New>,
}

/// The result of a move. If this call continued an interrupted one, the numbers include the documents that the earlier
/// call processed. All ids are ids of `Old` documents.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MoveReport {
    /// Number of `Old` documents that were read.
    pub looked_at: u64,
    /// Number of documents that the move inserted into the target.
    pub moved: u64,
    /// Number of documents for which the target already contained an equal document.
    pub present: u64,
    /// Number of target documents that differed from the converted ones and were overwritten (see
    /// [`overwrite`](MoveDocuments::overwrite)).
    pub overwritten: u64,
    /// Number of documents that were deleted from `Old` (see [`delete_moved`](MoveDocuments::delete_moved)).
    pub deleted: u64,
    /// The ids of the first hundred documents whose stored version in the target differs from the converted document
    /// and was not overwritten.
    pub differing: Vec<Bson>,
    /// The ids of the first hundred documents that could not be read or stored.
    pub failed: Vec<Bson>,
    /// Number of batches that this call wrote. Batches of earlier calls are not included.
    pub batches: u64,
    /// Whether this call continued an interrupted move.
    pub resumed: bool,
}

impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (looked_at, moved, present) = (self.looked_at, self.moved, self.present);
        write!(
            f,
            "{looked_at} documents read, {moved} moved, {present} already present"
        )?;
        let more = [
            (self.overwritten, "overwritten"),
            (self.deleted, "deleted"),
            (self.differing.len() as u64, "differing"),
            (self.failed.len() as u64, "failed"),
        ];
        let mut more = more.into_iter().filter(|(number, _)| *number > 0);
        more.try_for_each(|(number, what)| write!(f, ", {number} {what}"))
    }
}

impl<Old, New> Clone for MoveDocuments<Old, New> {
    fn clone(&self) -> Self {
        Self {
            odm: self.odm.clone(),
            route: self.route.clone(),
            size: self.size,
            restart: self.restart,
            progress: self.progress.clone(),
            models: PhantomData,
        }
    }
}

impl Odm {
    /// Returns a builder that moves the documents of one model to another. `convert` turns one `Old` document into a
    /// `New` document.
    ///
    /// # Examples
    ///
    /// See [`MoveDocuments`].
    pub fn move_documents<Old: Model, New: Model>(
        &self,
        convert: impl Fn(Old) -> New + Send + Sync + 'static,
    ) -> MoveDocuments<Old, New> {
        MoveDocuments {
            odm: self.all_tenants(),
            route: Route {
                from: Old::SHAPE,
                to: New::SHAPE,
                convert: Convert::new(convert),
                overwrite: false,
                delete: false,
            },
            size: None,
            restart: false,
            progress: None,
            models: PhantomData,
        }
    }
}

impl<Old: Model, New: Model> MoveDocuments<Old, New> {
    /// Overwrites target documents that differ from the converted ones. Use this option only while the documents in
    /// `Old` are the correct ones and no other program writes to the target.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "works", kind(kind = "book"))]
    /// # struct Work { #[serde(rename = "_id")] id: Id<Work>, title: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let moving = odm.move_documents(|book: Book| Work {
    ///     id: Id::from_key(book.id.into_key()),
    ///     title: book.title,
    /// });
    /// let report = moving.overwrite().await?;
    /// println!("{} moved, {} overwritten", report.moved, report.overwritten);
    /// # Ok(()) }
    /// ```
    pub const fn overwrite(mut self) -> Self {
        self.route.overwrite = true;
        self
    }

    /// Deletes each `Old` document for which the target contains an equal document. The comparison and the delete run
    /// in one transaction. Documents that an earlier call moved are also deleted.
    ///
    /// # Sends
    ///
    /// One additional [`delete_many`](crate::Documents::delete_many) per batch.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the delete would change other documents, because of an `on_delete` rule or an array that
    /// mirrors an array in `Old`. Move those other documents first. Then drop the collection of `Old`, or delete its
    /// documents with the driver.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "works", kind(kind = "book"))]
    /// # struct Work { #[serde(rename = "_id")] id: Id<Work>, title: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let moving = odm.move_documents(|book: Book| Work {
    ///     id: Id::from_key(book.id.into_key()),
    ///     title: book.title,
    /// });
    /// let report = moving.delete_moved().await?;
    /// println!("{} deleted", report.deleted);
    /// # Ok(()) }
    /// ```
    pub const fn delete_moved(mut self) -> Self {
        self.route.delete = true;
        self
    }

    /// Sets the largest number of documents in one batch. By default, the first batches contain up to 1,000 documents.
    /// Later batches contain as many documents as can be processed in 50 milliseconds.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "works", kind(kind = "book"))]
    /// # struct Work { #[serde(rename = "_id")] id: Id<Work>, title: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let moving = odm.move_documents(|book: Book| Work {
    ///     id: Id::from_key(book.id.into_key()),
    ///     title: book.title,
    /// });
    /// let moving = moving.batch_size(100).on_progress(|report| println!("{report}"));
    /// moving.await?;
    /// # Ok(()) }
    /// ```
    pub const fn batch_size(mut self, documents: usize) -> Self {
        self.size = Some(documents);
        self
    }

    /// Starts at the first document, even if an earlier call was interrupted.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "works", kind(kind = "book"))]
    /// # struct Work { #[serde(rename = "_id")] id: Id<Work>, title: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let moving = odm.move_documents(|book: Book| Work {
    ///     id: Id::from_key(book.id.into_key()),
    ///     title: book.title,
    /// });
    /// // Another function has converted the documents so far.
    /// moving.restart().overwrite().await?;
    /// # Ok(()) }
    /// ```
    pub const fn restart(mut self) -> Self {
        self.restart = true;
        self
    }

    /// Calls a function with the current report after each batch.
    ///
    /// # Examples
    ///
    /// See [`batch_size`](Self::batch_size).
    pub fn on_progress(mut self, call: impl Fn(&MoveReport) + Send + Sync + 'static) -> Self {
        self.progress = Some(ProgressFn::new(call));
        self
    }

    /// Returns a builder that compares the documents of both models and writes nothing. The check finds documents that
    /// are missing from the target or differ there, and documents that only the target contains.
    ///
    /// # Examples
    ///
    /// See [`MoveDocuments`](Self).
    pub fn check(self) -> CheckMove {
        CheckMove::new(self.odm, self.route)
    }

    async fn run(self) -> Result<MoveReport> {
        self.route.check()?;
        let position = position(&self.route);
        let mut report = MoveReport {
            resumed: position.open(self.restart, &self.odm).await?,
            ..MoveReport::default()
        };
        let next = |scope| NextToMove {
            route: self.route.clone(),
            position: position.clone(),
            scope,
        };
        each_batch(next, self.size, &self.odm, |so_far: MoveReport| {
            report = MoveReport {
                batches: report.batches + 1,
                resumed: report.resumed,
                ..so_far
            };
            if let Some(progress) = &self.progress {
                progress.call(&report);
            }
        })
        .await?;
        Ok(report)
    }
}

impl Route {
    /// Rejects a move between models that share documents, and rejects `delete_moved` if the deletes would change other
    /// documents.
    fn check(&self) -> Result<()> {
        let (from, to) = (self.from, self.to);
        graph().check(from.collection)?;
        graph().check(to.collection)?;
        if from.overlaps(to) {
            return Err(Error::invalid(format!(
                "`{}` and `{}` are models of the same documents of `{}`, so there is nothing to move; give one of them another \
                 collection or another kind",
                from.name, to.name, from.collection
            ))
            .in_model(from));
        }
        match self.follows_deletes() {
            Some(name) if self.delete => Err(Error::invalid(format!(
                "a delete of `{}` would change other documents by `{name}`, and a move must not do that; remove \
                 `delete_moved()`, and after the move drop `{}` or delete its documents with the driver",
                from.name, from.collection
            ))
            .in_model(from)),
            _ => Ok(()),
        }
    }

    /// Returns the name of the delete rule or the mirror through which deleting the moved documents would change other
    /// documents. Returns `None` if no other documents would change.
    fn follows_deletes(&self) -> Option<&'static str> {
        let documents = self.from.documents();
        let rule = graph().rules(documents).next();
        let mut references = graph().from(documents);
        let mirrored = references.find(|it| match it.content() {
            Content::Mirrored => true,
            Content::Derived | Content::Absent => false,
        });
        let mirrored = mirrored.map(|reference| reference.name.as_str());
        rule.map(|rule| rule.title.as_str()).or(mirrored)
    }
}

into_future!(
    [Old: Model, New: Model] MoveDocuments<Old, New> => MoveReport,
    |it| traced(Old::SHAPE, "move_documents", it.run())
);
