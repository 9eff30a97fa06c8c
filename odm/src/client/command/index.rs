//! The commands `createIndexes`, `listIndexes` and `dropIndexes`.

use mongodb::{
    Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::ListIndexesOptions,
};

use super::{
    Command, Paper, Sending, ServerCursor, Session,
    mongosh_options::encoded,
    reply::refused,
    shared_methods::{at_place, limit},
};
use crate::client::{place::Place, plan::Statement};

/// Creates indexes on one collection. The server creates either all of these indexes or none.
#[derive(Clone, Debug)]
pub(crate) struct CreateIndexesCommand {
    pub(crate) place: Place,
    pub(crate) indexes: Vec<Index>,
}

/// An index to create.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) keys: Document,
    /// The options under the names that the server uses, including `name`.
    pub(crate) options: Document,
}

impl Index {
    fn in_command(&self) -> Bson {
        let mut index = doc! { "key": self.keys.clone() };
        index.extend(self.options.clone());
        index.into()
    }
}

impl CreateIndexesCommand {
    fn command(&self) -> Document {
        let indexes: Vec<Bson> = self.indexes.iter().map(Index::in_command).collect();
        doc! { "createIndexes": self.place.name(), "indexes": indexes }
    }
}

/// Lists the indexes of a collection.
#[derive(Clone, Debug)]
pub(crate) struct ListIndexesCommand {
    place: Place,
    options: ListIndexesOptions,
}

impl ListIndexesCommand {
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            options: ListIndexesOptions::default(),
        }
    }
}

/// Drops an index.
#[derive(Clone, Debug)]
pub(crate) struct DropIndexCommand {
    pub(crate) place: Place,
    pub(crate) name: String,
}

impl Command for CreateIndexesCommand {
    type Reply = ();

    const NAME: &'static str = "createIndexes";

    at_place!();

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, ()> {
        let mut command = self.command();
        // The write concern is added here, because `run_command` does not use that of the database.
        let mut concern = None;
        self.place.write_safely(false, &mut concern);
        if let Some(concern) = concern.as_ref().or(database.write_concern()) {
            command.insert("writeConcern", encoded(concern));
        }
        Box::pin(async move { refused(&database.run_command(command).await?) })
    }

    fn assume(&self, _: &mut Paper) {}

    /// Returns `createIndex` if there is only one index. mongosh has no method that creates several indexes with
    /// different options.
    fn statement(&self) -> Statement {
        match self.indexes.as_slice() {
            [index] => Statement::new(self.place.name(), "createIndex")
                .argument(index.keys.clone())
                .options(index.options.clone()),
            _ => Statement::on("", "runCommand").argument(self.command()),
        }
    }
}

impl Command for ListIndexesCommand {
    type Reply = ServerCursor;

    const NAME: &'static str = "listIndexes";

    const READS: bool = true;

    at_place!();

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, ServerCursor> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            let listed = collection.list_indexes().with_options(self.options);
            let batches = listed.batch().await?;
            Ok(ServerCursor::Free(Box::new(batches)))
        })
    }

    limit!();

    fn assume(&self, _: &mut Paper) -> ServerCursor {
        ServerCursor::paper(&[])
    }

    fn statement(&self) -> Statement {
        Statement::new(self.place.name(), "getIndexes")
    }
}

impl Command for DropIndexCommand {
    type Reply = ();

    const NAME: &'static str = "dropIndexes";

    at_place!();

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, ()> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move { collection.drop_index(&self.name).await })
    }

    fn assume(&self, _: &mut Paper) {}

    fn statement(&self) -> Statement {
        Statement::new(self.place.name(), "dropIndex").argument(self.name.clone())
    }
}
