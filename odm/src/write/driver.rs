//! The sequence of a write: prepare the server, run the statements with their effects, finish after the commit.

use super::after::{FinishedWrite, Outcome, ready};
use crate::{
    client::odm::Exec,
    derived::follow::{Effects, FanOut},
    error::Result,
};

/// When the statements of a write share a transaction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transaction {
    /// Only if the write has effects. A standalone server runs them one after the other.
    ForEffects,
    /// As `ForEffects`, and also without effects. Without effects, a standalone server rejects the write.
    ForStatements,
    /// Always. A standalone server runs the statements one after the other.
    IfSupported,
}

/// Runs a write. `run` sends its statements and can run again after a conflict.
pub(super) async fn drive<W, T, Running>(
    (write, effects): (W, Effects),
    fan_out: FanOut,
    transaction: Transaction,
    run: fn((W, Effects), Exec) -> Running,
    exec: &Exec,
) -> Result<(T, FinishedWrite)>
where
    W: Clone + Send + Sync + 'static,
    T: Send + 'static,
    Running: Future<Output = Result<Outcome<T>>> + Send + 'static,
{
    ready(&effects, &fan_out, exec).await?;
    let state = (write, effects.clone());
    let outcome = match transaction {
        Transaction::IfSupported => exec.together(state, run).await?,
        Transaction::ForStatements if effects.is_empty() => exec.transact(state, run).await?,
        _ => effects.run(state, run, exec).await?,
    };
    Ok(outcome.finish(&fan_out, exec).await)
}
