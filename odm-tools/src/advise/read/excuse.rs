//! Why something could not be read.

use mongo_odm::{Error, ErrorKind, Result};

/// Says why something of a collection could not be read.
///
/// # Errors
///
/// The error itself, if the program ends.
pub(super) fn excuse(error: Error) -> Result<String> {
    match error.kind() {
        ErrorKind::Shutdown => Err(error),
        ErrorKind::Timeout if error.server_code().is_some() => {
            Ok("the server needed more time than it was given".to_owned())
        }
        _ => Ok(error.reason()),
    }
}

/// Says why something could not be read, before any document of the collections was.
///
/// # Errors
///
/// The error itself, if the server is away or does not answer: no other statement would fare better.
pub(super) fn excuse_of_database(error: Error) -> Result<String> {
    match error.kind() {
        ErrorKind::Unreachable => Err(error),
        ErrorKind::Timeout if error.server_code().is_none() => Err(error),
        _ => excuse(error),
    }
}
