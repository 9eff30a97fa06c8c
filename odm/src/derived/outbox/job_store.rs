//! The statements that store, read and end jobs.

use std::time::Duration;

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::job::{Job, JobEntry, JobId, Phase, latest, longest};
use crate::{
    batches::{parts_of, size_of},
    client::{
        command::{
            CreateIndexesCommand, DeleteCommand, FindAndUpdateCommand, FindCommand, Index,
            UpdateCommand,
        },
        odm::{Exec, Odm},
        place::Place,
    },
    derived::values::{delta::deltas, key_condition},
    error::{Error, Result},
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

pub(crate) const JOBS: &str = "_odm_jobs";
pub(crate) const CURSORS: &str = "_odm_cursors";

/// Stores a job, and returns its phase. With `Run`, a runner has to run it.
pub(crate) async fn record(entry: &JobEntry, exec: &Exec) -> Result<Phase> {
    let by_id = doc! { "_id": entry.id.to_bson() };
    let write = FindAndUpdateCommand::new(jobs(), by_id, entry.update(grace(exec)));
    let written = exec.send(write.upsert().select(doc! { "phase": 1 }).return_new());
    let written = written.await?;
    let phase = written.as_ref().and_then(|job| job.get_str("phase").ok());
    Ok(if phase == Some(Phase::Run.name()) {
        Phase::Run
    } else {
        Phase::Settle
    })
}

/// Stores many jobs. Sends one `update` for each 1,000.
pub(crate) async fn record_all(entries: &[JobEntry], exec: &Exec) -> Result<()> {
    exec.send_all(&recording(entries, exec.settings().grace))
        .await?;
    Ok(())
}

/// Returns the updates that store jobs.
pub(crate) fn recording(entries: &[JobEntry], grace: Duration) -> Vec<UpdateCommand> {
    let grace = millis(grace);
    let updates = entries.iter().map(|entry| {
        let by_id = doc! { "_id": entry.id.to_bson() };
        UpdateCommand::one(jobs(), by_id, entry.update(grace)).upsert()
    });
    updates.collect()
}

fn grace(exec: &Exec) -> i64 {
    millis(exec.settings().grace)
}

#[allow(clippy::cast_possible_truncation, reason = "no grace is that long")]
const fn millis(grace: Duration) -> i64 {
    grace.as_millis() as i64
}

/// Returns the collection of jobs. Writes outside of a transaction wait for a majority.
pub(crate) fn jobs() -> Place {
    Place::whole_collection(JOBS).durable()
}

pub(crate) fn cursors() -> Place {
    Place::whole_collection(CURSORS).durable()
}

/// Reads jobs, and whether they are due by the clock of the server.
pub(super) async fn read(ids: &[JobId], exec: &Exec) -> Result<Vec<Job>> {
    let ids: Vec<Bson> = ids.iter().map(JobId::to_bson).collect();
    let find = FindCommand::new(jobs(), doc! { "_id": key_condition(&ids) }).select(doc! {
        "version": 1, "phase": 1, "fields": 1, "holds": 1, "due": { "$lte": ["$due_at", "$$NOW"] },
    });
    let found = exec.documents(find.all()).await?;
    Ok(found.iter().filter_map(Job::read).collect())
}

/// Writes the jobs of some keys, so that concurrent writers of these jobs have a write conflict. Sends a `find` and an
/// `update`. Returns the keys with stored jobs.
pub(crate) async fn hold(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    let ids: Vec<JobId> = JobId::of_keys(reference, keys).collect();
    let here = read(&ids, exec).await?;
    let ids: Vec<Bson> = here.iter().map(|job| job.id.to_bson()).collect();
    // Not an upsert: a batch of a removed job has nothing to add, and a new job would not belong to a change.
    let by_ids = doc! { "_id": key_condition(&ids) };
    // The value is new each time, because an update that changes nothing causes no conflict. `version` stays unchanged,
    // so that the runner can still end the job.
    let set = doc! { "$set": { "batch": ObjectId::new() } };
    exec.send(UpdateCommand::many(jobs(), by_ids, set)).await?;
    Ok(here.into_iter().map(|job| job.id.key).collect())
}

/// Lists the due jobs for relations that this program declares, and their versions, the oldest job first. Skips the
/// `stuck` jobs, and documents that are not jobs.
pub(crate) async fn due(limit: usize, stuck: &[Bson], odm: &Odm) -> Result<Vec<(JobId, ObjectId)>> {
    let exec = Exec::on(odm.clone());
    let known: Vec<String> = graph().relations().collect();
    let filter = doc! {
        "_id": { "$nin": stuck.to_vec() },
        // Other documents must not use up the limit.
        "version": { "$type": "objectId" },
        "$expr": { "$lte": ["$due_at", "$$NOW"] },
        "_id.relation": { "$in": known },
    };
    let mut find = FindCommand::new(jobs(), filter).select(doc! { "version": 1 });
    find.options.limit = i64::try_from(limit).ok();
    let found = exec.documents(find.sort(doc! { "due_at": 1 })).await?;
    let due = found.iter().filter_map(|job| {
        Some((
            JobId::read(job.get("_id")?)?,
            job.get_object_id("version").ok()?,
        ))
    });
    Ok(due.collect())
}

/// Moves jobs to the phase `settle`. Skips a job if its version has changed, because then its source has changed again.
pub(crate) async fn to_settle(jobs_run: &[&Job], exec: &Exec) -> Result<()> {
    let updates = jobs_run.iter().map(|job| {
        let update = vec![doc! { "$set": {
            "phase": Phase::Settle.name(),
            // The new phase requires a new version. Otherwise a runner in the phase `run` could move the cursor past a
            // late copy.
            "version": { "$literal": ObjectId::new() },
            "error": "$$REMOVE",
            "failed": "$$REMOVE",
            // The time counts from the last change, not from now: the grace period covers transactions that began
            // before its commit.
            "due_at": latest([
                doc! { "$add": ["$changed_at", longest(grace(exec))] }.into(),
                "$not_before".into(),
            ]),
        } }];
        UpdateCommand::one(jobs(), job.filter_of_version(), update)
    });
    exec.send_all(&updates.collect::<Vec<_>>()).await?;
    Ok(())
}

/// Puts a job off for ten minutes. Stores the documents that could not store their copies, and the error for the first
/// one.
pub(crate) async fn put_off(job: &Job, failed: &[Bson], why: &str, exec: &Exec) -> Result<()> {
    const AGAIN_AFTER: i64 = 10 * 60 * 1_000;
    let update = vec![doc! { "$set": {
        // Not `run`: for ten minutes, writers would rely on a run that does not happen.
        "phase": Phase::Settle.name(),
        "version": { "$literal": ObjectId::new() },
        "failed": { "$literal": some_of(failed) },
        "error": { "$literal": short(why) },
        // Not earlier than the last look for the latest change.
        "due_at": latest([
            doc! { "$add": ["$$NOW", AGAIN_AFTER] }.into(),
            doc! { "$add": ["$changed_at", longest(grace(exec))] }.into(),
            "$not_before".into(),
        ]),
    } }];
    exec.send(UpdateCommand::one(jobs(), job.filter_of_version(), update))
        .await?;
    Ok(())
}

/// Largest number of ids of failed documents in a job.
pub(crate) const KEPT_FAILED: usize = 100;

/// Returns the first ids of failed documents, at most 100 and 64 KB, but at least one. The size of a job must not
/// depend on their number.
pub(crate) fn some_of(failed: &[Bson]) -> Vec<Bson> {
    let mut parts = parts_of(failed, KEPT_FAILED, 64 << 10, size_of);
    parts.next().unwrap_or_default().to_vec()
}

/// Returns at most 1,000 characters of a message. Messages of the server can contain stored values.
fn short(why: &str) -> String {
    why.chars().take(1_000).collect()
}

/// Stores the error of a run in its jobs.
pub(crate) async fn note_error(ids: &[JobId], error: &Error, exec: &Exec) -> Result<()> {
    let set = doc! { "$set": { "error": short(&error.to_string()) } };
    let updates = ids
        .iter()
        .map(|id| UpdateCommand::one(jobs(), doc! { "_id": id.to_bson() }, set.clone()));
    exec.send_all(&updates.collect::<Vec<_>>()).await?;
    Ok(())
}

/// Removes finished jobs, and returns their number. Skips a job if its version has changed.
pub(crate) async fn remove(done: &[&Job], exec: &Exec) -> Result<u64> {
    if done.is_empty() {
        return Ok(0);
    }
    // A version belongs to one job. An `$or` of ids with versions would take the server seconds for many jobs.
    let ids: Vec<Bson> = done.iter().map(|job| job.id.to_bson()).collect();
    let versions: Vec<Bson> = done.iter().map(|job| job.version.into()).collect();
    let same = doc! { "_id": key_condition(&ids), "version": key_condition(&versions) };
    exec.send(DeleteCommand::many(jobs(), same)).await
}

/// Creates the collections of jobs, because not every server can create them in a transaction. Sends three
/// `createIndexes`.
pub(crate) async fn prepare(odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    // Removes the cursors of jobs for undeclared relations, and the positions of backfills.
    let expire = doc! { "expireAfterSeconds": 86_400 };
    let of_jobs = index("due_at", doc! {});
    let of_cursors = index("until", expire);
    let of_deltas = index("of", doc! {});
    for (place, index) in [
        (jobs(), of_jobs),
        (cursors(), of_cursors),
        (deltas(), of_deltas),
    ] {
        let indexes = vec![index];
        exec.send(CreateIndexesCommand { place, indexes }).await?;
    }
    Ok(())
}

/// Returns an ascending index. Its name is the driver's default name.
fn index(path: &str, mut options: Document) -> Index {
    options.insert("name", format!("{path}_1"));
    let keys = doc! { path: 1 };
    Index { keys, options }
}
