//! Which copies have a job that will correct them.

use std::collections::HashSet;

use mongodb::bson::{Bson, doc};

use crate::{
    command::Find,
    copy::{Tie, key_condition},
    error::Result,
    job::{self, JobId},
    key::JoinKey,
    odm::Exec,
};

/// Lists the keys of a tie that have an unfinished job: one `find` in the jobs.
///
/// A job that has met documents which cannot take their copies does not count: nothing more will come
/// of it.
pub(super) async fn pending(tie: &Tie, keys: &[JoinKey], exec: &Exec) -> Result<HashSet<JoinKey>> {
    let job_id = |relation: String| {
        let of_key = move |key: &JoinKey| JobId {
            relation: relation.clone(),
            key: key.clone(),
        };
        keys.iter().map(of_key)
    };
    let ids = tie.relations().flat_map(job_id);
    let ids: Vec<Bson> = ids.map(|id| id.to_bson()).collect();
    let filter = doc! {
        "_id": key_condition(&ids),
        "$or": [{ "phase": "run" }, { "failed.0": { "$exists": false } }],
    };
    let find = Find::new(job::jobs(), filter).select(doc! { "_id": 1 });
    let found = exec.documents(find.all()).await?;
    let ids = found.iter().filter_map(|job| JobId::read(job.get("_id")?));
    Ok(ids.map(|id| id.key).collect())
}
