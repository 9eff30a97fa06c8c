//! The error that the closure of a transaction ignored.

use mongodb::error::Error as DriverError;

use super::{Error, ErrorKind};

/// The error because of which a transaction was not committed, although its closure returned `Ok`.
/// [`Error::TransactionPoisoned`] contains it. `to_string` returns its message, and `source` the error of the driver.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct IgnoredError {
    message: String,
    kind: Option<ErrorKind>,
    server_code: Option<i32>,
    source: Option<Box<DriverError>>,
}

impl IgnoredError {
    /// Describes an error that cannot be cloned. The message can also contain the failed statement.
    pub(crate) fn new(error: &Error, message: String) -> Self {
        Self {
            message,
            kind: Some(error.kind()),
            server_code: error.server_code(),
            source: error.driver().cloned().map(Box::new),
        }
    }

    /// Describes a reason other than an error.
    pub(crate) fn reason(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            kind: None,
            server_code: None,
            source: None,
        }
    }

    /// Returns the kind of the ignored error, or `None` if the reason is not an error, for example a panic.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::{Error, ErrorKind};
    ///
    /// fn ignores_duplicates(error: &Error) -> bool {
    ///     match error {
    ///         Error::TransactionPoisoned(ignored) => ignored.kind() == Some(ErrorKind::DuplicateKey),
    ///         _ => false,
    ///     }
    /// }
    /// ```
    pub const fn kind(&self) -> Option<ErrorKind> {
        self.kind
    }

    /// Returns the server's error code, if the server reported the ignored error.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Error;
    ///
    /// fn code_of(error: &Error) -> Option<i32> {
    ///     match error {
    ///         Error::TransactionPoisoned(ignored) => ignored.server_code(),
    ///         error => error.server_code(),
    ///     }
    /// }
    /// ```
    pub const fn server_code(&self) -> Option<i32> {
        self.server_code
    }
}
