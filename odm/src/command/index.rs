//! `createIndexes`, `listIndexes`, `dropIndexes`.

use mongodb::{
    Database, IndexModel,
    bson::{Bson, Document, RawDocumentBuf, doc},
};

use super::{Command, Cursor, Paper, Sent, Session, shown::encoded};
use crate::{place::Place, statement::Statement};

/// Creates indexes of one collection, all or none.
#[derive(Clone, Debug)]
pub(crate) struct CreateIndexes {
    pub(crate) place: Place,
    pub(crate) indexes: Vec<IndexModel>,
}

/// Lists the indexes of a collection.
#[derive(Clone, Debug)]
pub(crate) struct ListIndexes {
    pub(crate) place: Place,
}

/// Drops an index.
#[derive(Clone, Debug)]
pub(crate) struct DropIndex {
    pub(crate) place: Place,
    pub(crate) name: String,
}

impl Command for CreateIndexes {
    type Reply = ();

    const NAME: &'static str = "createIndexes";

    fn place(&self) -> &Place {
        &self.place
    }

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sent<'s, ()> {
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

impl Command for ListIndexes {
    type Reply = Cursor;

    const NAME: &'static str = "listIndexes";

    const READS: bool = true;

    fn place(&self) -> &Place {
        &self.place
    }

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sent<'s, Cursor> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            let batches = collection.list_indexes().batch().await?;
            Ok(Cursor::Free(Box::new(batches)))
        })
    }

    fn assume(&self, _: &mut Paper) -> Cursor {
        Cursor::paper(&[])
    }

    fn statement(&self) -> Statement {
        Statement::new(self.place.name(), "getIndexes")
    }
}

impl Command for DropIndex {
    type Reply = ();

    const NAME: &'static str = "dropIndexes";

    fn place(&self) -> &Place {
        &self.place
    }

    fn scoped(self, _: bool) -> Self {
        self
    }

    fn send<'s>(self, database: &'s Database, _: Session<'s>) -> Sent<'s, ()> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move { collection.drop_index(&self.name).await })
    }

    fn assume(&self, _: &mut Paper) {}

    fn statement(&self) -> Statement {
        Statement::new(self.place.name(), "dropIndex").argument(self.name.clone())
    }
}
