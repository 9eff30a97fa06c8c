//! Statements for the server: each is a value, sent in one place and printed in one place.
//!
//! 1. A builder, a copy or a job makes a value, for instance a `FindCommand` or a `BulkUpdateCommand`.
//! 2. `Command::scoped` adds the conditions that hold for all statements of a model (`client/place.rs`).
//! 3. `Exec::send` sends it, in a `tracing` span below the span of the operation. For a plan, it records the result of
//!    `Command::statement` instead, and `Command::assume` answers.
//!
//! Each type corresponds to a method of the driver, except `BulkUpdateCommand`, for which the driver has none.

mod aggregate;
mod bulk_update;
mod conditions;
mod count;
mod delete;
mod distinct;
mod find;
mod find_and_update;
mod index;
mod insert;
mod list_collections;
mod mongosh_options;
mod paper;
pub(crate) mod rejected_documents;
mod replace;
mod reply;
mod run_command;
mod search;
mod update;

use std::{fmt::Debug, time::Duration};

use futures_util::future::BoxFuture;
use mongodb::{
    ClientSession, Database,
    options::{ReadConcern, ReadPreference, SelectionCriteria},
};

pub(crate) use aggregate::AggregateCommand;
pub(crate) use bulk_update::BulkUpdateCommand;
pub(crate) use conditions::{and, simple};
pub(crate) use count::CountCommand;
pub(crate) use delete::DeleteCommand;
pub(crate) use distinct::DistinctCommand;
pub(crate) use find::{FindCommand, ServerCursor};
pub(crate) use find_and_update::FindAndUpdateCommand;
pub(crate) use index::{CreateIndexesCommand, DropIndexCommand, Index, ListIndexesCommand};
pub(crate) use insert::{InsertCommand, Rows};
pub(crate) use list_collections::ListCollectionsCommand;
pub(crate) use paper::{Paper, is_unknown, unknown};
pub(crate) use replace::ReplaceCommand;
pub(crate) use reply::number;
pub(crate) use run_command::RunCommand;
pub(crate) use search::Search;
pub(crate) use update::{UpdateCommand, Updated};

use super::{place::Place, plan::Statement};

/// The session of a transaction, if there is one.
pub(crate) type Session<'s> = Option<&'s mut ClientSession>;

/// A statement that is being sent.
pub(crate) type Sending<'s, T> = BoxFuture<'s, mongodb::error::Result<T>>;

/// How long the server may take for a read, and a comment for its profile.
pub(crate) type Limit = (Duration, &'static str);

/// One statement for the server.
pub(crate) trait Command: Clone + Debug + Send + 'static {
    /// What the server answers.
    type Reply: Send + 'static;

    /// The name of the server's command.
    const NAME: &'static str;

    /// Whether the driver can be stopped in the middle of it: a dropped read closes its connection and
    /// leaves nothing behind.
    const READS: bool = false;

    /// Returns how many documents an answer is about, where it says so at once.
    fn documents(_: &Self::Reply) -> Option<u64> {
        None
    }

    /// Returns the name of the server's command, where one type stands for several.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns where it goes.
    fn place(&self) -> &Place;

    /// Returns the statement with what its place adds to it: the kind, and the concerns where it stands by
    /// itself.
    fn scoped(self, in_transaction: bool) -> Self;

    /// Names an option of the statement that a transaction has once for all.
    fn outside_transactions(&self) -> Option<&'static str> {
        None
    }

    /// Returns what it looks for in the documents of a model, before it is scoped; none where it looks for nothing.
    fn search(&self) -> Option<Search<'_>> {
        None
    }

    /// Gives a read a limit of the time that the server may take, unless it has a shorter one, and a comment. A write has
    /// none: it is done as a whole.
    fn limit(&mut self, _: Limit) {}

    /// Sends it with the driver.
    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Self::Reply>;

    /// Shows it for mongosh.
    fn statement(&self) -> Statement;

    /// Answers it for a plan.
    fn assume(&self, paper: &mut Paper) -> Self::Reply;

    /// Shows it as it will be sent by itself.
    fn shown(self) -> Statement {
        self.scoped(false).statement()
    }
}

/// Names the option of a read that a transaction has once for all.
fn transaction_wide_option(
    concern: Option<&ReadConcern>,
    criteria: Option<&SelectionCriteria>,
) -> Option<&'static str> {
    const PRIMARY: SelectionCriteria = SelectionCriteria::ReadPreference(ReadPreference::Primary);
    let is_elsewhere = criteria.is_some_and(|criteria| *criteria != PRIMARY);
    let preference = is_elsewhere.then_some("read_preference");
    concern.map(|_| "read_concern").or(preference)
}

/// Gives the options of a read a time limit, unless they have a shorter one, and a comment.
macro_rules! limit {
    ($options:expr, $limit:expr) => {{
        let (options, (time, comment)) = (&mut $options, $limit);
        options.max_time = Some(options.max_time.map_or(time, |known| known.min(time)));
        options.comment.get_or_insert_with(|| comment.into());
    }};
}
use limit;

/// Awaits an action of the driver, in a session if there is one.
macro_rules! in_session {
    ($action:expr, $session:expr) => {{
        let action = $action;
        match $session {
            Some(session) => action.session(session).await,
            None => action.await,
        }
    }};
}
use in_session;
