//! The error that ends a runner's transaction after another runner has taken over the job.

use super::Error;

/// Reports that another runner has taken over the job. The error ends the runner's transaction, and the runner
/// continues with other jobs. The error is never returned to a caller.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("another runner has taken over this job")]
pub(crate) struct Superseded;

impl Superseded {
    /// Returns whether an error was caused by `Superseded`.
    pub(crate) fn is(error: &Error) -> bool {
        error.get_custom::<Self>().is_some()
    }
}
