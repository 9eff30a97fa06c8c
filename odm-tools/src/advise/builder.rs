//! The builder that `odm.advise()` returns, and the function `advise` for a database without models.

use std::{
    future::IntoFuture,
    time::{Duration, Instant},
};

use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use mongo_odm::{Odm, Result, WalkProgress, models};

use super::{
    catalogue::Outcome,
    finding::Finding,
    read::{self, Reading},
    report::Advice,
    source::AdviceSource,
    thresholds::Thresholds,
};
use crate::{
    calls::{Running, traced_call, traced_call_stream},
    progress::OnProgress,
    survey::sample_size,
};

/// Checks a database against the six rules of thumb for schema design: `odm.advise().await?`.
///
/// Each finding contains figures, an example, the current cost, the attribute to write, the cost after this change, and
/// a way to verify the result. For all checks and their thresholds, see [the list](crate::Advice#the-checks).
///
/// The call does not change the database. The advisor never reads all documents of a collection that has more than
/// 20,000 documents or 64 MB. Each statement has a time limit (`maxTimeMS`) and the comment `odm.advise`, and each
/// sample has a limited size. The report lists skipped checks in [`not_looked_at`](crate::Advice::not_looked_at). A
/// check is skipped if the database user lacks the required rights, if the [time limit](Self::time_limit) has passed,
/// or if the handle has no counters.
///
/// Some checks need the counters that this handle has collected since it was created. So call `advise` in a program
/// that has already done its usual work for a while. A separate program has no counters, so its report lists these
/// checks as skipped.
///
/// # Sends
///
/// | | statements |
/// |---|---|
/// | once | one `listCollections`, one `find` in `system.profile`, one `serverStatus`, one `hello`, and one `find` in `_odm_schema` if it exists |
/// | once, on a sharded cluster | one `find` and one aggregation in the database `config` |
/// | once, with models | the statements of [`Jobs::count`](mongo_odm::Jobs::count) and one aggregation over the jobs |
/// | for each collection, two collections at a time | `$collStats`, `listIndexes`, `$indexStats`, and the sample of [`survey`](crate::OdmTools::survey) |
/// | for each collection with a large document in its sample | one `find` for the largest document, by `_id` |
/// | for each reference, two-way reference and copy, with models | one indexed `find` by the sampled keys, and a second one to confirm problems |
/// | for each reference with small fields next to its keys | one `find` for the small fields of at most 300 targets |
/// | for each path that may be a reference, without models | one `find` for at most 1,000 sampled values |
///
/// # Errors
///
/// - [`Error::Unreachable`](mongo_odm::Error::Unreachable), and [`ErrorKind::Timeout`](mongo_odm::ErrorKind::Timeout)
///   if the server stops answering before any documents have been read. Later failures are listed in the report.
/// - Server errors that affect the whole call, for example if the database user is not allowed to list the collections.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm_tools::OdmTools;
///
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let advice = odm.advise().sample(500).await?;
/// println!("{advice}");
/// # Ok(()) }
/// ```
#[must_use = "nothing is read until it is awaited"]
#[derive(Clone, Debug)]
pub struct Advise {
    source: AdviceSource,
    reading: Reading,
    thresholds: Thresholds,
}

/// Returns a builder for advice about a database without models.
///
/// The builder uses only samples and ignores the models that are linked into the program. The argument is a connection
/// string that contains the name of the database, the driver's `Database`, or `&Odm`. Nothing is sent until the builder
/// is awaited.
///
/// # Examples
///
/// ```no_run
/// # async fn example() -> mongo_odm::Result<()> {
/// let advice = mongo_odm_tools::advise("mongodb://localhost:27017/shop").await?;
/// println!("{advice}");
/// # Ok(()) }
/// ```
pub fn advise(source: impl Into<AdviceSource>) -> Advise {
    Advise::new(source.into(), false)
}

impl Advise {
    /// Creates a builder that checks the database of a handle and the program's models.
    pub(crate) fn with_models(odm: &Odm) -> Self {
        let with_models = !models().is_empty();
        Self::new(odm.into(), with_models)
    }

    fn new(source: AdviceSource, with_models: bool) -> Self {
        Self {
            source,
            reading: Reading {
                progress: None,
                with_models,
                only: Vec::new(),
                sample: 1_000,
                time_limit: Duration::from_secs(30),
            },
            thresholds: Thresholds::default(),
        }
    }

    /// Limits the advice to the given collections. By default, all collections are included except those of the server
    /// and the library. Collections that do not exist are listed in [`not_looked_at`](crate::Advice::not_looked_at).
    pub fn collections<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.reading.only.extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets the number of documents to sample from each collection. The default is 1,000.
    pub const fn sample(mut self, documents: u64) -> Self {
        self.reading.sample = sample_size(documents);
        self
    }

    /// Sets the limits that trigger findings.
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// Sets the maximum duration of the call. The default is 30 seconds. The report lists the checks that did not
    /// finish in this time. If the server has stopped answering, the call ends half a second after this limit. Listing
    /// the collections may take 5 seconds even if the limit is shorter.
    pub const fn time_limit(mut self, time: Duration) -> Self {
        self.reading.time_limit = time;
        self
    }

    /// Registers a function that is called while sampled documents are processed. Each document is processed twice and
    /// so counts twice. For each collection, this option sends one additional `count`, which the server answers from
    /// its metadata.
    pub fn on_progress(mut self, call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        self.reading.progress = Some(OnProgress::new(call));
        self
    }

    /// Returns a stream of the findings, collection by collection, as they are found. The stream does not contain
    /// skipped checks. To get the skipped checks, await the builder instead, which returns the whole report.
    pub fn stream(self) -> impl Stream<Item = Result<Finding>> + Send + 'static {
        let found = self
            .outcomes()
            .map_ok(|part| stream::iter(part.outcome.findings.into_iter().map(Ok)));
        traced_call_stream("advise", found.try_flatten())
    }

    fn outcomes(self) -> impl Stream<Item = Result<Part>> + Send + 'static {
        stream::once(self.begun()).try_flatten()
    }

    /// Reads the data about the database as a whole. The returned stream reads the collections.
    async fn begun(self) -> Result<impl Stream<Item = Result<Part>> + Send + 'static> {
        let odm = self.source.open().await?;
        let thresholds = self.thresholds;
        let (database, collections) = read::begin(odm, self.reading).await?;
        let t = thresholds.clone();
        let each = collections.map_ok(move |seen| Part {
            outcome: Outcome::of_collection(&seen, &t),
            collection: Some(seen.name),
            documents: seen.documents,
            sampled: seen.sampled,
        });
        let whole = stream::once(async move {
            Ok(Part {
                outcome: Outcome::of_database(&database, &thresholds),
                collection: None,
                documents: 0,
                sampled: 0,
            })
        });
        Ok(each.chain(whole))
    }
}

/// The findings for one collection or for the whole database.
struct Part {
    outcome: Outcome,
    collection: Option<String>,
    documents: u64,
    sampled: u64,
}

impl IntoFuture for Advise {
    type Output = Result<Advice>;
    type IntoFuture = Running<Advice>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("advise", async move {
            let began = Instant::now();
            let mut advice = Advice::default();
            let mut parts = std::pin::pin!(self.outcomes());
            while let Some(part) = parts.try_next().await? {
                advice.collections += u64::from(part.collection.is_some());
                advice.documents += part.documents;
                advice.sampled += part.sampled;
                advice.add(part.outcome, part.collection.as_deref());
            }
            advice.sort();
            advice.took = began.elapsed();
            Ok(advice)
        })
    }
}
