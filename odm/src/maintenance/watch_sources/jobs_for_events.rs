//! Stores the jobs for the events in a change stream.
//!
//! The library itself made a change if the same transaction stored a job for one of the event's keys. If an update
//! event does not contain the keys, the watcher reads them from the source. A job that was stored outside the
//! transaction does not prove that the library made the change, because the runner of that job may have read the source
//! before the change.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use super::event::{ChangeKind, SourceChange, StreamMessage, Transaction};
use crate::{
    client::{
        odm::{Exec, Odm},
        place::Place,
    },
    derived::{
        follow::{acting_rules, has_copies},
        outbox::{JobEntry, JobId, Phase, record_all},
        values::{Image, Images, keys_held},
    },
    error::Result,
    graph::{ExtendedReference, Sources, StoredReference},
    model::shape::DocumentSet,
    value::{key::JoinKey, path::overlap},
};

/// Lists the watched collections that were dropped or replaced.
pub(super) fn dropped(sent: &[StreamMessage], sources: &[&'static str]) -> BTreeSet<&'static str> {
    let mut dropped = BTreeSet::new();
    for sent in sent {
        if let StreamMessage::Source(event) = sent
            && let ChangeKind::Drop(to) = &event.kind
        {
            let concerned =
                |source: &&&str| **source == event.collection || to.as_deref() == Some(**source);
            dropped.extend(sources.iter().filter(concerned));
        }
    }
    dropped
}

/// Stores the jobs for the given events with one `update`. Before this update, the function sends one `find` for each
/// extended reference that may have copies of inserted sources. If keys are not the `_id`, the function also sends one
/// `find` to each collection that contains updated sources.
pub(super) async fn enqueue(sent: Vec<StreamMessage>, odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    let (events, own) = split(sent);
    let mut stale: Vec<StaleSource> = events.into_iter().filter_map(StaleSource::of).collect();
    stale.retain(|it| !it.is_own_write(&own));
    read_keys(&mut stale, &exec).await?;
    stale.retain(|it| !it.is_own_write(&own));
    let awaited = awaited_relations(&stale, &exec).await?;
    let mut seen = HashSet::new();
    let entries = stale.iter().flat_map(|it| it.entries(&awaited));
    let entries = entries.filter(|entry| seen.insert(entry.id.clone()));
    record_all(&entries.collect::<Vec<_>>(), &exec).await
}

/// The jobs that the library stored itself, each with the transactions that wrote it.
type OwnJobs = HashMap<JobId, Vec<Transaction>>;

fn split(sent: Vec<StreamMessage>) -> (Vec<SourceChange>, OwnJobs) {
    let (mut events, mut own) = (Vec::new(), OwnJobs::new());
    for sent in sent {
        match sent {
            StreamMessage::Job(job) => {
                let (id, transaction) = *job;
                own.entry(id).or_default().push(transaction);
            }
            StreamMessage::Source(event) => events.push(*event),
        }
    }
    (events, own)
}

/// A changed source, and the keys whose copies are stale because of the change.
#[derive(Debug)]
struct StaleSource {
    event: SourceChange,
    references: Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>,
    rules: Vec<(&'static StoredReference, Vec<JoinKey>)>,
}

impl StaleSource {
    /// Determines the keys for which an event makes copies stale. Returns `None` if no copied field has changed.
    fn of(event: SourceChange) -> Option<Self> {
        let id = event.id.clone()?;
        let images = Images::of(DocumentSet::whole_collection(&event.collection));
        let (before, after) = (event.before.as_ref(), event.after.as_ref());
        let named = doc! { "_id": id };
        let mut rules = Vec::new();
        let references = match &event.kind {
            ChangeKind::Insert => images.changes(None, after),
            ChangeKind::Replace if before.is_some() => images.changes(before, after),
            ChangeKind::Replace => {
                keys_in_images(images.references, &[&named, after.unwrap_or(&named)])
            }
            ChangeKind::Update(paths) => {
                let concerns = |reference: &Arc<ExtendedReference>| {
                    let mut copied = reference.source_paths();
                    copied.any(|path| paths.iter().any(|written| overlap(written, path)))
                };
                let touched = images.references.into_iter().filter(concerns);
                keys_in_images(touched, &[&named, before.unwrap_or(&named)])
            }
            ChangeKind::Delete => {
                let before = before.unwrap_or(&named);
                rules = acting_rules(DocumentSet::whole_collection(&event.collection), before);
                keys_in_images(images.references, &[&named, before])
            }
            ChangeKind::Drop(_) => return None,
        };
        let any = !references.is_empty() || !rules.is_empty();
        any.then_some(Self {
            event,
            references,
            rules,
        })
    }

    /// Whether the library itself made the change. If the library made the change, the same transaction also stored a
    /// job, and the runner of that job sees the change.
    ///
    /// A job that was stored outside the transaction does not prove that the library made the change. The runner of
    /// such a job may have read the source before the other program changed it, and may delete the job afterwards.
    fn is_own_write(&self, own: &OwnJobs) -> bool {
        let Some(transaction) = &self.event.transaction else {
            return false;
        };
        let wrote = |entry: JobEntry| {
            own.get(&entry.id)
                .is_some_and(|of| of.contains(transaction))
        };
        self.possible_entries().any(wrote)
    }

    fn possible_entries(&self) -> impl Iterator<Item = JobEntry> {
        let references = self.references.iter();
        let of_references = references
            .flat_map(|(reference, keys)| JobEntry::of_reference(reference, keys, Phase::Run));
        let rules = self.rules.iter();
        of_references
            .chain(rules.flat_map(|(rule, keys)| JobEntry::of_rule(rule, keys, Phase::Run)))
    }

    /// Lists the jobs to store. For an inserted source, the list contains only the jobs for copies that are already
    /// stored beside the source's key.
    fn entries(&self, awaited: &BTreeSet<String>) -> Vec<JobEntry> {
        let is_new = self.event.kind == ChangeKind::Insert;
        let all = self.possible_entries();
        all.filter(|entry| !is_new || awaited.contains(entry.id.relation.as_str()))
            .collect()
    }

    /// Whether some keys have to be read. An update event contains only the paths that were written, not the keys.
    fn lacks_keys(&self) -> bool {
        let is_update = matches!(self.event.kind, ChangeKind::Update(_));
        let mut references = self.references.iter();
        is_update && references.any(|(reference, _)| !has_id_as_key(reference))
    }
}

/// Whether the key of the copies is the `_id` of the source, which every event contains.
fn has_id_as_key(reference: &ExtendedReference) -> bool {
    match reference.sources() {
        Sources::OneById => true,
        Sources::FirstByKey | Sources::All => false,
    }
}

/// Collects the keys that the images of a source contain.
fn keys_in_images(
    references: impl IntoIterator<Item = Arc<ExtendedReference>>,
    images: &[&Image],
) -> Vec<(Arc<ExtendedReference>, Vec<JoinKey>)> {
    let keys = |reference: &ExtendedReference| {
        images
            .iter()
            .flat_map(|it| keys_held(reference, it))
            .collect()
    };
    references
        .into_iter()
        .map(|reference| {
            let keys = keys(&reference);
            (reference, keys)
        })
        .collect()
}

/// Reads the current keys of updated sources if the events do not contain them.
async fn read_keys(stale: &mut [StaleSource], exec: &Exec) -> Result<()> {
    let mut ids: HashMap<String, Vec<Bson>> = HashMap::new();
    for it in stale.iter().filter(|it| it.lacks_keys()) {
        let of = ids.entry(it.event.collection.clone()).or_default();
        of.extend(it.event.id.clone());
    }
    for (collection, ids) in ids {
        let images = Images::of(DocumentSet::whole_collection(&collection));
        let place = Place::whole_collection(collection.clone()).durable();
        let id_of = |image: &Document| image.get("_id").cloned().map(JoinKey::from);
        let now = images.by_ids(&place, &ids, exec).await?.into_iter();
        let now: HashMap<JoinKey, Image> = now
            .filter_map(|image| Some((id_of(&image)?, image)))
            .collect();
        let here = stale
            .iter_mut()
            .filter(|it| it.lacks_keys() && it.event.collection == collection);
        for it in here {
            let id = it.event.id.clone().map(JoinKey::from);
            let Some(image) = id.and_then(|id| now.get(&id)) else {
                continue;
            };
            let references = it.references.iter_mut();
            for (reference, keys) in references.filter(|(reference, _)| !has_id_as_key(reference)) {
                keys.extend(keys_held(reference, image));
            }
        }
    }
    Ok(())
}

/// Lists the relations in which copies are already stored beside the key of an inserted source.
async fn awaited_relations(stale: &[StaleSource], exec: &Exec) -> Result<BTreeSet<String>> {
    let mut keys: HashMap<String, (Arc<ExtendedReference>, Vec<JoinKey>)> = HashMap::new();
    for it in stale
        .iter()
        .filter(|it| it.event.kind == ChangeKind::Insert)
    {
        for (reference, new) in &it.references {
            let of = keys
                .entry(reference.relation.clone())
                .or_insert_with(|| (Arc::clone(reference), Vec::new()));
            of.1.extend(new.iter().cloned());
        }
    }
    let mut awaited = BTreeSet::new();
    for (relation, (reference, keys)) in keys {
        if has_copies(&reference, &keys, exec).await? {
            awaited.insert(relation);
        }
    }
    Ok(awaited)
}
