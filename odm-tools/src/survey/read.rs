//! The statements that a survey sends for one collection.

use mongo_odm::{__tools::Reads, Result};
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

pub(super) use super::sample::excused;
use super::{
    fields::fields,
    report::{CollectionSurvey, Sizes, Survey},
    sample::{self, Sampling},
    tally::Numbers,
};
use crate::{listed_collection::ListedCollection, statements::limited};

/// The sample of a collection as raw BSON.
#[derive(Debug)]
pub(crate) struct RawSample {
    /// The survey of the collection. This survey contains no statistics about the documents.
    pub(crate) of: CollectionSurvey,
    pub(crate) documents: Vec<RawDocumentBuf>,
}

/// Reads the sample of a collection as raw BSON, without decoding its documents.
pub(crate) async fn read_raw(
    reads: Reads,
    listed: ListedCollection,
    sampling: Sampling,
) -> Result<RawSample> {
    let mut of = CollectionSurvey {
        name: listed.name,
        is_timeseries: listed.is_timeseries,
        is_capped: listed.is_capped,
        ..CollectionSurvey::default()
    };
    statistics(&reads, &mut of, &sampling).await?;
    let documents = sample::read(&reads, &mut of, &sampling).await?;
    Ok(RawSample { of, documents })
}

/// Surveys one collection without searching for references.
pub(crate) async fn read(
    reads: Reads,
    listed: ListedCollection,
    sampling: Sampling,
) -> Result<CollectionSurvey> {
    let keeps_documents = sampling.keeps_documents;
    let RawSample { of, documents } = read_raw(reads.clone(), listed, sampling).await?;
    let mut found = of;
    look_into(&mut found, &documents, keeps_documents);
    match reads.indexes(&found.name).await {
        Ok(on_server) => {
            found.indexes = on_server.indexes;
            found.collation = on_server.collation;
        }
        Err(error) => found.notes.push(excused("the indexes", error)?),
    }
    Ok(found)
}

/// Reads the shard keys of all collections.
pub(super) async fn shard_keys(reads: &Reads, survey: &mut Survey) -> Result<()> {
    match reads.sharding().await {
        Ok(None) => {}
        Ok(Some(sharding)) => {
            for found in &mut survey.collections {
                found.shard_key = sharding.key(&found.name).cloned();
            }
        }
        Err(error) => survey.notes.push(excused("the shard keys", error)?),
    }
    Ok(())
}

/// Reads the number and the size of the documents in a collection.
async fn statistics(
    reads: &Reads,
    found: &mut CollectionSurvey,
    sampling: &Sampling,
) -> Result<()> {
    let pipeline = vec![doc! { "$collStats": { "storageStats": {} } }];
    let options = limited(sampling.time_limit);
    let replies = match reads.aggregate(&found.name, pipeline, options).await {
        Ok(replies) => replies,
        Err(error) => {
            found.notes.push(excused("the statistics", error)?);
            return Ok(());
        }
    };
    // The numbers are added up, because a sharded cluster returns one document per shard.
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

/// Adds the statistics about the sampled documents to the survey of their collection.
fn look_into(found: &mut CollectionSurvey, raw: &[RawDocumentBuf], keeps_documents: bool) {
    let (mut documents, mut sizes) = (Vec::new(), Numbers::default());
    for raw in raw {
        if let Ok(document) = Document::try_from(&**raw) {
            let size = raw.as_bytes().len() as u64;
            sizes.add(size, document.get("_id").unwrap_or(&Bson::Null));
            documents.push(document);
        }
    }
    let unreadable = raw.len() - documents.len();
    if unreadable > 0 {
        let note = format!("{unreadable} documents are not valid BSON");
        found.notes.push(note);
        found.is_complete = false;
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
    if keeps_documents {
        found.sample = documents;
    }
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
