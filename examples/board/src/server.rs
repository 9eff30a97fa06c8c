//! Start, background jobs and shutdown.

use std::io;

use mongo_odm::JobsReport;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{Board, router, trash};

/// Answers requests and runs jobs until `board.shutdown` is cancelled.
///
/// The steps of a shutdown are:
///
/// 1. New connections are refused, event streams end, and open requests are answered.
/// 2. All writes end, including those of clients that have closed their connections.
/// 3. The worker stops after its current batch.
/// 4. The remaining jobs run, so that no copy is stale while the service is down.
///
/// # Errors
///
/// An error of the listener, or of the database while the remaining jobs run.
pub async fn serve(listener: TcpListener, board: Board) -> io::Result<JobsReport> {
    let odm = board.odm.clone();
    let stop_worker = CancellationToken::new();
    let worker = odm
        .worker()
        .run_until(stop_worker.clone().cancelled_owned());
    let worker = tokio::spawn(worker);

    let purge = tokio::spawn(trash::purge_regularly(odm.clone()));

    let stop_requests = board.shutdown.clone().cancelled_owned();
    let requests = axum::serve(listener, router(board)).with_graceful_shutdown(stop_requests);
    requests.await?;

    // A purge that has begun is a write, so `finish_writes` waits until the purge has ended.
    purge.abort();
    odm.finish_writes().await;
    stop_worker.cancel();
    worker.await?.map_err(io::Error::other)?;
    odm.run_pending_jobs().await.map_err(io::Error::other)
}
