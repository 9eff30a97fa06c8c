//! `createIndexes`, `listIndexes`, `dropIndexes`.

use mongodb::{
    Database, IndexModel,
    bson::{Bson, Document, RawDocumentBuf, doc},
};

use super::{Command, Paper, Sending, ServerCursor, Session, shown::encoded};
use crate::{place::Place, statement::Statement};

/// Creates indexes of one collection, all or none.
#[derive(Clone, Debug)]
pub(crate) struct CreateIndexesCommand {
    pub(crate) place: Place,
    pub(crate) indexes: Vec<IndexModel>,
}

/// Lists the indexes of a collection.
#[derive(Clone, Debug)]
pub(crate) struct ListIndexesCommand {
    pub(crate) place: Place,
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

    fn place(&self) -> &Place {
        &self.place
    }

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, ()> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move {
            collection.create_indexes(self.indexes).await?;
            Ok(())
        })
    }

    fn assume(&self, _: &mut Paper) {}

    fn statement(&self) -> Statement {
        let indexes: Vec<Bson> = self.indexes.iter().map(encoded).collect();
        let command = doc! { "createIndexes": self.place.name(), "indexes": indexes };
        Statement::on("", "runCommand").argument(command)
    }
}

impl Command for ListIndexesCommand {
    type Reply = ServerCursor;

    const NAME: &'static str = "listIndexes";

    const READS: bool = true;

    fn place(&self) -> &Place {
        &self.place
    }

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sending<'s, ServerCursor> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            let batches = collection.list_indexes().batch().await?;
            Ok(ServerCursor::Free(Box::new(batches)))
        })
    }

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

    fn place(&self) -> &Place {
        &self.place
    }

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
