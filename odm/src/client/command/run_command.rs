//! The command `hello`, and all other commands that are sent by name.

use mongodb::{
    Database,
    bson::{Document, doc},
};

use super::{Command, Paper, Sending, Session, mongosh_options::millis, shared_methods::at_place};
use crate::client::{place::Place, plan::Statement};

/// A command for the server or the database, identified by its name.
#[derive(Clone, Debug)]
pub(crate) struct RunCommand {
    place: Place,
    name: &'static str,
    command: Document,
}

impl RunCommand {
    /// Returns a command with the given name.
    pub(crate) fn command(name: &'static str, command: Document) -> Self {
        Self {
            place: Place::database(),
            name,
            command,
        }
    }

    /// Returns a `hello`. The reply to this command shows whether the server is standalone.
    pub(crate) fn hello() -> Self {
        Self::command("hello", doc! { "hello": 1 })
    }
}

impl Command for RunCommand {
    type Reply = Document;

    const NAME: &'static str = "hello";

    const READS: bool = true;

    fn name(&self) -> &'static str {
        self.name
    }

    at_place!();

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, Document> {
        Box::pin(async move { database.run_command(self.command).await })
    }

    fn limit(&mut self, (time, comment): super::Limit) {
        self.command.insert("maxTimeMS", millis(time));
        self.command.insert("comment", comment);
    }

    fn assume(&self, _: &mut Paper) -> Document {
        Document::new()
    }

    fn statement(&self) -> Statement {
        Statement::on("", "runCommand").argument(self.command.clone())
    }
}
