//! A worker that runs jobs until it is told to stop.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::future::{Either, select};

use super::run_report::{JobsReport, RunProgress};
use crate::{client::odm::Odm, error::Result};

/// How often jobs are counted for an alert.
const COUNT_EVERY: Duration = Duration::from_secs(60);

/// Folds deltas, and runs jobs as their time comes: `odm.worker().run_until(shutdown)`.
///
/// Any number of workers may run at once, in any number of programs: a job is taken by one of them at
/// a time, one that dies is replaced after 30 seconds, and a delta is folded once, whoever comes first. Once a minute it
/// counts jobs and deltas ([`Jobs::count`](crate::Jobs::count)) and records the figures as a `tracing` event.
#[derive(Clone, Debug)]
#[must_use = "a worker works when it is run"]
pub struct Worker {
    odm: Odm,
    every: Duration,
}

impl Odm {
    /// Returns a worker, for a program or a task that does nothing else: it runs jobs and folds deltas of all programs, as
    /// [`run_pending_jobs`](Self::run_pending_jobs) does, again and again. Handles do so themselves unless
    /// [`Settle::Manual`](crate::Settle) is set; a worker comes by more often.
    pub fn worker(&self) -> Worker {
        Worker {
            odm: self.clone(),
            every: Duration::from_secs(1),
        }
    }
}

impl Worker {
    /// Sets how often it looks for deltas and jobs; every second by default, one `aggregate` and one `find` each time.
    pub const fn every(mut self, pause: Duration) -> Self {
        self.every = pause;
        self
    }

    /// Runs until its future is dropped. What fails is logged and tried again.
    ///
    /// # Errors
    ///
    /// None so far.
    pub async fn run(self) -> Result<()> {
        self.run_until(std::future::pending()).await?;
        Ok(())
    }

    /// Runs until the given future is ready, a signal for instance. A batch that has begun is finished first. Returns what
    /// it did.
    ///
    /// # Errors
    ///
    /// None so far.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> Result<JobsReport> {
        let mut shutdown = pin!(shutdown);
        let mut counted = None;
        let mut all = JobsReport::default();
        loop {
            let so_far = RunProgress::default();
            let is_over = {
                let work = pin!(self.turn(&so_far, &mut counted));
                // Dropping `work` interrupts no batch: each one is a task of its own.
                matches!(select(shutdown.as_mut(), work).await, Either::Left(_))
            };
            all.add(so_far.report());
            if is_over {
                return Ok(all);
            }
        }
    }

    async fn turn(&self, so_far: &RunProgress, counted: &mut Option<Instant>) {
        match self.odm.run_pending(so_far).await {
            Ok(()) => {
                let report = so_far.report();
                if report.run + report.folded > 0 {
                    tracing::info!(%report, "worker");
                }
            }
            Err(error) => tracing::warn!(%error, "jobs cannot be listed; the worker tries again"),
        }
        if counted.is_none_or(|at| at.elapsed() > COUNT_EVERY) {
            // Before the count, so that one that fails is not repeated at each turn.
            *counted = Some(Instant::now());
            if let Err(error) = self.odm.jobs().count().await {
                tracing::warn!(%error, "jobs cannot be counted");
            }
        }
        tokio::time::sleep(self.every).await;
    }
}
