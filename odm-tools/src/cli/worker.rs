//! The command `odm worker`, which runs jobs and applies deltas.

use mongo_odm::{JobsReport, Odm};
use serde_json::json;

use super::{
    arguments::Worker,
    failure::{Exit, Failure},
    jobs,
    output::Output,
    progress::Progress,
};

/// Runs the due jobs once, or runs jobs until the process is interrupted.
pub(super) async fn run(odm: &Odm, options: &Worker) -> Result<Output, Failure> {
    if options.once {
        let _progress = Progress::of("running jobs");
        let report = odm.run_pending_jobs().await?;
        return ran(odm, report, false).await;
    }
    log_to_stderr();
    let _progress = Progress::of("running jobs until it is interrupted");
    let worker = odm.worker().every(options.every);
    let report = worker.run_until(interrupted()).await?;
    odm.finish_writes().await;
    ran(odm, report, true).await
}

/// Writes the log entries of the worker to standard error: the counts of jobs, and errors of the server. Does nothing if
/// the program has installed its own subscriber.
fn log_to_stderr() {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    let _ = log.with_max_level(tracing::Level::INFO).try_init();
}

/// Returns the output, which contains the completed work and the errors of failed jobs.
async fn ran(odm: &Odm, report: JobsReport, stopped: bool) -> Result<Output, Failure> {
    let (trouble, jobs) = if report.failed + report.left > 0 {
        jobs::in_trouble(odm).await?
    } else {
        (String::new(), json!([]))
    };
    let stop = if stopped { "stopped; " } else { "" };
    Ok(Output {
        text: format!("{stop}{report}{trouble}"),
        json: json!({
            "run": report.run, "finished": report.finished, "settling": report.settling, "failed": report.failed,
            "modified": report.modified, "left": report.left, "folded": report.folded, "stopped": stopped,
            "in_trouble": jobs,
        }),
        exit: Exit::of(report.failed > 0),
    })
}

/// Waits for Ctrl-C, or for SIGTERM, which service managers send.
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
