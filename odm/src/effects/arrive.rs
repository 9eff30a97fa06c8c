//! Copies that were stored before their source.

use mongodb::{bson::Bson, options::Collation};

use super::{
    Effects,
    awaited_source::is_unseen,
    change::Change,
    follow::{Follow, Followed, follow},
};
use crate::{
    command::Find,
    copy::{Image, Images, Tie, keys_of, simple, tied},
    error::Result,
    key::JoinKey,
    odm::Exec,
    outbox::JobId,
    place::Place,
};

/// Lets copies that were there before their source follow it.
///
/// They are there when a source is made again under an id that it had, or when the source refers to
/// the documents with the copies. An `ObjectId` that was made within the last minute is not looked for:
/// who deleted its document, or stored a copy before it, has left a job that takes a last look after
/// this insert.
pub(crate) async fn arrive(
    effects: &Effects,
    images: &[Image],
    how: Follow,
    exec: &Exec,
) -> Result<(Followed, Vec<Arrived>)> {
    if effects.images.is_empty() {
        return Ok((Followed::default(), Vec::new()));
    }
    let mut ties = Vec::new();
    let mut arrived = Vec::new();
    for tie in &effects.images.ties {
        let keys = waited_for(tie, images, exec);
        if keys.is_empty() {
            continue;
        }
        if tie.keys_in_source || are_there(tie, &keys, exec).await? {
            ties.push(*tie);
        } else {
            arrived.push((*tie, keys));
        }
    }
    let found = Images { ties };
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

fn waited_for(tie: &Tie, images: &[Image], exec: &Exec) -> Vec<JoinKey> {
    let keys = images.iter().flat_map(|image| keys_of(tie, Some(image)));
    keys.filter(|key| !(tie.by_id() && is_unseen(key, exec)))
        .collect()
}

/// Whether documents hold copies that are tied to some keys.
pub(crate) async fn are_there(tie: &Tie, keys: &[JoinKey], exec: &Exec) -> Result<bool> {
    if keys.is_empty() {
        return Ok(false);
    }
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let place = Place::of(tie.target).durable();
    let find = Find::new(place, tied(tie, &keys)).collation(collation(tie));
    exec.any(find.finds_none()).await
}

/// Ids are found by the index that is always there, which has the collation of its collection.
fn collation(tie: &Tie) -> Option<Collation> {
    (tie.key_path() != "_id").then(simple)
}

/// Sources that are new, with the copies that may have waited for them.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    pub(crate) collection: &'static str,
    pub(crate) ids: Vec<Bson>,
    pub(crate) keys: Vec<(&'static Tie, Vec<JoinKey>)>,
}

impl Arrived {
    /// Looks for copies once more after the commit: one `find` for each tie. Returns the jobs of those that
    /// are there now.
    pub(crate) async fn recheck(self, exec: &Exec) -> Result<Vec<JobId>> {
        let mut found = Vec::new();
        for (tie, keys) in &self.keys {
            if are_there(tie, keys, exec).await? {
                found.push(*tie);
            }
        }
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let images = Images { ties: found };
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
