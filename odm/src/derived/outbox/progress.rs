//! The progress of a fan-out, for callbacks.

use std::{fmt, sync::Arc, time::Duration};

/// The progress of a fan-out. The function that you pass to `on_progress` receives this value after each batch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The name of the extended reference that is being updated, such as `Product.parts.id <- Part`.
    pub relation: String,
    /// Number of documents that have been changed so far.
    pub modified: u64,
    /// Number of batches that have been written so far.
    pub batches: u64,
    /// Time since the fan-out started.
    pub elapsed: Duration,
}

impl Progress {
    /// Returns how many documents have been changed per second.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm, author: Author) -> mongo_odm::Result<()> {
    /// Author::update(&odm, &author.id)
    ///     .set(Author::fields().name, "Fritz")
    ///     .on_progress(|progress| println!("{:.0} documents per second", progress.rate()))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    #[allow(clippy::cast_precision_loss, reason = "a rate is a rough figure")]
    pub fn rate(&self) -> f64 {
        self.modified as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// The function to call after each batch.
#[derive(Clone)]
pub(crate) struct ProgressFn<T = Progress>(Arc<dyn Fn(&T) + Send + Sync>);

impl<T> ProgressFn<T> {
    pub(crate) fn new(call: impl Fn(&T) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }

    pub(crate) fn call(&self, progress: &T) {
        (self.0)(progress);
    }
}

impl<T> fmt::Debug for ProgressFn<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressFn")
    }
}
