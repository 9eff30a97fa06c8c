//! Runs statements in a database or a transaction.

use futures_util::{Stream, StreamExt, TryStreamExt, future::BoxFuture, stream};
use mongodb::{
    ClientSession, Database,
    bson::{Bson, Document, RawDocument, RawDocumentBuf, doc},
    options::{FindOptions, Hint},
    raw_batch_cursor::{RawBatch, RawBatchCursor, SessionRawBatchCursor},
};
use tokio::task::JoinError;

use super::{Odm, Settings, Tx};
use crate::{
    error::{Error, Result},
    statement::Statement,
};

/// What runs the statements of a builder.
#[derive(Clone, Debug)]
pub enum Exec {
    /// The database, each statement by itself.
    Odm(Odm),
    /// A transaction.
    Tx(Tx),
}

/// A `find` that is ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) collection: &'static str,
    pub(crate) filter: Document,
    pub(crate) options: FindOptions,
}

impl Query {
    /// Returns the statement, for plans.
    pub(crate) fn statement(&self) -> Statement {
        let options = &self.options;
        // mongosh wants plain numbers here.
        let number = |limit: i64| i32::try_from(limit).map_or(Bson::Int64(limit), Bson::Int32);
        Statement::new(self.collection, "find")
            .argument(self.filter.clone())
            .options(options.projection.clone().unwrap_or_default())
            .then("sort", options.sort.clone())
            .then(
                "skip",
                options
                    .skip
                    .and_then(|skip| i64::try_from(skip).ok())
                    .map(number),
            )
            .then("limit", options.limit.map(number))
            .then("hint", options.hint.as_ref().map(hint))
            .then(
                "collation",
                options
                    .collation
                    .as_ref()
                    .map(|c| doc! { "locale": &c.locale }),
            )
    }
}

impl Query {
    /// Runs the query and returns its documents one by one, as they are asked for.
    pub(crate) fn stream<V: Send + 'static>(
        self,
        exec: Exec,
        decode: impl Fn(&RawDocument) -> Result<V> + Send + Sync + 'static,
    ) -> impl Stream<Item = Result<V>> + Send + 'static {
        let batches = async move { Ok::<_, Error>(documents(exec.find(self).await?, decode)) };
        stream::once(batches).try_flatten()
    }
}

/// Decodes batches as they come; one batch is decoded as a whole.
pub(crate) fn documents<V: Send + 'static>(
    batches: Batches,
    decode: impl Fn(&RawDocument) -> Result<V> + Send + Sync + 'static,
) -> impl Stream<Item = Result<V>> + Send + 'static {
    let decode = std::sync::Arc::new(decode);
    stream::try_unfold(batches, move |mut batches| {
        let decode = std::sync::Arc::clone(&decode);
        async move {
            let Some(batch) = batches.next().await? else {
                return Ok::<_, Error>(None);
            };
            let mut decoded = Vec::new();
            each_document(&batch, |document| {
                decoded.push(decode(document));
                Ok(())
            })?;
            Ok(Some((stream::iter(decoded), batches)))
        }
    })
    .try_flatten()
}

/// Hands over the documents of a batch.
pub(crate) fn each_document(
    batch: &RawBatch,
    mut found: impl FnMut(&RawDocument) -> Result<()>,
) -> Result<()> {
    for document in batch.doc_slices()? {
        let document = document.map_err(mongodb::error::Error::from)?;
        if let Some(document) = document.as_document() {
            found(document)?;
        }
    }
    Ok(())
}

fn hint(hint: &Hint) -> Bson {
    match hint {
        Hint::Keys(keys) => Bson::Document(keys.clone()),
        Hint::Name(name) => Bson::String(name.clone()),
        _ => Bson::Null,
    }
}

impl Exec {
    pub(crate) fn odm(&self) -> &Odm {
        match self {
            Self::Odm(odm) => odm,
            Self::Tx(tx) => tx.odm(),
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        self.odm().settings()
    }

    /// Runs statements that belong together: in the running transaction, or in one of their own.
    ///
    /// One of their own is a task of its own as a whole: dropping our future does not stop it, no more
    /// than it stops a single statement.
    pub(crate) async fn transact<A, T, Running>(
        &self,
        argument: A,
        run: fn(A, Self) -> Running,
    ) -> Result<T>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        Running: Future<Output = Result<T>> + Send + 'static,
    {
        match self {
            Self::Tx(_) => run(argument, self.clone()).await,
            Self::Odm(odm) => {
                let odm = odm.clone();
                let whole = tokio::spawn(async move {
                    odm.transaction_of_task(|tx| run(argument.clone(), Self::Tx(tx)))
                        .await
                });
                join_task(whole.await)
            }
        }
    }

    /// Runs statements that belong together: as [`transact`](Self::transact) does, and one after the
    /// other on a standalone server, which has no transactions.
    pub(crate) async fn together<A, T, Running>(
        &self,
        argument: A,
        run: fn(A, Self) -> Running,
    ) -> Result<T>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        Running: Future<Output = Result<T>> + Send + 'static,
    {
        match self {
            Self::Odm(odm) if !odm.has_transactions().await? => run(argument, self.clone()).await,
            _ => self.transact(argument, run).await,
        }
    }

    /// Makes a transaction end with an abort, whatever its closure returns.
    pub(crate) fn poison(&self) {
        if let Self::Tx(tx) = self {
            tx.poison();
        }
    }

    /// Makes a transaction be tried again with its copies left to jobs.
    pub(crate) fn refuse_copies(&self) {
        if let Self::Tx(tx) = self {
            tx.refuse_copies();
        }
    }

    /// Whether the copies of a write are left to jobs, because they cannot all be written.
    pub(crate) fn defers_copies(&self) -> bool {
        matches!(self, Self::Tx(tx) if tx.defers_copies())
    }

    pub(crate) const fn in_transaction(&self) -> bool {
        matches!(self, Self::Tx(_))
    }

    /// Whether the server has nothing else to do, as far as this handle knows; a transaction takes one
    /// statement at a time anyway.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self, Self::Odm(odm) if odm.deployment().in_flight.is_none())
    }

    /// Sends a `find` and returns its batches as they come, undecoded.
    ///
    /// Not a task of its own outside a transaction: a dropped read closes its connection and leaves
    /// nothing behind.
    pub(crate) async fn find(&self, query: Query) -> Result<Batches> {
        let Query {
            collection,
            filter,
            options,
        } = query;
        let _in_flight = self.odm().deployment().in_flight.enter();
        match self {
            Self::Odm(odm) => {
                let collection = odm.database().collection::<RawDocumentBuf>(collection);
                let find = collection.find(filter).with_options(options);
                // Boxed: the driver's future is large, and ours stays small.
                let cursor = Box::pin(find.batch()).await?;
                Ok(Batches::Free(Box::new(cursor)))
            }
            Self::Tx(tx) => {
                let cursor = tx
                    .run(move |database, session| {
                        let collection = database.collection::<RawDocumentBuf>(collection);
                        Box::pin(async move {
                            let find = collection.find(filter).with_options(options);
                            find.session(session).batch().await
                        })
                    })
                    .await?;
                Ok(Batches::InTx(Some(Box::new(cursor)), tx.clone()))
            }
        }
    }

    /// Sends an aggregation, on a collection or on the database itself.
    pub(crate) async fn aggregate(
        &self,
        collection: Option<&'static str>,
        pipeline: Vec<Document>,
        options: mongodb::options::AggregateOptions,
    ) -> Result<Batches> {
        let _in_flight = self.odm().deployment().in_flight.enter();
        match self {
            Self::Odm(odm) => {
                let cursor = if let Some(name) = collection {
                    let collection = odm.database().collection::<RawDocumentBuf>(name);
                    let all = collection.aggregate(pipeline).with_options(options);
                    Box::pin(all.batch()).await?
                } else {
                    let all = odm.database().aggregate(pipeline).with_options(options);
                    Box::pin(all.batch()).await?
                };
                Ok(Batches::Free(Box::new(cursor)))
            }
            Self::Tx(tx) => {
                let cursor = tx
                    .run(move |database, session| {
                        let target =
                            collection.map(|name| database.collection::<RawDocumentBuf>(name));
                        Box::pin(async move {
                            if let Some(target) = target {
                                let all = target.aggregate(pipeline).with_options(options);
                                all.session(session).batch().await
                            } else {
                                let all = database.aggregate(pipeline).with_options(options);
                                all.session(session).batch().await
                            }
                        })
                    })
                    .await?;
                Ok(Batches::InTx(Some(Box::new(cursor)), tx.clone()))
            }
        }
    }

    /// Runs any other operation of the driver, in a task of its own: dropping our future never stops
    /// the driver in the middle of it.
    pub(crate) async fn run<T, F>(&self, operation: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'s> FnOnce(
                &'s Database,
                Option<&'s mut ClientSession>,
            ) -> BoxFuture<'s, mongodb::error::Result<T>>
            + Send
            + 'static,
    {
        let _in_flight = self.odm().deployment().in_flight.enter();
        match self {
            Self::Odm(odm) => {
                let database = odm.database().clone();
                let done = tokio::spawn(async move { Ok(operation(&database, None).await?) });
                join_task(done.await)
            }
            Self::Tx(tx) => {
                tx.run(move |database, session| operation(database, Some(session)))
                    .await
            }
        }
    }
}

/// Returns what a task returned; a panic in it goes on here, as it would without the task.
pub(crate) fn join_task<T>(done: Result<Result<T>, JoinError>) -> Result<T> {
    match done {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Error::Invalid(
                "the tokio runtime shut down while a statement was running".to_owned(),
            )),
        },
    }
}

/// The batches of a cursor.
pub(crate) enum Batches {
    Free(Box<RawBatchCursor>),
    /// The cursor is away while a batch is fetched.
    InTx(Option<Box<SessionRawBatchCursor>>, Tx),
}

impl Batches {
    /// Returns the next batch, or none at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<RawBatch>> {
        match self {
            Self::Free(cursor) => Ok(cursor.next().await.transpose()?),
            Self::InTx(slot, tx) => {
                let Some(mut cursor) = slot.take() else {
                    return Ok(None);
                };
                let (cursor, batch) = tx
                    .run(move |_, session| {
                        Box::pin(async move {
                            let batch = cursor.stream(session).next().await.transpose()?;
                            Ok((cursor, batch))
                        })
                    })
                    .await?;
                *slot = Some(cursor);
                Ok(batch)
            }
        }
    }
}
