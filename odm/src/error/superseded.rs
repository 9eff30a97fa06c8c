//! The error with which a runner ends its transaction when another runner has taken over the job.

use super::Error;

/// Another runner has taken over the job. This error ends the transaction of the runner, which continues with other
/// jobs. No caller gets it.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("another runner has taken over this job")]
pub(crate) struct Superseded;

impl Superseded {
    /// Returns whether an error is this one.
    pub(crate) fn is(error: &Error) -> bool {
        error.get_custom::<Self>().is_some()
    }
}
