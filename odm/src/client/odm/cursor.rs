//! Reads the documents of a cursor batch by batch.

use std::time::Instant;

use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use mongodb::{
    ClientSession,
    bson::{Bson, Document, RawDocument, RawDocumentBuf, doc},
    raw_batch_cursor::{RawBatch, RawBatchCursor, SessionRawBatchCursor},
};

use super::{
    Exec, Tx,
    detached_task::{in_caller_context, join_task},
    observed_statement::Recorded,
    trace::{CursorTotals, StatementTrace},
};
use crate::{
    client::{
        command::{Command, FindCommand, ServerCursor},
        place::Place,
        plan::Statement,
    },
    error::{Error, Result},
    value::codec::decode,
};

/// The batches of a cursor.
pub(crate) struct Batches {
    source: BatchSource,
    totals: CursorTotals,
    place: Place,
    /// The id of the cursor on the server. The id is 0 if no documents are left. The field is `None` before the first
    /// batch.
    cursor: Option<i64>,
    exec: Exec,
}

enum BatchSource {
    /// Documents that are already in memory, for instance those that a plan assumes.
    InMemory(Option<Vec<RawDocumentBuf>>),
    Free(Box<RawBatchCursor>),
    /// A cursor of a causally consistent handle.
    WithSession(Box<SessionRawBatchCursor>, Box<ClientSession>),
    /// The cursor is moved out of this field while a batch is fetched.
    InTx(Option<Box<SessionRawBatchCursor>>, Tx),
}

/// A function that receives the name of a collection and one of its documents.
pub(crate) type Found<'a> = dyn FnMut(&str, &RawDocument) -> Result<()> + Send + 'a;

/// A batch of documents.
pub(crate) enum Batch {
    InMemory(Vec<RawDocumentBuf>),
    Reply(RawBatch),
}

impl Batches {
    /// Returns documents that are already in memory, as one batch.
    pub(super) fn in_memory(documents: Vec<RawDocumentBuf>, place: Place, exec: &Exec) -> Self {
        Self {
            source: BatchSource::InMemory(Some(documents)),
            totals: CursorTotals::new(StatementTrace::default()),
            place,
            cursor: None,
            exec: exec.clone(),
        }
    }

    /// Returns the next batch, or `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Batch>> {
        let began = Instant::now();
        let asked = self.note_request();
        let exec = self.exec.clone();
        let next = exec.within_read_limit(self.more()).await.map_err(|error| {
            let failed = || self.place.failed("getMore");
            error.during(failed, began.elapsed())
        });
        if let Some(asked) = &asked {
            asked.answered(began.elapsed(), next.as_ref().map(|_| None));
        }
        if let Ok(Some(Batch::Reply(batch))) = &next {
            self.cursor = cursor_of(batch);
            self.totals.add(batch, asked.as_ref());
        }
        next
    }

    /// Returns the next batch, and the cursor itself. Unlike with [`next`](Self::next), the request completes even if
    /// nobody polls the future, for example after `tokio::select!` has chosen another branch. Otherwise, an abandoned
    /// stream would keep its connection, and a few such streams could use all connections of the client.
    pub(crate) async fn next_in_task(mut self) -> Result<(Self, Result<Option<Batch>>)> {
        let needs_task = match self.source {
            BatchSource::InMemory(_) | BatchSource::InTx(..) => false,
            BatchSource::Free(_) | BatchSource::WithSession(..) => true,
        };
        let next = async move {
            let next = self.next().await;
            Ok((self, next))
        };
        if needs_task {
            join_task(tokio::spawn(in_caller_context(next)).await)
        } else {
            next.await
        }
    }

    /// Records the `getMore` for the next batch, if the driver has to send one.
    fn note_request(&self) -> Option<Recorded> {
        let cursor = self.cursor.filter(|cursor| *cursor != 0)?;
        let statement = || {
            let more = doc! { "getMore": cursor, "collection": self.place.name() };
            Statement::on("", "runCommand").argument(more)
        };
        let origin = self.exec.origin();
        Some(origin.note("getMore", &self.place, statement))
    }

    async fn more(&mut self) -> Result<Option<Batch>> {
        let batch = match &mut self.source {
            BatchSource::InMemory(documents) => return Ok(documents.take().map(Batch::InMemory)),
            BatchSource::Free(cursor) => cursor.next().await.transpose()?,
            BatchSource::WithSession(cursor, session) => {
                let batch = cursor.stream(session).next().await.transpose();
                if let Some(time) = self.exec.odm().causal_time() {
                    time.note(session);
                }
                batch?
            }
            BatchSource::InTx(slot, tx) => {
                let Some(mut cursor) = slot.take() else {
                    return Ok(None);
                };
                let place = self.place.clone();
                let failed = move || place.failed("getMore");
                let more = tx.with_session(false, failed, move |_, session| {
                    Box::pin(async move {
                        let batch = cursor.stream(session).next().await.transpose()?;
                        Ok((cursor, batch))
                    })
                });
                let (cursor, batch) = more.await?;
                *slot = Some(cursor);
                batch
            }
        };
        Ok(batch.map(Batch::Reply))
    }

    /// Returns the ids in the next batch, or `None` at the end.
    pub(crate) async fn next_ids(&mut self) -> Result<Option<Vec<Bson>>> {
        let Some(batch) = self.next().await? else {
            return Ok(None);
        };
        let mut ids = Vec::new();
        each_document(&batch, |found| {
            let id = found.get("_id").map_err(mongodb::error::Error::from)?;
            ids.extend(id.and_then(|id| Bson::try_from(id).ok()));
            Ok(())
        })?;
        Ok(Some(ids))
    }

    /// Passes all remaining documents to a function.
    pub(crate) async fn for_each(
        mut self,
        mut found: impl FnMut(&RawDocument) -> Result<()>,
    ) -> Result<()> {
        while let Some(batch) = self.next().await? {
            each_document(&batch, &mut found)?;
        }
        Ok(())
    }
}

/// Returns the id of the cursor from a batch. The last batch contains the id 0.
fn cursor_of(batch: &RawBatch) -> Option<i64> {
    let reply = batch.as_raw_document();
    reply.get_document("cursor").ok()?.get_i64("id").ok()
}

impl Batch {
    /// Returns the reply of the server, or `None` for documents in memory.
    pub(crate) fn reply(&self) -> Option<&RawDocument> {
        match self {
            Self::InMemory(_) => None,
            Self::Reply(batch) => Some(batch.as_raw_document()),
        }
    }
}

/// Passes the documents of a batch to a function.
pub(crate) fn each_document(
    batch: &Batch,
    mut found: impl FnMut(&RawDocument) -> Result<()>,
) -> Result<()> {
    let batch = match batch {
        Batch::InMemory(documents) => return documents.iter().try_for_each(|raw| found(raw)),
        Batch::Reply(batch) => batch,
    };
    for document in batch.doc_slices()? {
        let document = document.map_err(mongodb::error::Error::from)?;
        if let Some(document) = document.as_document() {
            found(document)?;
        }
    }
    Ok(())
}

/// Decodes the documents of a cursor. Each batch is decoded as a whole.
fn documents<V: Send + 'static>(
    batches: Batches,
    decode: impl Fn(&RawDocument) -> Result<V> + Send + Sync + 'static,
) -> impl Stream<Item = Result<V>> + Send + 'static {
    let decode = std::sync::Arc::new(decode);
    stream::try_unfold(batches, move |batches| {
        let decode = std::sync::Arc::clone(&decode);
        async move {
            let (batches, batch) = batches.next_in_task().await?;
            let Some(batch) = batch? else {
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

impl Exec {
    /// Opens a cursor.
    pub(crate) async fn open<C: Command<Reply = ServerCursor>>(
        &self,
        command: C,
    ) -> Result<Batches> {
        let place = command.place().clone();
        let (cursor, seen) = Box::pin(self.send_seen(command)).await?;
        let source = match (cursor, self.transaction()) {
            (ServerCursor::Paper(documents), _) => BatchSource::InMemory(Some(documents)),
            (ServerCursor::Free(cursor), _) => BatchSource::Free(cursor),
            (ServerCursor::WithSession(cursor, session), _) => {
                BatchSource::WithSession(cursor, session)
            }
            (ServerCursor::InSession(cursor), Some(tx)) => {
                BatchSource::InTx(Some(cursor), tx.clone())
            }
            (ServerCursor::InSession(_), None) => return Err(Error::TransactionEnded),
        };
        Ok(Batches {
            source,
            totals: CursorTotals::new(seen),
            place,
            cursor: None,
            exec: self.clone(),
        })
    }

    /// Sends a statement, and returns a stream of its documents.
    pub(crate) fn stream<C: Command<Reply = ServerCursor>, V: Send + 'static>(
        self,
        command: C,
        decode: impl Fn(&RawDocument) -> Result<V> + Send + Sync + 'static,
    ) -> impl Stream<Item = Result<V>> + Send + 'static {
        let batches = async move { Ok::<_, Error>(documents(self.open(command).await?, decode)) };
        stream::once(batches).try_flatten()
    }

    /// Finds all documents, and passes each of them to a function together with the name of the collection. Returns the
    /// number of documents.
    pub(crate) async fn find(&self, find: FindCommand, found: &mut Found<'_>) -> Result<usize> {
        let collection = find.place.name().to_owned();
        let mut documents = 0;
        let batches = self.open(find).await?;
        batches
            .for_each(|raw| {
                documents += 1;
                found(&collection, raw)
            })
            .await?;
        Ok(documents)
    }

    /// Sends a statement, and returns its documents as BSON.
    pub(crate) async fn documents<C: Command<Reply = ServerCursor>>(
        &self,
        command: C,
    ) -> Result<Vec<Document>> {
        let mut documents = Vec::new();
        let collection = command.place().name().to_owned();
        let batches = self.open(command).await?;
        batches
            .for_each(|raw| {
                // If the conversion fails, `decode` returns an error that contains the `_id`.
                let document = Document::try_from(raw);
                documents.push(document.or_else(|_| decode(&collection, raw))?);
                Ok(())
            })
            .await?;
        Ok(documents)
    }

    /// Sends a statement, and returns its documents as raw BSON.
    pub(crate) async fn raw_documents<C: Command<Reply = ServerCursor>>(
        &self,
        command: C,
    ) -> Result<Vec<RawDocumentBuf>> {
        let mut documents = Vec::new();
        let batches = self.open(command).await?;
        batches
            .for_each(|raw| {
                documents.push(raw.to_owned());
                Ok(())
            })
            .await?;
        Ok(documents)
    }

    /// Finds the ids of documents.
    pub(crate) async fn ids(&self, find: FindCommand) -> Result<Vec<Bson>> {
        let found = self.documents(find.ids()).await?.into_iter();
        Ok(found.filter_map(|mut it| it.remove("_id")).collect())
    }

    /// Whether a document matches the query. Sends one `find` that returns only an `_id`.
    pub(crate) async fn any(&self, find: FindCommand) -> Result<bool> {
        let found = self.documents(find.ids().first()).await?;
        Ok(!found.is_empty())
    }
}
