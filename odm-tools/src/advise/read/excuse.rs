//! Converts the errors of failed reads to the reasons that the report contains.

use mongo_odm::{Error, ErrorKind, Result};

/// Returns the reason why the data of a collection could not be read.
///
/// # Errors
///
/// Returns the error itself if the program is shutting down.
pub(in crate::advise) fn excuse(error: Error) -> Result<String> {
    match error.kind() {
        ErrorKind::Shutdown => Err(error),
        ErrorKind::Timeout if error.server_code().is_some() => {
            Ok("the server exceeded the time limit".to_owned())
        }
        _ => Ok(error.reason()),
    }
}

/// Returns the reason why data could not be read, if no document has been read yet.
///
/// # Errors
///
/// Returns the error itself if the server is unreachable or does not answer, because all other statements would also
/// fail.
pub(super) fn excuse_of_database(error: Error) -> Result<String> {
    match error.kind() {
        ErrorKind::Unreachable => Err(error),
        ErrorKind::Timeout if error.server_code().is_none() => Err(error),
        _ => excuse(error),
    }
}
