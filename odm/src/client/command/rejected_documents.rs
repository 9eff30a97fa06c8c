//! Determines which documents or statements the server has rejected, from the error of a command that contains several
//! of them.

use std::collections::BTreeSet;

use mongodb::{
    bson::{Bson, Document, doc},
    error::{
        Error as DriverError, ErrorKind as DriverKind, IndexedWriteError, WriteError, WriteFailure,
    },
};

use crate::{client::place::Place, error::Error, value::codec::decode_value};

/// The server's code for a duplicate key.
const DUPLICATE_KEY: i32 = 11000;

/// Returns the positions of the rejected documents. The result is empty if the error does not contain positions. The
/// primary has stored all other documents, even if too few servers have confirmed them.
pub(crate) fn positions(error: &Error) -> BTreeSet<usize> {
    write_errors(error).iter().map(|it| it.index).collect()
}

/// Returns the error for each rejected document or statement, in the form in which a command with only this document or
/// statement would report it.
pub(crate) fn reasons(error: &Error, place: &Place, command: &'static str) -> Vec<(usize, Error)> {
    let reasons = write_errors(error).iter();
    reasons
        .map(|it| (it.index, reason_of(as_reply(it), place, command)))
        .collect()
}

/// Returns the write concern error of a command, in the form in which a command with one document or statement would
/// report it. The primary has carried out everything that it has not rejected.
pub(crate) fn unconfirmed(error: &Error, place: &Place, command: &'static str) -> Option<Error> {
    let DriverKind::InsertMany(many) = error.driver()?.kind.as_ref() else {
        return None;
    };
    let concern = many.write_concern_error.clone()?;
    let failure = WriteFailure::WriteConcernError(concern);
    let error = Error::from(DriverError::from(DriverKind::Write(failure)));
    Some(error.during(|| place.failed(command), std::time::Duration::ZERO))
}

/// Returns the error for a document that has the same unique key as another document.
pub(crate) fn duplicate(place: &Place, index: &str, key: Document) -> Error {
    let message = format!(
        "E11000 duplicate key error collection: .{} index: {index} dup key: {}, which was found before the insert",
        place.name(),
        crate::mongosh::document(&key)
    );
    let error = doc! { "code": DUPLICATE_KEY, "codeName": "DuplicateKey", "errmsg": message };
    match reason_of(error, place, "insert") {
        Error::DuplicateKey {
            model,
            collection,
            source,
            ..
        } => Error::DuplicateKey {
            model,
            collection,
            index: index.to_owned(),
            fields: Box::new(key),
            deleted: false,
            other_tenant: false,
            source,
        },
        other => other,
    }
}

fn write_errors(error: &Error) -> &[IndexedWriteError] {
    match error.driver().map(|driver| driver.kind.as_ref()) {
        Some(DriverKind::InsertMany(many)) => many.write_errors.as_deref().unwrap_or_default(),
        _ => &[],
    }
}

/// Returns the error of one write in the format of the server's reply.
fn as_reply(error: &IndexedWriteError) -> Document {
    let mut reply = doc! { "code": error.code, "errmsg": error.message.as_str() };
    if let Some(name) = &error.code_name {
        reply.insert("codeName", name.as_str());
    }
    if let Some(details) = &error.details {
        reply.insert("errInfo", details.clone());
    }
    reply
}

/// Decodes an error from a reply, because the driver has no constructor for write errors.
fn reason_of(reply: Document, place: &Place, command: &'static str) -> Error {
    let driver = match decode_value::<WriteError>(Bson::Document(reply)) {
        Ok(error) => DriverError::from(DriverKind::Write(WriteFailure::WriteError(error))),
        Err(message) => DriverError::custom(message),
    };
    Error::from(driver).during(|| place.failed(command), std::time::Duration::ZERO)
}
