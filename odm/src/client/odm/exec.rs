//! An exec decides where statements run: on the database, in a transaction, or on paper.
//!
//! Each `Exec` contains the source line of the call for which it was created (`Exec::at`) and, for a load or a join,
//! the relation. So observed statements (`client::odm::observed_statement`), counts (`stats`) and warnings
//! (`slow_statements`) report the same line.

mod causal_send;
mod distinct_values;
mod lookups;
mod shard_target;
mod transact;
mod write_task;

pub(crate) use write_task::Write;

use std::{
    panic::Location,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use mongodb::{
    bson::DateTime,
    options::{FindOptions, ReadPreference},
};
use tracing::Instrument;

use super::{
    Odm, Settings, Tx,
    clock::WriteTime,
    detached_task::{in_caller_context, join_task},
    observed_statement::StatementOrigin,
    trace::{self, StatementTrace},
};
use crate::{
    client::{
        command::{BulkWriteCommand, Command, InsertCommand, Paper, Rows, UpdateCommand, Updated},
        place::{Place, Visibility},
        plan::Plan,
    },
    error::{Error, Result, Unanswered},
    model::shape::ModelShape,
};
use causal_send::send_after;

/// Runs the statements of a builder.
#[derive(Clone, Debug)]
pub struct Exec {
    odm: Odm,
    tx: Option<Tx>,
    /// The paper, which records the statements of a plan instead of sending them.
    paper: Option<Arc<Mutex<Paper>>>,
    /// Whether the planned statements run inside a transaction.
    on_paper_in_transaction: bool,
    /// Whether the call runs in a task of the library, which your code cannot drop.
    in_task: bool,
    /// Whether the statements only read the result of a write, so that they are not rejected as broadcasts.
    after_write: bool,
    /// The source line of the call, or `None` for statements that the library sends on its own.
    at: Option<&'static Location<'static>>,
    /// The relation of a load or a join.
    relation: Option<&'static str>,
    /// Whether the reads of the call return live, deleted or all documents.
    visibility: Visibility,
    /// The time that the writes of the call store.
    time: WriteTime,
}

impl Exec {
    /// Returns an exec that sends each statement outside of transactions.
    pub(crate) fn on(odm: Odm) -> Self {
        Self {
            odm,
            tx: None,
            paper: None,
            on_paper_in_transaction: false,
            in_task: false,
            after_write: false,
            at: None,
            relation: None,
            visibility: Visibility::Live,
            time: WriteTime::default(),
        }
    }

    /// Sets the source line of the call.
    pub(super) const fn called_at(mut self, at: &'static Location<'static>) -> Self {
        self.at = Some(at);
        self
    }

    /// Sets whether the reads of the call return live, deleted or all documents.
    pub(crate) const fn see(&mut self, visibility: Visibility) {
        self.visibility = visibility;
    }

    /// Returns an exec for statements that read the result of a write. The statement of the write was already sent, so
    /// the setting that rejects broadcasts does not apply to them.
    pub(crate) fn after_write(&self) -> Self {
        Self {
            after_write: true,
            ..self.clone()
        }
    }

    /// Returns the place for those documents of a model that are visible to the call.
    pub(crate) fn place(&self, model: &'static ModelShape) -> Place {
        Place::live(model).seeing(self.visibility)
    }

    /// Sets the relation of a load or a join.
    pub(crate) const fn for_relation(mut self, relation: &'static str) -> Self {
        self.relation = Some(relation);
        self
    }

    /// Returns the relation of a load or a join.
    pub(crate) const fn relation(&self) -> Option<&'static str> {
        self.relation
    }

    /// Returns the source line of the call, or `None` for statements that the library sends on its own.
    pub(crate) const fn caller(&self) -> Option<&'static Location<'static>> {
        self.at
    }

    /// Returns an exec inside a transaction.
    pub(crate) fn within(tx: Tx) -> Self {
        let outside = Self::on(tx.odm().clone());
        let time = tx.time().clone();
        Self {
            tx: Some(tx),
            time,
            ..outside
        }
    }

    /// Whether both calls use equal handles, and run in the same transaction or both outside of transactions.
    pub(crate) fn is_same_handle(&self, other: &Self) -> bool {
        let is_same_transaction = match (&self.tx, &other.tx) {
            (None, None) => true,
            (Some(one), Some(two)) => one.is_same(two),
            _ => false,
        };
        is_same_transaction && self.odm.is_same(&other.odm)
    }

    pub(crate) const fn odm(&self) -> &Odm {
        &self.odm
    }

    pub(crate) const fn transaction(&self) -> Option<&Tx> {
        self.tx.as_ref()
    }

    pub(crate) fn settings(&self) -> &Settings {
        self.odm().settings()
    }

    /// Returns the time that a write stores. All writes of a call or a transaction store the same time.
    pub(crate) fn now(&self) -> DateTime {
        self.time.get_or_set(&self.settings().clock)
    }

    /// Lets the writes of this call store the same time as those of another call.
    pub(crate) fn share_time(&mut self, other: &Self) {
        self.time.clone_from(&other.time);
    }

    pub(crate) const fn in_transaction(&self) -> bool {
        self.tx.is_some() || self.on_paper_in_transaction
    }

    pub(crate) const fn is_paper(&self) -> bool {
        self.paper.is_some()
    }

    /// Sends a statement, or records it for a plan.
    pub(crate) async fn send<C: Command>(&self, command: C) -> Result<C::Reply> {
        // The future is boxed to keep the futures of callers small, because the options of a statement are large.
        Box::pin(self.send_to_shard(command)).await
    }

    /// Sends a statement, or records it for a plan. Returns the reply and the trace of the statement.
    pub(super) async fn send_seen<C: Command>(
        &self,
        command: C,
    ) -> Result<(C::Reply, StatementTrace)> {
        let command = self.checked(command)?;
        self.check_index(&command);
        let command = command.scoped(self.in_transaction());
        self.refuse_broadcast(&command)?;
        if let Some(mut paper) = self.paper() {
            paper.record(&command);
            return Ok((command.assume(&mut paper), StatementTrace::default()));
        }
        self.count_shards(&command);
        let command = self.with_read_limit(command);
        let can_be_unordered = self.in_transaction() && command.can_be_unordered();
        let command = if can_be_unordered && self.odm.is_cluster().await? {
            command.unordered()
        } else {
            command
        };
        let name = command.name();
        let span = trace::statement_span(self.odm.database().name(), command.place().name(), name);
        let recorded = self
            .origin()
            .note(name, command.place(), || command.statement());
        let began = Instant::now();
        let place = command.place().clone();
        let sent = self.within_read_limit(self.dispatch(command));
        let sent = sent.instrument(span.clone()).await;
        let failed = || place.failed(name);
        let sent = sent.map_err(|error| error.during(failed, began.elapsed()));
        let seen = StatementTrace { span, recorded };
        seen.answered(began, sent.as_ref().map(C::documents));
        Ok((sent?, seen))
    }

    /// Adds the handle's time limit and comment to a read.
    fn with_read_limit<C: Command>(&self, mut command: C) -> C {
        if let Some(read_limit) = self.odm.read_limit() {
            command.limit((read_limit.left(), read_limit.comment));
        }
        command
    }

    /// Waits for the reply to a read, but only slightly longer than the server's time limit. Otherwise a lost
    /// connection could block the read for much longer.
    pub(super) async fn within_read_limit<T>(
        &self,
        sent: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        /// Extra time for the network.
        const WAY: Duration = Duration::from_millis(500);
        let Some(read_limit) = self.odm.read_limit() else {
            return sent.await;
        };
        let began = Instant::now();
        match tokio::time::timeout_at((read_limit.end + WAY).into(), sent).await {
            Ok(answer) => answer,
            Err(_) => Err(Unanswered(began.elapsed()).into()),
        }
    }

    pub(super) const fn origin(&self) -> StatementOrigin<'_> {
        StatementOrigin {
            odm: &self.odm,
            at: self.at,
            relation: self.relation,
        }
    }

    /// Changes the options of a query of the application so that the query finds everything that its handle has
    /// written. A transaction reads its own snapshot.
    pub(crate) fn read_latest(&self, options: &mut FindOptions) {
        if self.in_transaction() {
            return;
        }
        let database = &self.odm.databases().for_writes;
        options.selection_criteria = Some(ReadPreference::Primary.into());
        options.read_concern = database.read_concern().cloned();
    }

    /// Sends a command. A write runs in a task, so that dropping the future does not stop the driver in the middle of
    /// the write.
    async fn dispatch<C: Command>(&self, command: C) -> Result<C::Reply> {
        if let Some(tx) = &self.tx {
            return tx.send(command, self.in_task).await;
        }
        let databases = self.odm.databases();
        let is_read_of_caller = self.at.is_some() && !self.in_task;
        let database = if is_read_of_caller {
            databases.for_reads.clone()
        } else {
            databases.for_writes.clone()
        };
        let causal = self.odm.causal_time().cloned();
        let sent = async move {
            Ok(match causal {
                Some(time) => send_after(&time, command, &database).await?,
                None => command.send(&database, None).await?,
            })
        };
        if C::READS || self.in_task {
            return sent.await;
        }
        join_task(tokio::spawn(in_caller_context(sent)).await)
    }

    /// Inserts documents. Sends nothing if there are none.
    pub(crate) async fn insert_all(&self, place: Place, rows: Rows) -> Result<()> {
        if rows.len() > 0 {
            self.send(InsertCommand::new(place, rows)).await?;
        }
        Ok(())
    }

    /// Sends updates to one collection, up to 1,000 in each command. Returns the sums of their counts.
    ///
    /// # Errors
    ///
    /// Fails with the first error that the server reports, even if the error concerns a single update.
    pub(crate) async fn send_all(&self, updates: &[UpdateCommand]) -> Result<Updated> {
        let mut all = Updated::default();
        for command in BulkWriteCommand::of_updates(updates) {
            let done = self.send(command).await?;
            all.matched += done.matched;
            all.modified += done.modified;
        }
        Ok(all)
    }

    /// Rejects a call inside `tx.run` of the same transaction, because such a call would wait for itself. A caller that
    /// starts another task must call this function first, because the new task cannot detect that it runs inside
    /// `tx.run`.
    pub(crate) fn refuse_within_run(&self) -> Result<()> {
        self.tx.as_ref().map_or(Ok(()), Tx::refuse_within_run)
    }

    /// Returns the plan for a single read.
    pub(crate) fn plan_read<C: Command>(&self, read: C) -> Result<Plan> {
        self.plan_reads([read])
    }

    /// Returns the plan for several reads.
    pub(crate) fn plan_reads<C: Command>(
        &self,
        reads: impl IntoIterator<Item = C>,
    ) -> Result<Plan> {
        let statement = |read: C| {
            let read = self.checked(read)?;
            Ok(read.scoped(self.in_transaction()).planned())
        };
        let statements = reads.into_iter().map(statement).collect::<Result<_>>()?;
        Ok(Plan { statements })
    }

    /// Sets the tenant of a statement, and rejects options and filters that the statement cannot have.
    fn checked<C: Command>(&self, mut command: C) -> Result<C> {
        command.place_mut().resolve_tenant(self.odm.tenancy())?;
        if let Some(search) = command.search() {
            command
                .place()
                .refuse_search_of_all_tenants(&search.filter)?;
        }
        match command.outside_transactions() {
            Some(option) if self.in_transaction() => Err(rejected_in_transaction(option)),
            _ => Ok(command),
        }
    }

    fn paper(&self) -> Option<std::sync::MutexGuard<'_, Paper>> {
        let paper = self.paper.as_ref()?;
        Some(paper.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a note to the next statement of a plan.
    pub(crate) fn note(&self, note: impl FnOnce() -> String) {
        if let Some(mut paper) = self.paper() {
            paper.note(note());
        }
    }

    /// Marks the next statement of a plan, so that an estimate counts the documents that the statement matches.
    pub(crate) fn count_next(&self) {
        if let Some(mut paper) = self.paper() {
            paper.count_next();
        }
    }
}

/// Returns the error for an option that can be set only for a whole transaction.
fn rejected_in_transaction(option: &str) -> Error {
    Error::invalid(format!(
        "a transaction has no `{option}` of single statements: all read one snapshot of the primary that a majority \
         has, and the commit waits for a majority; remove it, or send the statement outside, with `tx.odm()`"
    ))
}
