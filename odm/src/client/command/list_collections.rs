//! The command `listCollections`.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
    results::CollectionSpecification,
};

use super::{Command, Paper, Sending, Session, mongosh_options::millis, shared_methods::at_place};
use crate::client::{place::Place, plan::Statement};

/// A query for the collections and views in the database.
#[derive(Clone, Debug)]
pub(crate) struct ListCollectionsCommand {
    place: Place,
    limit: Option<super::Limit>,
}

impl ListCollectionsCommand {
    pub(crate) fn new() -> Self {
        Self {
            place: Place::database(),
            limit: None,
        }
    }

    fn command(&self) -> Document {
        let mut command = doc! { "listCollections": 1 };
        if let Some((time, comment)) = self.limit {
            command.insert("maxTimeMS", millis(time));
            command.insert("comment", comment);
        }
        command
    }
}

impl Command for ListCollectionsCommand {
    type Reply = Vec<CollectionSpecification>;

    const NAME: &'static str = "listCollections";

    const READS: bool = true;

    at_place!();

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, Self::Reply> {
        Box::pin(async move {
            let listed = if self.limit.is_none() {
                database.list_collections().await?
            } else {
                // The driver's own method would retry after a lost connection, but does not accept
                // a time limit.
                let listed = database.run_cursor_command(self.command());
                listed.await?.with_type()
            };
            listed.try_collect().await
        })
    }

    fn limit(&mut self, limit: super::Limit) {
        self.limit = Some(limit);
    }

    fn assume(&self, _: &mut Paper) -> Self::Reply {
        Vec::new()
    }

    fn statement(&self) -> Statement {
        Statement::on("", "runCommand").argument(self.command())
    }
}
