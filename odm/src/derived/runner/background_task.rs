//! The background task of a handle. The task runs due jobs until the handle is dropped.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;

use super::single_task::SingleTask;
use crate::client::odm::{Odm, Settle, WeakOdm};

/// The average pause between two runs.
const EVERY: Duration = Duration::from_secs(5);

/// The state of a handle's background task.
#[derive(Debug, Default)]
struct Settling(SingleTask);

/// Starts the background task, unless it is already running or the setting is [`Settle::Manual`].
pub(crate) fn ensure_running(odm: &Odm) {
    if odm.settings().settle == Settle::Manual {
        return;
    }
    let Some(right) = odm.deployment().shared::<Settling>().0.claim() else {
        return;
    };
    // The reference to the handle is weak. The task ends when the handle is dropped, so it must not keep the
    // handle alive.
    let weak = odm.downgrade();
    tokio::spawn(async move {
        let _right = right;
        settle(&weak).await;
    });
}

async fn settle(weak: &WeakOdm) {
    loop {
        // The pause is random, so that the handles of many programs do not send their statements at the same
        // time.
        tokio::time::sleep(EVERY.mul_f64(0.5 + fastrand::f64())).await;
        let Some(odm) = weak.upgrade() else {
            return;
        };
        // A panic must not end the task. Only writes start the task again, and the handle may never write again.
        match AssertUnwindSafe(odm.run_pending_jobs())
            .catch_unwind()
            .await
        {
            Ok(Ok(report)) if report.run > 0 => tracing::debug!(%report, "ran due jobs"),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "cannot list jobs; they are run later"),
            Err(_) => tracing::error!("a run of jobs has panicked; they are run later"),
        }
    }
}
