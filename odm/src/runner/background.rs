//! The task of a handle that settles jobs.

use std::{
    sync::{
        Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::odm::{Odm, Settle, WeakOdm};

/// How often a handle looks for jobs whose time has come; it ends with the handle.
const EVERY: Duration = Duration::from_secs(5);

/// Whether a task of a handle settles jobs.
#[derive(Debug, Default)]
struct Settling(AtomicBool);

/// Starts the task that settles jobs, unless the settings or an earlier call say otherwise.
pub(crate) fn ensure_running(odm: &Odm) {
    if odm.settings().settle == Settle::Manual
        || odm
            .deployment()
            .kept::<Settling>()
            .0
            .swap(true, Ordering::Relaxed)
    {
        return;
    }
    let deployment = std::sync::Arc::downgrade(odm.deployment());
    let weak = odm.downgrade();
    tokio::spawn(async move {
        settle(&weak).await;
        if let Some(deployment) = Weak::upgrade(&deployment) {
            let settling = deployment.kept::<Settling>();
            settling.0.store(false, Ordering::Relaxed);
        }
    });
}

async fn settle(weak: &WeakOdm) {
    loop {
        // Handles of many programs look at different times.
        tokio::time::sleep(EVERY.mul_f64(0.5 + fastrand::f64())).await;
        let Some(odm) = weak.upgrade() else {
            return;
        };
        match odm.run_pending_jobs().await {
            Ok(report) if report.run > 0 => tracing::debug!(%report, "settled"),
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "jobs cannot be listed; they are run later"),
        }
    }
}
