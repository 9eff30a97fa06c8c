//! The background task of a deployment. The task runs due jobs until all handles that have written are dropped.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::{
    batch_pace::Pace,
    drive::{Step, Work, drive},
    run_report::RunProgress,
};
use crate::{
    client::odm::{Odm, Settle, WeakOdm},
    error::Result,
};

/// The average pause between two searches for due jobs.
const EVERY: Duration = Duration::from_secs(5);

/// The background task of a deployment. One task runs the jobs for all handles that have written to a source.
#[derive(Debug, Default)]
struct Settling(Mutex<Handles>);

#[derive(Debug, Default)]
struct Handles {
    is_running: bool,
    /// The handles that have written to a source. The references are weak, because the task ends when the last of these
    /// handles is dropped.
    written: Vec<WeakOdm>,
}

impl Settling {
    fn lock(&self) -> MutexGuard<'_, Handles> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a handle. Returns whether the caller must start the task.
    fn add(&self, odm: &Odm) -> bool {
        let mut handles = self.lock();
        let handle = odm.downgrade();
        if !handles.written.iter().any(|known| known.is_same(&handle)) {
            handles.written.retain(|known| known.upgrade().is_some());
            handles.written.push(handle);
        }
        !std::mem::replace(&mut handles.is_running, true)
    }

    /// Returns a handle that still exists. Otherwise, the task ends, and the next write starts it again.
    fn handle(&self) -> Option<Odm> {
        let mut handles = self.lock();
        handles.written.retain(|known| known.upgrade().is_some());
        let handle = handles.written.iter().find_map(WeakOdm::upgrade);
        handles.is_running = handle.is_some();
        handle
    }
}

/// Starts the background task if the setting is [`Settle::Background`] and the task is not running yet.
pub(crate) fn ensure_running(odm: &Odm) {
    if odm.settings().settle != Settle::Background {
        return;
    }
    let settling = odm.deployment().shared::<Settling>();
    if !settling.add(odm) {
        return;
    }
    let mut passes = Passes {
        settling,
        is_over: false,
    };
    tokio::spawn(async move {
        tokio::time::sleep(pause()).await;
        drive(&mut passes, &mut Pace::new(0.0)).await
    });
}

/// Returns a random pause, so that the handles of many programs do not send their statements at the same time.
fn pause() -> Duration {
    EVERY.mul_f64(0.5 + fastrand::f64())
}

/// Repeatedly processes due jobs and deltas until all handles are dropped.
struct Passes {
    settling: Arc<Settling>,
    is_over: bool,
}

impl Drop for Passes {
    /// The runtime can shut down while the task is waiting. The next write then starts the task in another runtime.
    fn drop(&mut self) {
        if !self.is_over {
            self.settling.lock().is_running = false;
        }
    }
}

impl Work for Passes {
    async fn piece(&mut self, _pace: &mut Pace) -> Result<Step> {
        let Some(odm) = self.settling.handle() else {
            self.is_over = true;
            return Ok(Step::Over);
        };
        let done = RunProgress::default();
        odm.run_pass(&done).await;
        let report = done.report();
        if report.run > 0 {
            tracing::debug!(%report, "ran due jobs");
        }
        Ok(Step::After(pause()))
    }
}
