//! Reads statistics, samples, the profile and the counters; nothing here scans a large collection.

mod collection;
mod database;
mod indexes;
mod largest;
mod looked_up;
mod mirrors;
mod profile;
mod sources;
mod statements;
mod unfit;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{
    Stream, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};

use super::seen::{Need, SeenCollection, SeenDatabase};
use crate::{
    command::{ListCollectionsCommand, ListedCollection},
    error::{Error, ErrorKind, Result},
    odm::{Exec, Odm},
    survey::{
        CollectionSurvey, ReferenceSurvey, Sampling, Survey, find_references, survey_collection,
    },
};

/// How many collections are looked at at once.
const IN_FLIGHT: usize = 2;

/// What is to be read.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) with_models: bool,
    /// The collections; all without one.
    pub(super) only: Vec<String>,
    pub(super) sample: u64,
    pub(super) time_limit: Duration,
}

/// Sends statements until the time is over.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    exec: Exec,
    end: Instant,
    limit: Duration,
    with_models: bool,
    sample: u64,
}

impl Reader {
    /// Returns the time that a statement may take, or why there is none any more.
    fn time(&self) -> std::result::Result<Duration, String> {
        let left = self.end.saturating_duration_since(Instant::now());
        // For the server, 0 milliseconds are no limit.
        if left < Duration::from_millis(1) {
            return Err(format!("the time limit of {:?} was over", self.limit));
        }
        Ok(left)
    }

    fn sampling(&self, left: Duration) -> Sampling {
        Sampling {
            documents: self.sample,
            // What is slow leaves time for others.
            time_limit: left.min(self.limit / 4).max(Duration::from_millis(1)),
            keeps_documents: self.with_models,
        }
    }
}

/// Says why something could not be read.
///
/// # Errors
///
/// The error itself, if no other statement would fare better.
fn excuse(error: Error) -> Result<String> {
    match error.kind() {
        ErrorKind::Unreachable | ErrorKind::Shutdown => Err(error),
        ErrorKind::Timeout => Ok("the server needed more time than it was given".to_owned()),
        _ => Ok(error.to_string()),
    }
}

/// Reads the database as a whole; its collections are read as the stream is polled.
pub(super) async fn begin(
    odm: Odm,
    reading: Reading,
) -> Result<(
    Arc<SeenDatabase>,
    impl Stream<Item = Result<SeenCollection>> + Send + 'static,
)> {
    let reader = Reader {
        exec: Exec::on(odm),
        end: Instant::now() + reading.time_limit,
        limit: reading.time_limit,
        with_models: reading.with_models,
        sample: reading.sample,
    };
    let all = reader.exec.send(ListCollectionsCommand::new()).await?;
    let mut listed: Vec<_> = all.into_iter().filter(is_of_application).collect();
    listed.sort_by(|left, right| left.name.cmp(&right.name));
    let database = Arc::new(database::read(&reader, &listed).await?);
    listed.retain(|it| reading.only.is_empty() || reading.only.contains(&it.name));
    let surveys: BoxStream<'static, Result<Surveyed>> = if reading.with_models {
        Box::pin(surveys(&reader, listed))
    } else {
        Box::pin(stream::iter(without_models(&reader, listed).await?).map(Ok))
    };
    let seen = Arc::clone(&database);
    let collections = surveys
        .map_ok(move |it| collection::read(reader.clone(), Arc::clone(&seen), it))
        .try_buffered(IN_FLIGHT);
    Ok((database, collections))
}

fn is_of_application(listed: &ListedCollection) -> bool {
    let name = listed.name.as_str();
    !listed.is_view && !name.starts_with("system.") && !name.starts_with("_odm_")
}

/// What a survey has found in a collection, with the references of its documents; or why it was not made.
struct Surveyed {
    found: CollectionSurvey,
    references: Vec<Inferred>,
    why_not: Option<String>,
}

/// A reference that values show.
#[derive(Clone)]
struct Inferred {
    reference: ReferenceSurvey,
    /// Whether its target has no index on the key.
    lacks_index: bool,
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
    let mut surveyed = Surveyed {
        found: CollectionSurvey::default(),
        references: Vec::new(),
        why_not: None,
    };
    match reader.time() {
        Ok(left) => {
            let (odm, sampling) = (reader.exec.odm().clone(), reader.sampling(left));
            surveyed.found = survey_collection(odm, listed, sampling).await?;
        }
        Err(why) => {
            surveyed.found.name = listed.name;
            surveyed.why_not = Some(why);
        }
    }
    Ok(surveyed)
}

/// References are seen only where all collections are known.
async fn without_models(reader: &Reader, listed: Vec<ListedCollection>) -> Result<Vec<Surveyed>> {
    let mut all: Vec<Surveyed> = surveys(reader, listed).try_collect().await?;
    let collections = all.iter_mut().map(|it| std::mem::take(&mut it.found));
    let mut whole = Survey {
        collections: collections.collect(),
        ..Survey::default()
    };
    if reader.time().is_ok() {
        find_references(reader.exec.odm(), &mut whole).await?;
    }
    let references: Vec<_> = whole
        .references
        .iter()
        .map(|it| inferred(it, &whole))
        .collect();
    for (surveyed, found) in all.iter_mut().zip(whole.collections) {
        let of_it = references.iter();
        let of_it = of_it.filter(|it| it.reference.collection == found.name);
        surveyed.references = of_it.cloned().collect();
        surveyed.found = found;
    }
    Ok(all)
}

fn inferred(reference: &ReferenceSurvey, whole: &Survey) -> Inferred {
    let target = whole.collection(&reference.target);
    let mut indexes = target.into_iter().flat_map(|it| &it.indexes);
    let is_indexed = indexes.any(|index| index.keys.keys().next() == Some(&reference.key));
    Inferred {
        reference: reference.clone(),
        lacks_index: reference.key != "_id" && !is_indexed,
    }
}

/// Notes that something could not be read.
fn note(seen: &mut SeenCollection, need: Need, why: impl Into<String>) {
    seen.unread.entry(need).or_insert_with(|| why.into());
}
