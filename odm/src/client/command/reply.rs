//! Reads numbers and errors from the server's replies.

use mongodb::{
    bson::{Bson, Document},
    error::{Error, ErrorKind, WriteFailure},
};

use crate::value::codec::decode_value;

/// Returns a 32-bit or 64-bit number from a reply, or 0 if the number is missing.
pub(crate) fn number(reply: &Document, name: &str) -> u64 {
    let number = match reply.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        _ => 0,
    };
    u64::try_from(number).unwrap_or_default()
}

/// Fails with the first error in a reply.
///
/// The server reports rejected writes in a reply that contains `ok: 1`, and the driver's `run_command` does not return
/// them as errors. Without this check, the caller would not notice that a write has failed and that its transaction has
/// ended.
pub(super) fn refused(reply: &Document) -> mongodb::error::Result<()> {
    let first = reply.get_array("writeErrors").ok();
    let first = first.and_then(|errors| errors.first());
    let failure = if let Some(error) = first {
        decode_value(error.clone()).map(WriteFailure::WriteError)
    } else if let Ok(error) = reply.get_document("writeConcernError") {
        decode_value(labeled(error, reply).into()).map(WriteFailure::WriteConcernError)
    } else {
        return Ok(());
    };
    let failure = failure.map_err(Error::custom)?;
    Err(ErrorKind::Write(failure).into())
}

/// Copies the labels of a reply into the error, because the driver expects the labels there.
fn labeled(error: &Document, reply: &Document) -> Document {
    let mut labeled = error.clone();
    if let Some(labels) = reply.get("errorLabels") {
        labeled.insert("errorLabels", labels.clone());
    }
    labeled
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn what_a_reply_refuses_keeps_its_code_and_its_labels() {
        assert!(refused(&doc! { "ok": 1, "n": 2 }).is_ok());
        let reply = doc! {
            "ok": 1, "errorLabels": ["RetryableWriteError"],
            "writeConcernError": { "code": 91, "errmsg": "going down" },
        };
        let error = crate::Error::from(refused(&reply).unwrap_err());
        assert_eq!(error.server_code(), Some(91));
        assert!(error.contains_label("RetryableWriteError"), "{error:?}");

        let message = "E11000 duplicate key error collection: a.b index: c_1 dup key: { c: 5 }";
        let write = doc! { "index": 3, "code": 11000, "errmsg": message };
        let error = crate::Error::from(refused(&doc! { "writeErrors": [write] }).unwrap_err());
        assert!(error.is_duplicate_key());
        assert_eq!(error.server_code(), Some(11000));
    }
}
