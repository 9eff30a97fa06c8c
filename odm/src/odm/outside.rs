//! Warns, in debug builds, of statements that run outside of the transaction that their task is in.

use super::Odm;

#[cfg(debug_assertions)]
tokio::task_local! {
    /// There while a task runs the closure of a transaction.
    static INSIDE: ();
}

/// Polls what the closure of a transaction returned.
pub(super) fn inside<T>(poll: impl FnOnce() -> T) -> T {
    #[cfg(debug_assertions)]
    return INSIDE.sync_scope((), poll);
    #[cfg(not(debug_assertions))]
    poll()
}

impl Odm {
    /// Returns a handle whose statements are meant to run outside of a transaction.
    pub(super) const fn meant_outside(mut self) -> Self {
        self.is_meant_outside = true;
        self
    }

    /// Warns if the closure of a transaction uses this handle in the place of the transaction.
    #[track_caller]
    pub(super) fn warn_inside_transaction(&self) {
        #[cfg(debug_assertions)]
        if !self.is_meant_outside && INSIDE.try_with(|()| ()).is_ok() {
            tracing::warn!(
                at = %std::panic::Location::caller(),
                "an `Odm` is used inside the closure of a transaction: this runs outside of the transaction, does not \
                 see what that has written, and stays when that is rolled back; hand over `&tx`, or `tx.odm()` if it \
                 has to be outside"
            );
        }
    }
}
