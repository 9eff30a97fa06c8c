//! The state of a database, collected by one call.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::{
    client::{
        command::RunCommand,
        odm::{Exec, Odm, traced_call},
    },
    derived::{
        declaration,
        runner::{JobCounts, seconds},
    },
    error::Result,
    index::IndexDiff,
};

/// The state of a database; returned by [`Odm::health`].
///
/// The struct implements `Serialize`. The serialized form of `answered_in` is a number of seconds with the name
/// `answered_in_seconds`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Health {
    /// Time between sending a `hello` and receiving the server's reply.
    #[serde(rename = "answered_in_seconds", serialize_with = "seconds")]
    pub answered_in: Duration,
    /// Whether the deployment supports transactions. Without transactions, copies can remain stale after a crash or
    /// after concurrent writes.
    pub has_transactions: bool,
    /// The difference between the indexes on the server and the indexes that the models declare or imply.
    pub indexes: IndexDiff,
    /// Number and age of pending jobs and deltas.
    pub jobs: JobCounts,
    /// The relations for which jobs are stored although no program declares them, each with the number of its jobs.
    pub undeclared: Vec<(String, u64)>,
    /// The copies for which programs declare different source fields, each with its declared source fields. Programs
    /// with different source fields write different values into the copy. An example is
    /// `products.parts.id <- parts._id (parts.name)` with `name` and `title`.
    ///
    /// The declaration of a program that no longer runs is ignored after two days. To avoid the wait, call
    /// [`Odm::forget_declaration`] and restart the other programs.
    pub contradictions: Vec<(String, Vec<String>)>,
    /// The relations that only other programs declare, for example `racks.slots.host <- hosts._id`. When this program
    /// writes, it enqueues jobs for the copies and delete rules of these relations, and the other programs run these
    /// jobs. An entry indicates a mistake only if this program should declare the relation itself.
    pub left_to_others: Vec<String>,
}

impl Health {
    /// Returns whether no action by an operator is necessary. All of these conditions must be true:
    ///
    /// - The deployment supports transactions, and all indexes are in sync.
    /// - No job has been postponed, and every job has a program that can run it.
    /// - No job and no delta is older than five minutes.
    /// - No two declarations contradict each other.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let health = odm.health().await?;
    /// assert!(health.is_good(), "{health:?}");
    /// # Ok(()) }
    /// ```
    pub fn is_good(&self) -> bool {
        const OLD: Duration = Duration::from_secs(300);
        self.has_transactions
            && self.indexes.is_in_sync()
            && self.undeclared.is_empty()
            && self.contradictions.is_empty()
            && self.jobs.put_off == 0
            && [self.jobs.oldest, self.jobs.oldest_delta]
                .iter()
                .flatten()
                .all(|age| *age < OLD)
    }
}

impl Odm {
    /// Returns the state of the database for an operator: the server's reply time, transaction support, indexes and
    /// jobs.
    ///
    /// # Sends
    ///
    /// A `hello`, one `listIndexes` for each collection, the statements of [`Jobs::count`](crate::Jobs::count), and two
    /// or three statements that read the library's own collections. The call changes nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if no model is linked into the program, and server errors.
    /// [`Error::kind`](crate::Error::kind) shows whether the server could be reached.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let health = odm.health().await?;
    /// if !health.is_good() {
    ///     eprintln!("{health:?}");
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn health(&self) -> Result<Health> {
        let odm = self.clone();
        traced_call("health", async move { odm.look_at_health().await }).await
    }

    async fn look_at_health(&self) -> Result<Health> {
        let began = Instant::now();
        Exec::on(self.clone()).send(RunCommand::hello()).await?;
        let answered_in = began.elapsed();
        let undeclared = self.undeclared_jobs().await?;
        let declared = declaration::declarations_state(self).await?;
        let contradictions = declared.contradictions.into_iter();
        Ok(Health {
            answered_in,
            has_transactions: self.has_transactions().await?,
            indexes: self.index_diff().await?,
            jobs: self.jobs().count().await?,
            undeclared,
            contradictions: contradictions.map(|it| (it.copy, it.froms)).collect(),
            left_to_others: declared.foreign,
        })
    }
}
