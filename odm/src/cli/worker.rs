//! `odm worker`.

use serde_json::json;

use super::{
    arguments::Worker,
    failure::{Exit, Failure},
    output::Output,
    progress::Progress,
};
use crate::odm::Odm;

/// Runs jobs once, or until somebody interrupts it.
pub(super) async fn run(odm: &Odm, options: &Worker) -> Result<Output, Failure> {
    if options.once {
        let _progress = Progress::of("running jobs");
        let report = odm.run_pending_jobs().await?;
        return Ok(Output {
            text: report.to_string(),
            json: json!({
                "run": report.run, "finished": report.finished, "settling": report.settling, "failed": report.failed,
                "modified": report.modified, "left": report.left, "folded": report.folded,
            }),
            exit: Exit::of(report.failed > 0),
        });
    }
    let _progress = Progress::of("running jobs until it is interrupted");
    odm.worker()
        .every(options.every)
        .run_until(interrupted())
        .await?;
    odm.finish_writes().await;
    Ok(Output {
        text: "stopped".to_owned(),
        json: json!({ "stopped": true }),
        exit: Exit::Fine,
    })
}

/// Waits for Ctrl-C, or for what service managers send.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
