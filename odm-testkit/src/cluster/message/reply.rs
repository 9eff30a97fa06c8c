//! Builds replies of the front, and examines replies of the shards.

use mongodb::bson::{Bson, Document, doc};

/// The description of the front in its replies and in the output of tests.
pub(crate) const NOT_MONGOS: &str = "front of mongo-odm-testkit, not mongos";

pub(crate) const HOST_UNREACHABLE: i32 = 6;
pub(crate) const NO_SUCH_TRANSACTION: i32 = 251;

/// Errors that mean that the front or the router used an old routing table: `StaleEpoch`, `StaleDbVersion`,
/// `StaleConfig`.
const STALE: [i32; 3] = [150, 249, 13388];

/// Errors after which drivers retry a write: unreachable hosts, shutdowns and changes of the primary.
const RETRYABLE: [i32; 12] = [
    HOST_UNREACHABLE,
    7,
    89,
    91,
    133,
    189,
    9001,
    10107,
    11600,
    11602,
    13435,
    13436,
];

/// A reply with an error.
pub(crate) fn failure(code: i32, name: &str, message: impl Into<String>) -> Document {
    doc! { "ok": 0.0, "errmsg": message.into(), "code": code, "codeName": name }
}

pub(crate) fn not_supported(what: &str) -> Document {
    failure(
        115,
        "CommandNotSupported",
        format!("{what}: not supported by the {NOT_MONGOS}"),
    )
}

/// The reply to a statement that was routed several times, each time with an old table.
pub(crate) fn changes_too_often() -> Document {
    failure(13388, "StaleConfig", "the routing table changes too often")
}

/// A reply of a cursor that has no further batches.
pub(crate) fn whole_cursor(namespace: &str, documents: Vec<Document>) -> Document {
    doc! { "cursor": { "id": 0_i64, "ns": namespace, "firstBatch": documents }, "ok": 1.0 }
}

/// Whether the command has succeeded. The command can succeed although individual writes in it have failed.
pub(crate) fn is_ok(reply: &Document) -> bool {
    reply.get("ok").and_then(number) == Some(1)
}

/// Returns the reply as an error if the command has failed.
pub(crate) fn result_of(reply: Document) -> Result<Document, Document> {
    if is_ok(&reply) { Ok(reply) } else { Err(reply) }
}

pub(crate) fn code(reply: &Document) -> Option<i32> {
    let code = reply.get("code").and_then(number)?;
    i32::try_from(code).ok()
}

pub(crate) fn is_stale(reply: &Document) -> bool {
    !is_ok(reply) && code(reply).is_some_and(|code| STALE.contains(&code))
}

/// Whether the first statement of a transaction can be sent again, because the routing table or the time of the
/// snapshot was too old (`SnapshotTooOld`, `SnapshotUnavailable`). This happens, for example, if the collection is new.
pub(crate) fn is_too_old(reply: &Document) -> bool {
    is_stale(reply) || (!is_ok(reply) && matches!(code(reply), Some(239 | 246)))
}

pub(crate) fn is_retryable(code: i32) -> bool {
    RETRYABLE.contains(&code)
}

/// Whether a transaction can be run again if one of its statements failed with this error.
pub(crate) fn is_transient(code: i32) -> bool {
    is_retryable(code) || STALE.contains(&code)
}

/// Adds an error label, unless the reply has it already.
pub(crate) fn add_label(reply: &mut Document, label: &str) {
    let mut labels = reply.get_array("errorLabels").cloned().unwrap_or_default();
    if !labels.iter().any(|it| it.as_str() == Some(label)) {
        labels.push(label.into());
    }
    reply.insert("errorLabels", labels);
}

/// Returns a number of any type as an integer.
#[allow(
    clippy::cast_possible_truncation,
    reason = "counts and codes are small"
)]
pub(crate) fn number(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int32(number) => Some((*number).into()),
        Bson::Int64(number) => Some(*number),
        Bson::Double(number) => Some(*number as i64),
        _ => None,
    }
}

pub(crate) fn number_of(document: &Document, name: &str) -> i64 {
    document.get(name).and_then(number).unwrap_or_default()
}

/// Returns the documents of an array.
pub(crate) fn documents_of(document: &Document, name: &str) -> Vec<Document> {
    let items = document.get_array(name).into_iter().flatten();
    items.filter_map(Bson::as_document).cloned().collect()
}
