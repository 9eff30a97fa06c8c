//! Warns about statements that run outside of a transaction although the transaction's closure sends them.
//!
//! 1. While the closure of a transaction runs, its task stores the handle that started the transaction in `INSIDE`.
//! 2. If this value is set, `Odm::exec` warns once per source line of the application. Debug builds warn by default
//!    (`Settings::warn_of_slow_statements`).
//! 3. All functions between your call and `Odm::exec` are `#[track_caller]`. So the warning contains the source line of
//!    your call.
//!
//! The handle that `tx.odm()` returns is marked as intended for statements outside of the transaction, so its
//! statements do not cause a warning.

use std::panic::Location;

use super::{Odm, warned_line::is_first};

tokio::task_local! {
    /// The handle that started the transaction. This value is set while the task runs the transaction's closure.
    static INSIDE: Odm;
}

impl Odm {
    /// Polls the future of a transaction's closure.
    pub(super) fn inside<T>(&self, poll: impl FnOnce() -> T) -> T {
        INSIDE.sync_scope(self.clone(), poll)
    }

    /// Marks the handle as intended for statements outside of a transaction, so that it does not cause a warning.
    pub(super) const fn meant_outside(mut self) -> Self {
        self.is_meant_outside = true;
        self
    }

    /// Warns if the closure of a transaction uses this handle instead of the transaction.
    #[track_caller]
    pub(super) fn warn_inside_transaction(&self) {
        if self.is_meant_outside || !self.settings().warn_of_slow_statements {
            return;
        }
        let is_of = |begun: &Self| begun.database().name() == self.database().name();
        let at = Location::caller();
        if INSIDE.try_with(is_of).unwrap_or_default() && is_first(at, "outside") {
            tracing::warn!(
                %at,
                "an `Odm` is used inside the closure of a transaction: this runs outside of the transaction, does not \
                 see what that has written, and stays when that is rolled back; hand over `&tx`, or `tx.odm()` if it \
                 has to be outside"
            );
        }
    }
}
