//! Errors of the server and the driver: their codes and their labels.

use std::{sync::Arc, time::Duration};

use mongodb::error::{Error as DriverError, ErrorKind as DriverKind};

use super::{
    Error, ErrorKind, duplicate::duplicate_key, refusal::refusals, statement::FailedStatement,
    unreachable::Attempts,
};

/// Returns an error of the library that driver code of the application has passed on.
fn unwrap_library_error(mut source: DriverError) -> Result<Error, DriverError> {
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
        let source = match unwrap_library_error(source) {
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
            Self::PartlyUpdated { source, .. } | Self::PartlyDeleted { source, .. } => {
                source.driver()
            }
            Self::InsertMany { source, .. } => source.driver(),
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

    /// Returns the message without the statement. If a server refuses a statement to a user, its message has a copy of the
    /// statement, which is left out, too.
    pub fn reason(mut self) -> String {
        if let Self::Driver { statement, .. } = &mut self {
            *statement = None;
        }
        let text = self.to_string();
        let refused = text.split_once(" to execute command {");
        match (refused, text.rsplit_once(" (server error")) {
            (Some((refused, _)), Some((_, code))) => format!("{refused} (server error{code}"),
            _ => text,
        }
    }

    /// Whether the server refused a document, and would take others: a validator, the size.
    pub(crate) fn is_of_a_document(&self) -> bool {
        // PathNotViable: something else is stored where a struct should be. DocumentValidationFailure,
        // TransactionTooLargeForCache, and three names of "too large": BSONObjectTooLarge, an object that
        // is too large after an update, and one too large to be stored.
        const CODES: [i32; 7] = [28, 121, 388, 10334, 17280, 17419, 17420];
        self.is_duplicate_key() || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Whether one document is in the way, and others can be dealt with: the server refuses it, it
    /// cannot be read, or its array is full.
    pub(crate) fn is_of_one(&self) -> bool {
        let is_of_one = matches!(self, Self::Decode { .. } | Self::BoundExceeded { .. });
        self.is_of_a_document() || is_of_one
    }

    /// Whether a cursor is gone that the same query can replace: the server has closed it, or is another one now.
    pub(crate) fn has_lost_cursor(&self) -> bool {
        // CursorNotFound, CursorKilled.
        const CODES: [i32; 2] = [43, 237];
        self.is_passing() || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Whether the same statement may succeed a moment later: no server could be reached, or the one that was is no
    /// longer the primary, or ends.
    pub(crate) fn is_passing(&self) -> bool {
        // HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress, PrimarySteppedDown, SocketException,
        // NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk,
        // NotPrimaryOrSecondary.
        const CODES: [i32; 11] = [6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436];
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
