//! Reads statistics, samples, the profile and the counters. None of these statements scans a large collection.
//!
//! References can be found only after all collections have been sampled. So a part of each sample stays in memory:
//!
//! - Without models, the advisor keeps only the small values of each document (`slim_documents`).
//! - With models, the advisor keeps the sampled documents in full. If a lookup of the keys, links or copies in these
//!   documents shows a problem, the advisor repeats the lookup. A problem that occurs in both lookups is not caused by
//!   a concurrent write.

mod arrays;
mod by_hand;
mod collection;
mod database;
mod declared;
mod excuse;
mod growth;
mod indexes;
mod largest;
mod looked_up;
mod maps;
mod mirrors;
mod pairs;
mod placeholder;
mod profile;
mod shard_keys;
mod sources;
mod statements;
mod unfit;

use std::{
    future::ready,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{
    Stream, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use mongo_odm::{__tools::Reads, Error, ErrorKind, Odm, Result, models};
use mongodb::bson::Bson;

use super::{
    need::Need,
    seen::{SeenArray, SeenCollection, SeenDatabase, SeenMap},
};
use crate::{
    listed_collection::{ListedCollection, list_collections},
    progress::{OnProgress, Walk},
    statements::LONGEST,
    survey::{
        CollectionSurvey, ReferenceSurvey, Sampling, Survey, find_references, slim_documents,
        survey_collection,
    },
};
#[cfg(feature = "cli")]
pub(super) use collection::take_over;
pub(super) use excuse::excuse;
use excuse::excuse_of_database;
pub(super) use shard_keys::growth;

/// Number of collections that are read concurrently.
const IN_FLIGHT: usize = 2;

/// Number of times that each sampled document is processed: once to analyse its fields, and once to analyse its
/// references.
const LOOKS: u64 = 2;

/// The comment in all statements that the advisor sends. This comment distinguishes the advisor's statements from those
/// of the program.
const OWN: &str = "odm.advise";

/// Maximum time for listing the collections. This limit applies even if the time limit of the call is shorter.
const LISTING: Duration = Duration::from_secs(5);

/// The parameters for the reads.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) progress: Option<OnProgress>,
    pub(super) with_models: bool,
    /// Names of the collections to read; empty for all collections.
    pub(super) only: Vec<String>,
    pub(super) sample: u64,
    pub(super) time_limit: Duration,
}

/// Sends the advisor's statements until the time limit has passed.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    reads: Reads,
    end: Instant,
    limit: Duration,
    with_models: bool,
    sample: u64,
    walk: Option<Walk>,
    /// Number of sampled documents that have been processed so far. A document counts up to twice.
    looks: Arc<AtomicU64>,
}

impl Reader {
    /// Records that sampled documents have been processed.
    fn went_on(&self, documents: u64) {
        self.looks.fetch_add(documents, Ordering::Relaxed);
        if let Some(walk) = &self.walk {
            walk.add(documents);
        }
    }

    /// Returns the reason why a collection could not be read. If no document has been read yet, errors that affect all
    /// statements are returned as errors, because the report would be empty.
    fn excuse_of_collection(&self, error: Error) -> Result<String> {
        match self.looks.load(Ordering::Relaxed) {
            0 => excuse_of_database(error),
            _ => excuse(error),
        }
    }

    /// Fails if the time limit has passed, with the reason that the report contains.
    fn time(&self) -> std::result::Result<(), String> {
        if Instant::now() < self.end {
            return Ok(());
        }
        Err(format!("the time limit of {:?} was exceeded", self.limit))
    }

    /// Like [`Self::time`], but fails with an `Error`.
    fn in_time(&self) -> Result<()> {
        self.time().map_err(Error::custom)
    }

    fn sampling(&self) -> Sampling {
        Sampling {
            documents: self.sample,
            // A slow collection must leave time for the other collections.
            time_limit: (self.limit / 4).max(Duration::from_millis(1)),
            keeps_documents: true,
            is_repeatable: false,
        }
    }
}

/// Reads the data about the database as a whole. Polling the returned stream reads the collections.
pub(super) async fn begin(
    odm: Odm,
    reading: Reading,
) -> Result<(
    Arc<SeenDatabase>,
    impl Stream<Item = Result<SeenCollection>> + Send + 'static,
)> {
    // The clock cannot represent the end of an unlimited period.
    let limit = reading.time_limit.min(LONGEST);
    let all = list(&odm, limit).await?;
    let end = Instant::now() + limit;
    let mut reader = Reader {
        reads: Reads::until(&odm, end, OWN),
        end,
        limit,
        with_models: reading.with_models,
        sample: reading.sample,
        walk: None,
        looks: Arc::default(),
    };
    let (all, why_not) = match all {
        Ok(all) => (all, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    // The library determines the indexes of an archive, and a deleted document can refer to other deleted documents.
    // The models' own collections show the problems that also occur in the archive.
    let models = if reading.with_models {
        models()
    } else {
        Vec::new()
    };
    let is_archive = |name: &str| models.iter().any(|model| model.archive == Some(name));
    let is_read = |it: &ListedCollection| is_of_application(it) && !is_archive(&it.name);
    let absent = match &why_not {
        None => absent(&reading.only, &all, is_read),
        Some(_) => Vec::new(),
    };
    let are_declared = all.iter().any(|it| it.name == declared::DECLARATIONS);
    let mut listed: Vec<_> = all.into_iter().filter(is_read).collect();
    listed.sort_by(|left, right| left.name.cmp(&right.name));
    let mut database = database::read(&reader, &listed, are_declared).await?;
    let why_not = why_not.map(|why| (Need::Collections, why));
    database.unread.extend(why_not);
    database.absent = absent;
    let database = Arc::new(database);
    listed.retain(|it| reading.only.is_empty() || reading.only.contains(&it.name));
    if let Some(progress) = &reading.progress {
        let walk = progress
            .begin_samples(&reader.reads, &listed, reading.sample, LOOKS)
            .await?;
        reader.walk = Some(walk);
    }
    let surveys: BoxStream<'static, Result<Surveyed>> = if reading.with_models {
        Box::pin(surveys(&reader, listed))
    } else {
        Box::pin(stream::iter(without_models(&reader, listed).await?).map(Ok))
    };
    let seen = Arc::clone(&database);
    let (walk, looked) = (reader.walk.clone(), reader.clone());
    let collections = surveys
        .map_ok(move |it| collection::read(reader.clone(), Arc::clone(&seen), it))
        .try_buffered(IN_FLIGHT)
        .inspect_ok(move |it| looked.went_on(it.sampled));
    let at_end = stream::once(async move {
        if let Some(walk) = walk {
            walk.end();
        }
    });
    let at_end = at_end.filter_map(|()| ready(None));
    Ok((database, collections.chain(at_end)))
}

/// Lists the collections. If listing the collections took too long, returns the reason instead. Without the list of
/// collections, all checks are reported as skipped.
async fn list(
    odm: &Odm,
    limit: Duration,
) -> Result<std::result::Result<Vec<ListedCollection>, String>> {
    let reads = Reads::until(odm, Instant::now() + limit.max(LISTING), OWN);
    match list_collections(&reads).await {
        Ok(all) => Ok(Ok(all)),
        Err(error) if error.kind() == ErrorKind::Timeout => Ok(Err(excuse_of_database(error)?)),
        Err(error) => Err(error),
    }
}

/// Returns the reasons why requested collections cannot be read.
fn absent(
    only: &[String],
    all: &[ListedCollection],
    is_read: impl Fn(&ListedCollection) -> bool,
) -> Vec<String> {
    let why = |name: &String| match all.iter().find(|it| it.name == *name) {
        None => Some(format!("there is no collection `{name}`")),
        Some(it) if is_read(it) => None,
        Some(_) => Some(format!(
            "`{name}` is a view, or a collection of the server or the library"
        )),
    };
    only.iter().filter_map(why).collect()
}

fn is_of_application(listed: &ListedCollection) -> bool {
    let name = listed.name.as_str();
    !listed.is_view && !name.starts_with("system.") && !name.starts_with("_odm_")
}

/// The survey of a collection and the references in its documents, or the reason why the survey failed.
#[derive(Default)]
struct Surveyed {
    found: CollectionSurvey,
    references: Vec<Inferred>,
    arrays: Vec<SeenArray>,
    maps: Vec<SeenMap>,
    why_not: Option<String>,
    /// The reason why references could not be looked up, if the lookup failed.
    why_no_references: Option<String>,
}

/// An undeclared reference that was inferred from its values.
#[derive(Clone)]
struct Inferred {
    reference: ReferenceSurvey,
    /// Whether the target collection lacks an index on the key.
    lacks_index: bool,
    /// The dangling value and its frequency, if there is only one such value and it is a placeholder.
    placeholder: Option<(Bson, u64)>,
}

fn surveys(
    reader: &Reader,
    listed: Vec<ListedCollection>,
) -> impl Stream<Item = Result<Surveyed>> + Send + 'static {
    let reader = reader.clone();
    let each = move |listed| survey(reader.clone(), listed);
    stream::iter(listed).map(each).buffered(IN_FLIGHT)
}

async fn survey(reader: Reader, listed: ListedCollection) -> Result<Surveyed> {
    let mut surveyed = Surveyed::default();
    match reader.time() {
        Ok(()) => {
            let reads = reader.reads.clone();
            let name = listed.name.clone();
            match survey_collection(reads, listed, reader.sampling()).await {
                Ok(found) => surveyed.found = found,
                Err(error) => {
                    surveyed.found.name = name;
                    surveyed.why_not = Some(reader.excuse_of_collection(error)?);
                    return Ok(surveyed);
                }
            }
            reader.went_on(surveyed.found.sampled);
            surveyed.arrays = arrays::of(&surveyed.found);
            surveyed.maps = maps::of(&surveyed.found);
            if !reader.with_models {
                // Without models, all samples are in memory at the same time, so only small values of the documents are
                // kept.
                let sample = std::mem::take(&mut surveyed.found.sample);
                surveyed.found.sample = slim_documents(sample);
            }
        }
        Err(why) => {
            surveyed.found.name = listed.name;
            surveyed.why_not = Some(why);
        }
    }
    Ok(surveyed)
}

/// Surveys all collections before looking up references, because the target of a reference can be in any collection.
async fn without_models(reader: &Reader, listed: Vec<ListedCollection>) -> Result<Vec<Surveyed>> {
    let mut all: Vec<Surveyed> = surveys(reader, listed).try_collect().await?;
    let collections = all.iter_mut().map(|it| std::mem::take(&mut it.found));
    let mut whole = Survey {
        collections: collections.collect(),
        ..Survey::default()
    };
    let why_not = match reader.time() {
        Ok(()) => match find_references(&reader.reads, &mut whole).await {
            Ok(()) => whole.notes.first().cloned(),
            Err(error) => Some(excuse(error)?),
        },
        Err(why) => Some(why),
    };
    let references: Vec<_> = whole
        .references
        .iter()
        .map(|it| inferred(it, &whole))
        .collect();
    for (surveyed, found) in all.iter_mut().zip(whole.collections) {
        let of_it = references.iter();
        let of_it = of_it.filter(|it| it.reference.collection == found.name);
        surveyed.references = of_it.cloned().collect();
        surveyed.why_no_references.clone_from(&why_not);
        surveyed.found = found;
    }
    Ok(all)
}

fn inferred(reference: &ReferenceSurvey, whole: &Survey) -> Inferred {
    let target = whole.collection(&reference.target);
    let mut indexes = target.into_iter().flat_map(|it| &it.indexes);
    let is_indexed = indexes.any(|index| index.keys.keys().next() == Some(&reference.key));
    Inferred {
        placeholder: only_dangling(reference, whole),
        reference: reference.clone(),
        lacks_index: reference.key != "_id" && !is_indexed,
    }
}

/// Returns the dangling value and its frequency, if there is only one such value and it is a placeholder.
fn only_dangling(reference: &ReferenceSurvey, whole: &Survey) -> Option<(Bson, u64)> {
    let [value] = reference.dangling.as_slice() else {
        return None;
    };
    let path = whole
        .collection(&reference.collection)?
        .path(&reference.path)?;
    let (_, times) = path.values.iter().find(|(known, _)| known == value)?;
    let keys = path.values.iter().map(|(_, times)| times).sum();
    placeholder::placeholder(value, *times, (keys, reference.asked))
}

/// Records the reason why a read failed. If there is already a reason, that reason is kept.
fn note(seen: &mut SeenCollection, need: Need, why: impl Into<String>) {
    seen.unread.entry(need).or_insert_with(|| why.into());
}
