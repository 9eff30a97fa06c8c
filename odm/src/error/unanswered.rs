//! A server that does not answer.

use std::time::Duration;

/// The server has not answered in time, although it was told how long it may take: what ends a statement of an inquiry
/// on our side.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the server has not answered within {:.1} s", .0.as_secs_f64())]
pub(crate) struct Unanswered(pub(crate) Duration);

impl From<Unanswered> for super::Error {
    fn from(error: Unanswered) -> Self {
        mongodb::error::Error::custom(error).into()
    }
}
