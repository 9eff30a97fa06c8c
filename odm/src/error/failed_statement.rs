//! Describes the statement that failed.

use std::fmt;

/// The statement that failed, as stored in an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedStatement {
    /// The name of the server's command, such as `find` or `insert`. The name is `tx.run` for the
    /// application's own driver code.
    pub command: &'static str,
    /// The collection. `None` for a statement that applies to the whole database, and for a commit or an abort.
    pub collection: Option<String>,
    /// The model of the documents. `None` for statements that do not concern a model.
    pub model: Option<&'static str>,
}

impl fmt::Display for FailedStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "while `{}`", self.command)?;
        if let Some(collection) = &self.collection {
            write!(f, " on `{collection}`")?;
        }
        self.model.map_or(Ok(()), |model| write!(f, " (`{model}`)"))
    }
}

/// Formats the statement for the beginning of an error message. Writes nothing if the statement is not known.
pub(super) struct StatementPrefix<'a>(pub(super) Option<&'a FailedStatement>);

impl fmt::Display for StatementPrefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |statement| write!(f, "{statement}: "))
    }
}
