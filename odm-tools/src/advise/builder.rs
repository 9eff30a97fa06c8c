//! What a program calls.

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
};

/// Asks what the six rules of thumb say of a database: `odm.advise().await?`.
///
/// Each finding has its figures, one example, what it costs now, the attribute to write, what it costs then, and how to
/// check it. All checks with their thresholds: [the list](crate::Advice#the-checks).
///
/// | | sent to the server |
/// |---|---|
/// | once | one `listCollections`, one `find` in `system.profile`, one `serverStatus`, one `find` in `_odm_schema` if it is there; with models what [`Jobs::count`](mongo_odm::Jobs::count) sends and one aggregation over the jobs |
/// | for each collection, two at once | `$collStats`, `listIndexes`, `$indexStats`, and the documents of the sample as [`survey`](crate::OdmTools::survey) reads them; one `find` by `_id` for a large document |
/// | for each reference, with models | one `find` of the keys of the sample, by their index, and the same again for those that lead nowhere; for two-way references and copies, too |
/// | for each reference with small values beside its keys | one `find` of up to 300 keys, of the small fields alone |
/// | without models | one `find` of up to 1,000 sampled values for each path that may be a reference |
///
/// It changes nothing, and reads no collection as a whole that is larger than 20,000 documents or 64 MB: each statement
/// has a time limit (`maxTimeMS`) and the comment `odm.advise`, and a sample its size. What the user of the connection may not read, what takes longer than the
/// [time limit](Self::time_limit), and what is not counted is in the report as [not looked
/// at](crate::Advice::not_looked_at).
///
/// Counters are those of this handle since it was made: ask a program that has done its usual work for a while. A program
/// of its own that asks for advice has none, and its report says so.
///
/// # Errors
///
/// [`Error::Unreachable`](mongo_odm::Error::Unreachable), and [`ErrorKind::Timeout`](mongo_odm::ErrorKind::Timeout) of a server that
/// does not answer, until documents of a collection were read: from then on the report says what was not read. And what the server reports where it is not about a single
/// statement: that collections must not be listed, for instance.
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
#[must_use = "nothing is looked at until it is awaited"]
#[derive(Clone, Debug)]
pub struct Advise {
    source: AdviceSource,
    reading: Reading,
    thresholds: Thresholds,
}

/// Returns a builder that asks what the rules of thumb say of a database of which there are no models: from samples
/// alone, whatever models are linked into the program.
///
/// Takes a connection string that names the database, a `Database` of the driver, or `&Odm`. Sends nothing until it is
/// awaited.
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
    /// Asks about the database of a handle and the models of the program.
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

    /// Looks at some collections alone; without this call at all but those of the server and of the library. What does not
    /// exist is in the report as [not looked at](crate::Advice::not_looked_at).
    pub fn collections<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.reading.only.extend(names.into_iter().map(Into::into));
        self
    }

    /// How many documents of each collection are looked at; 1,000 by default.
    pub const fn sample(mut self, documents: u64) -> Self {
        self.reading.sample = if documents == 0 { 1 } else { documents };
        self
    }

    /// From where on something is a finding.
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// How long it may take; 30 seconds by default. What is not looked at by then is in the report, also
    /// where the server has stopped to answer: half a second later nothing is waited for any more. The list of the
    /// collections alone may take 5 seconds, if this is less.
    pub const fn time_limit(mut self, time: Duration) -> Self {
        self.reading.time_limit = time;
        self
    }

    /// Calls a function as documents of samples are looked at, each of them twice. This sends one `count` for each
    /// collection first, which the server answers without counting.
    pub fn on_progress(mut self, call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        self.reading.progress = Some(OnProgress::new(call));
        self
    }

    /// Returns the findings one by one, collection by collection, as they are found. What could not be looked at is in
    /// the report alone.
    pub fn stream(self) -> impl Stream<Item = Result<Finding>> + Send + 'static {
        let found = self
            .outcomes()
            .map_ok(|part| stream::iter(part.outcome.findings.into_iter().map(Ok)));
        traced_call_stream("advise", found.try_flatten())
    }

    fn outcomes(self) -> impl Stream<Item = Result<Part>> + Send + 'static {
        stream::once(self.begun()).try_flatten()
    }

    /// Reads what there is of the database as a whole; the rest follows collection by collection.
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

/// What was found in one collection, or in the database as a whole.
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
