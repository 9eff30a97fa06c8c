//! Selects the sample of a collection. The cost of a sample does not depend on the size of the collection.
//!
//! 1. A small collection is read completely.
//! 2. In a larger collection, the documents with the lowest and the highest ids are read. These documents are usually
//!    the oldest and the newest.
//! 3. More documents are read from the range between these two ends. By default, these documents are selected randomly
//!    if `$sample` can do so without scanning a large collection.
//! 4. Otherwise, and in a `repeatable` sample, these documents are read from evenly spaced points. Two calls then
//!    return the same result, as required for checks in CI. This sample is less representative, because neighbouring
//!    documents are similar and an import creates all its ids within seconds. For example, a sample from 58,220 cities
//!    contained cities from only 16 countries.

use std::{collections::HashSet, time::Duration};

use mongo_odm::{__tools::Reads, Error, JoinKey, Result};
use mongodb::{
    bson::{Bson, Document, RawDocument, RawDocumentBuf, doc},
    options::{AggregateOptions, FindOptions},
};

use super::{report::CollectionSurvey, spread::between};
use crate::statements::{accepted, at_most, limited};

/// Largest total size of the sampled documents in bytes.
const BYTES: usize = 64 << 20;

/// Number of ranges into which a sample that is not random divides the ids between the lowest and the highest ids. The
/// sample reads the first documents of each range.
const POINTS: u32 = 8;

/// Limits for `$sample`. The server reads random entries of an index only if the collection has at least `JUMPS` times
/// as many documents as the sample. Otherwise, the server scans the collection. The survey permits such a scan only for
/// collections of up to `READ_WHOLE` bytes.
const JUMPS: u64 = 20;
const READ_WHOLE: u64 = 64 << 20;

/// Smallest sample for which half of the documents are read from the range between the lowest and the highest ids.
const SPREAD: u64 = 16;

/// The first words of the note about a sample that consists of the first documents.
pub(crate) const FIRST_ALONE: &str = "these are the first documents";

/// Returns the number of documents that a sample may contain: at least one, and not more than fit into a batch.
pub(crate) const fn sample_size(documents: u64) -> u64 {
    const MOST: u64 = 1 << 30;
    match documents {
        0 => 1,
        1..=MOST => documents,
        _ => MOST,
    }
}

/// The parameters of a sample.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    pub(crate) documents: u64,
    pub(crate) time_limit: Duration,
    pub(crate) keeps_documents: bool,
    /// Whether two samples from an unchanged collection contain the same documents.
    pub(crate) is_repeatable: bool,
}

/// Reads the sample of a collection.
pub(super) async fn read(
    reads: &Reads,
    found: &mut CollectionSurvey,
    sampling: &Sampling,
) -> Result<Vec<RawDocumentBuf>> {
    let wanted = sampling.documents;
    let is_all = found.documents.is_some_and(|all| all <= wanted);
    let reader = Reader {
        reads,
        collection: found.name.clone(),
        sampling,
        is_random: !sampling.is_repeatable && may_be_random(found, wanted),
    };
    let read = if is_all {
        reader.first(wanted + 1).await
    } else if found.is_timeseries {
        let why = format!("{FIRST_ALONE}: a time series has no index on `_id`");
        found.notes.push(why);
        reader.first(wanted).await
    } else {
        match reader.spread(wanted).await {
            Err(error) if is_slow(&error) => {
                let seconds = sampling.time_limit.as_secs_f32();
                let why = format!("{FIRST_ALONE}: others took longer than {seconds} s");
                found.notes.push(why);
                reader.first(wanted).await
            }
            done => done,
        }
    };
    let read = match read {
        Ok(read) => read,
        Err(error) => {
            found.notes.push(excused("the documents", error)?);
            return Ok(Vec::new());
        }
    };
    found.sampled = read.documents.len() as u64;
    found.is_complete = is_all && !read.is_cut && found.sampled <= wanted;
    if read.is_cut {
        let mib = BYTES >> 20;
        let note = format!("the sample ends at {mib} MiB of documents");
        found.notes.push(note);
    }
    Ok(read.documents)
}

/// Whether `$sample` can run without scanning a large collection.
fn may_be_random(found: &CollectionSurvey, wanted: u64) -> bool {
    let jumps = found.documents.is_some_and(|all| all > JUMPS * wanted);
    jumps || found.size.is_some_and(|size| size <= READ_WHOLE)
}

/// Returns the reason why a statement failed.
///
/// # Errors
///
/// Returns the error itself if the server did not reply, because other statements would also fail.
pub(super) fn excused(what: &str, error: Error) -> Result<String> {
    match error.server_code() {
        Some(_) => Ok(format!("{what} could not be read: {}", error.reason())),
        None => Err(error),
    }
}

/// Whether a statement exceeded its time limit.
fn is_slow(error: &Error) -> bool {
    const MAX_TIME_EXPIRED: i32 = 50;
    error.server_code() == Some(MAX_TIME_EXPIRED)
}

/// Reads the sampled documents of one collection.
struct Reader<'s> {
    reads: &'s Reads,
    collection: String,
    sampling: &'s Sampling,
    is_random: bool,
}

/// Documents in the order in which a statement returned them.
#[derive(Default)]
struct Read {
    documents: Vec<RawDocumentBuf>,
    /// Whether documents are missing because the size limit was reached.
    is_cut: bool,
}

impl Read {
    fn last_id(&self) -> Option<Bson> {
        id_of(self.documents.last()?)
    }
}

impl Reader<'_> {
    /// Reads the first documents in the server's natural order.
    async fn first(&self, documents: u64) -> Result<Read> {
        self.find(self.limited(documents), BYTES).await
    }

    /// Reads a quarter of the sample from each end of the collection, and the other half from the range between the two
    /// ends.
    async fn spread(&self, wanted: u64) -> Result<Read> {
        let mut seen = Seen::default();
        let each = wanted / if wanted < SPREAD { 2 } else { 4 };
        let low = self.end(each.max(1), 1).await?;
        if low.last_id().is_none() {
            // Documents without ids, such as those in `system.profile`, have no lowest or highest id, so the sample
            // consists of the first documents.
            return self.first(wanted).await;
        }
        let (last, low) = (low.last_id(), seen.new_of(low));
        let (mut first, mut high) = (None, Vec::new());
        if each > 0 {
            let read = self.end(each, -1).await?;
            (first, high) = (read.last_id(), seen.new_of(read));
        }
        let left = wanted.saturating_sub((low.len() + high.len()) as u64);
        let middle = match (last, first) {
            (Some(low), Some(high)) if left > 0 => {
                self.middle((&low, &high), left, &mut seen).await?
            }
            _ => Vec::new(),
        };
        // The sample is sorted from the lowest id to the highest.
        high.reverse();
        Ok(Read {
            documents: [low, middle, high].concat(),
            is_cut: seen.is_cut,
        })
    }

    /// Reads the documents at one end of a collection, which have the lowest or the highest ids.
    async fn end(&self, documents: u64, direction: i32) -> Result<Read> {
        let mut options = self.limited(documents);
        options.sort = Some(doc! { "_id": direction });
        self.find(options, BYTES / 4).await
    }

    /// Reads random documents, or documents at evenly spaced points between two ids. If these are fewer documents than
    /// requested (`left`), adds the documents that have the lowest ids.
    async fn middle(
        &self,
        ends: (&Bson, &Bson),
        left: u64,
        seen: &mut Seen,
    ) -> Result<Vec<RawDocumentBuf>> {
        let most = usize::try_from(left).unwrap_or(usize::MAX);
        let mut documents = Vec::new();
        let points = between(ends.0, ends.1, POINTS);
        if self.is_random {
            documents = seen.new_of(self.random().await?);
        } else if !points.is_empty() && left >= u64::from(POINTS) {
            documents = seen.new_of(self.between(ends, &points, left).await?);
        }
        if documents.len() < most && !seen.is_cut {
            // More documents can exist, because a range of ids contains only ids of one type, but a collection can have
            // ids of several types.
            let all = self.end(self.sampling.documents, 1).await?;
            documents.extend(seen.new_of(all));
        }
        documents.truncate(most);
        Ok(documents)
    }

    /// Reads the first documents of each range between two ids. Sends one aggregation.
    async fn between(
        &self,
        (low, high): (&Bson, &Bson),
        points: &[Bson],
        left: u64,
    ) -> Result<Read> {
        let each = left.div_ceil(points.len() as u64 + 1);
        let each = i64::try_from(each).unwrap_or(i64::MAX);
        let (starts, ends) = ([low].into_iter().chain(points), points.iter().chain([high]));
        let parts = starts.zip(ends).map(|(from, to)| {
            let range = doc! { "$gt": low, "$gte": from, "$lt": to };
            vec![
                doc! { "$match": { "_id": range } },
                doc! { "$sort": { "_id": 1 } },
                doc! { "$limit": each },
            ]
        });
        let pipeline = parts.reduce(|mut all, part| {
            all.push(doc! { "$unionWith": { "coll": &self.collection, "pipeline": part } });
            all
        });
        let mut options = limited(self.sampling.time_limit);
        options.batch_size = u32::try_from(left + u64::from(POINTS)).ok();
        self.aggregate(pipeline.unwrap_or_default(), options).await
    }

    /// Reads random documents. Sends one aggregation. The aggregation requests as many documents as the whole sample
    /// may contain, because some of them may already have been read at the ends.
    async fn random(&self) -> Result<Read> {
        let size = i64::try_from(self.sampling.documents).unwrap_or(i64::MAX);
        let pipeline = vec![doc! { "$sample": { "size": size } }];
        self.aggregate(pipeline, limited(self.sampling.time_limit))
            .await
    }

    /// Returns the options for a `find` with a limit.
    fn limited(&self, documents: u64) -> FindOptions {
        let mut options = at_most(usize::try_from(documents).unwrap_or(usize::MAX));
        options.max_time = Some(accepted(self.sampling.time_limit));
        options
    }

    /// Runs a `find`, and stops reading when the total size of the documents reaches `most_bytes`.
    async fn find(&self, options: FindOptions, most_bytes: usize) -> Result<Read> {
        let reads = &self.reads;
        let found = reads.find_raw(&self.collection, Document::new(), options, most_bytes);
        let (documents, is_cut) = found.await?;
        Ok(Read { documents, is_cut })
    }

    /// Runs an aggregation, and stops reading at half of the maximum size of a sample.
    async fn aggregate(&self, pipeline: Vec<Document>, options: AggregateOptions) -> Result<Read> {
        let reads = &self.reads;
        let found = reads.aggregate_raw(&self.collection, pipeline, options, BYTES / 2);
        let (documents, is_cut) = found.await?;
        Ok(Read { documents, is_cut })
    }
}

/// The ids of the documents that have been read so far. Two statements can return the same document if their ranges
/// overlap or if another program writes at the same time.
#[derive(Default)]
struct Seen {
    ids: HashSet<JoinKey>,
    is_cut: bool,
}

impl Seen {
    /// Removes documents that an earlier statement has already returned.
    fn new_of(&mut self, read: Read) -> Vec<RawDocumentBuf> {
        self.is_cut |= read.is_cut;
        let mut documents = read.documents;
        documents.retain(|document| {
            let id = document.get("_id").ok().flatten();
            id.is_none_or(|id| self.ids.insert(JoinKey::from_raw(id)))
        });
        documents
    }
}

/// Returns the id of a raw document.
pub(crate) fn id_of(document: &RawDocument) -> Option<Bson> {
    Bson::try_from(document.get("_id").ok()??).ok()
}
