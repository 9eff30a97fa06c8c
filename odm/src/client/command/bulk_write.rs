//! `update` and `delete` commands that contain the statements of several operations.

use std::borrow::Cow;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
    error::{Error as DriverError, ErrorKind as DriverKind, InsertManyError},
    options::WriteConcern,
};

use super::{
    Command, DeleteCommand, Paper, Search, Sending, Session, has_array_as_id, in_session,
    mongosh_options::encoded, number, reply::refused, shared_methods::at_place,
    update::UpdateCommand,
};
use crate::{
    batches::{parts, size_of},
    client::{place::Place, plan::Statement},
    value::{codec::decode_value, path::equality_in},
};

/// A statement that can share a command with other statements of the same type at the same place.
#[derive(Clone, Debug)]
pub(crate) enum SharedStatement {
    Update(Box<UpdateCommand>),
    Delete(Box<DeleteCommand>),
}

impl From<UpdateCommand> for SharedStatement {
    fn from(update: UpdateCommand) -> Self {
        Self::Update(Box::new(update))
    }
}

impl From<DeleteCommand> for SharedStatement {
    fn from(delete: DeleteCommand) -> Self {
        Self::Delete(Box::new(delete))
    }
}

impl SharedStatement {
    /// Whether the statement has only options that apply to a single statement. All other options apply to the whole
    /// command, so they would also affect its other statements.
    pub(crate) fn is_shareable(&self) -> bool {
        match self {
            Self::Update(update) => {
                let options = &update.options;
                options.let_vars.is_none()
                    && options.comment.is_none()
                    && options.write_concern.is_none()
                    && options.bypass_document_validation.is_none()
                    && options.sort.is_none()
            }
            Self::Delete(delete) => {
                let options = &delete.options;
                options.let_vars.is_none()
                    && options.comment.is_none()
                    && options.write_concern.is_none()
            }
        }
    }

    fn place(&self) -> &Place {
        match self {
            Self::Update(update) => &update.place,
            Self::Delete(delete) => &delete.place,
        }
    }

    /// Returns the `_id` that the filter requires by equality.
    pub(crate) fn id(&self) -> Option<&Bson> {
        equality_in(self.matched().1, "_id")
    }

    /// Returns the place and the filter.
    pub(crate) fn matched(&self) -> (&Place, &Document) {
        match self {
            Self::Update(update) => (&update.place, &update.filter),
            Self::Delete(delete) => (&delete.place, &delete.filter),
        }
    }

    /// Whether the statement changes at most one document, which its filter does not find by the `_id`.
    pub(crate) fn finds_one_without_id(&self) -> bool {
        !self.is_many() && self.id().is_none()
    }

    fn is_many(&self) -> bool {
        match self {
            Self::Update(update) => update.many,
            Self::Delete(delete) => delete.many,
        }
    }

    fn filter_mut(&mut self) -> &mut Document {
        match self {
            Self::Update(update) => &mut update.filter,
            Self::Delete(delete) => &mut delete.filter,
        }
    }

    fn in_command(&self) -> Document {
        match self {
            Self::Update(update) => update.in_command(),
            Self::Delete(delete) => delete.in_command(),
        }
    }
}

/// Several statements in one command: either only updates or only deletes. All statements apply to documents at the
/// same place.
#[derive(Clone, Debug)]
pub(crate) struct BulkWriteCommand {
    place: Place,
    statements: Vec<SharedStatement>,
    ordered: bool,
    in_transaction: bool,
    write_concern: Option<WriteConcern>,
    errors: Errors,
}

/// How a command reports the statements that the server rejects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    /// The reply contains the error of each rejected statement.
    InReply,
    /// The command fails with all errors. Commands in a transaction use this variant, because any rejected statement
    /// ends the transaction.
    Fail,
    /// The command fails with the first error, in the form in which a single statement would report it.
    First,
}

/// The largest number of statements in one command.
pub(crate) const STATEMENTS_PER_COMMAND: usize = 1_000;

/// The counts in the reply to a command that contains several statements.
#[derive(Debug, Default)]
pub(crate) struct BulkWritten {
    /// Number of documents that matched an update, or that were deleted.
    pub(crate) matched: u64,
    pub(crate) modified: u64,
    /// The ids of inserted documents, with the positions of their statements.
    pub(crate) upserted: Vec<(usize, Bson)>,
    /// The driver's error, which contains the position of each rejected statement.
    pub(crate) rejected: Option<DriverError>,
}

impl BulkWritten {
    /// Returns the number of documents that were matched, inserted or deleted.
    pub(crate) const fn found(&self) -> u64 {
        self.matched + self.upserted.len() as u64
    }
}

impl BulkWriteCommand {
    /// Splits statements into commands that do not exceed the server's limits.
    pub(crate) fn split(statements: &[SharedStatement], ordered: bool) -> Vec<Self> {
        let size = |statement: &SharedStatement| statement.in_command().values().map(size_of).sum();
        let parts = parts(statements, STATEMENTS_PER_COMMAND, size).filter_map(|statements| {
            Some(Self {
                place: statements.first()?.place().clone().of_command(),
                statements: statements.to_vec(),
                ordered,
                in_transaction: false,
                write_concern: None,
                errors: Errors::InReply,
            })
        });
        parts.collect()
    }

    /// Splits updates into commands that fail with the first error. Leaves out updates that cannot have an effect,
    /// because their filter requires an array as the `_id` and they are not upserts.
    pub(crate) fn of_updates(updates: &[UpdateCommand]) -> Vec<Self> {
        let is_upsert = |update: &UpdateCommand| update.options.upsert == Some(true);
        let has_effect = |it: &&UpdateCommand| is_upsert(it) || !has_array_as_id(&it.filter);
        let updates = updates.iter().filter(has_effect).cloned();
        let statements: Vec<_> = updates.map(Into::into).collect();
        let commands = Self::split(&statements, true).into_iter();
        commands
            .map(|command| Self {
                errors: Errors::First,
                ..command
            })
            .collect()
    }

    /// Returns the number of statements.
    pub(crate) fn len(&self) -> usize {
        self.statements.len()
    }

    /// Returns the maximum number of documents that the statements can match, or `None` if a statement can match any
    /// number.
    pub(crate) fn most_matched(&self) -> Option<u64> {
        let has_many = self.statements.iter().any(SharedStatement::is_many);
        (!has_many).then_some(self.statements.len() as u64)
    }

    fn command(&self) -> Document {
        let statements: Vec<Document> = self
            .statements
            .iter()
            .map(SharedStatement::in_command)
            .collect();
        let is_delete = matches!(self.statements.first(), Some(SharedStatement::Delete(_)));
        let mut command = if is_delete {
            doc! { "delete": self.place.name(), "deletes": statements }
        } else {
            doc! { "update": self.place.name(), "updates": statements }
        };
        if !self.ordered {
            command.insert("ordered", false);
        }
        // All statements in a command have the same value for this option, so the first statement determines it.
        if let Some(SharedStatement::Update(first)) = self.statements.first()
            && let Some(bypass) = first.options.bypass_document_validation
        {
            command.insert("bypassDocumentValidation", bypass);
        }
        if let Some(concern) = &self.write_concern {
            command.insert("writeConcern", encoded(concern));
        }
        command
    }

    fn written(&self, reply: &Document) -> mongodb::error::Result<BulkWritten> {
        if self.errors == Errors::First {
            refused(reply)?;
        }
        let rejected = rejected(reply)?;
        if let Some(error) = rejected.clone().filter(|_| self.errors == Errors::Fail) {
            return Err(error);
        }
        let inserted = reply.get_array("upserted").into_iter().flatten();
        let inserted = inserted.filter_map(Bson::as_document);
        let upserted = inserted.filter_map(|it| {
            let at = usize::try_from(number(it, "index")).ok()?;
            Some((at, it.get("_id")?.clone()))
        });
        let upserted: Vec<_> = upserted.collect();
        Ok(BulkWritten {
            matched: number(reply, "n").saturating_sub(upserted.len() as u64),
            modified: number(reply, "nModified"),
            upserted,
            rejected,
        })
    }
}

/// Returns the driver's error for the statements that the server has rejected. The driver does not have an error for a
/// command with several updates, so the function returns the error for an `insert` of several documents.
fn rejected(reply: &Document) -> mongodb::error::Result<Option<DriverError>> {
    if !reply.contains_key("writeErrors") && !reply.contains_key("writeConcernError") {
        return Ok(None);
    }
    let many: InsertManyError =
        decode_value(Bson::Document(reply.clone())).map_err(DriverError::custom)?;
    Ok(Some(DriverKind::InsertMany(many).into()))
}

impl Command for BulkWriteCommand {
    type Reply = BulkWritten;

    const NAME: &'static str = "update";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(reply.found())
    }

    fn name(&self) -> &'static str {
        match self.statements.first() {
            Some(SharedStatement::Delete(_)) => "delete",
            _ => Self::NAME,
        }
    }

    at_place!();

    fn scoped(mut self, in_transaction: bool) -> Self {
        let concern = &mut self.write_concern;
        self.place.write_safely(in_transaction, concern);
        for statement in &mut self.statements {
            let place = statement.place().in_command(&self.place);
            let filter = statement.filter_mut();
            *filter = place.scope(std::mem::take(filter));
        }
        self.in_transaction = in_transaction;
        if in_transaction {
            // The server ends the transaction at the first rejected statement.
            self.ordered = true;
            if self.errors == Errors::InReply {
                self.errors = Errors::Fail;
            }
        }
        self
    }

    /// Returns the filter of the first statement.
    fn search(&self) -> Option<Search<'_>> {
        let first = self.statements.first()?;
        let search = match first {
            SharedStatement::Update(update) => update.search(),
            SharedStatement::Delete(delete) => delete.search(),
        };
        let place = first.place().in_command(&self.place);
        Some(search?.at(Cow::Owned(place)))
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, BulkWritten> {
        let mut command = self.command();
        // The write concern of the database is added here, because `run_command` does not use it. In a transaction,
        // only the commit may have a write concern.
        let concern = database.write_concern().filter(|_| !self.in_transaction);
        if let (None, Some(concern)) = (&self.write_concern, concern) {
            command.insert("writeConcern", encoded(concern));
        }
        Box::pin(async move {
            let reply = in_session!(database.run_command(command), session)?;
            self.written(&reply)
        })
    }

    fn assume(&self, paper: &mut Paper) -> BulkWritten {
        let matched = self.statements.iter().map(|statement| match statement {
            SharedStatement::Update(update) => update.assume(paper).matched,
            SharedStatement::Delete(delete) => delete.assume(paper),
        });
        let matched = matched.sum();
        BulkWritten {
            matched,
            modified: matched,
            ..BulkWritten::default()
        }
    }

    fn statement(&self) -> Statement {
        Statement::on("", "runCommand").argument(self.command())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(errors: Errors) -> BulkWriteCommand {
        let delete = DeleteCommand::one(Place::whole_collection("parts"), doc! { "_id": 1 });
        let mut commands = BulkWriteCommand::split(&[delete.into()], false);
        let mut command = commands.remove(0);
        command.errors = errors;
        command
    }

    #[test]
    fn a_reply_contains_the_counts_and_the_position_of_each_rejected_statement() {
        let reply = doc! {
            "ok": 1, "n": 3, "nModified": 1,
            "upserted": [{ "index": 2, "_id": 7 }],
            "writeErrors": [{ "index": 1, "code": 11000, "errmsg": "E11000 duplicate key" }],
        };
        let written = command(Errors::InReply).written(&reply).unwrap();
        assert_eq!((written.matched, written.modified), (2, 1));
        assert_eq!(written.upserted, [(2, Bson::Int32(7))]);
        let error = crate::Error::from(written.rejected.unwrap());
        let positions = super::super::rejected_documents::positions(&error);
        assert_eq!(positions.into_iter().collect::<Vec<_>>(), [1]);
        // In a transaction, the command fails.
        for errors in [Errors::Fail, Errors::First] {
            let error = crate::Error::from(command(errors).written(&reply).unwrap_err());
            assert_eq!(error.server_code(), Some(11000));
        }
    }
}
