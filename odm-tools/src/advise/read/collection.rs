//! Reads one collection: evaluates its survey, and sends further statements.

use std::sync::Arc;

use super::{
    Inferred, Reader, Surveyed, by_hand, growth, indexes, largest, looked_up, mirrors, note,
    sources, unfit,
};
use crate::{
    advise::{
        need::Need,
        seen::{AskedFor, DocumentSizes, KeysStand, SeenCollection, SeenDatabase, SeenReference},
    },
    survey::{CollectionSurvey, FIRST_ALONE, PathStep},
};
use mongo_odm::{__tools::path::value_through, Result};
use mongodb::bson::{Document, RawDocumentBuf};

/// Reads the data about a collection that its survey does not contain.
pub(super) async fn read(
    reader: Reader,
    database: Arc<SeenDatabase>,
    surveyed: Surveyed,
) -> Result<SeenCollection> {
    let found = surveyed.found;
    let mut seen = SeenCollection::named(&found.name, &database);
    if let Some(why) = surveyed.why_not {
        for need in [
            Need::Size,
            Need::Sample,
            Need::Largest,
            Need::Targets,
            Need::Indexes,
            Need::IndexUse,
        ] {
            note(&mut seen, need, why.clone());
        }
        return Ok(seen);
    }
    take_over(&mut seen, &found);
    let fields = found
        .paths
        .iter()
        .filter_map(|it| match it.steps.as_slice() {
            [PathStep::Field(name)] if name != "_id" => Some(name.clone()),
            _ => None,
        });
    database.has_fields(&seen.name, fields.collect());
    seen.maps = surveyed.maps;
    seen.arrays = surveyed.arrays;
    let references = surveyed.references.iter().map(inferred);
    // The values of a declared copy also exist in its source, but they are not keys that refer to the source.
    let is_copy = |path: &str| {
        database
            .declared
            .iter()
            .any(|it| (&*it.0, &*it.1) == (&*seen.name, path))
    };
    seen.references = references.filter(|it| !is_copy(&it.path)).collect();
    if let Some(why) = surveyed.why_no_references {
        note(&mut seen, Need::Targets, why);
    }
    seen.key_growth = seen
        .shard_key()
        .and_then(|key| growth(&key, &found.sample, seen.documents));
    indexes::read(&reader, &mut seen, &found).await?;
    largest::read(&reader, &mut seen).await?;
    if !seen.models.is_empty() {
        unfit::read(&mut seen, &found);
        seen.asked_for = asked_for(&seen, &found.sample);
        looked_up::read(&reader, &mut seen, &found.sample).await?;
        mirrors::read(&reader, &mut seen, &found.sample).await?;
        sources::read(&reader, &mut seen, &found.sample).await?;
    }
    by_hand::read(&reader, &mut seen, &found.sample).await?;
    Ok(seen)
}

/// Adds the statistics of a survey to the data about its collection.
pub(in crate::advise) fn take_over(seen: &mut SeenCollection, found: &CollectionSurvey) {
    let note_about = |what: &str| found.notes.iter().find(|it| it.starts_with(what)).cloned();
    for (need, what) in [
        (Need::Size, "the statistics"),
        (Need::Indexes, "the indexes"),
        (Need::Sample, "the documents"),
    ] {
        if let Some(why) = note_about(what) {
            note(seen, need, why);
        }
    }
    seen.size = found.size.unwrap_or_default();
    seen.is_shardable = !found.is_capped && !found.is_timeseries;
    seen.sampled = found.sampled;
    seen.sampled_first = note_about(FIRST_ALONE).is_some();
    seen.documents = found.documents.unwrap_or(found.sampled);
    if let Some(sizes) = &found.sizes {
        seen.sizes = DocumentSizes {
            average: found.average_size.unwrap_or(sizes.median),
            median: sizes.median,
            largest: sizes.max,
            largest_id: Some(sizes.largest.clone()),
            heaviest: None,
        };
    }
    let texts = found
        .paths
        .iter()
        .filter(|it| it.types.iter().any(|it| it.name == "string"));
    seen.texts = texts.map(|it| it.path.replace("[]", "")).collect();
}

/// Converts a reference that the survey inferred from values to a `SeenReference`.
fn inferred(surveyed: &Inferred) -> SeenReference {
    let found = &surveyed.reference;
    SeenReference {
        path: found.path.replace("[]", ""),
        target: found.target.clone(),
        target_path: found.key.clone(),
        keys: found.asked,
        dangling: found.asked.saturating_sub(found.found),
        example: found.dangling.first().map(|key| (None, key.clone())),
        stand: match (found.path.ends_with("[]"), found.path.contains("[]")) {
            (true, _) => KeysStand::AsElements,
            (_, true) => KeysStand::InElements,
            _ => KeysStand::Alone,
        },
        placeholder: surveyed.placeholder.clone(),
        is_inferred: true,
        lacks_target_index: surveyed.lacks_index,
    }
}

/// Returns the mean size of the fields that the program's projections request. Returns `None` if a query read documents
/// in full.
fn asked_for(seen: &SeenCollection, sample: &[Document]) -> Option<AskedFor> {
    let mut stats = seen.database.stats.models.iter();
    let stats = stats.find(|it| it.collection == seen.name && it.whole == 0)?;
    let projected = stats.fields.iter().filter(|it| it.projected > 0);
    let paths: Vec<_> = projected.map(|it| it.path.as_str()).collect();
    let mut bytes = 0;
    for document in sample {
        let values = paths
            .iter()
            .filter_map(|path| Some((*path, value_through(document, path)?)));
        let asked: Document = values
            .map(|(path, value)| (path.to_owned(), value))
            .collect();
        let raw = RawDocumentBuf::try_from(&asked).ok()?;
        bytes += raw.as_bytes().len() as u64;
    }
    Some(AskedFor {
        bytes: bytes / (sample.len() as u64).max(1),
    })
}
