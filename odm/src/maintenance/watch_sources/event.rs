//! The events of the change stream.

use mongodb::bson::{Bson, Document, RawDocument};

use crate::{
    derived::outbox::{JOBS, JobId},
    error::Result,
    value::path::without_positions,
};

/// The kind of a change.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ChangeKind {
    Insert,
    /// The paths that the update wrote, without element positions.
    Update(Vec<String>),
    Replace,
    Delete,
    /// The collection was dropped, or renamed to this name.
    Drop(Option<String>),
}

/// A change of a source.
#[derive(Clone, Debug)]
pub(super) struct SourceChange {
    pub(super) kind: ChangeKind,
    pub(super) collection: String,
    /// The `_id` of the document; `None` for a whole collection.
    pub(super) id: Option<Bson>,
    /// The copied fields of the document, if the event contains it.
    pub(super) before: Option<Document>,
    pub(super) after: Option<Document>,
    /// The transaction that made the change.
    pub(super) transaction: Option<Transaction>,
}

/// A transaction: its session, and its number in this session.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transaction {
    session: Bson,
    number: i64,
}

/// A message from the stream.
#[derive(Clone, Debug)]
pub(super) enum StreamMessage {
    Source(Box<SourceChange>),
    /// The library wrote a job in the transaction that changed its source.
    Job(Box<(JobId, Transaction)>),
}

/// Reads an event. Returns `None` if its kind is not watched.
pub(super) fn read(raw: &RawDocument) -> Result<Option<StreamMessage>> {
    let mut event = Document::try_from(raw).map_err(mongodb::error::Error::from)?;
    Ok(parse(&mut event))
}

fn parse(event: &mut Document) -> Option<StreamMessage> {
    let collection = |name: &str| {
        let namespace = event.get_document(name).ok()?;
        Some(namespace.get_str("coll").ok()?.to_owned())
    };
    let (from, to) = (collection("ns")?, collection("to"));
    let transaction = transaction(event);
    let key = event.get_document_mut("documentKey").ok();
    let id = key.and_then(|key| key.remove("_id"));
    if from == JOBS && to.is_none() {
        return Some(StreamMessage::Job(Box::new((
            JobId::read(&id?)?,
            transaction?,
        ))));
    }
    let kind = match event.get_str("operationType").ok()? {
        "insert" => ChangeKind::Insert,
        "update" => ChangeKind::Update(paths(event)),
        "replace" => ChangeKind::Replace,
        "delete" => ChangeKind::Delete,
        "drop" | "rename" => ChangeKind::Drop(to),
        _ => return None,
    };
    let mut whole = |name: &str| match event.remove(name) {
        Some(Bson::Document(whole)) => Some(whole),
        _ => None,
    };
    Some(StreamMessage::Source(Box::new(SourceChange {
        kind,
        collection: from,
        id,
        before: whole("fullDocumentBeforeChange"),
        after: whole("fullDocument"),
        transaction,
    })))
}

fn transaction(event: &Document) -> Option<Transaction> {
    Some(Transaction {
        session: event.get("lsid")?.clone(),
        number: event.get_i64("txnNumber").ok()?,
    })
}

fn paths(event: &Document) -> Vec<String> {
    let paths = event.get_array("paths").into_iter().flatten();
    let mut paths: Vec<_> = paths
        .filter_map(|path| path.as_str().map(without_positions))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
