//! Runs one job: passes over all copies until the source stays the same.

mod pass;

use std::time::Duration;

use mongodb::bson::Bson;

use super::{
    cursor::{self, Cursor},
    progress::ProgressFn,
    store::{self, Job, JobId, Phase},
};
use crate::{
    copy::{CopyReport, graph},
    error::{Error, Result},
    odm::{Exec, Odm},
};
use pass::pass;

/// How a run ended.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) reports: Vec<CopyReport>,
    pub(crate) end: End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// The job is gone.
    #[default]
    Gone,
    /// The copies are written; a last look follows later.
    Settling,
    /// Documents could not take their copies.
    Failed,
    /// Ties of it are not declared in this program.
    Foreign,
}

/// Runs a job until its copies are written; waits where another runner does it.
pub(crate) async fn run_to_end(
    id: &JobId,
    odm: &Odm,
    progress: Option<&ProgressFn>,
) -> Result<Ran> {
    let mut ran = Ran::default();
    let exec = Exec::on(odm.clone());
    let mut pause = Duration::from_millis(5);
    loop {
        let Some(job) = store::read(id, &exec).await? else {
            ran.end = End::Gone;
            return Ok(ran);
        };
        if job.phase == Phase::Settle && !job.due {
            ran.end = End::Settling;
            return Ok(ran);
        }
        if let Some(unknown) = unknown_tie(&job) {
            odm.warn_of_foreign(unknown);
            ran.end = End::Foreign;
            return Ok(ran);
        }
        let Some(cursor) = cursor::claim(&job, odm).await? else {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
            continue;
        };
        match pass(&job, &cursor, odm, progress, &mut ran).await {
            Err(Error::Superseded) => {}
            Err(error) => {
                // Another runner need not wait for the lease to end.
                let _ = cursor.release(&exec).await;
                return Err(error);
            }
            Ok(failed) => {
                // Changes that were made during the pass are for those who made them: under steady
                // renames a caller would never return.
                let finished = finish(&job, &cursor, &failed, odm).await?;
                ran.end = match (failed.is_empty(), job.phase) {
                    (false, _) => End::Failed,
                    (true, Phase::Settle) if finished => End::Gone,
                    (true, _) => End::Settling,
                };
                return Ok(ran);
            }
        }
    }
}

fn unknown_tie(job: &Job) -> Option<&str> {
    let mut names = job.ties.iter().map(String::as_str);
    names.find(|name| !graph().knows(name))
}

/// Ends a pass: the job goes on to its next phase if the source is the one that the pass began with.
async fn finish(job: &Job, cursor: &Cursor, failed: &[Bson], odm: &Odm) -> Result<bool> {
    let state = (job.clone(), cursor.clone(), failed.to_vec());
    Exec::on(odm.clone())
        .together(state, |(job, cursor, failed), exec| async move {
            // The runner's right to say so, and its end.
            cursor.advance("", None, &exec).await?;
            let unchanged = if !failed.is_empty() {
                store::put_off(&job.id, job.version, &failed, &exec).await?;
                true
            } else if job.phase == Phase::Run {
                store::to_settle(&job.id, job.version, &exec).await?
            } else {
                store::remove(&job.id, job.version, &exec).await?
            };
            cursor.release(&exec).await?;
            Ok(unchanged)
        })
        .await
        .or_else(|error| match error {
            Error::Superseded => Ok(false),
            error => Err(error),
        })
}
