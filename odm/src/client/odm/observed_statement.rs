//! Records the statements that a block of the application sends, for tests.
//!
//! - The observers of a block are a value of its task. `in_caller_context` passes them, and the `tracing` span, to the tasks
//!   that a call is split into. Use it at every place that spawns a part of a call: without it, the statements of that
//!   part are missing. Do not use it for background work, which belongs to no caller.
//! - A recorded statement is the same `Statement` that a plan contains.

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
    /// Who observes what this task sends.
    static OBSERVERS: Option<Arc<Observer>>;
}

/// Notes the statements of one handle, besides those who observe the block around it.
#[derive(Debug)]
struct Observer {
    odm: Odm,
    sent: Mutex<Vec<SentStatement>>,
    around: Option<Arc<Observer>>,
}

fn observers() -> Option<Arc<Observer>> {
    OBSERVERS.try_with(Clone::clone).ok().flatten()
}

/// Lets those who observe this task observe another part of its work, which is handed to a task of its own.
pub(super) fn with_observers<T>(part: impl Future<Output = T>) -> impl Future<Output = T> {
    OBSERVERS.scope(observers(), part)
}

/// A statement that was recorded, by each of those who observe it.
#[derive(Debug, Default)]
pub(super) struct Recorded(Vec<(Arc<Observer>, usize)>);

/// What a statement is about, besides itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementOrigin<'a> {
    pub(super) odm: &'a Odm,
    pub(super) at: Option<&'static Location<'static>>,
    pub(super) relation: Option<&'static str>,
}

impl<'a> StatementOrigin<'a> {
    /// A statement of the library's own.
    pub(super) const fn library(odm: &'a Odm) -> Self {
        Self {
            odm,
            at: None,
            relation: None,
        }
    }

    /// Notes a statement that is about to be sent, if anybody observes this task.
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
    /// Whether nobody has noted it.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says how the statement was answered.
    pub(super) fn answered(&self, after: Duration, answer: Result<Option<u64>, &Error>) {
        self.change(|sent| {
            sent.duration = Some(after);
            match answer {
                Ok(documents) => sent.documents = documents,
                Err(error) => sent.error = Some(error.to_string()),
            }
        });
    }

    /// Says how many documents the reply holds.
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
    /// Runs a block and returns, beside what the block returned, the statements that it has sent with this handle, its clones
    /// and their transactions. For tests: how many round trips a call makes, and which.
    ///
    /// Statements of the tasks that the library starts for the block (writes, ranges of joins, commits) are among them.
    /// Statements of other tasks are not, even if they run at the same time, nor what the library does in the background.
    /// A task that the block itself spawns is another task. What is sent with the driver, in [`Tx::run`](crate::Tx::run)
    /// for instance, is not seen, nor that the driver sends a statement once more after a failover, nor that it closes the
    /// cursor of a stream that is dropped. A write whose caller is dropped goes on: what it sends after the end of the block is
    /// not among them, unless the block waits for it with [`finish_writes`](Self::finish_writes). Jobs are seen where the
    /// block runs or awaits them (`run_pending_jobs`, `wait`, `fresh`), and not where the background task of the handle or a worker
    /// in another task runs them.
    ///
    /// It sends nothing itself, and works in release builds, too. Blocks can be nested; each observer sees what is inside
    /// its own.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "parts")]
    /// # struct Part {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Part>,
    /// #     name: String,
    /// # }
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "products")]
    /// # struct Product {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Product>,
    /// #     #[refs(many)]
    /// #     parts: Vec<Id<Part>>,
    /// # }
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
