//! Reads the server's errors from the different types in which the driver returns them.

use std::{collections::HashMap, fmt};

use mongodb::error::{
    Error as DriverError, ErrorKind as DriverKind, WriteConcernError, WriteError, WriteFailure,
};

use super::Unanswered;
use crate::mongosh;

/// The code for a collection that already exists.
pub(crate) const NAMESPACE_EXISTS: i32 = 48;

/// An error that the server reported for a single write or for a whole command.
#[derive(Clone, Copy)]
pub(super) struct ServerError<'a> {
    pub(super) code: i32,
    name: &'a str,
    pub(super) message: &'a str,
}

impl<'a> From<&'a WriteError> for ServerError<'a> {
    fn from(error: &'a WriteError) -> Self {
        Self {
            code: error.code,
            name: error.code_name.as_deref().unwrap_or_default(),
            message: &error.message,
        }
    }
}

impl<'a> From<&'a WriteConcernError> for ServerError<'a> {
    fn from(error: &'a WriteConcernError) -> Self {
        Self {
            code: error.code,
            name: &error.code_name,
            message: &error.message,
        }
    }
}

impl fmt::Display for ServerError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (server error {}", self.message, self.code)?;
        if !self.name.is_empty() {
            write!(f, ", {}", self.name)?;
        }
        f.write_str(")")
    }
}

/// Lists the server's errors: first the write errors, in the order of the writes, and then the write concern
/// errors.
pub(super) fn server_errors(error: &DriverError) -> Vec<ServerError<'_>> {
    match error.kind.as_ref() {
        DriverKind::Command(command) => vec![ServerError {
            code: command.code,
            name: &command.code_name,
            message: &command.message,
        }],
        DriverKind::Write(WriteFailure::WriteError(write)) => vec![write.into()],
        DriverKind::Write(WriteFailure::WriteConcernError(concern)) => vec![concern.into()],
        DriverKind::InsertMany(many) => {
            let writes = many.write_errors.iter().flatten().map(|write| ServerError {
                code: write.code,
                name: write.code_name.as_deref().unwrap_or_default(),
                message: &write.message,
            });
            let concern = many.write_concern_error.as_ref().map(ServerError::from);
            writes.chain(concern).collect()
        }
        DriverKind::BulkWrite(bulk) => {
            let concerns = bulk.write_concern_errors.iter().map(ServerError::from);
            in_order(&bulk.write_errors).chain(concerns).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the error consists only of write concern errors. In this case, the primary has carried out all writes.
pub(super) fn is_unconfirmed(error: &DriverError) -> bool {
    match error.kind.as_ref() {
        DriverKind::Write(WriteFailure::WriteConcernError(_)) => true,
        DriverKind::InsertMany(many) => {
            many.write_concern_error.is_some()
                && many.write_errors.iter().flatten().next().is_none()
        }
        DriverKind::BulkWrite(bulk) => {
            bulk.write_errors.is_empty() && !bulk.write_concern_errors.is_empty()
        }
        _ => false,
    }
}

/// Whether the server refuses to read a capped collection in a transaction, which it never does.
pub(super) fn is_about_capped(error: &DriverError) -> bool {
    /// The code `SnapshotUnavailable`.
    const SNAPSHOT_UNAVAILABLE: i32 = 246;
    let server_errors = server_errors(error);
    let first = server_errors.first();
    first.is_some_and(|it| it.code == SNAPSHOT_UNAVAILABLE && it.message.contains("capped"))
}

fn in_order(errors: &HashMap<usize, WriteError>) -> impl Iterator<Item = ServerError<'_>> {
    let mut errors: Vec<_> = errors.iter().collect();
    errors.sort_unstable_by_key(|(position, _)| **position);
    errors.into_iter().map(|(_, error)| error.into())
}

/// Formats the server's message and error code, or the driver's message if the server did not report an error.
pub(super) struct ServerMessage<'a>(pub(super) &'a DriverError);

impl fmt::Display for ServerMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server_errors = server_errors(self.0);
        match server_errors.split_first() {
            None => match self.0.get_custom::<Unanswered>() {
                Some(unanswered) => write!(f, "{unanswered}"),
                None => write!(f, "{}", self.0.kind),
            },
            Some((first, [])) => write!(f, "{first}"),
            Some((first, more)) => {
                let more = mongosh::several(more.len() as u64, "more error");
                write!(f, "{first}, and {more}")
            }
        }?;
        if is_unconfirmed(self.0) {
            f.write_str(
                "; the primary has carried out the write, but fewer servers have confirmed it than the write concern \
                 requires, so a failover can undo it",
            )?;
        }
        Ok(())
    }
}
