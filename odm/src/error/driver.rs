//! Errors of the server and the driver: their codes and their labels.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use mongodb::error::{
    Error as DriverError, ErrorKind as DriverKind, WriteConcernError, WriteError, WriteFailure,
};

use super::{
    Error, ErrorKind, duplicate::duplicate_key, statement::FailedStatement, unreachable::Attempts,
};

/// What one of several writes, or a command as a whole, was refused with.
#[derive(Clone, Copy)]
pub(super) struct Refusal<'a> {
    pub(super) code: i32,
    name: &'a str,
    pub(super) message: &'a str,
}

impl<'a> From<&'a WriteError> for Refusal<'a> {
    fn from(error: &'a WriteError) -> Self {
        Self {
            code: error.code,
            name: error.code_name.as_deref().unwrap_or_default(),
            message: &error.message,
        }
    }
}

impl<'a> From<&'a WriteConcernError> for Refusal<'a> {
    fn from(error: &'a WriteConcernError) -> Self {
        Self {
            code: error.code,
            name: &error.code_name,
            message: &error.message,
        }
    }
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (server error {}", self.message, self.code)?;
        if !self.name.is_empty() {
            write!(f, ", {}", self.name)?;
        }
        f.write_str(")")
    }
}

/// Lists what the server has refused: each write of a bulk in their order, then write concerns.
pub(super) fn refusals(error: &DriverError) -> Vec<Refusal<'_>> {
    match error.kind.as_ref() {
        DriverKind::Command(command) => vec![Refusal {
            code: command.code,
            name: &command.code_name,
            message: &command.message,
        }],
        DriverKind::Write(WriteFailure::WriteError(write)) => vec![write.into()],
        DriverKind::Write(WriteFailure::WriteConcernError(concern)) => vec![concern.into()],
        DriverKind::InsertMany(many) => {
            let writes = many.write_errors.iter().flatten().map(|write| Refusal {
                code: write.code,
                name: write.code_name.as_deref().unwrap_or_default(),
                message: &write.message,
            });
            let concern = many.write_concern_error.as_ref().map(Refusal::from);
            writes.chain(concern).collect()
        }
        DriverKind::BulkWrite(bulk) => {
            let concerns = bulk.write_concern_errors.iter().map(Refusal::from);
            in_order(&bulk.write_errors).chain(concerns).collect()
        }
        _ => Vec::new(),
    }
}

fn in_order(errors: &HashMap<usize, WriteError>) -> impl Iterator<Item = Refusal<'_>> {
    let mut errors: Vec<_> = errors.iter().collect();
    errors.sort_unstable_by_key(|(position, _)| **position);
    errors.into_iter().map(|(_, error)| error.into())
}

/// Tells what kind an error of the driver is.
pub(super) fn kind(error: &DriverError) -> ErrorKind {
    const WRITE_CONFLICT: i32 = 112;
    // MaxTimeMSExpired, ExceededTimeLimit.
    const TIMEOUTS: [i32; 2] = [50, 262];
    match error.kind.as_ref() {
        DriverKind::Io(_)
        | DriverKind::ConnectionPoolCleared { .. }
        | DriverKind::ServerSelection { .. }
        | DriverKind::DnsResolve { .. } => ErrorKind::Unreachable,
        DriverKind::Shutdown => ErrorKind::Shutdown,
        _ => match refusals(error).first().map(|refusal| refusal.code) {
            Some(WRITE_CONFLICT) => ErrorKind::WriteConflict,
            Some(code) if TIMEOUTS.contains(&code) => ErrorKind::Timeout,
            _ => ErrorKind::Server,
        },
    }
}

/// Shows what the server said, with its code, and otherwise what the driver says.
pub(super) struct Words<'a>(pub(super) &'a DriverError);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refusals = refusals(self.0);
        match refusals.split_first() {
            None => write!(f, "{}", self.0.kind),
            Some((first, [])) => write!(f, "{first}"),
            Some((first, more)) => write!(f, "{first}, and {} more errors", more.len()),
        }
    }
}

/// Returns an error of the library that driver code of the application has passed on.
fn own(mut source: DriverError) -> Result<Error, DriverError> {
    if let DriverKind::Custom(custom) = source.kind.as_mut()
        && let Some(own) = Arc::get_mut(custom)
        && let Some(own) = own.downcast_mut::<Error>()
    {
        return Ok(std::mem::replace(own, Error::Shutdown));
    }
    Err(source)
}

impl From<DriverError> for Error {
    fn from(source: DriverError) -> Self {
        if let Some(duplicate) = duplicate_key(&source) {
            return duplicate;
        }
        let source = match own(source) {
            Ok(own) => return own,
            Err(source) => Box::new(source),
        };
        match source.kind.as_ref() {
            DriverKind::ServerSelection { .. } | DriverKind::DnsResolve { .. } => {
                let hosts = Attempts(&source).hosts();
                Self::Unreachable {
                    hosts: hosts.map(|(host, _)| host.to_owned()).collect(),
                    waited: None,
                    statement: None,
                    source,
                }
            }
            _ => Self::Driver {
                statement: None,
                source,
            },
        }
    }
}

impl Error {
    /// Returns the error of the driver behind this one, if there is one.
    pub fn driver(&self) -> Option<&DriverError> {
        match self {
            Self::Driver { source, .. }
            | Self::DuplicateKey { source, .. }
            | Self::Unreachable { source, .. } => Some(source),
            Self::PartlyDeleted { source, .. } => source.driver(),
            _ => None,
        }
    }

    /// Returns whether the driver or the server put this label on the error,
    /// `TransientTransactionError` for instance.
    pub fn contains_label(&self, label: &str) -> bool {
        self.driver()
            .is_some_and(|driver| driver.contains_label(label))
    }

    /// Returns the server's own code: of a command, of a write, of the first write of several that was
    /// refused, or of a write concern.
    pub fn server_code(&self) -> Option<i32> {
        let refusals = refusals(self.driver()?);
        refusals.first().map(|refusal| refusal.code)
    }

    /// Whether the server refused a document, and would take others: a validator, the size.
    pub(crate) fn is_of_a_document(&self) -> bool {
        // PathNotViable: something else is stored where a struct should be. DocumentValidationFailure,
        // TransactionTooLargeForCache, and three names of "too large": BSONObjectTooLarge, an object that
        // is too large after an update, and one too large to be stored.
        const CODES: [i32; 7] = [28, 121, 388, 10334, 17280, 17419, 17420];
        self.is_duplicate_key() || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Whether one document is in the way, and others can be dealt with: the server refuses it, or it
    /// cannot be read.
    pub(crate) fn is_of_one(&self) -> bool {
        self.is_of_a_document() || matches!(self, Self::Decode { .. })
    }

    /// Whether a cursor is gone that the same query can replace: the server has closed it, or is another one now.
    pub(crate) fn has_lost_cursor(&self) -> bool {
        // CursorNotFound, CursorKilled, and what a server says that is no longer the primary, or ends.
        const CODES: [i32; 9] = [43, 237, 91, 189, 10107, 11600, 11602, 13435, 13436];
        self.kind() == ErrorKind::Unreachable
            || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Whether the server refused the statement, so that nothing of it is done in a transaction.
    pub(crate) fn is_refusal(&self) -> bool {
        self.server_code().is_some()
    }

    /// Says which statement failed, and after what time.
    pub(crate) fn during(
        mut self,
        failed: impl FnOnce() -> FailedStatement,
        after: Duration,
    ) -> Self {
        match &mut self {
            Self::Driver { statement, .. } if statement.is_none() => {
                *statement = Some(Box::new(failed()));
            }
            Self::Unreachable {
                statement, waited, ..
            } if statement.is_none() => {
                *statement = Some(Box::new(failed()));
                *waited = Some(after);
            }
            Self::DuplicateKey {
                model, collection, ..
            } => {
                let failed = failed();
                *model = failed.model;
                if let Some(known) = failed.collection {
                    *collection = known;
                }
            }
            _ => {}
        }
        self
    }
}
