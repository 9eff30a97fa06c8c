//! How a runner that was overtaken ends its transaction.

use super::Error;

/// Another runner has taken over: what ends a transaction of the library's own, whose runner goes on
/// without it. It reaches no caller.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("another runner has taken over this job")]
pub(crate) struct Superseded;

impl Superseded {
    /// Returns whether an error is this one.
    pub(crate) fn is(error: &Error) -> bool {
        error.get_custom::<Self>().is_some()
    }
}
