//! C5: renames of a source while an earlier large fan-out of the same source is still running.
//!
//! A rename in the default mode returns only after the copies have been written. So this benchmark uses deferred
//! renames, and a worker writes the copies. The table also contains the duration of a rename in the default mode.

use std::time::{Duration, Instant};

use mongo_odm::prelude::*;
use odm_benches::{
    Result,
    measure::{Watch, median, quantile},
    place::Place,
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    fan_out::Many,
    models::{Host, address},
    options::Options,
};

/// Pause between two renames.
const PAUSE: Duration = Duration::from_millis(10);

struct Round {
    /// Latencies of deferred renames as p50 and p99, in milliseconds.
    alone: [f64; 2],
    during: [f64; 2],
    /// Duration of a rename in the default mode, in seconds.
    whole: f64,
    whole_during: f64,
    disturbance: f64,
}

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let mut bench = Bench {
        many: Many::fill(place, "c5", options.copies).await?,
        next: 0,
        time: Duration::from_secs_f64((options.seconds / 3.0).max(0.3)),
    };
    bench.default().await?;
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        rounds.push(bench.round(place.process).await?);
    }
    let middle = |value: fn(&Round) -> f64| median(rounds.iter().map(value));
    let wait = |[p50, p99]: [f64; 2]| format!("p50 {p50:.1}, p99 {p99:.1} ms");
    table.row(
        &format!(
            "C5 p99 of a deferred rename while its {} copies are written",
            options.copies
        ),
        &wait([middle(|it| it.during[0]), middle(|it| it.during[1])]),
        &format!(
            "alone {}",
            wait([middle(|it| it.alone[0]), middle(|it| it.alone[1])])
        ),
        &Ratio::of(rounds.iter().map(|it| (it.during[1], it.alone[1]))),
        Limit::AtMost(3.0),
    );
    table.row(
        "C5 a rename in the default mode, meanwhile",
        &format!("{:.2} s", middle(|it| it.whole_during)),
        &format!("alone {:.2} s", middle(|it| it.whole)),
        &Ratio::of(rounds.iter().map(|it| (it.whole_during, it.whole))),
        Limit::None,
    );
    table.notes.push(format!(
        "C5: {} rounds, other processes took {:.2} cores",
        rounds.len(),
        middle(|it| it.disturbance)
    ));
    Ok(())
}

struct Bench {
    many: Many,
    next: usize,
    time: Duration,
}

impl Bench {
    async fn round(&mut self, server: Option<u32>) -> Result<Round> {
        let watch = Watch::begin(server);
        let alone = self.renames().await?;
        // The last deferred rename has left a job, which the worker runs now.
        let worker = self.worker();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let during = self.renames().await?;
        if worker.is_finished() {
            return Err("the copies were written too soon".into());
        }
        worker.await??;
        self.many.check(&address(self.next)).await?;

        let whole = self.default().await?;
        self.rename(true).await?;
        let worker = self.worker();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let whole_during = self.default().await?;
        worker.await??;
        Ok(Round {
            alone,
            during,
            whole,
            whole_during,
            disturbance: watch.disturbance(),
        })
    }

    /// Starts a task that runs the pending job until all copies are current.
    fn worker(&self) -> tokio::task::JoinHandle<Result<()>> {
        let odm = self.many.odm.clone();
        tokio::spawn(async move {
            odm.run_pending_jobs().await?;
            Ok(())
        })
    }

    /// Renames the source for some seconds. The copies are left to a job.
    async fn renames(&mut self) -> Result<[f64; 2]> {
        let mut waits = Vec::new();
        let began = Instant::now();
        while began.elapsed() < self.time {
            let began = Instant::now();
            self.rename(true).await?;
            waits.push(began.elapsed().as_secs_f64() * 1_000.0);
            tokio::time::sleep(PAUSE).await;
        }
        Ok([0.5, 0.99].map(|part| quantile(waits.iter().copied(), part)))
    }

    /// Renames the source in the default mode. Returns the number of seconds until all copies were written.
    async fn default(&mut self) -> Result<f64> {
        let began = Instant::now();
        self.rename(false).await?;
        let seconds = began.elapsed().as_secs_f64();
        self.many.check(&address(self.next)).await?;
        Ok(seconds)
    }

    async fn rename(&mut self, deferred: bool) -> Result<()> {
        self.next += 1;
        let new = address(self.next);
        let rename = Host::update(&self.many.odm, self.many.host).set(Host::fields().ipaddr, new);
        if deferred {
            rename.deferred().await?;
        } else {
            rename.await?;
        }
        Ok(())
    }
}
