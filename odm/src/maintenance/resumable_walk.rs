//! Walks over documents in a way that can be resumed: each batch stores its position in its own transaction.
//!
//! 1. `Position::open` reads the position in `_odm_cursors`, or stores a new one.
//! 2. `each_batch` writes a batch. The batch's transaction also advances the position, so that either both are
//!    committed or neither is.
//! 3. If the server rejects a batch because of one document, the batch is halved until it contains only that document,
//!    which is then skipped and reported.
//! 4. If another call has moved the position, the transaction fails, and the next batch reads the new position. So two
//!    calls share the work.
//! 5. The last batch finds no documents and deletes the position.

mod position;

use std::time::Instant;

pub(crate) use position::Position;

use crate::{
    client::odm::{Exec, Odm, Write},
    derived::runner::Pace,
    error::{Result, Superseded},
};

/// One batch of a walk. A batch is a write: if the caller's future is dropped, the batch and its position are still
/// written completely. If there are no more documents, the report is `None`.
pub(crate) trait Batch: Write + Clone {
    /// Sets the size of the batch.
    fn with_scope(self, scope: BatchScope) -> Self;
}

/// The size of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BatchScope {
    /// Number of documents to read.
    pub(crate) size: usize,
    /// Whether to skip the documents, because the batch is a single document that cannot be written.
    pub(crate) skip: bool,
}

/// Writes batch after batch until there are no more documents. `done` receives the result of each batch.
///
/// A batch takes about 50 milliseconds, and has at most `size` documents. A batch that the server rejects is halved
/// until one document is left, which is skipped.
///
/// # Errors
///
/// Errors from a batch that do not concern one of its documents.
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
    let largest = size.unwrap_or(usize::MAX);
    loop {
        let began = Instant::now();
        let size = pace.size().min(largest).max(1);
        let exec = || Exec::on(odm.clone());
        let step = match exec()
            .write(first.clone().with_scope(BatchScope { size, skip: false }))
            .await
        {
            // Another call has advanced or restarted the walk. The next batch reads the new position.
            Err(error) if Superseded::is(&error) => continue,
            Err(error) if error.is_about_one_document() && size > 1 => {
                pace.shrink(size / 2);
                continue;
            }
            Err(error) if error.is_about_one_document() => {
                tracing::error!(model = first.model().name, %error, "a document cannot be written");
                let skipped = BatchScope {
                    size: 1,
                    skip: true,
                };
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
