//! Records the statements that a block of the application sends, for tests.
//!
//! - The observers of a block are stored in its task. `in_caller_context` passes these observers and the `tracing` span
//!   to the tasks into which a call is split. Use this function wherever the library spawns a part of a call. If you
//!   spawn such a part without this function, its statements are not recorded. Do not use this function for background
//!   work, which does not belong to a caller.
//! - A recorded statement has the type `Statement`, as in a plan.

mod observed;

use std::{
    panic::Location,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

pub use observed::{Observed, SentStatement};

use super::Odm;
use crate::{
    client::{place::Place, plan::Statement},
    error::Error,
};

tokio::task_local! {
    /// The innermost observer of this task.
    static OBSERVERS: Option<Arc<Observer>>;
}

/// Records the statements of one handle. The observers of the outer blocks also record these statements.
#[derive(Debug)]
struct Observer {
    odm: Odm,
    sent: Mutex<Vec<SentStatement>>,
    around: Option<Arc<Observer>>,
}

fn observers() -> Option<Arc<Observer>> {
    OBSERVERS.try_with(Clone::clone).ok().flatten()
}

/// Wraps a future so that this task's observers also record the future's statements in another task.
pub(super) fn with_observers<T>(part: impl Future<Output = T>) -> impl Future<Output = T> {
    OBSERVERS.scope(observers(), part)
}

/// The records of one statement, one for each observer.
#[derive(Debug, Default)]
pub(super) struct Recorded(Vec<(Arc<Observer>, usize)>);

/// The origin of a statement: its handle, source line and relation.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementOrigin<'a> {
    pub(super) odm: &'a Odm,
    pub(super) at: Option<&'static Location<'static>>,
    pub(super) relation: Option<&'static str>,
}

impl<'a> StatementOrigin<'a> {
    /// Returns the origin of a statement that the library sends on its own.
    pub(super) const fn library(odm: &'a Odm) -> Self {
        Self {
            odm,
            at: None,
            relation: None,
        }
    }

    /// If the task has observers, records a statement before it is sent.
    pub(super) fn note(
        self,
        command: &'static str,
        place: &Place,
        statement: impl Fn() -> Statement,
    ) -> Recorded {
        let mut recorded = Vec::new();
        let mut next = observers();
        while let Some(observer) = next.take() {
            if Arc::ptr_eq(observer.odm.deployment(), self.odm.deployment()) {
                let sent = SentStatement::new(command, place, statement());
                let sent = sent.with_origin(self.at, self.relation);
                let at = observer.push(sent);
                recorded.push((Arc::clone(&observer), at));
            }
            next.clone_from(&observer.around);
        }
        Recorded(recorded)
    }
}

impl Observer {
    fn push(&self, statement: SentStatement) -> usize {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.push(statement);
        sent.len() - 1
    }

    fn take(&self) -> Vec<SentStatement> {
        std::mem::take(&mut *self.sent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Recorded {
    /// Whether no observer has recorded the statement.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Records the duration, and the reply or the error.
    pub(super) fn answered(&self, after: Duration, answer: Result<Option<u64>, &Error>) {
        self.change(|sent| {
            sent.duration = Some(after);
            match answer {
                Ok(documents) => sent.documents = documents,
                Err(error) => sent.error = Some(error.to_string()),
            }
        });
    }

    /// Records the number of documents in the reply.
    pub(super) fn add_documents(&self, documents: u64) {
        self.change(|sent| sent.documents = Some(documents));
    }

    fn change(&self, change: impl Fn(&mut SentStatement)) {
        for (observer, at) in &self.0 {
            let mut sent = observer.sent.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(sent) = sent.get_mut(*at) {
                change(sent);
            }
        }
    }
}

impl Odm {
    /// Runs a block, and returns its result together with the statements that it sent through this handle, its clones
    /// and their transactions. Use this method in tests to check the number and the text of the statements.
    ///
    /// Blocks can be nested, and each observer records the statements of its own block. This method also works in
    /// release builds.
    ///
    /// # Sends
    ///
    /// The method itself sends nothing; only the block sends statements.
    ///
    /// # Guarantees
    ///
    /// The following statements are observed:
    ///
    /// - statements that the block's own task sends
    /// - statements of tasks that the library starts for the block: writes, ranges of joins, commits
    /// - statements of jobs that the block runs or waits for (`run_pending_jobs`, `wait`, `fresh`)
    ///
    /// The following statements are not observed:
    ///
    /// - statements of other tasks, including tasks that the block spawns
    /// - background work of the library: the handle's task that runs jobs, and workers in other tasks
    /// - statements that your code sends with the driver, for instance in [`Tx::run`](crate::Tx::run)
    /// - reads of the shard keys of a cluster, which are in the database `config`
    /// - the driver's retries after a failover, and the `killCursors` that it sends for dropped streams
    /// - statements that a write sends after the end of the block, because the block dropped the write's future. To
    ///   wait for these statements, call [`finish_writes`](Self::finish_writes) in the block.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/part_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let observed = odm
    ///     .observe(async {
    ///         let products = Product::find(&odm).limit(100).await?;
    ///         Product::join_parts(&products, &odm).await
    ///     })
    ///     .await;
    /// assert_eq!(observed.names(), ["find", "find"], "{observed}");
    /// assert_eq!(observed.sent[1].relation, Some("Product.parts"));
    /// let parts = observed.value?;
    /// # Ok(()) }
    /// ```
    pub async fn observe<T>(&self, block: impl Future<Output = T>) -> Observed<T> {
        let observer = Arc::new(Observer {
            odm: self.clone(),
            sent: Mutex::default(),
            around: observers(),
        });
        let value = OBSERVERS.scope(Some(Arc::clone(&observer)), block).await;
        Observed {
            value,
            sent: observer.take(),
        }
    }
}
