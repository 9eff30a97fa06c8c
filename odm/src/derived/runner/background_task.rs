//! The task of a handle that settles jobs.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;

use super::single_task::SingleTask;
use crate::client::odm::{Odm, Settle, WeakOdm};

/// How often a handle looks for jobs whose time has come; it ends with the handle.
const EVERY: Duration = Duration::from_secs(5);

/// The task of a handle that settles jobs.
#[derive(Debug, Default)]
struct Settling(SingleTask);

/// Starts the task that settles jobs, unless it runs or the settings say otherwise.
pub(crate) fn ensure_running(odm: &Odm) {
    if odm.settings().settle == Settle::Manual {
        return;
    }
    let Some(right) = odm.deployment().shared::<Settling>().0.claim() else {
        return;
    };
    // Weak: the task ends with the handle, so it must not keep the handle alive.
    let weak = odm.downgrade();
    tokio::spawn(async move {
        let _right = right;
        settle(&weak).await;
    });
}

async fn settle(weak: &WeakOdm) {
    loop {
        // Handles of many programs look at different times.
        tokio::time::sleep(EVERY.mul_f64(0.5 + fastrand::f64())).await;
        let Some(odm) = weak.upgrade() else {
            return;
        };
        // A handle that writes nothing more starts no other task: a run that panics must not end this one.
        match AssertUnwindSafe(odm.run_pending_jobs())
            .catch_unwind()
            .await
        {
            Ok(Ok(report)) if report.run > 0 => tracing::debug!(%report, "settled"),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "jobs cannot be listed; they are run later"),
            Err(_) => tracing::error!("a run of jobs has panicked; they are run later"),
        }
    }
}
