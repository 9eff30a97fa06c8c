//! Runs statements in the current transaction or in a new one. On a standalone server, the statements run one after the
//! other.

use super::Exec;
use crate::{
    client::odm::{Tx, detached_task::join_task},
    error::{Error, Result},
};

impl Exec {
    /// Runs statements in the current transaction, or in a new one.
    ///
    /// A new transaction runs in a separate task. Dropping the future does not stop this task or any of its statements.
    ///
    /// # Errors
    ///
    /// [`Error::NoTransactions`] on a standalone server.
    pub(crate) async fn transact<A, T, Running>(
        &self,
        argument: A,
        run: fn(A, Self) -> Running,
    ) -> Result<T>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        Running: Future<Output = Result<T>> + Send + 'static,
    {
        if self.in_transaction() {
            return Box::pin(run(argument, self.clone())).await;
        }
        if self.is_paper() {
            if self.odm.is_standalone() {
                return Err(Error::NoTransactions);
            }
            self.note(|| "in one transaction, with all that follows".to_owned());
            let exec = Self {
                on_paper_in_transaction: true,
                ..self.clone()
            };
            return Box::pin(run(argument, exec)).await;
        }
        let (odm, exec) = (self.odm.clone(), self.clone());
        let whole = async move {
            let run = |tx| run(argument.clone(), exec.in_transaction_of_its_own(tx));
            odm.transaction_of_task(exec.time.clone(), run).await
        };
        if self.in_task {
            return Box::pin(whole).await;
        }
        join_task(self.odm.spawn_transaction(whole).await)
    }

    /// Runs statements in one transaction, as [`transact`](Self::transact) does. On a standalone server, which has no
    /// transactions, the statements run one after the other.
    pub(crate) async fn together<A, T, Running>(
        &self,
        argument: A,
        run: fn(A, Self) -> Running,
    ) -> Result<T>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        Running: Future<Output = Result<T>> + Send + 'static,
    {
        if !self.in_transaction() && self.is_on_standalone().await? {
            return Box::pin(run(argument, self.clone())).await;
        }
        self.transact(argument, run).await
    }

    /// Whether the server is a standalone server. The handle asks the server only once. A plan sends nothing, so it
    /// assumes a replica set unless an earlier call has asked the server.
    pub(crate) async fn is_on_standalone(&self) -> Result<bool> {
        if self.is_paper() {
            return Ok(self.odm.is_standalone());
        }
        Ok(!self.odm.has_transactions().await?)
    }

    /// Whether the server is a sharded cluster. A plan sends nothing, so it assumes a cluster unless an earlier call has
    /// asked the server.
    pub(crate) async fn is_on_cluster(&self) -> Result<bool> {
        if self.is_paper() {
            return Ok(self.odm.may_be_cluster());
        }
        self.odm.is_cluster().await
    }

    /// Prevents the transaction from committing, even if its closure returns `Ok`.
    pub(crate) fn poison(&self, why: &Error) {
        if let Some(tx) = &self.tx {
            tx.poison(why);
        }
    }

    /// Makes the library repeat the transaction and leave its copies to jobs.
    pub(crate) fn refuse_copies(&self) {
        if let Some(tx) = &self.tx {
            tx.refuse_copies();
        }
    }

    /// Whether copies are left to jobs, because not all of them can be written in the transaction.
    pub(crate) fn defers_copies(&self) -> bool {
        self.tx.as_ref().is_some_and(Tx::defers_copies)
    }

    /// Returns an exec for a transaction that the library started for the same call.
    pub(super) fn in_transaction_of_its_own(&self, tx: Tx) -> Self {
        Self {
            at: self.at,
            relation: self.relation,
            ..Self::within(tx)
        }
    }
}
