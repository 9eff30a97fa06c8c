//! Fills copies in documents that were stored before the copies were declared.

mod batch;
mod position;

use std::{fmt, future::IntoFuture, sync::Arc};

use mongodb::bson::{Bson, Document};

use super::resumable_walk::each_batch;
use crate::{
    action::model::Model,
    client::odm::{Odm, Running, traced},
    derived::follow::InboundCopies,
    error::Result,
    graph::graph,
    model::shape::ModelShape,
    query::filter::{Filter, IntoFilter},
};
use batch::NextDocuments;
use position::{BackfillState, position};

/// Sets all copies in the documents of a model to the values of their sources: `odm.backfill::<LogMsg>().await?`.
///
/// Call it after you have declared a copy in a collection that already has documents, or after other programs have
/// stored documents without copies. It walks over the collection by `_id` in batches, even if the ids have different
/// types.
///
/// # Sends
///
/// Each batch is one transaction:
///
/// 1. a `find` for the documents, with only their keys and copies
/// 2. for each reference with copies, a `find` for the sources
/// 3. the updates to the documents that differ: one statement for each distinct value, up to 1,000 in one `update`
/// 4. an update to `_odm_cursors` that stores the position
///
/// A batch takes about 50 milliseconds. It is followed by a pause, like the batches of jobs
/// ([`Settings::nice`](crate::Settings)).
///
/// # Index
///
/// The index on `_id`. With a [`filter`](Self::filter), an index that begins with the fields of the filter.
///
/// # Guarantees
///
/// - You can run it while other writes continue. A batch never leaves values that are older than the source. If a
///   source changes at the same moment, the change conflicts with the batch, or the check of the sources after the
///   batch finds it.
/// - After an interruption, even by a crash, the next call continues after the last batch. It starts again at the first
///   document if the declarations have changed or the last batch is more than a week old. When the walk is complete,
///   the call deletes its position.
/// - Two concurrent calls share the work.
/// - Memory use does not grow with the size of the collection.
///
/// # Limits
///
/// - Programs that write to these documents but do not declare the copy learn of the new declaration within a minute.
///   From then on, they leave the copy to jobs. If you have such programs, wait a minute after the first start with the
///   new declaration before you call this method.
/// - A standalone server has no transactions. If a source changes during a batch, an old value can be copied.
///   [`verify`](Odm::verify) finds it.
///
/// # Errors
///
/// - [`Error::Declaration`](crate::Error::Declaration) if the model's declarations contradict others
/// - [`Error::Encode`](crate::Error::Encode) for a value in the filter
/// - server errors
///
/// The report lists the documents that cannot store their copies or whose source cannot be read. All others are filled.
///
/// # Cancel safety
///
/// Dropping the future ends the backfill after the current batch. The next call continues there.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "hosts")]
/// # struct Host { #[serde(rename = "_id")] id: Id<Host>, ipaddr: String }
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
    progress: Option<BackfillCallback>,
    filter: Filter<M>,
}

/// The result of a backfill, including the earlier calls that this one continued.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BackfillReport {
    /// Number of documents that were read.
    pub looked_at: u64,
    /// Number of documents that were changed. A document with copies from two models is counted once for each of them.
    pub changed: u64,
    /// The ids of the first hundred documents that could not store their copies.
    pub failed: Vec<Bson>,
    /// Number of batches that this call wrote.
    pub batches: u64,
    /// Whether this call continued an earlier one.
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

/// The function that is called after each batch.
#[derive(Clone)]
struct BackfillCallback(Arc<dyn Fn(&BackfillReport) + Send + Sync>);

impl fmt::Debug for BackfillCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BackfillCallback")
    }
}

impl Odm {
    /// Returns a builder that fills the copies in all documents of a model.
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
    /// Sets the largest number of documents in one batch. By default, the first batches have about 1,000 documents.
    /// Later ones have as many as can be processed in 50 milliseconds.
    pub const fn batch_size(mut self, documents: usize) -> Self {
        self.size = Some(documents);
        self
    }

    /// Fills only the documents that match.
    ///
    /// The backfill still walks in the order of `_id`. Without an index that begins with the fields of the filter, it
    /// also reads the other documents. If an interrupted call had another filter, the backfill starts again at the
    /// first document.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "hosts")]
    /// # struct Host { #[serde(rename = "_id")] id: Id<Host>, ipaddr: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = odm
    ///     .backfill::<Host>()
    ///     .filter(Host::fields().ipaddr.eq("127.66.66.66"))
    ///     .batch_size(100)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Starts at the first document, even if an earlier call was interrupted.
    pub const fn restart(mut self) -> Self {
        self.restart = true;
        self
    }

    /// Calls a function after each batch.
    pub fn on_progress(mut self, call: impl Fn(&BackfillReport) + Send + Sync + 'static) -> Self {
        self.progress = Some(BackfillCallback(Arc::new(call)));
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

/// A backfill of one model, without a type parameter for the model.
#[derive(Debug)]
pub struct Filling {
    model: &'static ModelShape,
    filter: Document,
    size: Option<usize>,
    restart: bool,
    progress: Option<BackfillCallback>,
}

impl Filling {
    /// Prepares a backfill of all documents of a model. The backfill calls `progress` after each batch.
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
            progress: Some(BackfillCallback(Arc::new(progress))),
        }
    }

    /// Whether a model has copies to fill.
    pub fn has_any(model: &'static ModelShape) -> bool {
        !InboundCopies::of(model.documents()).is_empty()
    }

    /// Runs the backfill.
    pub async fn run(self, odm: &Odm) -> Result<BackfillReport> {
        graph().check(self.model.collection)?;
        let own = InboundCopies::of(self.model.documents());
        if own.is_empty() {
            return Ok(BackfillReport::default());
        }
        // The filled copies can be the sources of other copies, which jobs update.
        let followers = own
            .references
            .iter()
            .flat_map(|reference| reference.followers());
        let followers: Vec<_> = followers.collect();
        odm.ready_for(&followers, false).await?;
        let position = position(self.model, &self.filter, &own);
        let mut report = BackfillReport {
            resumed: position.open(self.restart, odm).await?,
            ..BackfillReport::default()
        };
        let first = NextDocuments::new(self.model, self.filter, own, position);
        each_batch(first, self.size, odm, |so_far: BackfillState| {
            report.batches += 1;
            (report.looked_at, report.changed) = (so_far.looked_at, so_far.changed);
            report.failed = so_far.failed;
            if let Some(BackfillCallback(call)) = &self.progress {
                call(&report);
            }
        })
        .await?;
        Ok(report)
    }
}

impl<M: Model> IntoFuture for Backfill<M> {
    type Output = Result<BackfillReport>;
    type IntoFuture = Running<BackfillReport>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "backfill", self.run())
    }
}
