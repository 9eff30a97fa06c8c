//! Completes the pending work for some keys, for a caller that waits at most until a timeout.

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
    derived::outbox::{JobId, ListedJobs, PendingWork, pending_work},
    error::{Error, Pending, Result},
    graph::graph,
    value::key::JoinKey,
};

/// The default timeout. The default equals the duration of a lease, after which another runner can continue the job
/// of a dead runner.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// The minimum time for which the call waits for the server to report pending work.
const LOOK: Duration = Duration::from_secs(1);

/// The settings and the state of one call that waits for pending work.
#[derive(Clone, Debug)]
pub(super) struct CatchUp {
    odm: Odm,
    /// Minimum age of the work to finish.
    older_than: Duration,
    /// The document that the caller is about to read. `None` if the caller waits for a token.
    document: Option<JoinKey>,
    began: Instant,
    until: Option<Instant>,
    /// The pending work according to the server's latest reply. Before the first reply, this is the work for which the
    /// caller waits.
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

    /// Restricts the wait to work that affects one document and is older than a given age.
    pub(super) fn of(self, document: Bson, older_than: Duration) -> Self {
        Self {
            document: Some(JoinKey::from(document)),
            older_than,
            ..self
        }
    }

    /// Runs the work in a task, as writes do, and waits for the task until the timeout. After the timeout, the task
    /// finishes the statements that it has begun, but no longer waits for other runners.
    pub(super) async fn run(
        self,
        work: impl Future<Output = Result<()>> + Send + 'static,
    ) -> Result<()> {
        // `finish_writes` waits for the tasks in this tracker, so a program can shut down properly even if it has
        // dropped the future that waits.
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

    /// Applies the deltas and runs the jobs for the given relations and keys. Waits until a job is completed if another
    /// runner is running it, or if this program cannot run it. Returns those of the document's jobs that wait for their
    /// last look.
    pub(super) async fn finish(&self, mut names: Vec<JobId>) -> Result<Vec<JobId>> {
        let mut pause = Duration::from_millis(5);
        self.note(names.iter().map(Pending::from).collect());
        let mut settling = Vec::new();
        loop {
            let (settled, owed) = self.look(&names).await?;
            settling.extend(settled.into_iter().map(|it| it.id));
            if owed.is_empty() {
                return Ok(settling);
            }
            let is_late = self.until.is_some_and(|until| Instant::now() >= until);
            // A postponed job does not run until it is due, so waiting for the job would only use up the caller's
            // timeout.
            if is_late || owed.iter().any(PendingWork::is_put_off) {
                return Err(self.outdated_error());
            }
            let (done, ended) = self.work(&owed).await?;
            // One pass covers all earlier changes. The caller does not wait for later changes.
            let is_left = done.left + done.failed > 0;
            names.retain(|id| is_left || !graph().knows(&id.relation));
            // Other runners have ended these jobs since they were read, and may have stored jobs for single fields.
            let jobs = owed.iter().filter(|it| !it.is_delta).map(|it| &it.id);
            let divided = jobs.filter(|id| ended.contains(id));
            names.extend(divided.flat_map(parts_of));
            if names.is_empty() {
                return Ok(settling);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    /// Returns the jobs that wait for their last look, and the other pending work.
    async fn look(&self, names: &[JobId]) -> Result<(Vec<PendingWork>, Vec<PendingWork>)> {
        let exec = Exec::on(self.odm.clone());
        let wanted = match &self.document {
            Some(_) => ListedJobs::AlsoSettling,
            None => ListedJobs::Pending,
        };
        let mut owed = pending_work(names, self.older_than, wanted, &exec).await?;
        if let Some(document) = &self.document {
            owed.retain(|it| it.concerns(document));
        }
        let (settling, owed): (Vec<_>, Vec<_>) =
            owed.into_iter().partition(PendingWork::is_settling);
        self.note(owed.iter().map(Pending::from).collect());
        Ok((settling, owed))
    }

    fn note(&self, pending: Vec<Pending>) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = pending;
    }

    /// Performs the pending work. Returns a report, and the jobs that other runners have ended.
    async fn work(&self, owed: &[PendingWork]) -> Result<(JobsReport, Vec<JobId>)> {
        let mut ended = Vec::new();
        let mut done = JobsReport::default();
        for reference in graph().folds() {
            let of_reference =
                |it: &&PendingWork| it.is_delta && it.id.relation == reference.relation;
            let keys = owed.iter().filter(of_reference);
            let keys: Vec<JoinKey> = keys.map(|it| it.id.key.clone()).collect();
            apply_deltas_of_keys(reference, &keys, self.until, &mut done, &self.odm).await?;
        }
        // Keys with deltas are included, because another program may have applied a delta but not run the resulting
        // job.
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
