//! The statement that failed.

use std::fmt;

/// The statement that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedStatement {
    /// The name of the server's command, `find` or `insert`; `tx.run` for the application's driver code.
    pub command: &'static str,
    /// The collection; none for a statement on the database, and for the end of a transaction.
    pub collection: Option<String>,
    /// The model of the documents; none for statements without a model.
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

/// Starts a message with the statement, if it is known.
pub(super) struct StatementPrefix<'a>(pub(super) Option<&'a FailedStatement>);

impl fmt::Display for StatementPrefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |statement| write!(f, "{statement}: "))
    }
}
