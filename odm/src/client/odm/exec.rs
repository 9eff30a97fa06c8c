//! Exec: the place of execution of statements, which is the database, a transaction, or paper.
//!
//! Each `Exec` knows the source line of the call that it was made for (`Exec::at`) and, for a load or a join, the
//! relation. So an observed statement (`client::odm::observed_statement`), a count (`stats`) and a warning
//! (`slow_statements`) report the same line.

use std::{
    panic::Location,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::options::WriteConcern;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::{
    Odm, Settings, Tx,
    detached_task::{in_caller_context, join_task},
    observed_statement::StatementOrigin,
    trace::{self, StatementTrace},
};
use crate::{
    client::{
        command::{BulkUpdateCommand, Command, Paper, UpdateCommand, Updated},
        plan::Plan,
    },
    error::{Error, Result, Unanswered},
    model::shape::ModelShape,
};

/// Runs the statements of a builder.
#[derive(Clone, Debug)]
pub struct Exec {
    odm: Odm,
    tx: Option<Tx>,
    /// Records statements instead of sending them.
    paper: Option<Arc<Mutex<Paper>>>,
    /// Whether the plan is inside a transaction.
    on_paper_in_transaction: bool,
    /// Whether the caller is a task that is never dropped.
    in_task: bool,
    /// The source line of the call; none for statements that the library sends by itself.
    at: Option<&'static Location<'static>>,
    /// The relation of a load or a join.
    relation: Option<&'static str>,
}

impl Exec {
    /// Returns an exec that sends each statement outside of transactions.
    pub(crate) const fn on(odm: Odm) -> Self {
        Self {
            odm,
            tx: None,
            paper: None,
            on_paper_in_transaction: false,
            in_task: false,
            at: None,
            relation: None,
        }
    }

    /// Sets the source line of the call.
    pub(super) const fn called_at(mut self, at: &'static Location<'static>) -> Self {
        self.at = Some(at);
        self
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

    /// Returns the source line of the call; none for statements that the library sends by itself.
    pub(crate) const fn caller(&self) -> Option<&'static Location<'static>> {
        self.at
    }

    /// Returns an exec inside a transaction that the library has started for the same call.
    fn in_transaction_of_its_own(&self, tx: Tx) -> Self {
        Self {
            at: self.at,
            relation: self.relation,
            ..Self::within(tx)
        }
    }

    /// Returns an exec inside a transaction.
    pub(crate) fn within(tx: Tx) -> Self {
        let outside = Self::on(tx.odm().clone());
        Self {
            tx: Some(tx),
            ..outside
        }
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

    pub(crate) const fn in_transaction(&self) -> bool {
        self.tx.is_some() || self.on_paper_in_transaction
    }

    pub(crate) const fn is_paper(&self) -> bool {
        self.paper.is_some()
    }

    /// Sends a statement; a plan records it.
    pub(crate) async fn send<C: Command>(&self, command: C) -> Result<C::Reply> {
        // Boxed, because the options of a statement are large. So the futures of callers stay small.
        Ok(Box::pin(self.send_seen(command)).await?.0)
    }

    /// Sends a statement, or records it for a plan. Returns the reply with the trace of the statement.
    pub(super) async fn send_seen<C: Command>(
        &self,
        command: C,
    ) -> Result<(C::Reply, StatementTrace)> {
        self.refuse_option(&command)?;
        self.check_index(&command);
        let command = command.scoped(self.in_transaction());
        if let Some(mut paper) = self.paper() {
            paper.record(&command);
            return Ok((command.assume(&mut paper), StatementTrace::default()));
        }
        let command = self.with_read_limit(command);
        let name = command.name();
        let span = trace::statement_span(command.place().name(), name);
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

    /// Adds the time limit and the comment of the handle to a read.
    fn with_read_limit<C: Command>(&self, mut command: C) -> C {
        if let Some(read_limit) = self.odm.read_limit() {
            command.limit((read_limit.left(), read_limit.comment));
        }
        command
    }

    /// Waits for the reply of a read with a time limit, a little longer than the limit of the server. Without this, a
    /// lost connection would block the read for longer than its limit.
    pub(super) async fn within_read_limit<T>(
        &self,
        sent: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        /// Time for the network.
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

    /// Sends a command. A write runs in a task, so that dropping the future does not stop the driver in the middle of
    /// it.
    async fn dispatch<C: Command>(&self, command: C) -> Result<C::Reply> {
        if let Some(tx) = &self.tx {
            return tx.send(command, self.in_task).await;
        }
        let database = self.odm.database().clone();
        let sent = async move { Ok(command.send(&database, None).await?) };
        if C::READS || self.in_task {
            return sent.await;
        }
        join_task(tokio::spawn(in_caller_context(sent)).await)
    }

    /// Sends updates of one collection, up to 1,000 in each command. Returns their counts together.
    ///
    /// # Errors
    ///
    /// The first error of the server, also for a single update.
    pub(crate) async fn send_all(&self, updates: &[UpdateCommand]) -> Result<Updated> {
        let mut all = Updated::default();
        for command in BulkUpdateCommand::split(updates) {
            let done = self.send(command).await?;
            all.matched += done.matched;
            all.modified += done.modified;
        }
        Ok(all)
    }

    /// Runs a write as one task. If its caller is dropped, the write still runs to its end. In a transaction, writes
    /// run one after the other.
    pub(crate) async fn write<W: Write>(self, write: W) -> Result<W::Report> {
        self.refuse_within_run()?;
        self.refuse_concern(&write)?;
        let exec = Self {
            in_task: true,
            ..self
        };
        let writes = exec.odm.deployment().shared::<TaskTracker>();
        let whole = async move {
            match exec.tx.clone() {
                None => write.run(exec).await,
                Some(tx) => tx.in_turn(write.run(exec)).await,
            }
        };
        join_task(writes.spawn(in_caller_context(whole)).await)
    }

    /// Rejects a call that would wait for itself. Callers that start another task check this before, because the new
    /// task does not know that it is inside `tx.run`.
    pub(crate) fn refuse_within_run(&self) -> Result<()> {
        self.tx.as_ref().map_or(Ok(()), Tx::refuse_within_run)
    }

    /// Rejects a write concern in a transaction of the application, whose commit waits for all writes together.
    fn refuse_concern<W: Write>(&self, write: &W) -> Result<()> {
        match write.write_concern() {
            Some(_) if self.tx.is_some() => Err(rejected_in_transaction("write_concern")),
            _ => Ok(()),
        }
    }

    /// Returns the plan of a single read.
    pub(crate) fn plan_read<C: Command>(&self, read: C) -> Result<Plan> {
        self.plan_reads([read])
    }

    /// Returns the plan of some reads.
    pub(crate) fn plan_reads<C: Command>(
        &self,
        reads: impl IntoIterator<Item = C>,
    ) -> Result<Plan> {
        let statement = |read: C| {
            self.refuse_option(&read)?;
            Ok(read.scoped(self.in_transaction()).statement())
        };
        let statements = reads.into_iter().map(statement).collect::<Result<_>>()?;
        Ok(Plan { statements })
    }

    fn refuse_option<C: Command>(&self, command: &C) -> Result<()> {
        match command.outside_transactions() {
            Some(option) if self.in_transaction() => Err(rejected_in_transaction(option)),
            _ => Ok(()),
        }
    }

    /// Returns the statements that a write would send.
    pub(crate) fn plan<W: Write>(self, write: W) -> Result<Plan> {
        self.refuse_concern(&write)?;
        let paper = Arc::new(Mutex::new(Paper::default()));
        let exec = Self {
            on_paper_in_transaction: self.tx.is_some(),
            paper: Some(Arc::clone(&paper)),
            tx: None,
            ..self
        };
        // Paper never waits, so the future is ready at the first poll.
        let Some(done) = write.run(exec).now_or_never() else {
            return Err(Error::invalid("this write cannot be planned".to_owned()));
        };
        done?;
        let paper = std::mem::take(&mut *paper.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Plan {
            statements: paper.into_statements(),
        })
    }

    /// Runs a write in a transaction, and rolls it back.
    pub(crate) async fn dry_run<W: Write>(self, write: W) -> Result<W::Report> {
        if self.in_transaction() {
            return Err(Error::invalid(
                "a dry run is rolled back, and this transaction with it; use the handle of the database, \
                 `tx.odm()`"
                    .to_owned(),
            ));
        }
        let odm = self.odm.clone();
        let whole = async move {
            odm.roll_back(|tx| write.clone().run(self.in_transaction_of_its_own(tx)))
                .await
        };
        join_task(tokio::spawn(in_caller_context(whole)).await)
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

    /// Marks the next statement of a plan: an estimate counts its documents.
    pub(crate) fn count_next(&self) {
        if let Some(mut paper) = self.paper() {
            paper.count_next();
        }
    }

    /// Runs statements in one transaction: the current one, or a new one.
    ///
    /// A new transaction is one task. Dropping the future stops neither this task nor a single statement.
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
            odm.transaction_of_task(run).await
        };
        if self.in_task {
            return Box::pin(whole).await;
        }
        join_task(tokio::spawn(in_caller_context(whole)).await)
    }

    /// Runs statements in one transaction, as [`transact`](Self::transact) does. A standalone server has no
    /// transactions, so the statements run there one after the other.
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

    /// Returns whether the server is standalone. Asks the server once. A plan sends nothing, and assumes a replica set
    /// until the server was asked.
    pub(crate) async fn is_on_standalone(&self) -> Result<bool> {
        if self.is_paper() {
            return Ok(self.odm.is_standalone());
        }
        Ok(!self.odm.has_transactions().await?)
    }

    /// Makes the transaction abort, even if its closure returns `Ok`.
    pub(crate) fn poison(&self, why: &Error) {
        if let Some(tx) = &self.tx {
            tx.poison(why);
        }
    }

    /// Makes the transaction run again with its copies left to jobs.
    pub(crate) fn refuse_copies(&self) {
        if let Some(tx) = &self.tx {
            tx.refuse_copies();
        }
    }

    /// Whether copies are left to jobs, because not all of them can be written in the transaction.
    pub(crate) fn defers_copies(&self) -> bool {
        self.tx.as_ref().is_some_and(Tx::defers_copies)
    }
}

/// Returns the error for an option that only a whole transaction can have.
fn rejected_in_transaction(option: &str) -> Error {
    Error::invalid(format!(
        "a transaction has no `{option}` of single statements: all read one snapshot of the primary that a majority \
         has, and the commit waits for a majority; remove it, or send the statement outside, with `tx.odm()`"
    ))
}

impl Odm {
    /// Waits until all writes of this handle and its clones have ended, and all transactions that are being committed.
    ///
    /// A write continues when its caller is dropped, for instance by a timeout or a closed request, and stops when the
    /// program ends. Call this method before the program ends, so that this program completes its writes. Otherwise
    /// jobs complete them later.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) {
    /// odm.finish_writes().await;
    /// # }
    /// ```
    pub async fn finish_writes(&self) {
        let writes = self.deployment().shared::<TaskTracker>();
        writes.close();
        writes.wait().await;
    }
}

/// A write with the updates of dependent documents. The same value is run, planned, or run as a dry run.
pub(crate) trait Write: Clone + Send + Sync + 'static {
    /// The report of the write.
    type Report: Send + 'static;

    /// Returns the model of the written documents.
    fn model(&self) -> &'static ModelShape;

    /// Returns the write concern of the call.
    fn write_concern(&self) -> Option<&WriteConcern>;

    /// Runs the write.
    fn run(self, exec: Exec) -> BoxFuture<'static, Result<Self::Report>>;
}
