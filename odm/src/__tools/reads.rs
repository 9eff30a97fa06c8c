//! Sends reads on behalf of the tools.

use std::time::Instant;

use mongodb::{
    bson::{Document, RawDocumentBuf},
    options::{AggregateOptions, FindOptions},
    results::CollectionSpecification,
};

use super::sharding::Sharding;
use crate::{
    client::{
        command::{
            AggregateCommand, Command, FindCommand, ListCollectionsCommand, RunCommand,
            ServerCursor,
        },
        odm::{Exec, Odm, ReadLimit, each_document},
        place::Place,
    },
    error::Result,
    index::server::{self, OnServer},
    model::shape::ModelShape,
};

/// Sends reads to one database, with an optional deadline.
#[derive(Clone, Debug)]
pub struct Reads {
    exec: Exec,
}

impl Reads {
    /// Creates a `Reads` without a time limit.
    pub fn new(odm: &Odm) -> Self {
        let exec = Exec::on(odm.clone());
        Self { exec }
    }

    /// Creates a `Reads` whose reads must end before a deadline. Each read has a comment, which appears in the server's
    /// profile.
    pub fn until(odm: &Odm, end: Instant, comment: &'static str) -> Self {
        Self::new(&odm.with_read_limit(ReadLimit { end, comment }))
    }

    /// Returns the handle. Calls through the handle have the same time limit and comment.
    pub const fn odm(&self) -> &Odm {
        self.exec.odm()
    }

    /// Finds documents of any kind in a collection.
    pub async fn find(
        &self,
        collection: &str,
        filter: Document,
        options: FindOptions,
    ) -> Result<Vec<Document>> {
        self.exec.documents(find(collection, filter, options)).await
    }

    /// Finds documents of one model.
    pub async fn find_of(
        &self,
        model: &'static ModelShape,
        filter: Document,
        options: FindOptions,
    ) -> Result<Vec<Document>> {
        let mut find = FindCommand::new(Place::of(model), filter);
        find.options = options;
        self.exec.documents(find).await
    }

    /// Finds documents without decoding them, up to a total size in bytes. Also returns whether there are more
    /// documents.
    pub async fn find_raw(
        &self,
        collection: &str,
        filter: Document,
        options: FindOptions,
        most_bytes: usize,
    ) -> Result<(Vec<RawDocumentBuf>, bool)> {
        let find = find(collection, filter, options);
        self.take(find, most_bytes).await
    }

    /// Runs an aggregation and returns its documents.
    pub async fn aggregate(
        &self,
        collection: &str,
        pipeline: Vec<Document>,
        options: AggregateOptions,
    ) -> Result<Vec<Document>> {
        let command = aggregate(collection, pipeline, options);
        self.exec.documents(command).await
    }

    /// Runs an aggregation and returns its documents without decoding them, up to a total size in bytes. Also returns
    /// whether there are more documents.
    pub async fn aggregate_raw(
        &self,
        collection: &str,
        pipeline: Vec<Document>,
        options: AggregateOptions,
        most_bytes: usize,
    ) -> Result<(Vec<RawDocumentBuf>, bool)> {
        let command = aggregate(collection, pipeline, options);
        self.take(command, most_bytes).await
    }

    /// Runs a command on the database.
    pub async fn command(&self, name: &'static str, command: Document) -> Result<Document> {
        self.exec.send(RunCommand::command(name, command)).await
    }

    /// Lists the collections and views of the database.
    pub async fn collections(&self) -> Result<Vec<CollectionSpecification>> {
        self.exec.send(ListCollectionsCommand::new()).await
    }

    /// Lists the indexes of a collection. Sends one `listIndexes`.
    pub async fn indexes(&self, collection: &str) -> Result<OnServer> {
        server::list(self.odm(), collection).await
    }

    /// Reads the shard keys and the chunks of the database. Returns `None` if the server is not a sharded cluster.
    /// Sends one `hello`. If the server is a sharded cluster, the method also sends one `find` and one aggregation in
    /// the database `config`.
    pub async fn sharding(&self) -> Result<Option<Sharding>> {
        Sharding::read(self.odm()).await
    }

    async fn take<C: Command<Reply = ServerCursor>>(
        &self,
        command: C,
        most_bytes: usize,
    ) -> Result<(Vec<RawDocumentBuf>, bool)> {
        let mut batches = self.exec.open(command).await?;
        let (mut documents, mut bytes) = (Vec::new(), 0);
        while let Some(batch) = batches.next().await? {
            each_document(&batch, |raw| {
                bytes += raw.as_bytes().len();
                documents.push(raw.to_owned());
                Ok(())
            })?;
            if bytes > most_bytes {
                return Ok((documents, true));
            }
        }
        Ok((documents, false))
    }
}

fn find(collection: &str, filter: Document, options: FindOptions) -> FindCommand {
    let mut find = FindCommand::new(Place::whole_collection(collection.to_owned()), filter);
    find.options = options;
    find
}

fn aggregate(
    collection: &str,
    pipeline: Vec<Document>,
    options: AggregateOptions,
) -> AggregateCommand {
    AggregateCommand::new(Place::whole_collection(collection.to_owned()), pipeline).with(options)
}
