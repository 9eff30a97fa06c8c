//! Fills copies that were declared after their documents were stored.

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

/// Gives all copies in the documents of a model the values of their sources:
/// `odm.backfill::<LogMsg>().await?`.
///
/// For copies that are declared when there are documents already, and for documents that were stored
/// by others. It walks the collection by `_id`, over ids of all types, in batches. Each batch is one
/// transaction:
///
/// 1. a `find` of the documents, of their keys and copies alone;
/// 2. a `find` of their sources for each reference with copies;
/// 3. the updates of the documents that differ: one statement for each distinct value, 1,000 in one `update`;
/// 4. an update in `_odm_cursors` that says how far it has come.
///
/// A batch takes about 50 milliseconds, and a pause follows as after batches of jobs
/// ([`Settings::nice`](crate::Settings)).
///
/// It may run beside all other writes: what a batch writes is not older than its source, and a change
/// of a source at the same moment conflicts with the batch or is found by the look at the sources that
/// follows each. Interrupted at any point, by a crash too, it goes on where the last batch ended when it
/// is called again; when it has come to the end, it forgets its position. Two at once share the work.
/// Declarations that have changed meanwhile make it start anew, and so does a week in which nobody has gone on:
/// a position is removed seven days after its last batch.
///
/// Programs that write to the documents and do not declare a copy learn of it within a minute, and leave it to those
/// that do. So where such programs run, call it a minute after the copy was declared.
///
/// Memory does not grow with the collection. On a standalone server there are no transactions, and a
/// source that changes during a batch may be copied as it was; [`verify`](Odm::verify) finds that.
///
/// # Errors
///
/// [`Error::Declaration`](crate::Error::Declaration) if the declarations of the model contradict others,
/// [`Error::Encode`](crate::Error::Encode) for a value in the filter, and what the server reports. Documents that cannot take their copies, or whose source cannot be read, are in the
/// report, and all others are filled.
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

/// What a backfill has done; by all calls that went on from each other.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BackfillReport {
    /// How many documents were looked at.
    pub looked_at: u64,
    /// How many documents were changed; one with copies of two models counts for each of them.
    pub changed: u64,
    /// The ids of documents that could not take their copies, the first hundred of them.
    pub failed: Vec<Bson>,
    /// How many batches this call has written.
    pub batches: u64,
    /// Whether this call went on where an earlier one had stopped.
    pub resumed: bool,
}

impl fmt::Display for BackfillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (looked_at, changed) = (self.looked_at, self.changed);
        write!(f, "{looked_at} documents looked at, {changed} changed")?;
        match self.failed.len() {
            0 => Ok(()),
            failed => write!(f, ", {failed} failed"),
        }
    }
}

/// What is called after each batch.
#[derive(Clone)]
struct BackfillCallback(Arc<dyn Fn(&BackfillReport) + Send + Sync>);

impl fmt::Debug for BackfillCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BackfillCallback")
    }
}

impl Odm {
    /// Returns a builder that fills the copies in all documents of a model.
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
    /// Sets the largest number of documents in one batch; without it, the time that batches take
    /// decides, from 1,000 documents on.
    pub const fn batch_size(mut self, documents: usize) -> Self {
        self.size = Some(documents);
        self
    }

    /// Fills the documents that match alone, in the order of `_id` as well: it wants an index that begins with the fields of
    /// the filter, or reads what it passes over. Another filter than that of an interrupted call begins anew.
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Starts at the first document, wherever an earlier call has stopped.
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

/// A backfill of one model, of whatever type.
#[derive(Debug)]
pub struct Filling {
    model: &'static ModelShape,
    filter: Document,
    size: Option<usize>,
    restart: bool,
    progress: Option<BackfillCallback>,
}

impl Filling {
    /// Fills all documents of a model, from where an earlier call has stopped, and tells after each batch how far it is.
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

    /// Runs it.
    pub async fn run(self, odm: &Odm) -> Result<BackfillReport> {
        graph().check(self.model.collection)?;
        let own = InboundCopies::of(self.model.documents());
        if own.is_empty() {
            return Ok(BackfillReport::default());
        }
        // Copies of these copies follow, by jobs.
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
