//! Converts errors from the server and the driver, and reads their error codes and labels.

use std::{sync::Arc, time::Duration};

use mongodb::error::{Error as DriverError, ErrorKind as DriverKind};

use super::{
    Error, duplicate_key::duplicate_key, failed_statement::FailedStatement,
    invalid_document::invalid_document, server_error::server_errors, unreachable::Attempts,
};

/// Unwraps an error of this library that the application's driver code has wrapped with the driver's
/// `Error::custom`.
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
        if let Some(invalid) = invalid_document(&source) {
            return invalid;
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
    /// Returns the driver's error, if a driver error caused this error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::{Error, mongodb::error::ErrorKind};
    /// fn lost_connection(error: &Error) -> bool {
    ///     matches!(error.driver().map(|driver| driver.kind.as_ref()), Some(ErrorKind::Io(_)))
    /// }
    /// ```
    pub fn driver(&self) -> Option<&DriverError> {
        match self {
            Self::Driver { source, .. }
            | Self::DuplicateKey { source, .. }
            | Self::InvalidDocument { source, .. }
            | Self::Unreachable { source, .. } => Some(source),
            Self::PartlyUpdated { source, .. }
            | Self::PartlyDeleted { source, .. }
            | Self::Hook { source, .. } => source.driver(),
            Self::InsertMany { source, .. } | Self::BulkWrite { source, .. } => source.driver(),
            _ => None,
        }
    }

    /// Returns whether the driver or the server added this label to the error, for example
    /// `TransientTransactionError`.
    ///
    /// # Examples
    ///
    /// ```
    /// fn can_run_again(error: &mongo_odm::Error) -> bool {
    ///     error.contains_label("TransientTransactionError")
    /// }
    /// ```
    pub fn contains_label(&self, label: &str) -> bool {
        self.driver()
            .is_some_and(|driver| driver.contains_label(label))
    }

    /// Returns the server's error code. The code belongs to the error of the command, to the first rejected write, or
    /// to the write concern error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::Error;
    /// fn is_stepping_down(error: &Error) -> bool {
    ///     error.server_code() == Some(189)
    /// }
    /// ```
    pub fn server_code(&self) -> Option<i32> {
        let server_errors = server_errors(self.driver()?);
        server_errors.first().map(|server_error| server_error.code)
    }

    /// Returns the message without the statement. Use this method in lists that show the statement elsewhere.
    ///
    /// If the server rejects a statement because permissions are missing, the server's message contains the whole
    /// statement. This method also removes the statement from that message.
    ///
    /// # Examples
    ///
    /// ```
    /// fn short(error: mongo_odm::Error) -> String {
    ///     error.reason()
    /// }
    /// ```
    pub fn reason(mut self) -> String {
        if let Self::Driver { statement, .. } | Self::Unreachable { statement, .. } = &mut self {
            *statement = None;
        }
        let text = self.to_string();
        let refused = text.split_once(" to execute command {");
        match (refused, text.rsplit_once(" (server error")) {
            (Some((refused, _)), Some((_, code))) => format!("{refused} (server error{code}"),
            _ => text,
        }
    }

    /// Adds the statement that failed, and the time that the statement took.
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
                *model = failed.model.or(*model);
                if let Some(known) = failed.collection {
                    *collection = known;
                }
            }
            Self::InvalidDocument {
                model, collection, ..
            } => {
                let failed = failed();
                *model = failed.model.or(*model);
                *collection = failed.collection.or_else(|| collection.take());
            }
            _ => {}
        }
        self
    }
}
