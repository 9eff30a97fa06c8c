//! Runs the application's driver code in a transaction (`tx.run`).

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::{ClientSession, Database};

use super::Tx;
use crate::error::{Error, FailedStatement, Result};

tokio::task_local! {
    /// The transactions in whose sessions the current driver code runs.
    static WITHIN_RUN: Vec<Tx>;
}

impl Tx {
    /// Runs driver code inside the transaction.
    ///
    /// The code has exclusive use of the session until it ends, and statements of other tasks wait. Do not pass this
    /// transaction to calls of the library inside the code, because such a call would wait for itself. The library
    /// rejects such a call. The code must also not wait for another task that makes such a call. The library cannot
    /// detect this deadlock.
    ///
    /// Return the driver's errors, because most of them end the transaction on the server. If the code ignores an
    /// error, the transaction is retried once and then fails. If the code wraps a library error with the driver's
    /// `Error::custom`, the call returns this error unchanged.
    ///
    /// In a hook, the code belongs to the write that called the hook. If this write fails, the transaction cannot be
    /// committed.
    ///
    /// Check the reply of `Database::run_command` for an `insert`, `update` or `delete`. Such a reply lists rejected
    /// documents in `writeErrors` although it contains `ok: 1`, and `run_command` does not return an error. The
    /// driver's typed methods return an error in this case.
    ///
    /// # Sends
    ///
    /// The statements that your code sends.
    ///
    /// # Errors
    ///
    /// The error that the code returns, [`Error::TransactionEnded`], and [`Error::Invalid`] inside another `run` of
    /// this transaction.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{Odm, mongodb::bson::doc};
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.transaction(async |tx| {
    ///     tx.run(|database, session| {
    ///         let log = database.collection("log");
    ///         Box::pin(async move { log.insert_one(doc! { "seen": true }).session(session).await })
    ///     })
    ///     .await?;
    ///     Ok(())
    /// })
    /// .await
    /// # }
    /// ```
    pub async fn run<T, F>(&self, operation: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'s> FnOnce(
                &'s Database,
                &'s mut ClientSession,
            ) -> BoxFuture<'s, mongodb::error::Result<T>>
            + Send
            + 'static,
    {
        let mut within = WITHIN_RUN.try_with(Clone::clone).unwrap_or_default();
        within.push(self.clone());
        let tx = self.clone();
        self.note_driver_call();
        if let Some(call) = &self.hook
            && call.is_outer_in_turn(self)
        {
            // If the write that called the hook fails, the changes of the driver code must not be committed either.
            self.failures().begin_change();
        }
        self.with_session(false, driver_code, |database, session| {
            Box::pin(WITHIN_RUN.scope(within, async move {
                tx.failures().admit_driver_code();
                operation(database, session).await
            }))
        })
        .await
    }

    /// Rejects a call inside `tx.run` of this transaction, because the call would wait for itself.
    pub(in crate::client::odm) fn refuse_within_run(&self) -> Result<()> {
        let is_this = |tx: &Self| Arc::ptr_eq(&tx.state, &self.state);
        let has_session = WITHIN_RUN.try_with(|within| within.iter().any(is_this));
        if !has_session.unwrap_or_default() {
            return Ok(());
        }
        Err(Error::invalid(
            "a call of the library inside `tx.run`, with the same transaction, would wait for `tx.run` to \
             end; make it before or after, or use the driver with the `session` that the closure gets"
                .to_owned(),
        ))
    }
}

fn driver_code() -> FailedStatement {
    FailedStatement {
        command: "tx.run",
        collection: None,
        model: None,
    }
}
