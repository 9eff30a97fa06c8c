//! The one error type of the library.

use std::fmt;

/// What a call of the library returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong, with the names that a reader needs to find the place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The driver or the server refused; the source keeps the driver's labels and codes.
    #[error("{0}")]
    Driver(#[from] mongodb::error::Error),

    /// A stored document does not fit its struct.
    #[error(
        "cannot decode a document of `{collection}` (_id {}) into `{type_name}` at `{path}`: {message}",
        id.as_deref().unwrap_or("unknown")
    )]
    Decode {
        /// The struct that was to be filled.
        type_name: &'static str,
        /// The collection that holds the document.
        collection: String,
        /// The `_id` of the document in mongosh notation, if the reply has it.
        id: Option<String>,
        /// The path of the value that does not fit.
        path: String,
        /// What serde reports.
        message: String,
    },

    /// A value cannot be written as BSON (`u64` above `i64::MAX`, a map key that is no string, ..).
    #[error("cannot encode {context}: {source}")]
    Encode {
        /// What was to be encoded: a model or a field.
        context: String,
        /// What serde reports.
        #[source]
        source: EncodeError,
    },

    /// No document has this id or matches this filter.
    #[error("no document in `{collection}` matches {filter}")]
    NotFound {
        /// The collection that was asked.
        collection: &'static str,
        /// The filter, in mongosh notation.
        filter: String,
    },

    /// References lead to no document, and the caller asked for all of them.
    #[error(
        "{} of the documents that `{relation}` refers to are missing in `{collection}`: {}",
        keys.len(), Listed(keys)
    )]
    Missing {
        /// The relation, `Product.parts` for instance.
        relation: String,
        /// The collection that lacks the documents.
        collection: &'static str,
        /// The keys without a document, in mongosh notation.
        keys: Vec<String>,
    },

    /// References lead to no document that passes the filter, and the caller asked for all of them.
    /// There may be documents with these keys that do not pass it.
    #[error(
        "{} of the documents that `{relation}` refers to did not come from `{collection}`: they are \
         missing, or the call left them out: {}; `missing()` tells which are not there",
        keys.len(), Listed(keys)
    )]
    Unmatched {
        /// The relation, `Product.parts` for instance.
        relation: String,
        /// The collection that was asked.
        collection: &'static str,
        /// The keys without a document that matches, in mongosh notation.
        keys: Vec<String>,
    },

    /// A reference to one document leads to several.
    #[error(
        "`{relation}` refers to one document, but {found} documents of `{collection}` have {path} {key}; \
         declare a relation to many (`#[refs(many)]`, `has_many`) or make the key unique"
    )]
    Ambiguous {
        /// The relation, `Task.owner` for instance.
        relation: String,
        /// The collection that holds the documents.
        collection: &'static str,
        /// The path of the key.
        path: String,
        /// The key, in mongosh notation.
        key: String,
        /// How many documents have it.
        found: usize,
    },

    /// An array would hold more elements than its model allows; nothing was written.
    #[error(
        "`{model}.{field}` may hold {max} elements (`max = {max}`) and would hold {}; \
         raise `max`, remove elements first, or refer from the other side instead",
        len.map_or_else(|| "more".to_owned(), |len| len.to_string())
    )]
    BoundExceeded {
        /// The model.
        model: &'static str,
        /// The stored path of the array.
        field: String,
        /// The declared bound.
        max: u32,
        /// The size that the array would have, where it is known.
        len: Option<usize>,
    },

    /// A filter, an update or an option cannot mean what it says; nothing was sent.
    #[error("{0}")]
    Invalid(String),

    /// The server has indexes that contradict the declared ones; nothing was changed.
    #[error("indexes differ from their declaration; nothing was changed:\n{0}")]
    IndexConflict(String),

    /// Other documents refer to the one that was to be deleted (`on_delete = "restrict"`); nothing was
    /// written.
    #[error(
        "cannot delete from `{collection}`: `{reference}` still refers to {key} \
         (`on_delete = \"restrict\"`); remove these references first"
    )]
    Restricted {
        /// The collection that was to lose the document.
        collection: &'static str,
        /// The reference, `Task.owner` for instance.
        reference: String,
        /// The key, in mongosh notation.
        key: String,
    },

    /// A fan-out would read whole collections; nothing was written.
    #[error(
        "the copies `{relation}` cannot be found without an index on `{collection}` {keys}; \
         call `odm.sync_indexes()`, or add `.force()` to the write"
    )]
    NoIndex {
        /// The tie, `Product.parts.id <- Part`.
        relation: String,
        /// The collection with the copies.
        collection: &'static str,
        /// The index that is missing, in mongosh notation.
        keys: String,
    },

    /// Another runner has taken over a job.
    #[error("another runner has taken over this job")]
    #[doc(hidden)]
    Superseded,

    /// A transaction was used after its end.
    #[error("this transaction has ended; use the `tx` only inside the closure of `transaction`")]
    TransactionEnded,

    /// The deployment has no transactions.
    #[error(
        "a standalone server has no transactions; run it as a replica set \
         (`--replSet`, one node is enough)"
    )]
    NoTransactions,

    /// An error of the application, passed through a transaction.
    #[error("{0}")]
    Custom(Box<dyn std::error::Error + Send + Sync>),
}

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

    /// Returns whether the driver put this label on the error, `TransientTransactionError` for
    /// instance.
    pub fn contains_label(&self, label: &str) -> bool {
        matches!(self, Self::Driver(error) if error.contains_label(label))
    }

    /// Returns whether no document has the id or matches the filter.
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Returns whether a unique index refused the write (server error 11000).
    pub fn is_duplicate_key(&self) -> bool {
        use mongodb::error::{ErrorKind, WriteFailure};
        let Self::Driver(error) = self else {
            return false;
        };
        match error.kind.as_ref() {
            ErrorKind::Write(WriteFailure::WriteError(write)) => write.code == 11000,
            ErrorKind::Command(command) => command.code == 11000,
            ErrorKind::InsertMany(many) => many
                .write_errors
                .iter()
                .flatten()
                .any(|write| write.code == 11000),
            _ => false,
        }
    }

    /// Whether the server refused a document, and would take others: a validator, the size.
    pub(crate) fn is_of_a_document(&self) -> bool {
        use mongodb::error::{ErrorKind, WriteFailure};
        // PathNotViable: something else is stored where a struct should be. DocumentValidationFailure,
        // and three names of "too large": BSONObjectTooLarge, an object that is too large after an
        // update, and one too large to be stored.
        const CODES: [i32; 6] = [28, 121, 10334, 17280, 17419, 17420];
        let Self::Driver(error) = self else {
            return false;
        };
        match error.kind.as_ref() {
            ErrorKind::Write(WriteFailure::WriteError(write)) => {
                CODES.contains(&write.code) || write.code == 11000
            }
            ErrorKind::Command(command) => CODES.contains(&command.code),
            _ => false,
        }
    }

    /// Whether it comes from the server or the way there, so that a part of what was sent may be done.
    pub(crate) const fn is_of_the_server(&self) -> bool {
        matches!(self, Self::Driver(_))
    }

    /// The code with which the server refused a command.
    pub(crate) fn server_code(&self) -> Option<i32> {
        use mongodb::error::ErrorKind;
        let Self::Driver(error) = self else {
            return None;
        };
        match error.kind.as_ref() {
            ErrorKind::Command(command) => Some(command.code),
            _ => None,
        }
    }

    pub(crate) fn encode(context: impl Into<String>, source: EncodeError) -> Self {
        Self::Encode {
            context: context.into(),
            source,
        }
    }
}

/// What serde reports about a value that cannot be written as BSON.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(pub(crate) String);

/// Shows the first few of many keys.
struct Listed<'a>(&'a [String]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for (at, key) in self.0.iter().take(SHOWN).enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(key)?;
        }
        if self.0.len() > SHOWN {
            write!(f, " and {} more", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}
