//! The worker, which runs jobs and applies deltas in a loop until your code stops it.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::future::select;
use tokio_util::task::TaskTracker;

use super::{
    batch_pace::Pace,
    drive::{Step, Work, drive},
    held_cursor::all_given_up,
    run_report::{JobsReport, RunProgress},
};
use crate::{client::odm::Odm, error::Result};

/// How often the worker counts the jobs. Alerts can use these counts.
const COUNT_EVERY: Duration = Duration::from_secs(60);

/// A loop that applies deltas and runs due jobs until your code stops it; returned by [`Odm::worker`].
///
/// Any number of workers can run at the same time, in any number of programs. A lease assigns each job to one runner.
/// If that runner dies, another runner can continue the job after 30 seconds. Each delta is applied exactly once.
///
/// # Sends
///
/// In each pass, one `aggregate` and one `find`, plus the statements of [`Odm::run_pending_jobs`] for deltas and jobs
/// that are due. If writes of the same handle have updated copies since the previous pass, the worker also searches for
/// copies that concurrent transactions stored. This search sends two `find`s for every 100 sources of the updated
/// copies. Once a minute, the worker counts jobs and deltas ([`Jobs::count`](crate::Jobs::count)) and emits the numbers
/// as a `tracing` event.
///
/// # Limits
///
/// Run a worker in its own task. While your code does not poll the future of a worker, for example because a loop with
/// `tokio::select!` handles a message, the worker keeps the lease of its current job for up to 30 seconds. Writes that
/// wait for this job then take as long.
///
/// # Cancel safety
///
/// If the future of [`run`](Self::run) or [`run_until`](Self::run_until) is dropped, the current batch still runs to
/// completion, because it runs in its own task. The job stays stored, and another runner continues it.
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm, shutdown: impl Future<Output = ()>) -> mongo_odm::Result<()> {
/// let report = odm.worker().run_until(shutdown).await?;
/// println!("{report}");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a worker works when it is run"]
pub struct Worker {
    odm: Odm,
    every: Duration,
}

impl Odm {
    /// Returns a worker, for use in a program or task that only runs jobs.
    ///
    /// The worker calls [`run_pending_jobs`](Self::run_pending_jobs) repeatedly, which runs the jobs and applies the
    /// deltas of all programs. With [`Settle::Background`](crate::Settle), which is the default, every handle also has
    /// a background task that does the same. By default, a worker pauses for one second between two calls of
    /// `run_pending_jobs`. The background task pauses for five seconds on average.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let worker = odm.worker();
    /// tokio::spawn(worker.run());
    /// # Ok(()) }
    /// ```
    pub fn worker(&self) -> Worker {
        Worker {
            odm: self.clone(),
            every: Duration::from_secs(1),
        }
    }
}

impl Worker {
    /// Sets the pause between two passes. The default is one second. A pass sends at least one `aggregate` and one
    /// `find`.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use std::time::Duration;
    ///
    /// tokio::spawn(odm.worker().every(Duration::from_secs(5)).run());
    /// # Ok(()) }
    /// ```
    pub const fn every(mut self, pause: Duration) -> Self {
        self.every = pause;
        self
    }

    /// Runs the worker until the future is dropped. Errors and panics are logged, and the worker tries again.
    ///
    /// # Errors
    ///
    /// Currently never returns an error.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.worker().run().await?;
    /// # Ok(()) }
    /// ```
    pub async fn run(self) -> Result<()> {
        self.run_until(std::future::pending()).await?;
        Ok(())
    }

    /// Runs the worker until `shutdown` completes, for example when a signal arrives. Returns the total of all passes.
    ///
    /// The method returns after the current batch and all transactions of the worker have ended. Other runners can then
    /// continue the current job immediately.
    ///
    /// # Errors
    ///
    /// Currently never returns an error.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use std::time::Duration;
    ///
    /// // A real program passes a future that completes when it must stop.
    /// let report = odm.worker().run_until(tokio::time::sleep(Duration::from_secs(60))).await?;
    /// println!("{report:?}");
    /// # Ok(()) }
    /// ```
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> Result<JobsReport> {
        let transactions = TaskTracker::new();
        let odm = self.odm.with_tracked_transactions(transactions.clone());
        let mut passes = Passes {
            worker: Self {
                odm: odm.clone(),
                ..self
            },
            all: JobsReport::default(),
            pass: RunProgress::default(),
            counted: None,
        };
        {
            // A batch runs in its own task, so dropping `work` does not interrupt it.
            let mut pace = Pace::new(0.0);
            let work = pin!(drive(&mut passes, &mut pace));
            select(pin!(shutdown), work).await;
        }
        all_given_up(&odm).await;
        // If the program ended now, an open transaction would lock its documents on the server for a minute.
        transactions.close();
        transactions.wait().await;
        passes.end_pass();
        Ok(passes.all)
    }
}

/// The state of a worker, which repeatedly processes the due jobs and deltas. One repetition is a pass.
struct Passes {
    worker: Worker,
    all: JobsReport,
    /// The pass in progress, which may be dropped before it is complete.
    pass: RunProgress,
    counted: Option<Instant>,
}

impl Passes {
    fn end_pass(&mut self) {
        self.all.add(std::mem::take(&mut self.pass).report());
    }
}

impl Work for Passes {
    async fn piece(&mut self, _pace: &mut Pace) -> Result<Step> {
        let odm = &self.worker.odm;
        odm.run_pass(&self.pass).await;
        let report = self.pass.report();
        if report.run + report.folded > 0 {
            tracing::info!(%report, "worker");
        }
        if self.counted.is_none_or(|at| at.elapsed() > COUNT_EVERY) {
            // The time is recorded before counting, so that a failing count is not repeated in every pass.
            self.counted = Some(Instant::now());
            match odm.jobs().count().await {
                Ok(counts) => counts.record(),
                Err(error) => tracing::warn!(%error, "the worker cannot count jobs"),
            }
        }
        self.end_pass();
        Ok(Step::After(self.worker.every))
    }
}
