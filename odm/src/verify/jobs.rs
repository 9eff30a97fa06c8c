//! Which copies and references have a job that will correct them.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document, doc};

use crate::{
    command::Find,
    copy::{Tie, key_condition, projection, simple},
    error::Result,
    job::{self, JobId},
    key::JoinKey,
    odm::Exec,
    path::each_value,
    place::Place,
    shape::ModelShape,
};

/// What keys lead to, and the name by which jobs know it.
#[derive(Debug)]
pub(super) struct Toward<'t> {
    pub(super) name: &'t str,
    pub(super) source: &'static ModelShape,
    /// The path in the source that the keys equal.
    pub(super) path: &'t str,
}

impl<'t> Toward<'t> {
    pub(super) fn source_of(tie: &'t Tie) -> Self {
        Self {
            name: &tie.name,
            source: tie.source,
            path: &tie.source_key,
        }
    }
}

/// Lists the keys whose sources have an unfinished job: one `find` in the jobs, and one in the
/// sources if the key is not their `_id`.
///
/// A job that has met documents which cannot take their copies does not count: nothing more will come
/// of it.
pub(super) async fn pending(
    toward: &Toward<'_>,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<HashSet<JoinKey>> {
    let sources = sources(toward, keys, exec).await?;
    let jobs = jobs(toward, keys, &sources, exec).await?;
    let mut found = HashSet::new();
    for job in jobs {
        let id = job.get("_id").and_then(JobId::read);
        let id = id.map(|id| JoinKey::from(id.key));
        let of_source = sources.iter().filter(|(_, ids)| {
            let has = |source: &JoinKey| id.as_ref() == Some(source);
            ids.iter().any(has)
        });
        found.extend(of_source.map(|(key, _)| key.clone()));
        found.extend(named(toward, &job));
    }
    Ok(found)
}

/// Finds the sources of keys, the one that counts first. A source that is gone can still have a job.
pub(super) async fn sources(
    toward: &Toward<'_>,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<HashMap<JoinKey, Vec<JoinKey>>> {
    if toward.path == "_id" {
        let same = |key: &JoinKey| (key.clone(), vec![key.clone()]);
        return Ok(keys.iter().map(same).collect());
    }
    let wanted: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let filter = doc! { toward.path: key_condition(&wanted) };
    let find = Find::new(Place::of(toward.source), filter)
        .select(projection([toward.path]))
        .sort(doc! { "_id": 1 })
        .collation(simple());
    let found = exec.documents(find).await?;
    let mut sources: HashMap<JoinKey, Vec<JoinKey>> =
        keys.iter().map(|key| (key.clone(), Vec::new())).collect();
    for source in &found {
        let Some(id) = source.get("_id") else {
            continue;
        };
        each_value(source, toward.path, &mut |key| {
            if let Some(ids) = sources.get_mut(&JoinKey::from(key.clone())) {
                ids.push(JoinKey::from(id.clone()));
            }
        });
    }
    Ok(sources)
}

async fn jobs(
    toward: &Toward<'_>,
    keys: &[JoinKey],
    sources: &HashMap<JoinKey, Vec<JoinKey>>,
    exec: &Exec,
) -> Result<Vec<Document>> {
    let collection = toward.source.collection;
    let job_id = |key: &JoinKey| JobId::new(collection, key.to_bson()).to_bson();
    let ids: Vec<Bson> = sources.values().flatten().map(job_id).collect();
    // The jobs of one collection stand together in the index. Those of a source that had the keys name
    // them, and so do jobs of no source, written when nobody knows what has changed.
    let from = doc! { "source": collection, "key": Bson::MinKey };
    let to = doc! { "source": collection, "key": Bson::MaxKey };
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let named = doc! { "tie": toward.name, "key": key_condition(&keys) };
    let names_them = doc! {
        "_id": { "$gte": from, "$lte": to },
        "keys": { "$elemMatch": named },
    };
    let which = doc! { "$or": [{ "_id": key_condition(&ids) }, names_them] };
    let unfinished = doc! { "$or": [{ "phase": "run" }, { "failed.0": { "$exists": false } }] };
    let filter = doc! { "$and": [which, unfinished] };
    exec.documents(Find::new(job::jobs(), filter).select(doc! { "keys": 1 }))
        .await
}

/// Lists the keys that a job names.
fn named(toward: &Toward<'_>, job: &Document) -> Vec<JoinKey> {
    let entries = job.get_array("keys").into_iter().flatten();
    let of_tie = entries.filter_map(|entry| {
        let entry = entry.as_document()?;
        let is_ours = entry.get_str("tie").is_ok_and(|name| name == toward.name);
        is_ours.then(|| entry.get("key").cloned()).flatten()
    });
    of_tie.map(JoinKey::from).collect()
}
