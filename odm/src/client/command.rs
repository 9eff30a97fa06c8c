//! Statements for the server. Each statement is a value with two functions: one sends the statement, and the other
//! returns it in mongosh syntax.
//!
//! 1. A builder, a fan-out or a job creates such a value, for instance a `FindCommand` or a `BulkWriteCommand`.
//! 2. `Command::scoped` adds the conditions that all statements for a model contain (`client/place.rs`).
//! 3. `Exec::send` sends the statement in a `tracing` span, which is a child of the operation's span. For a plan, the
//!    result of `Command::statement` is recorded instead, and `Command::assume` returns an assumed reply.
//!
//! Each command type corresponds to a method of the driver. The exception is `BulkWriteCommand`, because the driver does
//! not have such a method.

mod aggregate;
mod bulk_write;
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
mod one_document;
mod paper;
pub(crate) mod rejected_documents;
mod replace;
mod reply;
mod run_command;
mod search;
mod shared_methods;
mod update;

use std::{fmt::Debug, time::Duration};

use futures_util::future::BoxFuture;
use mongodb::{
    ClientSession, Database,
    options::{ReadConcern, ReadPreference, SelectionCriteria},
};

pub(crate) use aggregate::AggregateCommand;
pub(crate) use bulk_write::{BulkWriteCommand, BulkWritten, SharedStatement};
pub(crate) use conditions::{and, has_array_as_id, simple};
pub(crate) use count::CountCommand;
pub(crate) use delete::DeleteCommand;
pub(crate) use distinct::DistinctCommand;
pub(crate) use find::{FindCommand, ServerCursor, batch_size_for, limit_of, skip_of};
pub(crate) use find_and_update::FindAndUpdateCommand;
pub(crate) use index::{CreateIndexesCommand, DropIndexCommand, Index, ListIndexesCommand};
pub(crate) use insert::{INSERT_BYTES, InsertCommand, Rows};
pub(crate) use list_collections::ListCollectionsCommand;
pub(crate) use one_document::{OneDocument, Target};
pub(crate) use paper::{Paper, is_unknown, unknown};
pub(crate) use replace::ReplaceCommand;
pub(crate) use reply::number;
pub(crate) use run_command::RunCommand;
pub(crate) use search::Search;
pub(crate) use update::{UpdateCommand, Updated};

use super::{
    place::{Place, Shards},
    plan::Statement,
};

/// The session of the transaction, or `None` outside of transactions.
pub(crate) type Session<'s> = Option<&'s mut ClientSession>;

/// The future of a statement that is being sent.
pub(crate) type Sending<'s, T> = BoxFuture<'s, mongodb::error::Result<T>>;

/// The server's time limit for a read, and a comment for the server's profile.
pub(crate) type Limit = (Duration, &'static str);

/// A statement for the server.
pub(crate) trait Command: Clone + Debug + Send + 'static {
    /// The reply of the server.
    type Reply: Send + 'static;

    /// The name of the server's command.
    const NAME: &'static str;

    /// Whether the statement's future can be dropped while the statement is being sent. The future of a read can be
    /// dropped, because a read does not change anything on the server, and the driver closes the connection.
    const READS: bool = false;

    /// Returns the number of documents that a reply contains or reports as changed, or `None` if the reply does not
    /// contain the number.
    fn documents(_: &Self::Reply) -> Option<u64> {
        None
    }

    /// Returns the name of the server's command. Types that can send different commands override this method.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns the place to which the statement is sent.
    fn place(&self) -> &Place;

    /// Returns mutable access to the place, so that the caller can set the tenant of the place.
    fn place_mut(&mut self) -> &mut Place;

    /// Returns the statement with the conditions and concerns that its place adds: the kind of the model and, outside
    /// of transactions, the read and write concern.
    fn scoped(self, in_transaction: bool) -> Self;

    /// Whether the statement has several parts that the server can carry out in any order.
    fn can_be_unordered(&self) -> bool {
        false
    }

    /// Allows the server to carry out the parts of the statement in any order. Transactions on a cluster use this
    /// method.
    fn unordered(self) -> Self {
        self
    }

    /// Returns the name of an option of this statement that can be set only for a whole transaction, or `None`.
    fn outside_transactions(&self) -> Option<&'static str> {
        None
    }

    /// Returns the filter and the sort of the statement before it is scoped, or `None` if the statement does not have a
    /// filter.
    fn search(&self) -> Option<Search<'_>> {
        None
    }

    /// Returns the shards to which a cluster sends the scoped statement, or `None` if the model does not declare a shard
    /// key.
    fn shards(&self) -> Option<Shards> {
        let search = self.search()?;
        self.place().shards(&search.filter, search.is_collated())
    }

    /// For a statement that changes at most one document, returns the filter and the values that a cluster requires in
    /// the filter. Returns `None` for other statements.
    fn one_document(&mut self) -> Option<OneDocument<'_, Self::Reply>> {
        None
    }

    /// Whether a reply shows that no document matched.
    fn is_unmatched(_: &Self::Reply) -> bool {
        false
    }

    /// Sets the time limit and the comment of a read. An existing comment is kept, and so is an existing shorter limit.
    /// Writes ignore this call, because a write must not stop before it is complete.
    fn limit(&mut self, _: Limit) {}

    /// Sends the statement with the driver.
    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Self::Reply>;

    /// Stores the session of the statement in a reply that needs the session to request further batches.
    fn keep_session(reply: Self::Reply, _: ClientSession) -> Self::Reply {
        reply
    }

    /// Returns the statement in mongosh syntax.
    fn statement(&self) -> Statement;

    /// Returns the reply that a plan assumes for this statement.
    fn assume(&self, paper: &mut Paper) -> Self::Reply;

    /// Returns the scoped statement in mongosh syntax, with a note about the shards of a sharded collection.
    fn planned(&self) -> Statement {
        let mut statement = self.statement();
        statement
            .notes
            .extend(self.shards().map(|it| it.to_string()));
        statement
    }

    /// Returns the statement in mongosh syntax, in the form in which it is sent outside of a transaction.
    fn shown(self) -> Statement {
        self.scoped(false).statement()
    }
}

/// Returns the name of an option of a read that can be set only for a whole transaction, or `None`.
fn transaction_wide_option(
    concern: Option<&ReadConcern>,
    criteria: Option<&SelectionCriteria>,
) -> Option<&'static str> {
    const PRIMARY: SelectionCriteria = SelectionCriteria::ReadPreference(ReadPreference::Primary);
    let is_elsewhere = criteria.is_some_and(|criteria| *criteria != PRIMARY);
    let preference = is_elsewhere.then_some("read_preference");
    concern.map(|_| "read_concern").or(preference)
}

/// Awaits a driver action, in the transaction's session if there is one.
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
