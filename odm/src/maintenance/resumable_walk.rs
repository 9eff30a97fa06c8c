//! Walks that go on where they were: batches of documents, each with a position that is stored with it.

mod position;

use std::time::Instant;

pub(crate) use position::Position;

use crate::{
    client::odm::{Exec, Odm, Write},
    derived::runner::Pace,
    error::{Result, Superseded},
};

/// A batch of a walk. It is a write: however the caller is dropped, it is done as a whole with its position. What it
/// reports is none where there are no more documents.
pub(crate) trait Batch: Write + Clone {
    /// Says what the batch is of.
    fn with_scope(self, scope: BatchScope) -> Self;
}

/// The next documents of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BatchScope {
    /// How many documents to look at.
    pub(crate) size: usize,
    /// Whether to pass over them: the only one cannot be written.
    pub(crate) skip: bool,
}

/// Writes batch by batch until there are no more documents, and hands over what each has come to.
///
/// Batches take some 50 milliseconds, and at most `size` documents. One that the server refuses is halved until one
/// document is left, which is passed over.
///
/// # Errors
///
/// What a batch reports that is not about one of its documents.
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
            // Another one has come to the end, or has begun anew: its position tells.
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
