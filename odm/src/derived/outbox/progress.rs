//! How far a fan-out has come.

use std::{fmt, sync::Arc, time::Duration};

/// How far a fan-out has come; handed to `on_progress` after each batch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The extended reference that is written: `Product.parts.id <- Part`.
    pub relation: String,
    /// How many documents were changed so far.
    pub modified: u64,
    /// In how many batches.
    pub batches: u64,
    /// For how long it has been running.
    pub elapsed: Duration,
}

impl Progress {
    /// Returns how many documents were changed in a second.
    #[allow(clippy::cast_precision_loss, reason = "a rate is a rough figure")]
    pub fn rate(&self) -> f64 {
        self.modified as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// What is called after each batch.
#[derive(Clone)]
pub(crate) struct ProgressFn(Arc<dyn Fn(&Progress) + Send + Sync>);

impl ProgressFn {
    pub(crate) fn new(call: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }

    pub(crate) fn call(&self, progress: &Progress) {
        (self.0)(progress);
    }
}

impl fmt::Debug for ProgressFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressFn")
    }
}
