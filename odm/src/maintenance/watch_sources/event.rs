//! The events that a watcher reads from its change stream.

use mongodb::bson::{Bson, Document, RawDocument};

use crate::{
    derived::outbox::{JOBS, JobId},
    error::Result,
    value::path::without_positions,
};

/// The kind of change that an event reports.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ChangeKind {
    Insert,
    /// An update, with the paths that it wrote. Positions in arrays are removed from the paths.
    Update(Vec<String>),
    Replace,
    Delete,
    /// The collection was dropped, or was renamed to the contained name.
    Drop(Option<String>),
}

/// A change to a source document, or to a whole source collection.
#[derive(Clone, Debug)]
pub(super) struct SourceChange {
    pub(super) kind: ChangeKind,
    pub(super) collection: String,
    /// The `_id` of the document. `None` if the event applies to a whole collection.
    pub(super) id: Option<Bson>,
    /// The copied fields of the document before the change, if the event contains them.
    pub(super) before: Option<Document>,
    pub(super) after: Option<Document>,
    /// The transaction that made the change, if there was one.
    pub(super) transaction: Option<Transaction>,
}

/// The identity of a transaction: its session, and its number within that session.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transaction {
    session: Bson,
    number: i64,
}

/// A relevant event in the change stream.
#[derive(Clone, Debug)]
pub(super) enum StreamMessage {
    Source(Box<SourceChange>),
    /// The library wrote a job. If the transaction also changed the job's source, the library made
    /// that change itself.
    Job(Box<(JobId, Transaction)>),
}

/// Reads an event. Returns `None` if the watcher does not need events of this kind.
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
