//! The cursor of a job, which shows which runner works on the job and how far that runner has progressed.

use std::{collections::HashSet, time::Duration};

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{
    job::{Job, JobId, Phase},
    job_store::{self, cursors},
};
use crate::{
    client::{
        command::{DeleteCommand, FindAndUpdateCommand, FindCommand, Rows, UpdateCommand, and},
        odm::{Exec, Odm},
    },
    derived::values::key_condition,
    error::{Error, Result, Superseded},
    value::key::JoinKey,
};

/// How long a lease is valid. The only purpose of the lease is to prevent duplicate work. A late batch from a dead
/// runner is rejected because of its token.
const LEASE: Duration = Duration::from_secs(30);

/// How often a runner of many jobs writes the cursors of all these jobs. Between these times, each batch writes only
/// the cursors for its own keys.
pub(crate) const RENEW_EVERY: Duration = Duration::from_secs(10);

/// The cursors of the jobs that a runner has claimed and runs together.
#[derive(Clone, Debug)]
pub(crate) struct JobCursor {
    pub(crate) ids: Vec<Bson>,
    pub(crate) token: i64,
    /// How far an earlier runner of the same job version has progressed: the extended reference with its copies
    /// ([`ExtendedReference::name_with_copies`]), and the last `_id` that the runner processed.
    pub(crate) at: Option<(String, Bson)>,
}

/// The result of trying to claim some jobs.
#[derive(Debug)]
pub(crate) struct Claim {
    /// How many of the requested jobs exist.
    pub(crate) found: usize,
    /// The existing jobs that are due now.
    pub(crate) due: Vec<JobId>,
    /// The cursors that the runner has claimed, with the jobs to which they belong. The claimed jobs are a subset of
    /// the due jobs.
    pub(crate) taken: Option<(JobCursor, Vec<Job>)>,
}

/// Reads jobs, and claims the cursors of the due jobs. Skips jobs on which a live runner is working.
///
/// Sends one transaction. The transaction reads the jobs with a `find`. For a single job, a `findAndModify` follows.
/// For several jobs, a `find` and an `insert` follow, and if some of the cursors exist, an `update` and a `find`. The
/// transaction reads each job before it stores the job's cursor, so it does not store a cursor for a job that has
/// already been removed. A cursor without a job would stay until the index on `until` removes it.
pub(crate) async fn claim(ids: &[JobId], odm: &Odm) -> Result<Claim> {
    let exec = Exec::on(odm.clone());
    let claim = exec.together(ids.to_vec(), |ids, exec| async move {
        let mut jobs = job_store::read(&ids, &exec).await?;
        let found = jobs.len();
        jobs.retain(|job| job.phase == Phase::Run || job.due);
        Ok(Claim {
            found,
            due: jobs.iter().map(|job| job.id.clone()).collect(),
            taken: take(jobs, &exec).await?,
        })
    });
    claim.await
}

async fn take(jobs: Vec<Job>, exec: &Exec) -> Result<Option<(JobCursor, Vec<Job>)>> {
    // The token is random, because a released cursor is deleted. After the delete, a counter would restart at its first
    // value, and could then repeat the token of a late batch.
    let token = fastrand::i64(..);
    let claimed = match jobs.as_slice() {
        [] => return Ok(None),
        [job] => claim_one(job, token, exec).await?,
        jobs => claim_all(jobs, token, exec).await?,
    };
    let is_mine = |cursor: &&Document| cursor.get_i64("token").is_ok_and(|it| it == token);
    let mine: Vec<&Document> = claimed.iter().filter(is_mine).collect();
    let ids: HashSet<JobId> = mine
        .iter()
        .filter_map(|it| JobId::read(it.get("_id")?))
        .collect();
    let at = mine.first().and_then(|cursor| position(cursor));
    // The comparison uses cursors, because jobs for single fields share the cursor of their relation.
    let has = |job: &Job| JobId::read(&job.id.cursor()).is_some_and(|id| ids.contains(&id));
    let jobs: Vec<Job> = jobs.into_iter().filter(has).collect();
    let cursor = JobCursor {
        ids: jobs.iter().map(|job| job.id.cursor()).collect(),
        token,
        // Jobs that run together are processed key by key, so they do not share a position.
        at: at.filter(|_| jobs.len() == 1),
    };
    Ok((!jobs.is_empty()).then_some((cursor, jobs)))
}

async fn claim_one(job: &Job, token: i64, exec: &Exec) -> Result<Vec<Document>> {
    let by_id = doc! { "_id": job.id.cursor() };
    let claim = FindAndUpdateCommand::new(cursors(), by_id, claiming(job, token));
    let claimed = exec.send(claim.upsert().return_new()).await?;
    let claimed = claimed.and_then(|raw| Document::try_from(&*raw).ok());
    Ok(claimed.into_iter().collect())
}

/// Claims the cursors of several jobs. Usually, the cursors do not exist, so one statement inserts them. An upsert for
/// each cursor would take the server several times as long.
async fn claim_all(jobs: &[Job], token: i64, exec: &Exec) -> Result<Vec<Document>> {
    let ids: Vec<Bson> = jobs.iter().map(|job| job.id.cursor()).collect();
    let by_ids = doc! { "_id": key_condition(&ids) };
    let stored = FindCommand::new(cursors(), by_ids.clone()).all();
    let stored = exec.ids(stored).await?;
    let stored: HashSet<JobId> = stored.iter().filter_map(JobId::read).collect();
    // Without a transaction, another runner may insert the same cursors at the same time, so all of them are upserted.
    let is_new = |job: &&Job| {
        let id = JobId::read(&job.id.cursor());
        exec.in_transaction() && id.is_some_and(|id| !stored.contains(&id))
    };
    let (new, known): (Vec<&Job>, Vec<&Job>) = jobs.iter().partition(is_new);
    let new = new.into_iter().map(|job| new_cursor(job, token));
    let mut claimed: Vec<Document> = new.collect();
    exec.insert_all(cursors(), Rows::of_documents(&claimed)?)
        .await?;
    if !known.is_empty() {
        let updates = known.into_iter().map(|job| {
            let by_id = doc! { "_id": job.id.cursor() };
            UpdateCommand::one(cursors(), by_id, claiming(job, token)).upsert()
        });
        exec.send_all(&updates.collect::<Vec<_>>()).await?;
        // The reply to the updates does not show which cursors the runner has claimed, so the cursors are read.
        let mine = and(by_ids, doc! { "token": token });
        claimed = exec
            .documents(FindCommand::new(cursors(), mine).all())
            .await?;
    }
    Ok(claimed)
}

fn new_cursor(job: &Job, token: i64) -> Document {
    let until = job.read_at.timestamp_millis().saturating_add(lease());
    let until = DateTime::from_millis(until);
    doc! { "_id": job.id.cursor(), "token": token, "until": until, "version": job.version }
}

/// Returns the update that claims a cursor. The server rejects `$expr` in the filter of an upsert. So the update itself
/// preserves the stored values if a live runner has the cursor.
fn claiming(job: &Job, token: i64) -> Vec<Document> {
    let if_free = |field: &str, new: Bson| doc! { "$cond": [is_held(), field, new] };
    let is_same = doc! { "$eq": ["$version", job.version] };
    // If the source has changed again, copies before the stored position are stale again, so the position is dropped.
    let kept = |field: &str| doc! { "$cond": [is_same.clone(), field, "$$REMOVE"] };
    // All fields are set in one `$set`. A second stage would see the lease that the first stage has just written, as if
    // another runner had the cursor.
    vec![doc! { "$set": {
        "token": if_free("$token", token.into()),
        "until": if_free("$until", full_lease().into()),
        "tie": if_free("$tie", kept("$tie").into()),
        "lo": if_free("$lo", kept("$lo").into()),
        "version": if_free("$version", job.version.into()),
    } }]
}

/// Returns a pipeline expression that tests whether a runner currently has the lease of a cursor.
///
/// If a stored lease ends later than a lease that begins now, the stored lease was written by a server whose clock is
/// ahead. A lease from the future is ignored, so that runners do not have to wait until the other clock has caught up.
pub(crate) fn is_held() -> Document {
    doc! { "$and": [
        { "$gte": ["$until", "$$NOW"] },
        { "$lte": ["$until", full_lease()] },
    ] }
}

/// Returns a pipeline expression for the end of a lease that begins now.
fn full_lease() -> Document {
    doc! { "$add": ["$$NOW", lease()] }
}

fn position(cursor: &Document) -> Option<(String, Bson)> {
    Some((
        cursor.get_str("tie").ok()?.to_owned(),
        cursor.get("lo")?.clone(),
    ))
}

#[allow(clippy::cast_possible_truncation, reason = "half a minute")]
const fn lease() -> i64 {
    LEASE.as_millis() as i64
}

impl JobCursor {
    /// Stores the runner's progress in the transaction of the batch.
    ///
    /// This write protects the copies against late batches. If the runner has lost its lease, this statement fails, and
    /// the batch is aborted. Otherwise, the batch could write values that it read long ago.
    ///
    /// # Errors
    ///
    /// [`Superseded`] if another runner has one of the cursors.
    pub(crate) async fn advance(&self, tie: &str, lo: Option<&Bson>, exec: &Exec) -> Result<()> {
        // The update is a pipeline because the end of the lease depends on the server's clock, which all runners share.
        let mut set = doc! { "tie": tie, "until": full_lease() };
        set.insert(
            "lo",
            lo.map_or_else(
                || Bson::from("$$REMOVE"),
                // An `_id` can be a string that begins with `$`, which the pipeline would interpret as a path.
                |lo| doc! { "$literal": lo }.into(),
            ),
        );
        let update = vec![doc! { "$set": set }];
        let updated = exec.send(UpdateCommand::many(
            cursors(),
            self.filter_of_owner(),
            update,
        ));
        // `matched` is compared rather than `modified`, because writing the same position twice within one millisecond
        // modifies nothing.
        self.require_all(updated.await?.matched)
    }

    /// Returns the cursors for the given keys of a relation. The returned cursors have the same token.
    pub(crate) fn of_keys(&self, relation: &str, keys: &[JoinKey]) -> Self {
        let ids = JobId::of_keys(relation, keys);
        Self {
            ids: ids.map(|id| id.to_bson()).collect(),
            token: self.token,
            at: None,
        }
    }

    /// Releases the cursors, so that another runner can claim them immediately.
    ///
    /// # Errors
    ///
    /// [`Superseded`] if another runner has one of the cursors.
    pub(crate) async fn release(&self, exec: &Exec) -> Result<()> {
        // The cursors are deleted, not cleared. If a job has been removed, its cleared cursor would remain until the
        // index removes it a day later.
        let delete = DeleteCommand::many(cursors(), self.filter_of_owner());
        self.require_all(exec.send(delete).await?)
    }

    fn require_all(&self, written: u64) -> Result<()> {
        if written == self.ids.len() as u64 {
            Ok(())
        } else {
            Err(Error::custom(Superseded))
        }
    }

    /// Ends the lease, but keeps the position, so that the next runner continues there. The new token rejects the batch
    /// that may still run.
    pub(crate) async fn give_up(&self, exec: &Exec) -> Result<()> {
        let ended = doc! { "$subtract": ["$$NOW", 1] };
        let update = vec![doc! { "$set": { "token": fastrand::i64(..), "until": ended } }];
        exec.send(UpdateCommand::many(
            cursors(),
            self.filter_of_owner(),
            update,
        ))
        .await?;
        Ok(())
    }

    fn filter_of_owner(&self) -> Document {
        doc! { "_id": key_condition(&self.ids), "token": self.token }
    }
}
