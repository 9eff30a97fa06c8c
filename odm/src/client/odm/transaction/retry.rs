//! Runs the closure of a transaction, and runs it again after a `TransientTransactionError`.

use std::time::Instant;

use super::{
    Ending,
    missing_collections::MissingCollections,
    start::{no_transactions, start},
};
use crate::{
    client::{
        odm::{
            Odm, Tx,
            backoff::{RETRY_FOR, backoff},
            clock::WriteTime,
            tx::Tasks,
        },
        place::Place,
    },
    error::{Error, IgnoredError, Result},
};

impl Odm {
    /// Runs a transaction, and retries it after transient errors.
    pub(super) async fn run_transaction<T, F, Running>(
        &self,
        mut body: F,
        time: WriteTime,
        tasks: Tasks,
        ending: Ending,
    ) -> Result<T>
    where
        F: FnMut(Tx) -> Running,
        Running: Future<Output = Result<T>>,
    {
        let started = Instant::now();
        let mut session = self.client().start_session().await?;
        if let Some(time) = self.causal_time() {
            time.advance(&mut session);
        }
        let (mut defers, mut was_lost) = (false, false);
        let mut missing = MissingCollections::default();
        for attempt in 0.. {
            Box::pin(start(&mut session, self)).await?;
            let tx = Tx::new(self.clone(), session, time.clone(), defers, tasks);
            let _end = tx.end_on_drop();
            // The future is boxed to keep the futures of callers small, as in builders.
            let outcome = Box::pin(body(tx.clone())).await;
            // Waits for writes that are still running although your code dropped their futures, because such writes can
            // still fail.
            session = tx.end().await?;
            let outcome = tx.failures().judge(outcome);
            defers |= tx.is_refused();
            let retry = match outcome {
                Ok(value) if ending == Ending::RollBack => {
                    tasks
                        .run(self.clone().abort(session, tx.has_begun()))
                        .await?;
                    return Ok(value);
                }
                Ok(value) => match self.conclude(&tx, session, started).await? {
                    (_, Ok(())) => return Ok(value),
                    (again, Err(error)) => {
                        session = again;
                        let failed = || Place::database().failed("commitTransaction");
                        let error = tx.failures().note(error, failed);
                        let was_missing = missing.create(&tx, self).await?;
                        retry_or(error, |error| was_missing || error.is_transient())?
                    }
                },
                Err(error) => {
                    // The result of the abort does not matter, because the server itself eventually ends an open
                    // transaction.
                    let aborting = self.clone().abort(session, tx.has_begun());
                    session = tasks.run(aborting).await?;
                    let was_missing = missing.create(&tx, self).await?;
                    retry_or(error, |_| {
                        was_missing || tx.failures().is_transient() || tx.is_refused()
                    })?
                }
            };
            let is_lost = tx.failures().is_lost_to_driver_code();
            if is_lost && was_lost {
                return Err(lost_to_driver_code());
            }
            was_lost = is_lost;
            if started.elapsed() >= RETRY_FOR {
                return Err(retry);
            }
            tracing::debug!(attempt, error = %retry, "trying a transaction again");
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(Error::TransactionEnded)
    }
}

/// Returns the error for a transaction that failed because the server ended two attempts although none of the library's
/// statements failed.
fn lost_to_driver_code() -> Error {
    Error::TransactionPoisoned(IgnoredError::reason(
        "the server ended the transaction twice after driver code in `tx.run`, which seems to ignore an \
         error of the driver; return it from `tx.run`",
    ))
}

/// Returns `Ok(error)` if the transaction must be retried after this error, and `Err(error)` otherwise.
fn retry_or(error: Error, is_retryable: impl FnOnce(&Error) -> bool) -> Result<Error> {
    if is_retryable(&error) {
        Ok(error)
    } else {
        Err(no_transactions(error))
    }
}
