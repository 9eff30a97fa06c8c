//! Brings copies and computed fields up to date for a caller who waits, within a time.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use mongodb::bson::Bson;
use tokio_util::task::TaskTracker;

use super::{
    delta_runner::apply_deltas_of_keys, job_group::run_all, job_run::parts_of,
    run_report::JobsReport,
};
use crate::{
    client::odm::{Exec, Odm, in_caller_context, join_task},
    derived::outbox::{JobId, PendingWork, pending_work},
    error::{Error, Pending, Result},
    graph::graph,
    value::key::JoinKey,
};

/// For how long a caller waits who has not said so: as long as a runner that has died is taken for alive.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// For how long a caller waits at least for the server to say whether anything is left.
const LOOK: Duration = Duration::from_secs(1);

/// What a caller waits for, and for how long.
#[derive(Clone, Debug)]
pub(super) struct CatchUp {
    odm: Odm,
    /// What is younger may stay.
    older_than: Duration,
    /// The document that is to be read, if it is one.
    document: Option<JoinKey>,
    began: Instant,
    until: Option<Instant>,
    /// What was pending when the server answered last, or what it is asked for.
    seen: Arc<Mutex<Vec<Pending>>>,
}

impl CatchUp {
    pub(super) fn new(timeout: Duration, odm: Odm) -> Self {
        let began = Instant::now();
        Self {
            odm,
            older_than: Duration::ZERO,
            document: None,
            began,
            until: began.checked_add(timeout),
            seen: Arc::default(),
        }
    }

    /// Brings up to date what has been old for so long, as far as one document needs it.
    pub(super) fn of(self, document: Bson, older_than: Duration) -> Self {
        Self {
            document: Some(JoinKey::from(document)),
            older_than,
            ..self
        }
    }

    /// Runs the work in a task, as writes are, and waits for it while there is time. The task ends as soon as it would
    /// only wait for others; what it has begun itself it ends.
    pub(super) async fn run(
        self,
        work: impl Future<Output = Result<()>> + Send + 'static,
    ) -> Result<()> {
        // `finish_writes` waits for this tracker, so a program can end after a dropped wait.
        let tasks = self.odm.deployment().shared::<TaskTracker>();
        let task = tasks.spawn(in_caller_context(work));
        let Some(until) = self.until else {
            return join_task(task.await);
        };
        let until = until.max(self.began + LOOK);
        match tokio::time::timeout_at(until.into(), task).await {
            Ok(done) => join_task(done),
            Err(_) => Err(self.outdated_error()),
        }
    }

    /// Folds the deltas of some relations and keys, runs their jobs, and waits for those that others have or that this
    /// program cannot run.
    pub(super) async fn finish(&self, mut names: Vec<JobId>) -> Result<()> {
        let mut pause = Duration::from_millis(5);
        self.note(names.iter().map(Pending::from).collect());
        loop {
            let owed = self.look(&names).await?;
            if owed.is_empty() {
                return Ok(());
            }
            let is_late = self.until.is_some_and(|until| Instant::now() >= until);
            // Nobody runs a job that was put off before its time. Waiting for it would use up the time of the caller.
            if is_late || owed.iter().any(PendingWork::is_put_off) {
                return Err(self.outdated_error());
            }
            let (done, ended) = self.work(&owed).await?;
            // One pass has followed all changes before it; those that came later are for others.
            let is_left = done.left + done.failed > 0;
            names.retain(|id| is_left || !graph().knows(&id.relation));
            // Another runner has ended these jobs since the look. It may have left parts of them.
            let jobs = owed.iter().filter(|it| !it.is_delta).map(|it| &it.id);
            let divided = jobs.filter(|id| ended.contains(id));
            names.extend(divided.flat_map(parts_of));
            if names.is_empty() {
                return Ok(());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    async fn look(&self, names: &[JobId]) -> Result<Vec<PendingWork>> {
        let exec = Exec::on(self.odm.clone());
        let mut owed = pending_work(names, self.older_than, &exec).await?;
        if let Some(document) = &self.document {
            owed.retain(|it| it.concerns(document));
        }
        self.note(owed.iter().map(Pending::from).collect());
        Ok(owed)
    }

    fn note(&self, pending: Vec<Pending>) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = pending;
    }

    /// Does what is owed. Returns with the report the jobs that others have ended.
    async fn work(&self, owed: &[PendingWork]) -> Result<(JobsReport, Vec<JobId>)> {
        let mut ended = Vec::new();
        let mut done = JobsReport::default();
        for reference in graph().references.iter().filter(|it| it.is_computed()) {
            let of_reference =
                |it: &&PendingWork| it.is_delta && it.id.relation == reference.relation;
            let keys = owed.iter().filter(of_reference);
            let keys: Vec<JoinKey> = keys.map(|it| it.id.key.clone()).collect();
            done.add(apply_deltas_of_keys(reference, &keys, self.until, &self.odm).await?);
        }
        // Who has folded a delta before us may have left its job.
        let known = owed.iter().filter(|it| graph().knows(&it.id.relation));
        let jobs = known.map(|it| it.id.clone()).collect();
        for ran in run_all(jobs, self.until, &self.odm).await? {
            done.add(ran.jobs);
            ended.extend(ran.ended);
        }
        Ok((done, ended))
    }

    fn outdated_error(&self) -> Error {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        Error::Pending {
            pending: seen.clone(),
            waited: self.began.elapsed(),
        }
    }
}
