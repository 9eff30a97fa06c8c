//! Values that the handlers share.

use axum::extract::FromRef;
use mongo_odm::Odm;
use tokio_util::sync::CancellationToken;

/// The state of the router.
#[derive(Clone, Debug)]
pub struct Board {
    /// The handle to the database.
    pub odm: Odm,
    /// The token that is cancelled when the service stops. Open event streams then end.
    pub shutdown: CancellationToken,
}

impl Board {
    /// Returns the state for a database.
    pub fn new(odm: Odm) -> Self {
        Self {
            odm,
            shutdown: CancellationToken::new(),
        }
    }
}

impl FromRef<Board> for Odm {
    fn from_ref(board: &Board) -> Self {
        board.odm.clone()
    }
}

impl FromRef<Board> for CancellationToken {
    fn from_ref(board: &Board) -> Self {
        board.shutdown.clone()
    }
}
