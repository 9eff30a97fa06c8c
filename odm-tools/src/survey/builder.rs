//! The builder of a survey.

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
    sample::Sampling,
    slim::slim_documents,
};
use crate::{
    calls::{Running, traced_call},
    listed_collection::{ListedCollection, list_collections},
    progress::OnProgress,
};

/// How many collections are looked at at once.
const IN_FLIGHT: usize = 4;

/// Looks at samples of a database, with or without models: `odm.survey().await?`.
///
/// It says of each collection how many documents there are and how large, which indexes it has, and what stands at each
/// path of a sample: types, nulls, lengths of arrays, values; and which values are keys of another collection.
///
/// | | sent to the server |
/// |---|---|
/// | once | one `listCollections` |
/// | for each collection, four at once | `$collStats`, `listIndexes`, and a `find` of all documents where they are no more than the sample; otherwise up to three `find` along the index on `_id` and one aggregation |
/// | for each path whose values may be keys of a collection | one `find` of up to 1,000 keys, by the index on them; without one only in a collection of up to 20,000 documents |
/// | for each reference beside a better one to the same collection | one `find` of up to 300 values, likewise |
///
/// # Which documents
///
/// All of them where they are no more than the sample. Otherwise a quarter of the sample has the lowest ids, a quarter the highest,
/// which are the oldest and the newest documents as a rule, and one half is random (`$sample`): neighbours are often alike.
/// Where the server would read a collection of more than 64 MiB for that, because it has less than twenty times as many documents as the
/// sample, that half comes from eight points at equal distances between the two ends, where the ids are of a type that has
/// distances (`ObjectId`, numbers, dates, texts, UUIDs). So it does after [`repeatable`](Self::repeatable).
/// Of a time series, and where that takes longer than [`time_limit`](Self::time_limit), the first documents are
/// taken, and a note says so. A sample ends at 64 MiB.
///
/// It changes nothing and reads no collection as a whole that is larger than the sample and 64 MiB. Views, `system.*` and the
/// library's own collections are left out. What the user of the connection must not read is a note, and the rest is looked at.
///
/// Where values are keys of several collections, this decides, the first of it that differs:
///
/// 1. a `DBRef` names its collection (one name alone at a path);
/// 2. the name of the field: that of the collection (`user_id` of `users`) before one that has a part of it
///    (`home_country_id` of `countries`), that before the name of the key (`email` of `people.email`), and that before any
///    other name; where the last name of a path says nothing (`author.id`), the one above it counts; the name of the collection
///    stands for its `_id` and for a key that is no number and has a unique index (`label` for the `slug` of `labels`);
/// 3. how many of the values are there;
/// 4. the `_id` before a key with a unique index, and that before any other.
///
/// Where none of this differs, there is no reference: [`Survey::undecided`] lists the collections with their shares.
/// Other collections that have the values are said beside a reference ([`ReferenceSurvey::rivals`](crate::ReferenceSurvey::rivals)) where their names fit
/// as well, or where they have more of them. Numbers are keys only where a name says so.
///
/// Half of the values must be in a collection for a reference to it, and 95 of 100 where these are texts that no name calls keys.
/// Where a tenth or more of them are not there and some of these are keys of another collection, they are divided, and there is
/// no reference to a single one: [`Survey::undecided`] lists the collections with their shares
/// ([`UndecidedSurvey::is_divided`](crate::UndecidedSurvey::is_divided)); so it does where no collection has half of the values and
/// several together have more than nine tenths. Where the others lead nowhere, there is a reference, with its share.
///
/// A field beside a reference whose values equal a key of the very documents that the reference leads to, 98 of 100, is a copy
/// (`customer_name` beside `customer_id`): it is in [`Survey::copies`] and no reference. The `_id` is the better reference, then
/// a key with a unique index.
///
/// # Errors
///
/// What the server reports where it is not about a single collection: that it cannot be reached, or that the collections
/// must not be listed.
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
#[must_use = "nothing is looked at until it is awaited"]
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
    /// Looks at a whole database.
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

    /// How many documents of each collection are looked at; 1,000 by default.
    pub const fn sample(mut self, documents: u64) -> Self {
        self.sampling.documents = if documents == 0 { 1 } else { documents };
        self
    }

    /// How long the server may take to bring the sample of a collection; 5 seconds by default.
    pub const fn time_limit(mut self, time: Duration) -> Self {
        self.sampling.time_limit = time;
        self
    }

    /// Looks only at a collection; further calls add further ones. References to others are not found. Of one that does not
    /// exist [`Survey::notes`] says so.
    pub fn only(mut self, collection: impl Into<String>) -> Self {
        self.only.push(collection.into());
        self
    }

    /// Looks also at the library's own collections, `_odm_*`.
    pub const fn own_collections(mut self) -> Self {
        self.own = true;
        self
    }

    /// Whether values are looked up that may be keys of other collections; without this call they are.
    pub const fn references(mut self, are_looked_up: bool) -> Self {
        self.references = are_looked_up;
        self
    }

    /// Looks at the same documents each time, as long as a collection does not change, so that findings do not come and go
    /// from one run to the next; without this call half of a sample is random.
    pub const fn repeatable(mut self) -> Self {
        self.sampling.is_repeatable = true;
        self
    }

    /// Keeps the documents of the samples in the report.
    pub const fn keep_documents(mut self) -> Self {
        self.sampling.keeps_documents = true;
        self
    }

    /// Calls a function as documents of samples are looked at. This sends one `count` for each collection first, which the
    /// server answers without counting.
    pub fn on_progress(mut self, call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        self.progress = Some(OnProgress::new(call));
        self
    }

    /// Whether a collection is to be looked at.
    fn has(&self, collection: &ListedCollection) -> bool {
        let name = collection.name.as_str();
        let is_own = name.starts_with("_odm_");
        let is_named = self.only.iter().any(|only| only == name);
        is_named || self.only.is_empty() && !name.starts_with("system.") && (self.own || !is_own)
    }

    /// Lists the views and the collections that are to be looked at, by name.
    async fn listed(&self) -> Result<(Vec<ListedCollection>, Vec<ListedCollection>)> {
        let mut listed = list_collections(&Reads::new(&self.odm)).await?;
        listed.retain(|it| self.has(it));
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(listed.into_iter().partition(|it| it.is_view))
    }

    /// Returns the samples as they are stored, collection by collection; nothing looks into them.
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
            .map(|it| format!("`{}` is a view, and left out", it.name));
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
        // References are looked for where all collections are known: little is kept of each until then.
        let reads = reads.map_ok(|mut it| {
            if !keeps_documents {
                it.sample = slim_documents(std::mem::take(&mut it.sample));
            }
            it
        });
        survey.collections = reads.try_collect().await?;
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
