//! Calls of hooks inside a transaction.
//!
//! A hook runs in the middle of a write. So its own writes must not wait for the end of that write, as other writes of
//! the transaction do. The handle that a hook receives therefore has its own lock for writes (`turn`):
//!
//! 1. Writes of the hook run one after the other.
//! 2. Each statement runs in a separate task, because the hook may drop its future, for example after a timeout.
//! 3. When the hook returns, the library waits for a write whose future the hook has dropped. Later writes through the
//!    hook's handle fail.
//! 4. If a write of the hook fails after its first change, the transaction cannot be committed, even if the hook ignores
//!    the error.
//! 5. Changes of the hook count as changes of the write that called it. Driver code of the hook (`tx.run`) also counts
//!    as a change, because the library does not know which statements the code sends.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::Tx;
use crate::error::{Error, Result};

/// Largest number of hooks that can run inside each other. A hook that writes its own model without a condition would
/// otherwise never end.
const DEPTH: usize = 8;

/// One call of a hook.
#[derive(Debug)]
pub(super) struct HookCall {
    /// Number of nested hook calls, including this one.
    depth: usize,
    /// Serializes the writes of the hook. The value is true if the hook has returned.
    turn: Mutex<bool>,
}

impl Tx {
    /// Returns the handle for one call of a hook, or `None` if too many hooks already run inside each other.
    pub(crate) fn for_hook(&self) -> Option<Self> {
        let depth = self.hook.as_ref().map_or(0, |call| call.depth) + 1;
        (depth <= DEPTH).then(|| Self {
            hook: Some(Arc::new(HookCall {
                depth,
                turn: Mutex::default(),
            })),
            ..self.clone()
        })
    }

    /// Waits for the writes of a hook that has returned. Later writes through its handle fail.
    pub(crate) async fn end_hook(&self) {
        if let Some(call) = &self.hook {
            *call.turn.lock().await = true;
        }
    }
}

impl HookCall {
    /// Whether the write that called the hook takes turns with other writes. If the write has its own transaction, it
    /// does not.
    pub(super) fn is_outer_in_turn(&self, tx: &Tx) -> bool {
        self.depth > 1 || !tx.is_one_task()
    }

    /// Runs a write of the hook.
    pub(super) async fn in_turn<T>(
        &self,
        tx: &Tx,
        write: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let has_returned = self.turn.lock().await;
        if *has_returned {
            return Err(Error::TransactionEnded);
        }
        let is_outer_in_turn = self.is_outer_in_turn(tx);
        let was_changing = tx.failures().begin_inner_write();
        let done = write.await;
        let error = done.as_ref().err();
        tx.failures()
            .end_inner_write(was_changing, is_outer_in_turn, error);
        done
    }
}
