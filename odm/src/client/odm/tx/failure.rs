//! Records the failed statements of a transaction, and decides how the transaction ends: it is retried, poisoned, or
//! committed.
//!
//! Most errors end the transaction on the server, but some do not. The error's code does not show whether the
//! transaction has ended: `FailedToParse`, for example, occurs in both cases. The next statement or the commit reveals
//! whether the transaction has ended:
//!
//! 1. The first failed statement is recorded.
//! 2. If the server then replies that the transaction does not exist, the recorded failure is the reason. The call
//!    fails with `TransactionPoisoned`, and the closure does not run again.
//! 3. If no failed statement is recorded, the reason is a failover. The transaction is retried.
//! 4. The exception is driver code in `tx.run`, which may have ignored the error. If driver code used the session, the
//!    call fails after two attempts.

use crate::error::{Error, FailedStatement, IgnoredError, Result};

/// The failures in a transaction, including those that its closure ignores.
#[derive(Debug, Default)]
pub(in crate::client::odm) struct Failures {
    /// Whether a statement failed with a transient error, so that the whole transaction is retried.
    is_transient: bool,
    /// Whether a statement failed because the server cannot create a collection in the transaction.
    lacks_collection: bool,
    /// The reason why the transaction must not be committed, even if the server would commit it.
    poison: Option<IgnoredError>,
    /// The first statement that failed with an error that is not transient.
    failed: Option<IgnoredError>,
    /// Whether the current write has changed something.
    is_changing: bool,
    driver_code: DriverCode,
}

/// Whether driver code may have caused the end of the transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DriverCode {
    #[default]
    Absent,
    /// Driver code has used the session.
    Present,
    /// The server has since ended the transaction, and no recorded error explains why.
    Suspected,
}

impl Failures {
    /// Records a failed statement, and returns the error for the caller.
    pub(in crate::client::odm) fn note(
        &mut self,
        error: Error,
        statement: impl FnOnce() -> FailedStatement,
    ) -> Error {
        const NO_SUCH_TRANSACTION: i32 = 251;
        const NOT_IN_TRANSACTION: i32 = 263;
        self.lacks_collection |= error.server_code() == Some(NOT_IN_TRANSACTION);
        if error.server_code() == Some(NO_SUCH_TRANSACTION) && !self.is_transient {
            if let Some(failed) = &self.failed {
                return Error::TransactionPoisoned(failed.clone());
            }
            if self.driver_code == DriverCode::Present {
                self.driver_code = DriverCode::Suspected;
            }
        }
        if error.is_transient() {
            self.is_transient = true;
            self.poison(&error);
        } else if self.failed.is_none() {
            self.failed = Some(named(&error, &statement()));
        }
        error
    }

    /// Prevents the commit of the transaction.
    pub(super) fn poison(&mut self, why: &Error) {
        self.poison.get_or_insert_with(|| match why {
            Error::TransactionPoisoned(why) => why.clone(),
            why => IgnoredError::new(why, why.to_string()),
        });
    }

    /// Records that the current write changes something. Returns whether the write had already changed something.
    pub(super) const fn begin_change(&mut self) -> bool {
        std::mem::replace(&mut self.is_changing, true)
    }

    /// Restores the state before `begin_change`, because the statement changed nothing.
    pub(super) const fn undo_change(&mut self, was_changing: bool) {
        self.is_changing = was_changing;
    }

    /// Records the start of a write. The previous write has ended, unless it panicked.
    pub(super) fn begin_write(&mut self) {
        if std::mem::take(&mut self.is_changing) {
            self.poison
                .get_or_insert_with(|| IgnoredError::reason("a write panicked"));
        }
    }

    /// Records the end of a write. If the write failed after its first change, the transaction contains half of the
    /// write, so it must not be committed.
    pub(super) fn end_write(&mut self, error: Option<&Error>) {
        let is_half = std::mem::take(&mut self.is_changing);
        if let Some(error) = error.filter(|error| is_half && !lists_only_unsent(error)) {
            self.poison(error);
        }
    }

    /// Records the start of a hook's write inside another write. Returns whether the outer write has changed something.
    pub(super) const fn begin_inner_write(&mut self) -> bool {
        std::mem::replace(&mut self.is_changing, false)
    }

    /// Records the end of a hook's write. `was_changing` is the result of
    /// [`begin_inner_write`](Self::begin_inner_write). If the outer write takes its turn among the writes of the
    /// transaction (`is_outer_in_turn`), the changes of the inner write also count as changes of the outer write.
    pub(super) fn end_inner_write(
        &mut self,
        was_changing: bool,
        is_outer_in_turn: bool,
        error: Option<&Error>,
    ) {
        let has_changed = self.is_changing;
        self.end_write(error);
        self.is_changing = was_changing || (has_changed && is_outer_in_turn);
    }

    /// Records that driver code uses the session.
    pub(super) fn admit_driver_code(&mut self) {
        if self.driver_code == DriverCode::Absent {
            self.driver_code = DriverCode::Present;
        }
    }

    /// Returns an error if the closure returned `Ok` although it had ignored an error that prevents the commit.
    pub(in crate::client::odm) fn judge<T>(&mut self, outcome: Result<T>) -> Result<T> {
        self.begin_write();
        match (outcome, &self.poison) {
            (Ok(_), Some(why)) => Err(Error::TransactionPoisoned(why.clone())),
            (outcome, _) => outcome,
        }
    }

    pub(in crate::client::odm) const fn is_transient(&self) -> bool {
        self.is_transient
    }

    pub(in crate::client::odm) const fn lacks_collection(&self) -> bool {
        self.lacks_collection
    }

    /// Whether driver code may have ignored the error that ended the transaction, because no other error was recorded.
    pub(in crate::client::odm) fn is_lost_to_driver_code(&self) -> bool {
        self.driver_code == DriverCode::Suspected
    }
}

/// Whether the error only lists the documents of an insert that the library could not send. All other documents are
/// stored.
const fn lists_only_unsent(error: &Error) -> bool {
    matches!(
        error,
        Error::InsertMany {
            transaction_ended: false,
            ..
        }
    )
}

/// Describes an error. The message includes the failed statement.
fn named(error: &Error, statement: &FailedStatement) -> IgnoredError {
    let message = match error {
        Error::DuplicateKey { .. } | Error::InvalidDocument { .. } => {
            format!("{statement}: {error}")
        }
        // The message already contains the statement.
        _ => error.to_string(),
    };
    IgnoredError::new(error, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_panics_after_a_change_keeps_the_transaction_from_being_committed() {
        let mut failures = Failures::default();
        failures.begin_write();
        failures.begin_change();
        // The first write is never ended. Another write follows, and the closure succeeds.
        failures.begin_write();
        failures.end_write(None);
        let judged = failures.judge(Ok(()));
        assert!(matches!(judged, Err(Error::TransactionPoisoned(_))));
    }

    #[test]
    fn a_write_that_fails_before_a_change_leaves_the_transaction_whole() {
        let mut failures = Failures::default();
        failures.begin_write();
        let was_changing = failures.begin_change();
        failures.undo_change(was_changing);
        failures.end_write(Some(&Error::Shutdown));
        assert!(failures.judge(Ok(())).is_ok());
        failures.begin_write();
        failures.begin_change();
        failures.end_write(Some(&Error::Shutdown));
        assert!(failures.judge(Ok(())).is_err());
    }
}
