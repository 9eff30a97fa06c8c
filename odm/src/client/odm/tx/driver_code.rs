//! Driver code of the application in a transaction.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::{ClientSession, Database};

use super::Tx;
use crate::error::{Error, FailedStatement, Result};

tokio::task_local! {
    /// The transactions whose sessions are lent to the driver code that runs at the moment.
    static WITHIN_RUN: Vec<Tx>;
}

impl Tx {
    /// Runs driver code of your own inside the transaction.
    ///
    /// The code has the session until it ends; statements of other tasks wait for it. A call of the library
    /// with this transaction would wait for itself, and is an error: make it before or after. Nor may the code
    /// wait for another task that makes such a call; nobody notices that.
    ///
    /// The code should return what the driver reports: most errors end the transaction on the server, whatever
    /// becomes of them here. When it keeps one to itself, the transaction is tried once more, and fails then.
    /// An error of the library inside the driver's `Error::custom` comes back as it was.
    ///
    /// `Database::run_command` is such code where its reply is not looked at: a refused document of an `insert`, `update`
    /// or `delete` is listed in `writeErrors` beside `ok: 1`, and is no error for the driver. The driver's typed methods
    /// report it.
    ///
    /// # Errors
    ///
    /// What the code returns, [`Error::TransactionEnded`], and [`Error::Invalid`] inside another `run` of
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
        self.with_session(false, driver_code, |database, session| {
            Box::pin(WITHIN_RUN.scope(within, async move {
                tx.failures().admit_driver_code();
                operation(database, session).await
            }))
        })
        .await
    }

    /// Refuses a call that would wait for itself to end.
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
