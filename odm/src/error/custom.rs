//! Errors that the application defines.

use super::Error;

impl Error {
    /// Wraps an application's own error as [`Error::Custom`], so that the closure of a transaction can return it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::{Error, ErrorKind};
    /// let error = Error::custom(std::io::Error::other("the label printer is offline"));
    /// assert_eq!(error.kind(), ErrorKind::Custom);
    /// assert!(error.get_custom::<std::io::Error>().is_some());
    /// ```
    pub fn custom(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Custom(error.into())
    }

    /// Returns the wrapped application error if its type is `E`. A hook can also have returned this error.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::num::ParseIntError;
    ///
    /// let error = mongo_odm::Error::custom("x".parse::<i32>().unwrap_err());
    /// assert!(error.get_custom::<ParseIntError>().is_some());
    /// ```
    pub fn get_custom<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            Self::Custom(error) => error.downcast_ref(),
            Self::Hook { source, .. }
            | Self::PartlyUpdated { source, .. }
            | Self::PartlyDeleted { source, .. } => source.get_custom(),
            Self::InsertMany { source, .. } | Self::BulkWrite { source, .. } => source.get_custom(),
            _ => None,
        }
    }
}

/// A marker for an application's own error type. The operator `?` converts such an error to [`Error::Custom`], for
/// example in the closure of a transaction.
///
/// # Examples
///
/// ```
/// # use mongo_odm::{CustomError, Error};
/// #[derive(Debug, PartialEq, thiserror::Error)]
/// #[error("{0} parts are not enough")]
/// struct NotEnough(i64);
/// impl CustomError for NotEnough {}
///
/// fn check(parts: i64) -> mongo_odm::Result<()> {
///     if parts < 3 {
///         Err(NotEnough(parts))?;
///     }
///     Ok(())
/// }
/// let error = check(2).unwrap_err();
/// assert_eq!(error.get_custom(), Some(&NotEnough(2)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no error of this library",
    label = "an error of the application: write `.map_err(Error::custom)?`, or once `impl mongo_odm::CustomError for {Self} {{}}`"
)]
pub trait CustomError: std::error::Error + Send + Sync + 'static {}

impl<E: CustomError> From<E> for Error {
    fn from(error: E) -> Self {
        Self::custom(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the label printer failed")]
    struct PrinterFailed(#[source] std::io::Error);

    #[test]
    fn the_source_of_an_application_error_is_the_source_of_the_error() {
        let error = Error::custom(PrinterFailed(std::io::Error::other("offline")));
        assert_eq!(error.to_string(), "the label printer failed");
        let source = std::error::Error::source(&error).map(ToString::to_string);
        assert_eq!(source.as_deref(), Some("offline"));
    }
}
