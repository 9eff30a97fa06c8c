//! Walks over documents that can be interrupted and resumed. Each batch stores the walk's position in its own
//! transaction.
//!
//! 1. `Position::open` reads the position from `_odm_cursors`, or stores a new one.
//! 2. `each_batch` writes the batches. The transaction of a batch also advances the position, so either the batch and
//!    the new position are committed, or neither is.
//! 3. If the server rejects a batch because of one document, the batch is halved until it contains only that document.
//!    The document is then skipped and reported.
//! 4. If another call has advanced the position in the meantime, the transaction fails, and the next batch reads the
//!    new position. In this way, two concurrent calls divide the work.
//! 5. The last batch finds no more documents and deletes the position.

mod position;

use std::time::Instant;

pub(crate) use position::Position;

use crate::{
    client::odm::{Exec, Odm, Write},
    derived::runner::Pace,
    error::{Result, Superseded},
};

/// One batch of a walk. A batch is a write: even if the caller drops the future, the batch is written completely,
/// together with the new position. After the last document, the report is `None`.
pub(crate) trait Batch: Write + Clone {
    /// Returns the batch with another size and skip setting.
    fn with_scope(self, scope: BatchScope) -> Self;
}

/// How many documents a batch reads, and whether it skips them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BatchScope {
    /// Number of documents that the batch reads.
    pub(crate) size: usize,
    /// Whether to skip the documents. A batch skips its documents if it consists of a single document that cannot be
    /// written.
    pub(crate) skip: bool,
}

/// Writes one batch after the other until no documents are left. `done` receives the result of each batch.
///
/// A batch takes about 50 milliseconds and contains at most `size` documents. If the server rejects a batch, it is
/// halved until only one document is left. That document is skipped.
///
/// # Errors
///
/// Server errors that do not concern a single document.
pub(crate) async fn each_batch<B, S>(
    first: B,
    size: Option<usize>,
    odm: &Odm,
    mut done: impl FnMut(S) + Send,
) -> Result<()>
where
    B: Batch + Write<Report = Option<S>>,
    S: Send,
{
    let mut pace = Pace::new(odm.settings().nice);
    if let Some(most) = size {
        pace.size.limit(most);
    }
    loop {
        let began = Instant::now();
        let size = pace.size.get();
        let exec = || Exec::on(odm.clone());
        let step = match exec()
            .write(first.clone().with_scope(BatchScope { size, skip: false }))
            .await
        {
            // Another call has advanced or restarted the walk. The next batch continues at the new position.
            Err(error) if Superseded::is(&error) => continue,
            Err(error) if error.is_about_one_document() => {
                if pace.size.halve(size) {
                    continue;
                }
                tracing::error!(model = first.model().name, %error, "a document cannot be written");
                let skipped = BatchScope { size, skip: true };
                exec().write(first.clone().with_scope(skipped)).await?
            }
            step => step?,
        };
        let Some(step) = step else {
            return Ok(());
        };
        done(step);
        tokio::time::sleep(pace.next_pause(began.elapsed())).await;
    }
}
