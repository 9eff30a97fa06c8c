//! The builder that `odm.survey()` returns.

use std::{future::IntoFuture, time::Duration};

#[cfg(feature = "cli")]
use futures_util::Stream;
use futures_util::{StreamExt, TryStreamExt, stream};
use mongo_odm::{__tools::Reads, Odm, Result, WalkProgress};

#[cfg(feature = "cli")]
use super::read::RawSample;
use super::{
    read, references,
    report::{Survey, ViewSurvey},
    sample::{Sampling, sample_size},
    slim::slim_documents,
};
use crate::{
    calls::{Running, traced_call},
    listed_collection::{ListedCollection, list_collections},
    progress::OnProgress,
};

/// Number of collections that are read concurrently.
const IN_FLIGHT: usize = 4;

/// Surveys a database by sampling its documents: `odm.survey().await?`. A survey works without models.
///
/// For each collection, a survey reports the number and size of the documents, and the indexes. For each path in a
/// sample, the survey reports types, nulls, array lengths and values. The survey also reports which values are keys of
/// another collection. A survey does not change the database.
///
/// # Sends
///
/// | | statements |
/// |---|---|
/// | once | one `listCollections` and one `hello`; on a sharded cluster also one `find` and one aggregation in the database `config` |
/// | for each collection, four collections at a time | `$collStats`, `listIndexes` and the sample |
/// | for the sample of a small collection | one `find` that reads all documents |
/// | for the sample of a larger collection | up to three `find`s that use the index on `_id`, and one aggregation |
/// | for each path that may contain keys of a collection | one `find` by up to 1,000 keys, which requires an index if the collection has more than 20,000 documents |
/// | for each reference next to a better reference to the same collection | one `find` by up to 300 values, with the same requirement |
///
/// # Sampled documents
///
/// A collection that is not larger than the sample is read completely. In a larger collection, a quarter of the sample
/// consists of the documents with the lowest ids, and another quarter of those with the highest ids. The documents at
/// the two ends are usually the oldest and the newest ones. The other half is random (`$sample`), because neighbouring
/// documents are often similar.
///
/// If a collection has fewer than twenty times as many documents as the sample, `$sample` scans the whole collection.
/// If such a collection is also larger than 64 MiB, the other half of the sample is not random. This half is read at
/// eight evenly spaced points between the lowest and the highest id. Reading at these points requires ids between which
/// distances can be computed (`ObjectId`, numbers, dates, strings, UUIDs). [`repeatable`](Self::repeatable) always uses
/// these points.
///
/// In a time series, or if sampling exceeds the [`time_limit`](Self::time_limit), the survey reads only the first
/// documents and adds a note to the report. The total size of a sample is limited to 64 MiB.
///
/// # Limits
///
/// A survey never reads a collection completely if it contains more documents than the sample and is larger than 64
/// MiB. A survey skips views, `system.*` and the library's own collections. If the database user is not allowed to read
/// a collection, the survey adds a note and continues.
///
/// # Selection of the target
///
/// If values are keys of several collections, the survey compares these collections by the following criteria. The
/// first criterion on which they differ selects the target:
///
/// 1. A `DBRef` contains the name of its target collection. This criterion counts only if all `DBRef`s at the path
///    contain the same name.
/// 2. The name of the field. From best to worst, the field has the name of the collection (`user_id` for `users`), a
///    similar name (`home_country_id` for `countries`), the name of the key (`email` for `people.email`), or any other
///    name. If the last name in a path is generic (`author.id`), the preceding name is compared instead. A field that
///    has the name of a collection matches the collection's `_id`. The field also matches a key that has a unique index
///    and is not a number (`label` for the `slug` of `labels`).
/// 3. The number of values that exist in the collection.
/// 4. The key: first `_id`, then a key that has a unique index, then any other key.
///
/// If the best collections are equal by all criteria, the survey reports no reference. [`Survey::undecided`] lists the
/// collections, each with the share of the values that it contains.
/// [`ReferenceSurvey::rivals`](crate::ReferenceSurvey::rivals) lists other collections that contain the values, if
/// their names match equally well or if they contain more of the values. Numbers count as keys only if a name matches.
///
/// The survey reports a reference only if at least half of the values exist in the collection. For strings in a field
/// whose name does not match, at least 95 % must exist.
///
/// The values are divided if the collection lacks at least 10 % of them, and another collection contains some of these
/// missing values as keys. The values are also divided if no collection contains half of them, but several collections
/// together contain more than 90 %. In these cases the survey reports no reference, and [`Survey::undecided`] lists the
/// collections ([`UndecidedSurvey::is_divided`](crate::UndecidedSurvey::is_divided)). If the missing values do not
/// exist in any other collection, the survey reports a reference with the share of the values that exist.
///
/// A field next to a reference is a copy, and not a second reference, if 98 % of its values equal a field of the
/// targets (`customer_name` next to `customer_id`). [`Survey::copies`] lists the copies. The field that refers to the
/// `_id` is preferred as the reference, and then one that refers to a key with a unique index.
///
/// # Errors
///
/// Server errors that affect more than one collection. For example, the server cannot be reached, or the database user
/// is not allowed to list the collections.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm_tools::OdmTools;
///
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let survey = odm.survey().sample(500).await?;
/// for reference in &survey.references {
///     println!("{reference}");
/// }
/// # Ok(()) }
/// ```
#[must_use = "nothing is read until it is awaited"]
#[derive(Clone, Debug)]
pub struct SurveyDatabase {
    odm: Odm,
    sampling: Sampling,
    only: Vec<String>,
    own: bool,
    references: bool,
    progress: Option<OnProgress>,
}

impl SurveyDatabase {
    /// Creates a survey of a whole database.
    pub(crate) fn new(odm: &Odm) -> Self {
        Self {
            odm: odm.clone(),
            sampling: Sampling {
                documents: 1_000,
                time_limit: Duration::from_secs(5),
                keeps_documents: false,
                is_repeatable: false,
            },
            only: Vec::new(),
            own: false,
            references: true,
            progress: None,
        }
    }

    /// Sets the number of documents to sample from each collection. The default is 1,000.
    pub const fn sample(mut self, documents: u64) -> Self {
        self.sampling.documents = sample_size(documents);
        self
    }

    /// Sets the server's time limit for each statement that samples a collection. The default is 5 seconds.
    pub const fn time_limit(mut self, time: Duration) -> Self {
        self.sampling.time_limit = time;
        self
    }

    /// Limits the survey to one collection. Further calls add collections. The survey does not find references to
    /// collections that it does not include. Collections that do not exist are reported in [`Survey::notes`].
    pub fn only(mut self, collection: impl Into<String>) -> Self {
        self.only.push(collection.into());
        self
    }

    /// Includes the library's own collections, `_odm_*`.
    pub const fn own_collections(mut self) -> Self {
        self.own = true;
        self
    }

    /// Sets whether the survey looks up values that may be keys of other collections. The default is `true`.
    pub const fn references(mut self, are_looked_up: bool) -> Self {
        self.references = are_looked_up;
        self
    }

    /// Makes the survey read the same documents each time, as long as the collection does not change, so that findings
    /// are reproducible. By default, half of a sample is random.
    pub const fn repeatable(mut self) -> Self {
        self.sampling.is_repeatable = true;
        self
    }

    /// Keeps the sampled documents in the report.
    pub const fn keep_documents(mut self) -> Self {
        self.sampling.keeps_documents = true;
        self
    }

    /// Registers a function that is called while sampled documents are processed. For each collection, this option
    /// sends one additional `count`, which the server answers from its metadata.
    pub fn on_progress(mut self, call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        self.progress = Some(OnProgress::new(call));
        self
    }

    /// Whether the survey includes a collection.
    fn has(&self, collection: &ListedCollection) -> bool {
        let name = collection.name.as_str();
        let is_own = name.starts_with("_odm_");
        let is_named = self.only.iter().any(|only| only == name);
        is_named || self.only.is_empty() && !name.starts_with("system.") && (self.own || !is_own)
    }

    /// Lists the views and the collections that the survey includes. Each list is sorted by name.
    async fn listed(&self) -> Result<(Vec<ListedCollection>, Vec<ListedCollection>)> {
        let mut listed = list_collections(&Reads::new(&self.odm)).await?;
        listed.retain(|it| self.has(it));
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(listed.into_iter().partition(|it| it.is_view))
    }

    /// Returns the samples as raw BSON, collection by collection, without computing statistics about the documents.
    #[cfg(feature = "cli")]
    pub(crate) async fn raw_samples(self) -> Result<impl Stream<Item = Result<RawSample>> + Send> {
        let (_, listed) = self.listed().await?;
        let (odm, sampling) = (self.odm, self.sampling);
        let reads = stream::iter(listed);
        let reads = reads.map(move |it| read::read_raw(Reads::new(&odm), it, sampling.clone()));
        Ok(reads.buffered(IN_FLIGHT))
    }

    async fn run(self) -> Result<Survey> {
        let mut survey = Survey {
            database: self.odm.database().name().to_owned(),
            ..Survey::default()
        };
        let (views, listed) = self.listed().await?;
        let has = |name: &&String| views.iter().chain(&listed).any(|it| it.name == **name);
        let absent = self.only.iter().filter(|name| !has(name));
        let absent = absent.map(|name| format!("there is no collection `{name}`"));
        survey.notes.extend(absent);
        survey.views = views.into_iter().map(view).collect();
        let left_out = survey
            .views
            .iter()
            .map(|it| format!("`{}` is a view, and was skipped", it.name));
        survey.notes.extend(left_out);
        let walk = match &self.progress {
            Some(progress) => {
                let reads = Reads::new(&self.odm);
                let documents = self.sampling.documents;
                Some(
                    progress
                        .begin_samples(&reads, &listed, documents, 1)
                        .await?,
                )
            }
            None => None,
        };
        let reads = listed.into_iter();
        let keeps_documents = self.sampling.keeps_documents;
        let sampling = Sampling {
            keeps_documents: keeps_documents || self.references,
            ..self.sampling.clone()
        };
        let reads = reads.map(|it| read::read(Reads::new(&self.odm), it, sampling.clone()));
        let reads = stream::iter(reads).buffered(IN_FLIGHT);
        let reads = reads.inspect_ok(|it| {
            if let Some(walk) = &walk {
                walk.add(it.sampled);
            }
        });
        // References are looked up after all collections have been read. Until the lookup, only a part of each sample
        // is kept in memory.
        let reads = reads.map_ok(|mut it| {
            if !keeps_documents {
                it.sample = slim_documents(std::mem::take(&mut it.sample));
            }
            it
        });
        survey.collections = reads.try_collect().await?;
        read::shard_keys(&Reads::new(&self.odm), &mut survey).await?;
        if let Some(walk) = walk {
            walk.end();
        }
        if self.references {
            references::find(&Reads::new(&self.odm), &mut survey).await?;
        }
        if !keeps_documents {
            for it in &mut survey.collections {
                it.sample = Vec::new();
            }
        }
        Ok(survey)
    }
}

fn view(listed: ListedCollection) -> ViewSurvey {
    ViewSurvey {
        name: listed.name,
        on: listed.view_on.unwrap_or_default(),
        pipeline: listed.pipeline,
    }
}

impl IntoFuture for SurveyDatabase {
    type Output = Result<Survey>;
    type IntoFuture = Running<Survey>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("survey", self.run())
    }
}
