//! The backfill, which fills in copies in documents that were stored before the copies were declared.

mod batch;
mod position;

use std::fmt;

use mongodb::bson::{Bson, Document};

use super::resumable_walk::each_batch;
use crate::{
    action::model::Model,
    client::odm::{Exec, Odm, into_future, traced},
    derived::{follow::InboundCopies, outbox::ProgressFn},
    error::Result,
    graph::graph,
    model::shape::ModelShape,
    query::filter::{Filter, IntoFilter},
};
use batch::NextDocuments;
use position::{BackfillState, position};

/// Sets all copies in the documents of a model to the values of their sources: `odm.backfill::<LogMsg>().await?`.
///
/// Run a backfill after you have declared a copy in a collection that already contains documents, or after other
/// programs have stored documents without the copies. The backfill walks over the collection by `_id` in batches. The
/// collection can contain ids of different types.
///
/// # Sends
///
/// Each batch is one transaction:
///
/// 1. a `find` for the documents, which returns only their keys and copies
/// 2. for each reference that has copies, a `find` for the sources
/// 3. the updates to documents in which copies differ from their sources: one statement for each distinct value, with
///    up to 1,000 statements in one `update`
/// 4. an update to `_odm_cursors` that stores the position of the walk
///
/// A batch takes about 50 milliseconds. After each batch, the backfill pauses for as long as a job would
/// ([`Settings::nice`](crate::Settings)).
///
/// # Index
///
/// The backfill uses the index on `_id`. If you set a [`filter`](Self::filter), create an index that begins with the
/// filter's fields.
///
/// # Guarantees
///
/// - You can run a backfill while other writes continue. A batch never leaves a copy stale. If a source changes
///   during a batch, either the change conflicts with the batch, or the library detects the change after the batch,
///   when it checks the sources again.
/// - If a call is interrupted, even by a crash, the next call with the same filter continues after the last completed
///   batch. The backfill starts again at the first document if the declarations have changed or were
///   [forgotten](Odm::forget_declaration) meanwhile, or if the last batch is more than a week old. The call deletes its
///   saved position once the walk over the collection has finished.
/// - Two concurrent calls with the same filter divide the work between them. Calls with different filters do not affect
///   each other.
/// - Memory use does not grow with the size of the collection.
///
/// # Limits
///
/// - Programs that do not declare the copy may also write to these documents. Such programs read the new declaration
///   within a minute. After that, their writes enqueue jobs that update the copy. If you have such programs, start one
///   program with the new declaration and wait a minute before you call this method.
/// - A standalone server has no transactions. If a source changes during a batch, the batch can copy an old value.
///   [`verify`](Odm::verify) finds such values.
///
/// # Errors
///
/// - [`Error::Declaration`](crate::Error::Declaration) if the model's declarations contradict other declarations
/// - [`Error::Encode`](crate::Error::Encode) if a value in the filter cannot be encoded
/// - server errors
///
/// Documents that cannot be updated, and documents for which the source cannot be read, do not cause an error.
/// The report lists such documents, and all other documents are filled.
///
/// # Cancel safety
///
/// Dropping the future ends the backfill after the current batch. The next call continues after this batch.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/log_models.txt")]
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let report = odm
///     .backfill::<Host>()
///     .on_progress(|so_far| println!("{so_far}"))
///     .await?;
/// println!("{} of {} documents changed", report.changed, report.looked_at);
/// # Ok(()) }
/// ```
#[must_use = "nothing is filled until it is awaited"]
#[derive(Debug)]
pub struct Backfill<M> {
    odm: Odm,
    size: Option<usize>,
    restart: bool,
    progress: Option<ProgressFn<BackfillReport>>,
    filter: Filter<M>,
}

/// The result of a backfill. If this call continued an interrupted one, the numbers include the documents that the
/// earlier call processed.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BackfillReport {
    /// Number of documents that were read.
    pub looked_at: u64,
    /// Number of documents that were changed. A document that contains copies from two models is counted once for each
    /// model.
    pub changed: u64,
    /// The ids of the first hundred documents that the backfill could not update.
    pub failed: Vec<Bson>,
    /// Number of batches that this call wrote. Batches of earlier calls are not included.
    pub batches: u64,
    /// Whether this call continued an interrupted backfill.
    pub resumed: bool,
}

impl fmt::Display for BackfillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (looked_at, changed) = (self.looked_at, self.changed);
        write!(f, "{looked_at} documents read, {changed} changed")?;
        match self.failed.len() {
            0 => Ok(()),
            failed => write!(f, ", {failed} failed"),
        }
    }
}

impl Odm {
    /// Returns a builder that fills in the copies in all documents of a model. Awaiting the builder runs the backfill.
    ///
    /// # Examples
    ///
    /// See [`Backfill`].
    pub fn backfill<M: Model>(&self) -> Backfill<M> {
        Backfill {
            odm: self.clone(),
            size: None,
            restart: false,
            progress: None,
            filter: Filter::all(),
        }
    }
}

impl<M: Model> Backfill<M> {
    /// Sets the largest number of documents in one batch. By default, the first batches contain about 1,000 documents.
    /// Later batches contain as many documents as can be processed in 50 milliseconds.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.backfill::<Book>().batch_size(500).await?;
    /// # Ok(()) }
    /// ```
    pub const fn batch_size(mut self, documents: usize) -> Self {
        self.size = Some(documents);
        self
    }

    /// Fills only the documents that match a filter.
    ///
    /// The backfill still walks in the order of `_id`. Unless an index begins with the filter's fields, the server also
    /// reads documents that do not match. An interrupted backfill is continued only by a call with the same filter.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/log_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = odm
    ///     .backfill::<Host>()
    ///     .filter(Host::fields().name.eq("web-1"))
    ///     .batch_size(100)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Starts at the first document, even if an earlier call was interrupted.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.backfill::<Book>().restart().await?;
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
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.backfill::<Book>().on_progress(|so_far| println!("{so_far}")).await?;
    /// # Ok(()) }
    /// ```
    pub fn on_progress(mut self, call: impl Fn(&BackfillReport) + Send + Sync + 'static) -> Self {
        self.progress = Some(ProgressFn::new(call));
        self
    }

    async fn run(self) -> Result<BackfillReport> {
        let filter = self.filter.into_document();
        let filling = Filling {
            model: M::SHAPE,
            filter: filter.map_err(|error| error.in_model(M::SHAPE))?,
            size: self.size,
            restart: self.restart,
            progress: self.progress,
        };
        filling.run(&self.odm).await
    }
}

/// A backfill of one model, for code that has no type parameter for the model.
#[derive(Debug)]
pub struct Filling {
    model: &'static ModelShape,
    filter: Document,
    size: Option<usize>,
    restart: bool,
    progress: Option<ProgressFn<BackfillReport>>,
}

impl Filling {
    /// Prepares a backfill of all documents of a model. `progress` is called after each batch.
    pub fn all(
        model: &'static ModelShape,
        restart: bool,
        progress: impl Fn(&BackfillReport) + Send + Sync + 'static,
    ) -> Self {
        Self {
            model,
            filter: Document::new(),
            size: None,
            restart,
            progress: Some(ProgressFn::new(progress)),
        }
    }

    /// Whether a model contains copies that a backfill can fill in.
    pub fn has_any(model: &'static ModelShape) -> bool {
        !InboundCopies::of(model.documents()).is_empty()
    }

    /// Runs the backfill until every document has been processed.
    pub async fn run(self, odm: &Odm) -> Result<BackfillReport> {
        graph().check(self.model.collection)?;
        let own = InboundCopies::of(self.model.documents());
        if own.is_empty() {
            return Ok(BackfillReport::default());
        }
        // The filled copies may themselves be sources of other copies. Jobs update those other copies.
        let followers = own
            .references
            .iter()
            .flat_map(|reference| reference.followers());
        let followers: Vec<_> = followers.collect();
        odm.ready_for(&followers, false).await?;
        let exec = Exec::on(odm.clone());
        let position = position(self.model, &self.filter, &own, &exec).await?;
        let mut report = BackfillReport {
            resumed: position.open(self.restart, odm).await?,
            ..BackfillReport::default()
        };
        let next = |scope| NextDocuments {
            model: self.model,
            filter: self.filter.clone(),
            own: own.clone(),
            position: position.clone(),
            scope,
        };
        each_batch(next, self.size, odm, |so_far: BackfillState| {
            report.batches += 1;
            (report.looked_at, report.changed) = (so_far.looked_at, so_far.changed);
            report.failed = so_far.failed;
            if let Some(progress) = &self.progress {
                progress.call(&report);
            }
        })
        .await?;
        Ok(report)
    }
}

into_future!([M: Model] Backfill<M> => BackfillReport, |it| traced(M::SHAPE, "backfill", it.run()));
