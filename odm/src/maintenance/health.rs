//! Whether all is well with a database, in one call.

use std::time::{Duration, Instant};

use crate::{
    client::{
        command::RunCommand,
        odm::{Exec, Odm, traced_call},
    },
    derived::{programs, runner::JobCounts},
    error::Result,
    index::IndexDiff,
};

/// What [`Odm::health`] has found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Health {
    /// How long the server took to answer `hello`.
    pub answered_in: Duration,
    /// Whether the deployment has transactions; without them copies are kept at best effort.
    pub has_transactions: bool,
    /// What the indexes of the server lack.
    pub indexes: IndexDiff,
    /// How many jobs and deltas wait, and for how long.
    pub jobs: JobCounts,
    /// The relations that have jobs and that no program declares, with how many there are.
    pub undeclared: Vec<(String, u64)>,
    /// The copies that programs take from different fields of the source, with these: each program writes another
    /// value. `products.parts.id <- parts._id (parts.name)`: `name` and `title`. Where one of them does not run any
    /// more, this ends two days after it has declared for the last time, or with [`Odm::forget_declaration`] and a
    /// start of the others.
    pub contradictions: Vec<(String, Vec<String>)>,
    /// The relations that only other programs declare: `racks.slots.host <- hosts._id`. Writes of this program leave their
    /// copies and rules to jobs, which those programs run. This is no fault, unless a program with the same models was
    /// expected to declare them.
    pub left_to_others: Vec<String>,
}

impl Health {
    /// Returns whether nothing needs a hand: transactions, all indexes, no job that was put off, none that
    /// nobody can run, no job and no delta older than five minutes, and no contradictions.
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
    /// Looks at what an operator wants to know: whether the server answers, its transactions, its indexes, the
    /// jobs.
    ///
    /// A `hello`, one `listIndexes` for each collection, what [`Jobs::count`](crate::Jobs::count) sends, and two or
    /// three aggregations and finds over the library's own collections. It changes nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if no model is linked into the program, and what the server
    /// reports; with no server within reach, [`Error::kind`](crate::Error::kind) tells.
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
        let declared = programs::declarations_state(self).await?;
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
