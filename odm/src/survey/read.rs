//! What is asked of the server about one collection.

use std::time::Duration;

use mongodb::bson::{Bson, Document, doc};

use super::{
    fields::fields,
    report::{CollectionSurvey, Sizes},
    tally::Numbers,
};
use crate::{
    command::{AggregateCommand, FindCommand, ListedCollection},
    error::{Error, Result},
    index::server,
    odm::{Exec, Odm, each_document},
    place::Place,
};

/// How many bytes of documents are looked at.
const SAMPLE_BYTES: usize = 64 << 20;

/// Up to how many bytes a collection is small enough to be read as a whole.
const SMALL_BYTES: u64 = 64 << 20;

/// What is looked at in each collection.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    pub(crate) documents: u64,
    pub(crate) time_limit: Duration,
    pub(crate) keeps_documents: bool,
}

/// Looks at one collection.
pub(crate) async fn read(
    odm: Odm,
    listed: ListedCollection,
    sampling: Sampling,
) -> Result<CollectionSurvey> {
    let mut found = CollectionSurvey {
        name: listed.name,
        is_timeseries: listed.is_timeseries,
        is_capped: listed.is_capped,
        ..CollectionSurvey::default()
    };
    statistics(&odm, &mut found, &sampling).await?;
    match server::list(&odm, &found.name).await {
        Ok(on_server) => {
            found.indexes = on_server.indexes;
            found.collation = on_server.collation;
        }
        Err(error) => found.notes.push(excused("the indexes", error)?),
    }
    sample(&odm, &mut found, &sampling).await?;
    Ok(found)
}

/// Asks how many documents there are, and how large they are.
async fn statistics(odm: &Odm, found: &mut CollectionSurvey, sampling: &Sampling) -> Result<()> {
    let pipeline = vec![doc! { "$collStats": { "storageStats": {} } }];
    let mut command = AggregateCommand::new(Place::whole(found.name.clone()), pipeline);
    command.options.max_time = Some(sampling.time_limit);
    let replies = match Exec::on(odm.clone()).documents(command).await {
        Ok(replies) => replies,
        Err(error) => {
            found.notes.push(excused("the statistics", error)?);
            return Ok(());
        }
    };
    // A cluster answers once for each shard.
    let sum = |name: &str| {
        let numbers = replies.iter().filter_map(|reply| {
            let stats = reply.get_document("storageStats").ok()?;
            number(stats.get(name)?)
        });
        numbers.fold(None, |sum: Option<u64>, one| Some(sum.unwrap_or(0) + one))
    };
    found.documents = sum("count");
    found.size = sum("size");
    found.storage_size = sum("storageSize");
    found.average_size = match (found.size, found.documents) {
        (Some(size), Some(documents)) => size.checked_div(documents),
        _ => None,
    };
    Ok(())
}

/// Reads the sample; where the server does not bring a random one in time, the documents that it has first.
async fn sample(odm: &Odm, found: &mut CollectionSurvey, sampling: &Sampling) -> Result<()> {
    let wanted = wanted(found, sampling.documents);
    let is_all = found.documents.is_some_and(|all| all <= wanted);
    let documents = if is_all {
        first(odm, found, wanted + 1, sampling).await
    } else {
        match random(odm, found, wanted, sampling).await {
            Err(error) if is_slow(&error) => {
                let seconds = sampling.time_limit.as_secs_f32();
                found.notes.push(format!(
                    "a random sample took longer than {seconds} s: these are the first documents"
                ));
                first(odm, found, wanted, sampling).await
            }
            done => done,
        }
    };
    match documents {
        Ok(documents) => found.is_complete = is_all && documents <= wanted && !is_cut(found),
        Err(error) => found.notes.push(excused("the documents", error)?),
    }
    Ok(())
}

/// Returns how many documents are asked for. The server jumps to random documents as long as they are less than a
/// twentieth of all; to choose more it reads all, which a large collection must not be.
fn wanted(found: &CollectionSurvey, most: u64) -> u64 {
    match (found.documents, found.size) {
        (Some(documents), Some(size)) if size > SMALL_BYTES => most.min((documents / 21).max(1)),
        _ => most,
    }
}

fn is_cut(found: &CollectionSurvey) -> bool {
    !found.notes.is_empty()
}

async fn random(
    odm: &Odm,
    found: &mut CollectionSurvey,
    documents: u64,
    sampling: &Sampling,
) -> Result<u64> {
    let size = i64::try_from(documents).unwrap_or(i64::MAX);
    let pipeline = vec![doc! { "$sample": { "size": size } }];
    let mut command = AggregateCommand::new(Place::whole(found.name.clone()), pipeline);
    command.options.max_time = Some(sampling.time_limit);
    take(odm, command, found, sampling).await
}

async fn first(
    odm: &Odm,
    found: &mut CollectionSurvey,
    documents: u64,
    sampling: &Sampling,
) -> Result<u64> {
    let mut find = FindCommand::new(Place::whole(found.name.clone()), Document::new());
    find.options.limit = i64::try_from(documents).ok();
    find.options.max_time = Some(sampling.time_limit);
    take(odm, find, found, sampling).await
}

/// Takes the documents of a cursor, and looks at them; returns how many they are.
async fn take<C>(
    odm: &Odm,
    command: C,
    found: &mut CollectionSurvey,
    sampling: &Sampling,
) -> Result<u64>
where
    C: crate::command::Command<Reply = crate::command::ServerCursor>,
{
    let mut batches = Exec::on(odm.clone()).open(command).await?;
    let (mut documents, mut sizes) = (Vec::new(), Numbers::default());
    let (mut bytes, mut unreadable) = (0, 0_u64);
    while let Some(batch) = batches.next().await? {
        each_document(&batch, |raw| {
            let size = raw.as_bytes().len();
            bytes += size;
            match Document::try_from(raw) {
                Ok(document) => {
                    sizes.add(size as u64, document.get("_id").unwrap_or(&Bson::Null));
                    documents.push(document);
                }
                Err(_) => unreadable += 1,
            }
            Ok(())
        })?;
        if bytes > SAMPLE_BYTES {
            let mib = SAMPLE_BYTES >> 20;
            let note = format!("the sample ends at {mib} MiB of documents");
            found.notes.push(note);
            break;
        }
    }
    if unreadable > 0 {
        let note = format!("{unreadable} documents are no valid BSON");
        found.notes.push(note);
    }
    found.sampled = documents.len() as u64;
    found.paths = fields(&documents);
    let sizes = sizes.sorted();
    found.sizes = sizes.largest.clone().map(|(max, largest)| Sizes {
        median: sizes.percentile(50),
        p95: sizes.percentile(95),
        max,
        largest,
    });
    if sampling.keeps_documents {
        found.sample = documents;
    }
    Ok(found.sampled)
}

/// Says what could not be read, if the rest can be.
///
/// # Errors
///
/// The error itself, if it is about the connection and not about the one statement.
pub(super) fn excused(what: &str, error: Error) -> Result<String> {
    match error.server_code() {
        Some(_) => Ok(format!("{what} could not be read: {error}")),
        None => Err(error),
    }
}

/// Whether the server gave up because its time was over.
fn is_slow(error: &Error) -> bool {
    const MAX_TIME_EXPIRED: i32 = 50;
    error.server_code() == Some(MAX_TIME_EXPIRED)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of bytes and documents"
)]
fn number(value: &Bson) -> Option<u64> {
    match value {
        Bson::Int32(number) => u64::try_from(*number).ok(),
        Bson::Int64(number) => u64::try_from(*number).ok(),
        Bson::Double(number) => Some(number.max(0.0) as u64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_large_collection_less_than_a_twentieth_is_asked_for() {
        let of = |documents, size| CollectionSurvey {
            documents: Some(documents),
            size: Some(size),
            ..CollectionSurvey::default()
        };
        assert_eq!(wanted(&of(5_000, SMALL_BYTES), 1_000), 1_000);
        assert_eq!(wanted(&of(5_000, SMALL_BYTES + 1), 1_000), 238);
        assert_eq!(wanted(&of(9_000_000, 1 << 40), 1_000), 1_000);
        assert_eq!(wanted(&CollectionSurvey::default(), 1_000), 1_000);
    }
}
