//! Walks over a collection in batches, so that the walk can be interrupted and resumed. The transaction of each batch
//! also stores the position of the walk.
//!
//! 1. `Position::open` reads the position from `_odm_cursors`, or stores a new one.
//! 2. `each_batch` writes the batches. The transaction of a batch also advances the position, so either the batch and
//!    the new position are committed, or neither is.
//! 3. If the server rejects a batch because of one document, the batch is halved until it contains only this document.
//!    Finally, the rejected document is skipped and reported.
//! 4. If another call has advanced the position in the meantime, the transaction fails, and the next batch reads the
//!    new position. In this way, two concurrent calls with the same work divide it.
//! 5. The last batch finds no more documents and deletes the position.

mod position;

pub(crate) use position::{Position, count, stored_count};

use crate::{
    client::odm::{Exec, Odm, Write},
    derived::runner::{Pace, Step, Work, drive},
    error::{Error, Result, Superseded},
};

/// The scope of one batch: the number of documents to read, and whether to skip them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BatchScope {
    /// Number of documents that the batch reads.
    pub(crate) size: usize,
    /// Whether to skip the documents. A batch skips its documents if it consists of a single document that cannot be
    /// written.
    pub(crate) skip: bool,
}

/// Writes one batch after the other until no documents are left. `next` returns the write for a batch, and `done`
/// receives the batch's report. The report is `None` if no documents were left.
///
/// A batch is a write: even if the caller drops the future, the batch is written completely, together with the new
/// position. A batch takes about 50 milliseconds and contains at most `size` documents.
///
/// # Errors
///
/// Server errors that do not concern a single document.
pub(crate) async fn each_batch<B, S>(
    next: impl Fn(BatchScope) -> B + Send,
    size: Option<usize>,
    odm: &Odm,
    done: impl FnMut(S) + Send,
) -> Result<()>
where
    B: Write<Report = Option<S>>,
    S: Send,
{
    let mut pace = Pace::new(odm.settings().nice);
    if let Some(most) = size {
        pace.size.limit(most);
    }
    let skip = false;
    let mut walk = Walk {
        next,
        skip,
        odm,
        done,
    };
    drive(&mut walk, &mut pace).await
}

struct Walk<'w, N, D> {
    next: N,
    /// Whether to skip the next document.
    skip: bool,
    odm: &'w Odm,
    done: D,
}

impl<N, D, B, S> Work for Walk<'_, N, D>
where
    N: Fn(BatchScope) -> B + Send,
    D: FnMut(S) + Send,
    B: Write<Report = Option<S>>,
    S: Send,
{
    async fn piece(&mut self, pace: &mut Pace) -> Result<Step> {
        let skip = std::mem::take(&mut self.skip);
        let size = if skip { 1 } else { pace.size.get() };
        let batch = (self.next)(BatchScope { size, skip });
        match Exec::on(self.odm.clone()).write(batch).await {
            Ok(None) => Ok(Step::Over),
            Ok(Some(done)) => {
                (self.done)(done);
                Ok(Step::Done)
            }
            // Another call has advanced or restarted the walk. The next batch continues at the new position.
            Err(error) if Superseded::is(&error) => Ok(Step::AGAIN),
            Err(error) if !skip && error.is_about_one_document() => Ok(Step::Rejected(error, size)),
            Err(error) => Err(error),
        }
    }

    async fn skip(&mut self, error: Error) -> Result<()> {
        let model = (self.next)(BatchScope::default()).model();
        tracing::error!(model = model.name, %error, "a document cannot be written; it is skipped");
        self.skip = true;
        Ok(())
    }
}
