//! The loop that does work piece by piece.
//!
//! It drives the sweeps of jobs and delete rules, backfills, moves, waiting deltas, the passes over due jobs and pending
//! deltas, workers, and the background task of a handle.
//!
//! 1. The work does its next piece, in at most as many documents as the pace permits.
//! 2. A piece stores its position in its own transaction. So a loop that ends early, because its future was dropped or
//!    its process has died, is continued by the next one.
//! 3. If a piece is rejected because of one document, it is halved until this document is left, which is then skipped.
//! 4. The loop pauses in proportion to the duration of the piece.
//!
//! Some loops do not use it:
//!
//! - `job_run`, which claims jobs, and `catch_up`, which looks for pending work. They wait for other runners, with a
//!   deadline and growing pauses.
//! - `apply_deltas_of_keys`, which folds the deltas of at most 20 documents, and once more after their jobs. It returns
//!   results to its caller.
//! - Inserts (`write::insert`). They divide their documents by the error of the server, which shows the stored ones.

use std::time::{Duration, Instant};

use super::batch_pace::Pace;
use crate::error::{Error, Result};

/// What follows a piece of work.
#[derive(Debug)]
pub(crate) enum Step {
    /// The next piece, after the pause of the pace.
    Done,
    /// Nothing: this was the last piece.
    Last,
    /// The next piece, after this pause. With a pause of zero, this repeats a piece that was not done.
    After(Duration),
    /// Half of the piece: it was rejected because of one of its items. The number is the number of its items.
    Rejected(Error, usize),
    /// Nothing: there was no piece.
    Over,
}

impl Step {
    pub(crate) const AGAIN: Self = Self::After(Duration::ZERO);
}

/// Work that is done piece by piece.
pub(crate) trait Work: Send {
    /// Does the next piece.
    fn piece(&mut self, pace: &mut Pace) -> impl Future<Output = Result<Step>> + Send;

    /// Skips the only item of a rejected piece. By default, its error ends the work.
    fn skip(&mut self, error: Error) -> impl Future<Output = Result<()>> + Send {
        async { Err(error) }
    }
}

/// Does all pieces of some work.
///
/// # Errors
///
/// The first error of a piece that does not concern a single item.
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
