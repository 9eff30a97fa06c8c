//! The targets of statements: the database, a transaction, or paper.
//!
//! Each `Exec` knows the line of the call that it was made for (`Exec::at`) and, for a load or a join, the relation. So
//! an observed statement (`client::odm::observed_statement`), a count (`stats`) and a warning (`slow_statements`) report the same
//! place.

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

/// What runs the statements of a builder.
#[derive(Clone, Debug)]
pub struct Exec {
    odm: Odm,
    tx: Option<Tx>,
    /// Where statements are noted instead of being sent.
    paper: Option<Arc<Mutex<Paper>>>,
    /// Whether a transaction on paper has begun.
    on_paper_in_transaction: bool,
    /// Whether all of this runs in a task that nobody drops.
    in_task: bool,
    /// The line of the application that asked for it; none for what the library does by itself.
    at: Option<&'static Location<'static>>,
    /// The relation that is followed.
    relation: Option<&'static str>,
}

impl Exec {
    /// Runs each statement by itself.
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

    /// Says which line of the application asks for it.
    pub(super) const fn called_at(mut self, at: &'static Location<'static>) -> Self {
        self.at = Some(at);
        self
    }

    /// Says which relation is followed.
    pub(crate) const fn for_relation(mut self, relation: &'static str) -> Self {
        self.relation = Some(relation);
        self
    }

    /// Returns the relation that is followed.
    pub(crate) const fn relation(&self) -> Option<&'static str> {
        self.relation
    }

    /// Returns the line of the application that asks for it; none for what the library does by itself.
    pub(crate) const fn caller(&self) -> Option<&'static Location<'static>> {
        self.at
    }

    /// Runs statements as parts of a transaction of the library's own, for the same call of the application.
    fn in_transaction_of_its_own(&self, tx: Tx) -> Self {
        Self {
            at: self.at,
            relation: self.relation,
            ..Self::within(tx)
        }
    }

    /// Runs statements as parts of a transaction.
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

    /// Sends a statement, or notes it.
    pub(crate) async fn send<C: Command>(&self, command: C) -> Result<C::Reply> {
        // Boxed: the options of a statement are large, and the futures of those who send it stay small.
        Ok(Box::pin(self.send_seen(command)).await?.0)
    }

    /// Sends a statement, or notes it; returns beside the reply who sees it.
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
        let command = self.limited(command);
        let name = command.name();
        let span = trace::statement(command.place().name(), name);
        let recorded = self
            .origin()
            .note(name, command.place(), || command.statement());
        let began = Instant::now();
        let place = command.place().clone();
        let sent = self.answered(self.dispatch(command));
        let sent = sent.instrument(span.clone()).await;
        let failed = || place.failed(name);
        let sent = sent.map_err(|error| error.during(failed, began.elapsed()));
        let seen = StatementTrace { span, recorded };
        seen.answered(began, sent.as_ref().map(C::documents));
        Ok((sent?, seen))
    }

    /// Gives a read the time limit and the comment of the question that it belongs to.
    fn limited<C: Command>(&self, mut command: C) -> C {
        if let Some(read_limit) = self.odm.read_limit() {
            command.limit((read_limit.left(), read_limit.comment));
        }
        command
    }

    /// Waits for the answer to a read of a question a little longer than the server is told to work on it.
    pub(super) async fn answered<T>(&self, sent: impl Future<Output = Result<T>>) -> Result<T> {
        /// What the way there and back may take.
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

    /// What is not a mere read runs in a task: dropping our future never stops the driver in the middle of
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

    /// Sends updates of one collection, up to 1,000 in each command; returns what they did together.
    ///
    /// # Errors
    ///
    /// What the server reports, also about one of them.
    pub(crate) async fn send_all(&self, updates: &[UpdateCommand]) -> Result<Updated> {
        let mut all = Updated::default();
        for command in BulkUpdateCommand::of(updates) {
            let done = self.send(command).await?;
            all.matched += done.matched;
            all.modified += done.modified;
        }
        Ok(all)
    }

    /// Runs a write as one task: however its caller is dropped, it is done as a whole or not at all. In a
    /// transaction, writes run one after the other, as wholes.
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

    /// Refuses what would wait for itself to end. Whoever hands statements to another task asks before: that
    /// one does not know.
    pub(crate) fn refuse_within_run(&self) -> Result<()> {
        self.tx.as_ref().map_or(Ok(()), Tx::refuse_within_run)
    }

    /// Refuses a write concern in the transaction of a user, whose commit waits for all writes together.
    fn refuse_concern<W: Write>(&self, write: &W) -> Result<()> {
        match write.write_concern() {
            Some(_) if self.tx.is_some() => Err(once_for_all("write_concern")),
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
            Some(option) if self.in_transaction() => Err(once_for_all(option)),
            _ => Ok(()),
        }
    }

    /// Runs a write on paper, and returns what it would send.
    pub(crate) fn plan<W: Write>(self, write: W) -> Result<Plan> {
        self.refuse_concern(&write)?;
        let paper = Arc::new(Mutex::new(Paper::default()));
        let exec = Self {
            on_paper_in_transaction: self.tx.is_some(),
            paper: Some(Arc::clone(&paper)),
            tx: None,
            ..self
        };
        // Nothing is waited for on paper.
        let Some(done) = write.run(exec).now_or_never() else {
            return Err(Error::invalid("this write cannot be planned".to_owned()));
        };
        done?;
        let paper = std::mem::take(&mut *paper.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Plan {
            statements: paper.into_statements(),
        })
    }

    /// Runs a write in a transaction that is rolled back.
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

    /// Says something of the next statement, in a plan.
    pub(crate) fn note(&self, note: impl FnOnce() -> String) {
        if let Some(mut paper) = self.paper() {
            paper.note(note());
        }
    }

    /// Makes the next statement of a plan one whose documents can be counted.
    pub(crate) fn count_next(&self) {
        if let Some(mut paper) = self.paper() {
            paper.count_next();
        }
    }

    /// Runs statements that belong together: in the running transaction, or in one of their own.
    ///
    /// One of their own is a task as a whole: dropping our future does not stop it, no more than it stops
    /// a single statement.
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

    /// Runs statements that belong together: as [`transact`](Self::transact) does, and one after the
    /// other on a standalone server, which has no transactions.
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

    /// Asks once whether the server is a standalone one. A plan asks nothing, and takes it for a replica set
    /// until a write has asked.
    pub(crate) async fn is_on_standalone(&self) -> Result<bool> {
        if self.is_paper() {
            return Ok(self.odm.is_standalone());
        }
        Ok(!self.odm.has_transactions().await?)
    }

    /// Makes a transaction end with an abort, whatever its closure returns.
    pub(crate) fn poison(&self, why: &Error) {
        if let Some(tx) = &self.tx {
            tx.poison(why);
        }
    }

    /// Makes a transaction be tried again with its copies left to jobs.
    pub(crate) fn refuse_copies(&self) {
        if let Some(tx) = &self.tx {
            tx.refuse_copies();
        }
    }

    /// Whether the copies of a write are left to jobs, because they cannot all be written.
    pub(crate) fn defers_copies(&self) -> bool {
        self.tx.as_ref().is_some_and(Tx::defers_copies)
    }
}

/// Says that an option of one statement is one of the whole transaction.
fn once_for_all(option: &str) -> Error {
    Error::invalid(format!(
        "a transaction has no `{option}` of single statements: all read one snapshot of the primary that a majority \
         has, and the commit waits for a majority; remove it, or send the statement outside, with `tx.odm()`"
    ))
}

impl Odm {
    /// Waits until no write of this handle and its clones is under way, nor the end of a transaction. Sends
    /// nothing.
    ///
    /// A write goes on when its caller is dropped, by a timeout or a closed request, and ends with the
    /// program. Call this before the program ends, so that each is done as a whole by this program, and not
    /// by a job later.
    pub async fn finish_writes(&self) {
        let writes = self.deployment().shared::<TaskTracker>();
        writes.close();
        writes.wait().await;
    }
}

/// A write with all that follows it: it can be run, planned and tried, always the same one.
pub(crate) trait Write: Clone + Send + Sync + 'static {
    /// What is told of it.
    type Report: Send + 'static;

    /// Returns the model that is written.
    fn model(&self) -> &'static ModelShape;

    /// Returns what its caller wants to wait for.
    fn write_concern(&self) -> Option<&WriteConcern>;

    /// Runs it.
    fn run(self, exec: Exec) -> BoxFuture<'static, Result<Self::Report>>;
}
