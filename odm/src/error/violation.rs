//! The rules that an invalid document violates.

use std::fmt;

use serde::Serialize;

/// A validation rule that a document violates.
///
/// # Examples
///
/// ```
/// use mongo_odm::Error;
///
/// fn fields(error: &Error) -> Vec<&str> {
///     match error {
///         Error::Validation { violations, .. } => violations.iter().map(|it| &*it.path).collect(),
///         _ => Vec::new(),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Violation {
    /// The path of the value in the document, for example `lines[2].qty`. The path contains the field names of
    /// documents and JSON, not the Rust names. The path is empty if the rule concerns the whole document.
    pub path: String,
    /// The message of the rule, which describes the mistake.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "`{path}`: {}", self.message),
        }
    }
}

/// Formats a list of violated rules.
pub(super) struct ListedViolations<'a>(pub(super) &'a [Violation]);

impl fmt::Display for ListedViolations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, violation) in self.0.iter().enumerate() {
            let separator = if at > 0 { "; " } else { "" };
            write!(f, "{separator}{violation}")?;
        }
        Ok(())
    }
}
