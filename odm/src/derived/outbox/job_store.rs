//! The statements that store, read, advance and remove jobs.

use std::{collections::HashSet, time::Duration};

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::job::{Job, JobEntry, JobId, Phase, latest, longest};
use crate::{
    batches::{parts, parts_of, size_of},
    client::{
        command::{
            CreateIndexesCommand, DeleteCommand, FindAndUpdateCommand, FindCommand, Index, Rows,
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

/// Stores a job and returns its new phase. In the phase `Run`, a runner still has to run the job.
pub(crate) async fn record(entry: &JobEntry, exec: &Exec) -> Result<Phase> {
    let by_id = doc! { "_id": entry.id.to_bson() };
    let trace = exec.settings().trace_links.current();
    let update = entry.update(grace(exec), trace.as_deref());
    let write = FindAndUpdateCommand::new(jobs(), by_id, update);
    let written = exec.send(write.upsert().select(doc! { "phase": 1 }).return_new());
    let written = written.await?;
    let phase = written.as_ref().and_then(|job| job.get_str("phase").ok());
    Ok(if phase == Some(Phase::Run.name()) {
        Phase::Run
    } else {
        Phase::Settle
    })
}

/// Number of jobs from which a transaction stores the jobs of a relation as a set.
const AS_SET: usize = 32;

/// Largest number of jobs in one set.
const IN_SET: usize = 1_000;

/// Stores many jobs. Sends one `update` for every 1,000 jobs, and two more statements for every 1,000 jobs of a set.
pub(crate) async fn record_all(entries: &[JobEntry], exec: &Exec) -> Result<()> {
    let settings = exec.settings();
    let (grace, trace) = (settings.grace_period(), settings.trace_links.current());
    // Outside a transaction, other programs could see the documents of a set before their update.
    let is_set = |jobs: &Vec<&JobEntry>| exec.in_transaction() && jobs.len() >= AS_SET;
    let groups = JobEntry::by_update(entries).into_iter();
    let (sets, others): (Vec<_>, Vec<_>) = groups.partition(is_set);
    let others = recording(others.into_iter().flatten(), grace, trace.as_deref());
    exec.send_all(&others).await?;
    for set in sets {
        for part in parts(&set, IN_SET, |entry| size_of(&entry.id.to_bson())) {
            let Some(first) = part.first() else {
                continue;
            };
            let ids: Vec<JobId> = part.iter().map(|entry| entry.id.clone()).collect();
            let update = first.update(millis(grace), trace.as_deref());
            // The future is boxed to keep the futures of callers small.
            Box::pin(record_set(&ids, update, exec)).await?;
        }
    }
    Ok(())
}

/// Stores jobs that differ only in their keys: inserts documents with the missing ids, and updates all documents. The
/// result is the same as with one upsert for each job, which would take the server several times as long.
async fn record_set(ids: &[JobId], update: Vec<Document>, exec: &Exec) -> Result<()> {
    let all: Vec<Bson> = ids.iter().map(JobId::to_bson).collect();
    let by_ids = doc! { "_id": key_condition(&all) };
    let stored = exec
        .ids(FindCommand::new(jobs(), by_ids.clone()).all())
        .await?;
    let mut known: HashSet<JobId> = stored.iter().filter_map(JobId::read).collect();
    let missing = ids.iter().filter(|id| known.insert((*id).clone()));
    let missing: Vec<Document> = missing.map(|id| doc! { "_id": id.to_bson() }).collect();
    exec.insert_all(jobs(), Rows::of_documents(&missing)?)
        .await?;
    exec.send(UpdateCommand::many(jobs(), by_ids, update))
        .await?;
    Ok(())
}

/// Stores the jobs that write the copies for the given keys, and returns their ids.
pub(crate) async fn record_keys(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Vec<JobId>> {
    let entries = JobEntry::of_reference(reference, keys, Phase::Run);
    record_all(&entries, exec).await?;
    Ok(entries.into_iter().map(|entry| entry.id).collect())
}

/// Returns the updates that store the given jobs.
pub(crate) fn recording<'e>(
    entries: impl IntoIterator<Item = &'e JobEntry>,
    grace: Duration,
    trace: Option<&str>,
) -> Vec<UpdateCommand> {
    let grace = millis(grace);
    let updates = entries.into_iter().map(|entry| {
        let by_id = doc! { "_id": entry.id.to_bson() };
        UpdateCommand::one(jobs(), by_id, entry.update(grace, trace)).upsert()
    });
    updates.collect()
}

fn grace(exec: &Exec) -> i64 {
    millis(exec.settings().grace_period())
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a grace period has at most 365 days"
)]
const fn millis(grace: Duration) -> i64 {
    grace.as_millis() as i64
}

/// Returns the collection of jobs. Writes outside a transaction must be acknowledged by a majority.
pub(crate) fn jobs() -> Place {
    Place::whole_collection(JOBS).durable()
}

pub(crate) fn cursors() -> Place {
    Place::whole_collection(CURSORS).durable()
}

/// Reads jobs. For each job, the server's clock decides whether the job is due.
pub(super) async fn read(ids: &[JobId], exec: &Exec) -> Result<Vec<Job>> {
    let ids: Vec<Bson> = ids.iter().map(JobId::to_bson).collect();
    let mut fields = doc! {
        "version": 1, "phase": 1, "fields": 1, "holds": 1, "due": { "$lte": ["$due_at", "$$NOW"] }, "now": "$$NOW",
    };
    if exec.settings().trace_links.are_set() {
        fields.insert("trace", 1);
    }
    let find = FindCommand::new(jobs(), doc! { "_id": key_condition(&ids) });
    let found = exec.documents(find.select(fields).all()).await?;
    Ok(found.iter().filter_map(Job::read).collect())
}

/// Writes to the jobs for the given keys, so that concurrent writers of these jobs get a write conflict. Sends a `find`
/// and an `update`. Returns the keys that have stored jobs.
pub(crate) async fn hold(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    let ids: Vec<JobId> = JobId::of_keys(&reference.relation, keys).collect();
    let here = read(&ids, exec).await?;
    let ids: Vec<Bson> = here.iter().map(|job| job.id.to_bson()).collect();
    // The update is not an upsert. If the job was removed, the batch has nothing to do for this key. An upserted job
    // would not belong to any change.
    let by_ids = doc! { "_id": key_condition(&ids) };
    // The value differs each time, because an update that changes nothing causes no conflict. `version` stays
    // unchanged, so that the runner can still end the job.
    let set = doc! { "$set": { "batch": ObjectId::new() } };
    exec.send(UpdateCommand::many(jobs(), by_ids, set)).await?;
    Ok(here.into_iter().map(|job| job.id.key).collect())
}

/// Lists the due jobs for the relations that this program declares, oldest first, together with their versions. Skips
/// the jobs in `stuck`, and documents that are not jobs.
pub(crate) async fn due(limit: usize, stuck: &[Bson], odm: &Odm) -> Result<Vec<(JobId, ObjectId)>> {
    let exec = Exec::on(odm.clone());
    let known: Vec<String> = graph().relations().collect();
    let filter = doc! {
        "_id": { "$nin": stuck.to_vec() },
        // The filter excludes documents that are not jobs, because they would use up the limit.
        "version": { "$type": "objectId" },
        "$expr": { "$lte": ["$due_at", "$$NOW"] },
        "_id.relation": { "$in": known },
    };
    let mut find = FindCommand::new(jobs(), filter).select(doc! { "version": 1 });
    find.options.limit = i64::try_from(limit).ok();
    let found = exec.documents(find.sort(doc! { "due_at": 1 }).all());
    let found = found.await?;
    let due = found.iter().filter_map(|job| {
        Some((
            JobId::read(job.get("_id")?)?,
            job.get_object_id("version").ok()?,
        ))
    });
    Ok(due.collect())
}

/// Moves jobs to the phase `settle`. Skips a job whose version has changed, because the new version means that the
/// source has changed again.
pub(crate) async fn to_settle(jobs_run: &[&Job], exec: &Exec) -> Result<()> {
    if jobs_run.is_empty() {
        return Ok(());
    }
    let update = vec![doc! { "$set": {
        "phase": Phase::Settle.name(),
        // The new phase needs a new version. Otherwise, a runner that still processes the phase `run` could move the
        // cursor past a copy that was committed late.
        "version": { "$literal": ObjectId::new() },
        "error": "$$REMOVE",
        "failed": "$$REMOVE",
        // The grace period starts at the latest change, not now. The period covers transactions that began before that
        // change was committed.
        "due_at": latest([
            doc! { "$add": ["$changed_at", longest(grace(exec))] }.into(),
            "$not_before".into(),
        ]),
    } }];
    exec.send(UpdateCommand::many(jobs(), of_versions(jobs_run), update))
        .await?;
    Ok(())
}

/// Returns a filter for the given jobs, apart from those whose version has changed.
///
/// The two independent `$in` conditions select exactly these jobs, because one snapshot has read them. Several jobs can
/// have the same version, but only if one transaction has stored them. If this transaction was visible to the snapshot,
/// a job with another version was written later, and never gets the earlier version back. (A retry is not a
/// transaction, but only gives a job another reason to run.) An `$or` over pairs of id and version would take the server
/// seconds for many jobs.
fn of_versions(jobs: &[&Job]) -> Document {
    let ids: Vec<Bson> = jobs.iter().map(|job| job.id.to_bson()).collect();
    let versions: Vec<Bson> = jobs.iter().map(|job| job.version.into()).collect();
    doc! { "_id": key_condition(&ids), "version": key_condition(&versions) }
}

/// When a postponed job runs again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// After ten minutes, because somebody must first correct the documents.
    AfterCorrection,
    /// After a pause as long as the time since the latest change of the source, but at least one second and at most ten
    /// minutes. Another job may remove the cause.
    AfterOtherJobs,
}

/// Postpones a job. Stores the ids of documents that the job could not update or delete, and the error for the first of
/// them.
pub(crate) async fn put_off(
    job: &Job,
    (failed, why): (&[Bson], &str),
    retry: Retry,
    exec: &Exec,
) -> Result<()> {
    const LONGEST: i64 = 10 * 60 * 1_000;
    let pause = match retry {
        Retry::AfterCorrection => LONGEST.into(),
        Retry::AfterOtherJobs => {
            let age = doc! { "$subtract": ["$$NOW", "$changed_at"] };
            Bson::from(doc! { "$min": [LONGEST, { "$max": [1_000, age] }] })
        }
    };
    let update = vec![doc! { "$set": {
        // The phase must not be `run`, because writers would then rely on a run that might not take place for ten
        // minutes.
        "phase": Phase::Settle.name(),
        "version": { "$literal": ObjectId::new() },
        "failed": { "$literal": some_of(failed) },
        "error": { "$literal": short(why) },
        // The postponed job must not run earlier than the last look for the latest change.
        "due_at": latest([
            doc! { "$add": ["$$NOW", pause] }.into(),
            doc! { "$add": ["$changed_at", longest(grace(exec))] }.into(),
            "$not_before".into(),
        ]),
    } }];
    exec.send(UpdateCommand::one(jobs(), job.filter_of_version(), update))
        .await?;
    Ok(())
}

/// Largest number of failed documents that a job lists.
pub(crate) const KEPT_FAILED: usize = 100;

/// Returns the first of the failed ids. The result contains at least one id, and at most 100 ids or 64 KB. The limit
/// bounds the size of a job, no matter how many documents fail.
pub(crate) fn some_of(failed: &[Bson]) -> Vec<Bson> {
    let mut parts = parts_of(failed, KEPT_FAILED, 64 << 10, size_of);
    parts.next().unwrap_or_default().to_vec()
}

/// Returns the first 1,000 characters of a message. The length is limited because server messages can contain stored
/// values.
fn short(why: &str) -> String {
    why.chars().take(1_000).collect()
}

/// Stores the error of a failed run in the jobs with the given ids.
pub(crate) async fn note_error(ids: &[JobId], error: &Error, exec: &Exec) -> Result<()> {
    let set = doc! { "$set": { "error": short(&error.to_string()) } };
    let updates = ids
        .iter()
        .map(|id| UpdateCommand::one(jobs(), doc! { "_id": id.to_bson() }, set.clone()));
    exec.send_all(&updates.collect::<Vec<_>>()).await?;
    Ok(())
}

/// Removes finished jobs and returns their number. Skips a job if its version has changed.
pub(crate) async fn remove(done: &[&Job], exec: &Exec) -> Result<u64> {
    if done.is_empty() {
        return Ok(0);
    }
    exec.send(DeleteCommand::many(jobs(), of_versions(done)))
        .await
}

/// Creates the collections for jobs, cursors and deltas in advance, because not every server can create collections
/// inside a transaction. Sends three `createIndexes`.
pub(crate) async fn prepare(odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    // This index removes the cursors of jobs for undeclared relations, and the positions of backfills and moves.
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

/// Returns an ascending index on one path. The index has the name that the driver would choose by default.
fn index(path: &str, mut options: Document) -> Index {
    options.insert("name", format!("{path}_1"));
    let keys = doc! { path: 1 };
    Index { keys, options }
}
