//! A loop that processes work piece by piece.
//!
//! The loop is used for the sweeps of jobs and delete rules, backfills, moves, pending deltas, the passes over due
//! jobs, workers, and a handle's background task.
//!
//! 1. The loop calls the work to process its next piece, which contains at most as many documents as the pace permits.
//! 2. A piece stores its position in its own transaction. If a loop ends early, because its future was dropped or its
//!    process has died, the next loop continues at this position.
//! 3. If a piece is rejected because of one document, the loop halves the piece until only this document is left. The
//!    loop then skips this document.
//! 4. The loop pauses in proportion to the duration of the piece.
//!
//! Some modules have their own loops:
//!
//! - `job_run`, which claims jobs, and `catch_up`, which searches for pending work. These loops wait for other runners
//!   with growing pauses. A worker does not wait.
//! - `apply_deltas_of_keys`, which folds the deltas of at most 20 documents, and folds once more after the jobs for
//!   these documents have run. This loop returns results to its caller.
//! - Inserts (`write::insert`), which have their own way of dividing the documents, because the server's error shows
//!   which documents were stored.

use std::time::{Duration, Instant};

use super::batch_pace::Pace;
use crate::error::{Error, Result};

/// The action of the loop after a piece of work.
#[derive(Debug)]
pub(crate) enum Step {
    /// The loop continues with the next piece, after the usual pause.
    Done,
    /// The loop ends, because this was the last piece.
    Last,
    /// The loop continues with the next piece, after this pause. If a piece could not be completed and must be
    /// repeated, the pause is zero.
    After(Duration),
    /// The piece was rejected because of one of its items, so the loop halves it. The `usize` is the number of items in
    /// the piece.
    Rejected(Error, usize),
    /// The loop ends, because no piece was left.
    Over,
}

impl Step {
    pub(crate) const AGAIN: Self = Self::After(Duration::ZERO);
}

/// Work that is processed piece by piece.
pub(crate) trait Work: Send {
    /// Processes the next piece.
    fn piece(&mut self, pace: &mut Pace) -> impl Future<Output = Result<Step>> + Send;

    /// Skips the only item of a rejected piece. By default, the error ends the work.
    fn skip(&mut self, error: Error) -> impl Future<Output = Result<()>> + Send {
        async { Err(error) }
    }
}

/// Processes the pieces of the work one after the other until no piece is left.
///
/// # Errors
///
/// The first error that does not concern a single item.
pub(crate) async fn drive(work: &mut impl Work, pace: &mut Pace) -> Result<()> {
    loop {
        let began = Instant::now();
        let pause = match work.piece(pace).await? {
            Step::Done => pace.next_pause(began.elapsed()),
            Step::After(pause) => pause,
            Step::Rejected(_, sent) if pace.size.halve(sent) => continue,
            Step::Rejected(error, _) => {
                work.skip(error).await?;
                pace.next_pause(began.elapsed())
            }
            Step::Last => {
                pace.next_pause(began.elapsed());
                return Ok(());
            }
            Step::Over => return Ok(()),
        };
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
}
