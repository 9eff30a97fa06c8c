//! The background task of a handle. The task runs due jobs until the handle is dropped.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use tokio::sync::Mutex;

use super::{
    batch_pace::Pace,
    drive::{Step, Work, drive},
    first_look::first_look,
};
use crate::{
    client::odm::{Odm, Settle, WeakOdm},
    error::Result,
};

/// The average pause between two searches for due jobs.
const EVERY: Duration = Duration::from_secs(5);

/// The lock of a handle's background task. The task owns the guard, so the lock is released when the task ends, even if
/// it ends because the runtime shuts down.
#[derive(Debug, Default)]
struct Settling(Arc<Mutex<()>>);

/// Starts the background task if the setting is [`Settle::Background`] and the task is not running yet.
pub(crate) fn ensure_running(odm: &Odm) {
    if odm.settings().settle != Settle::Background {
        return;
    }
    let settling = odm.deployment().shared::<Settling>();
    let Ok(right) = Arc::clone(&settling.0).try_lock_owned() else {
        return;
    };
    // The task has only a weak reference to the handle. The task must not keep the handle alive, because the task ends
    // when the handle is dropped.
    let mut passes = Passes(odm.downgrade());
    tokio::spawn(async move {
        let _right = right;
        tokio::time::sleep(pause()).await;
        drive(&mut passes, &mut Pace::new(0.0)).await
    });
}

/// Returns a random pause, so that the handles of many programs do not send their statements at the same time.
fn pause() -> Duration {
    EVERY.mul_f64(0.5 + fastrand::f64())
}

/// Repeatedly processes due jobs and deltas until the handle is dropped.
struct Passes(WeakOdm);

impl Work for Passes {
    async fn piece(&mut self, _pace: &mut Pace) -> Result<Step> {
        let Some(odm) = self.0.upgrade() else {
            return Ok(Step::Over);
        };
        // A panic must not end the task. Only a write would start the task again, and perhaps there are no further
        // writes through this handle.
        let pass = async {
            first_look(&odm).await;
            odm.run_pending_jobs().await
        };
        match AssertUnwindSafe(pass).catch_unwind().await {
            Ok(Ok(report)) if report.run > 0 => tracing::debug!(%report, "ran due jobs"),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "cannot list jobs; they are run later"),
            Err(_) => tracing::error!("a run of jobs has panicked; they are run later"),
        }
        Ok(Step::After(pause()))
    }
}
