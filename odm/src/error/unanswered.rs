//! The error for a read that was not answered in time.

use std::time::Duration;

/// Reports that the server did not reply within the time limit of a read, so the library stopped
/// waiting.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the server has not answered within {:.1} s", .0.as_secs_f64())]
pub(crate) struct Unanswered(pub(crate) Duration);

impl From<Unanswered> for super::Error {
    fn from(error: Unanswered) -> Self {
        mongodb::error::Error::custom(error).into()
    }
}
