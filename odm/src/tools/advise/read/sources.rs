//! Copies: which of the sample differ from their source.

use std::collections::{BTreeMap, BTreeSet};

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::{
    Reader, excuse, note,
    statements::{KEYS, again, by_keys},
};
use crate::{
    client::place::Place,
    error::Result,
    graph::{Copied, ExtendedReference, graph},
    model::shape::DocumentSet,
    tools::advise::{
        need::Need,
        seen::{SeenCollection, SeenCopies},
    },
    value::{
        key::JoinKey,
        path::{raw_value_at, value_at},
    },
};

/// A copy with its key and the `_id` of its document.
#[derive(PartialEq)]
struct OneCopy {
    id: Bson,
    key: JoinKey,
    value: Bson,
}

/// Looks up the sources of the copies in a sample: one `find` for each reference with copies, and where there is a
/// difference an aggregation over the jobs, which may be about it, and the same again.
pub(super) async fn read(
    reader: &Reader,
    seen: &mut SeenCollection,
    sample: &[Document],
) -> Result<()> {
    if seen.database.jobs.is_none() {
        return Ok(());
    }
    let name = seen.name.clone();
    let references = graph().within(DocumentSet::whole(&name));
    // A copy of another kind than one field of one document has rules of its own, which `verify` knows.
    let plain = references
        .filter(|it| it.by_id() && it.links.is_none() && !it.keys_in_source && !it.foreign);
    for reference in plain {
        for copied in &reference.fields {
            match look(reader, (reference, copied), sample, &name).await {
                Ok(Some(found)) => seen.stale.push(found),
                Ok(None) => seen.has_jobs = true,
                Err(error) => note(seen, Need::Targets, excuse(error)?),
            }
        }
    }
    Ok(())
}

/// Says which copies differ; nothing where some do and a job waits that may be about them.
async fn look(
    reader: &Reader,
    (reference, copied): (&'static ExtendedReference, &Copied),
    sample: &[Document],
    collection: &str,
) -> Result<Option<SeenCopies>> {
    let all = copies_in(reference, copied, sample);
    let mut found = SeenCopies {
        path: reference.place.path(&copied.to),
        source: format!("{}.{}", reference.source.name, copied.from),
        relation: reference.name.clone(),
        copies: all.len() as u64,
        stale: 0,
        example: None,
    };
    let differ = stale(reader, reference, copied, all).await?;
    if !differ.is_empty() {
        // A job that ends after it was looked for has changed what the second look finds.
        reader.in_time()?;
        let jobs = reader.exec.odm().jobs().relations().await?;
        if is_behind(reference, &jobs) {
            return Ok(None);
        }
        let ids = differ
            .iter()
            .map(|(it, _)| JoinKey::from(it.id.clone()))
            .collect();
        let documents = again(reader, collection, &ids).await?;
        let all = copies_in(reference, copied, &documents);
        let mut still = stale(reader, reference, copied, all).await?;
        still.retain(|it| differ.contains(it));
        found.stale = still.len() as u64;
        let first = still.into_iter().next();
        found.example = first.map(|(it, source)| (it.id, it.value, source));
    }
    Ok(Some(found))
}

/// Whether one of some jobs may be about the copies of a reference, or about copies that are copied there.
fn is_behind(reference: &'static ExtendedReference, jobs: &[String]) -> bool {
    let mut concerned = vec![reference];
    let mut at = 0;
    while let Some(behind) = concerned.get(at).copied() {
        if behind.relations().any(|relation| jobs.contains(&relation)) {
            return true;
        }
        let all = graph().references.iter();
        for before in all.filter(|before| before.feeds(behind)) {
            if !concerned.iter().any(|known| std::ptr::eq(*known, before)) {
                concerned.push(before);
            }
        }
        at += 1;
    }
    false
}

fn copies_in(
    reference: &ExtendedReference,
    copied: &Copied,
    documents: &[Document],
) -> Vec<OneCopy> {
    let mut all = Vec::new();
    for document in documents.iter().filter(|it| reference.target.may_hold(it)) {
        let (Some(id), Ok(raw)) = (document.get("_id"), RawDocumentBuf::try_from(document)) else {
            continue;
        };
        reference.place.each(&raw, &mut |inner| {
            let key = raw_value_at(inner, &reference.key).map(JoinKey::from_raw);
            let value = raw_value_at(inner, &copied.to);
            let value = value.and_then(|value| Bson::try_from(value).ok());
            if let Some(key) = key.filter(|key| !key.is_null() && all.len() < KEYS) {
                all.push(OneCopy {
                    id: id.clone(),
                    key,
                    value: value.unwrap_or(Bson::Null),
                });
            }
        });
    }
    all
}

/// Keeps the copies that differ from a source that is there, each with what that says.
async fn stale(
    reader: &Reader,
    reference: &ExtendedReference,
    copied: &Copied,
    all: Vec<OneCopy>,
) -> Result<Vec<(OneCopy, Bson)>> {
    let keys: BTreeSet<_> = all.iter().map(|copy| copy.key.clone()).collect();
    let wanted = [copied.from.clone()];
    let place = Place::of(reference.source);
    let found = by_keys(reader, place, &reference.source_key, &keys, &wanted).await?;
    let mut sources = BTreeMap::new();
    for document in found {
        let value = value_at(&document, &copied.from)
            .cloned()
            .unwrap_or(Bson::Null);
        if let Some(id) = document.get("_id") {
            sources.insert(JoinKey::from(id.clone()), value);
        }
    }
    let differ = all.into_iter().filter_map(|copy| {
        let source = sources.get(&copy.key)?;
        // A missing field and a null are both no value.
        (*source != copy.value).then(|| (copy, source.clone()))
    });
    Ok(differ.collect())
}
