//! What follows when a source is stored: the copies that were there before it.

use mongodb::{bson::Bson, options::Collation};

use super::{
    Effects,
    change::Change,
    follow::follow,
    followed::{Follow, Followed},
};
use crate::{
    command::{FindCommand, simple},
    copy::{ExtendedReference, Image, Images, keys_of, tied},
    error::Result,
    key::JoinKey,
    odm::Exec,
    outbox::{JobEntry, JobId, Phase, record_all},
    parts::{parts, size_of},
    place::Place,
};

/// How many keys one `find` asks for.
const KEYS_AT_ONCE: usize = 10_000;

/// Lets copies that were there before their source follow it.
///
/// They are there when a copy was stored before its source, when a source is made again under an id that it
/// had, or when the source refers to the documents with the copies. One `find` for each extended reference.
/// Copies that are being stored at the same moment have left a job, which looks at both.
pub(crate) async fn arrive(
    effects: &Effects,
    images: &[Image],
    how: Follow,
    exec: &Exec,
) -> Result<(Followed, Vec<Arrived>)> {
    if effects.images.is_empty() {
        return Ok((Followed::default(), Vec::new()));
    }
    let mut references = Vec::new();
    let mut arrived = Vec::new();
    for reference in &effects.images.references {
        let keys = keys_of_all(reference, images);
        if keys.is_empty() {
            continue;
        }
        if reference.keys_in_source || are_there(reference, &keys, exec).await? {
            references.push(*reference);
        } else {
            arrived.push((*reference, keys));
        }
    }
    let found = Images { references };
    let changes = images.iter();
    let changes = changes
        .filter_map(|image| Change::new(effects.model.collection, &found, None, Some(image)));
    let followed = follow(changes.collect(), how, exec).await?;
    let arrived = (!arrived.is_empty()).then(|| Arrived {
        collection: effects.model.collection,
        ids: images
            .iter()
            .filter_map(|it| it.get("_id").cloned())
            .collect(),
        keys: arrived,
    });
    Ok((followed, arrived.into_iter().collect()))
}

fn keys_of_all(reference: &ExtendedReference, images: &[Image]) -> Vec<JoinKey> {
    let keys = images.iter();
    keys.flat_map(|image| keys_of(reference, Some(image)))
        .collect()
}

/// Whether documents hold copies that are tied to some keys.
pub(crate) async fn are_there(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<bool> {
    if keys.is_empty() {
        return Ok(false);
    }
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let place = Place::of(reference.target).durable();
    let find = FindCommand::new(place, tied(reference, &keys)).collation(collation(reference));
    exec.any(find.finds_none()).await
}

/// Ids are found by the index that is always there, which has the collation of its collection.
fn collation(reference: &ExtendedReference) -> Option<Collation> {
    (reference.key_path() != "_id").then(simple)
}

/// Sources that are new, with the copies that may have waited for them.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    pub(crate) collection: &'static str,
    pub(crate) ids: Vec<Bson>,
    pub(crate) keys: Vec<(&'static ExtendedReference, Vec<JoinKey>)>,
}

impl Arrived {
    /// Looks for copies once more after the commit: one `find` for each extended reference. Returns the jobs of
    /// those that are there now.
    pub(crate) async fn recheck(self, exec: &Exec) -> Result<Vec<JobId>> {
        let mut found = Vec::new();
        for (reference, keys) in &self.keys {
            if are_there(reference, keys, exec).await? {
                found.push(*reference);
            }
        }
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let images = Images { references: found };
        let state = (self, images);
        exec.together(state, |(arrived, images), exec| async move {
            let collection = arrived.collection;
            let place = Place::whole(collection);
            let now = images.by_ids(&place, &arrived.ids, &exec).await?;
            let changes = now.iter();
            let changes =
                changes.filter_map(|image| Change::new(collection, &images, None, Some(image)));
            let followed = follow(changes.collect(), Follow::Converge, &exec).await?;
            Ok(followed.jobs)
        })
        .await
    }
}

/// Looks once more, after the commit, for documents that were not there to take what is computed for them. Returns the
/// jobs of those that are there now: one `find` for each extended reference, and an `update` if there are any.
pub(crate) async fn await_documents(
    awaited: Vec<(&'static ExtendedReference, Vec<JoinKey>)>,
    exec: &Exec,
) -> Result<Vec<JobId>> {
    let mut jobs = Vec::new();
    for (reference, keys) in awaited {
        exec.note(|| format!("after the commit: {} once more", reference.name));
        let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        for keys in parts(&keys, KEYS_AT_ONCE, size_of) {
            let place = Place::of(reference.target).durable();
            let find = FindCommand::new(place, tied(reference, keys)).all();
            let there = exec.ids(find.collation(collation(reference))).await?;
            let entries: Vec<JobEntry> = there
                .into_iter()
                .map(|id| JobEntry::of_reference(reference, &JoinKey::from(id), Phase::Run))
                .collect();
            record_all(&entries, exec).await?;
            jobs.extend(entries.into_iter().map(|entry| entry.id));
        }
    }
    Ok(jobs)
}
