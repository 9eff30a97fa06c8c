//! `listCollections`.

use std::{future::ready, time::Duration};

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
    error::Result,
    results::CollectionType,
};

use super::{Command, Paper, Sending, Session, shown_options::millis};
use crate::{place::Place, plan::Statement};

/// Lists the collections and views of the database.
#[derive(Clone, Debug)]
pub(crate) struct ListCollectionsCommand {
    place: Place,
    limit: Option<(Duration, &'static str)>,
}

/// One collection, as the server lists it.
#[derive(Clone, Debug)]
pub(crate) struct ListedCollection {
    pub(crate) name: String,
    pub(crate) is_view: bool,
    pub(crate) is_timeseries: bool,
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

impl ListedCollection {
    /// Takes an entry of a reply apart.
    fn read(entry: &Document) -> Option<Self> {
        let kind = entry.get_str("type").unwrap_or_default();
        Some(Self {
            name: entry.get_str("name").ok()?.to_owned(),
            is_view: kind == "view",
            is_timeseries: kind == "timeseries",
        })
    }
}

/// The driver's own method takes no time limit; it tries once more where a connection was lost.
async fn limited(database: &Database, command: Document) -> Result<Vec<ListedCollection>> {
    let listed = database.run_cursor_command(command).await?;
    let read = |entry| ready(Ok(ListedCollection::read(&entry)));
    listed.try_filter_map(read).try_collect().await
}

impl Command for ListCollectionsCommand {
    type Reply = Vec<ListedCollection>;

    const NAME: &'static str = "listCollections";

    const READS: bool = true;

    fn place(&self) -> &Place {
        &self.place
    }

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn inquire(&mut self, time: Duration, comment: &'static str) {
        self.limit = Some((time, comment));
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, Self::Reply> {
        Box::pin(async move {
            if self.limit.is_some() {
                return limited(database, self.command()).await;
            }
            let listed = database.list_collections().await?;
            let collections = listed.map_ok(|it| ListedCollection {
                name: it.name,
                is_view: matches!(it.collection_type, CollectionType::View),
                is_timeseries: matches!(it.collection_type, CollectionType::Timeseries),
            });
            collections.try_collect().await
        })
    }

    fn assume(&self, _: &mut Paper) -> Self::Reply {
        Vec::new()
    }

    fn statement(&self) -> Statement {
        Statement::on("", "runCommand").argument(self.command())
    }
}
