//! Moves the documents of one model into another: from two collections into one with kinds, and back.
//!
//! An update cannot change the kind of a document, so a move stores and deletes documents. A batch runs an
//! `InsertWrite`, then a `SaveWrite` for each document that may be overwritten, then a `DeleteWrite`. They run in the
//! transaction of the position, and all derived data follows them.
//!
//! A comparison of two documents skips the fields that the library maintains. Exception: it includes two arrays that
//! refer to each other, because neither can be derived.

mod batch;
mod check;
mod existing_target;
mod position;
mod route;

use std::{fmt, future::IntoFuture, marker::PhantomData, sync::Arc};

use mongodb::bson::Bson;

use super::resumable_walk::each_batch;
use crate::{
    action::model::Model,
    client::odm::{Odm, Running, traced},
    error::{Error, Result},
    graph::graph,
    model::shape::OnDelete,
};
use batch::NextToMove;
pub use check::{CheckMove, MoveDrift};
use position::position;
use route::{Convert, Route};

/// Moves the documents of a model into another one: `odm.move_documents(|old: OldStudent| Student { .. }).await?`.
///
/// For two collections that become one of several [kinds](derive@crate::Model#kinds-of-documents-in-one-collection), and
/// for the way back, which is the same call with the models exchanged. It walks the documents of `Old` by `_id`, over ids
/// of all types, in batches, makes a `New` of each with the function, and stores it with its kind. Each batch is one
/// transaction:
///
/// 1. a `find` of the documents;
/// 2. a `find` of the documents of the target with the ids that the function gives, of whatever kind;
/// 3. an insert of those that are not there, with all that follows an [`insert_many`](crate::Documents::insert_many); snapshots
///    are stored as they are given;
/// 4. with [`overwrite`](Self::overwrite), a save of each one that differs; with [`delete_moved`](Self::delete_moved), a
///    delete of the documents of `Old` that the target has;
/// 5. an update in `_odm_cursors` that says how far it has come.
///
/// Nothing is overwritten, and nothing is deleted, unless these say so: a document that the target has already is counted as
/// [`present`](MoveReport::present), and one that differs there is in [`differing`](MoveReport::differing). What the library
/// keeps in documents by itself (copies, computed fields, arrays that follow their children) does not count as a difference;
/// [`Odm::verify`] looks after that.
///
/// Batches take about 50 milliseconds, the first one up to 1,000 documents ([`batch_size`](Self::batch_size) for large
/// ones), with pauses as after batches of jobs ([`Settings::nice`](crate::Settings)). Interrupted at any point, by a crash
/// too, it goes on where the last batch ended when it is called again with the same options; when it has come to the end, it
/// forgets its position, and so it does a week after the last batch. The function is not compared: after a change of it,
/// call [`restart`](Self::restart). Two at once share the work.
///
/// # Others that write meanwhile
///
/// A batch sees the documents as they are in its snapshot. What others write to `Old` after its batch, or insert before the
/// position, is not moved by this call. So:
///
/// 1. while the program reads and writes `Old` alone, call it with `overwrite()` until a report says that nothing was
///    [`moved`](MoveReport::moved) or [`overwritten`](MoveReport::overwritten);
/// 2. stop the writers of `Old`, and call it once more;
/// 3. call [`check`](Self::check), and let programs read and write `New`. From here on `overwrite()` would undo what they
///    write;
/// 4. drop the collection of `Old`, or call it with `delete_moved()`.
///
/// Documents that were deleted from `Old` after they were moved are in the `left_over` of a check. References to `Old` in
/// other models stay as they are: move these models in the same way, with the new ids.
///
/// On a standalone server there are no transactions. A crash within a batch leaves a part of it moved, which the next call
/// counts as present.
///
/// # Errors
///
/// - [`Error::IdTaken`] if the target has a document of another kind with the `_id` of one that is to be moved, or two
///   documents of a batch are given one `_id`. The batch is not written.
/// - [`Error::Invalid`] if `Old` and `New` share documents, and for `delete_moved` where other documents follow a delete.
/// - [`Error::Declaration`] if the declarations of either model contradict others.
/// - What the server reports.
///
/// Documents that cannot be read as `Old` or stored as `New` (a bound, a unique index, a validator) are in
/// [`failed`](MoveReport::failed), with the reason in the log, and all others are moved.
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
    progress: Option<MoveCallback>,
    models: PhantomData<fn(Old) -> New>,
}

/// What a move has done; by all calls that went on from each other. All ids are those of the documents of `Old`.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MoveReport {
    /// How many documents were looked at.
    pub looked_at: u64,
    /// How many were stored in the target.
    pub moved: u64,
    /// How many the target had already, just as they are.
    pub present: u64,
    /// How many the target had otherwise, and that were written over ([`overwrite`](MoveDocuments::overwrite)).
    pub overwritten: u64,
    /// How many were deleted ([`delete_moved`](MoveDocuments::delete_moved)).
    pub deleted: u64,
    /// The ids of documents that the target has otherwise, and that were left, the first hundred of them.
    pub differing: Vec<Bson>,
    /// The ids of documents that could not be read or stored, the first hundred of them.
    pub failed: Vec<Bson>,
    /// How many batches this call has written.
    pub batches: u64,
    /// Whether this call went on where an earlier one had stopped.
    pub resumed: bool,
}

impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (looked_at, moved, present) = (self.looked_at, self.moved, self.present);
        write!(
            f,
            "{looked_at} documents looked at, {moved} moved, {present} there already"
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

/// What is called after each batch.
#[derive(Clone)]
struct MoveCallback(Arc<dyn Fn(&MoveReport) + Send + Sync>);

impl fmt::Debug for MoveCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MoveCallback")
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
    /// Returns a builder that moves the documents of a model into another one; the function makes one of the other.
    pub fn move_documents<Old: Model, New: Model>(
        &self,
        convert: impl Fn(Old) -> New + Send + Sync + 'static,
    ) -> MoveDocuments<Old, New> {
        MoveDocuments {
            odm: self.clone(),
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
    /// Writes over documents of the target that differ: what is in `Old` is right. Only as long as nobody else writes to
    /// them.
    pub const fn overwrite(mut self) -> Self {
        self.route.overwrite = true;
        self
    }

    /// Deletes the documents of `Old` that the target has just as they are, each in the transaction in which that was seen;
    /// also those that an earlier call has moved.
    ///
    /// It is a [`delete_many`](crate::Documents::delete_many) of them. Where documents elsewhere would follow it, by an
    /// `on_delete` or an array that mirrors one of `Old`, it is refused: these have to be moved first, and then the
    /// collection of `Old` dropped, or its documents deleted with the driver.
    pub const fn delete_moved(mut self) -> Self {
        self.route.delete = true;
        self
    }

    /// Sets the largest number of documents in one batch; without it, the time that batches take decides, from 1,000
    /// documents on.
    pub const fn batch_size(mut self, documents: usize) -> Self {
        self.size = Some(documents);
        self
    }

    /// Starts at the first document, wherever an earlier call has stopped.
    pub const fn restart(mut self) -> Self {
        self.restart = true;
        self
    }

    /// Calls a function after each batch.
    pub fn on_progress(mut self, call: impl Fn(&MoveReport) + Send + Sync + 'static) -> Self {
        self.progress = Some(MoveCallback(Arc::new(call)));
        self
    }

    /// Compares the documents of both models, and writes nothing: which are missing in the target, which differ there, and
    /// which the target has besides.
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
        let first = NextToMove::new(self.route, position);
        each_batch(first, self.size, &self.odm, |so_far: MoveReport| {
            report = MoveReport {
                batches: report.batches + 1,
                resumed: report.resumed,
                ..so_far
            };
            if let Some(MoveCallback(call)) = &self.progress {
                call(&report);
            }
        })
        .await?;
        Ok(report)
    }
}

impl Route {
    /// Refuses a move that cannot mean what it says.
    fn check(&self) -> Result<()> {
        let (from, to) = (self.from, self.to);
        graph().check(from.collection)?;
        graph().check(to.collection)?;
        if from.overlaps(to) {
            return Err(Error::invalid(format!(
                "`{}` and `{}` stand for the same documents of `{}`, so that none can be moved; give one of them another \
                 collection or another kind",
                from.name, to.name, from.collection
            ))
            .in_model(from));
        }
        match self.follows_deletes() {
            Some(name) if self.delete => Err(Error::invalid(format!(
                "a delete of `{}` changes other documents by `{name}`, which a move is not to do; leave out \
                 `delete_moved()`, and drop `{}` or delete with the driver when everything is moved",
                from.name, from.collection
            ))
            .in_model(from)),
            _ => Ok(()),
        }
    }

    /// Names what would delete or change data elsewhere after a delete.
    fn follows_deletes(&self) -> Option<&'static str> {
        let documents = self.from.documents();
        let mut rules = graph().rules(documents);
        let rule = rules.find(|rule| rule.policy != OnDelete::Keep);
        let mut references = graph().from(documents);
        let mirrored = references.find(|reference| reference.is_mirrored());
        let mirrored = mirrored.map(|reference| reference.name.as_str());
        rule.map(|rule| rule.name.as_str()).or(mirrored)
    }
}

impl<Old: Model, New: Model> IntoFuture for MoveDocuments<Old, New> {
    type Output = Result<MoveReport>;
    type IntoFuture = Running<MoveReport>;

    fn into_future(self) -> Self::IntoFuture {
        traced(Old::SHAPE, "move_documents", self.run())
    }
}
