//! Errors of the application.

use super::Error;

impl Error {
    /// Wraps an error of the application, so that a transaction can return it.
    pub fn custom(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Custom(error.into())
    }

    /// Returns the application's own error of type `E`, if this is one.
    pub fn get_custom<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            Self::Custom(error) => error.downcast_ref(),
            _ => None,
        }
    }
}

/// An error of the application that `?` turns into [`Error::Custom`], in the closure of a transaction for instance.
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
