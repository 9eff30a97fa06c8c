//! The error for an `insert_many` that did not store all of its documents.

use std::{fmt, sync::Arc};

use mongodb::{bson::Bson, error::ErrorKind as DriverKind};

use super::Error;
use crate::mongosh;

/// A document that `insert_many` did not store. [`Error::InsertMany`] lists these documents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RejectedDocument {
    /// The position in the list that was passed to the call, counted from 0.
    pub index: usize,
    /// The document's `_id`. `None` if the struct cannot be encoded.
    pub id: Option<Bson>,
    /// The reason, such as a duplicate key, a failed validation, a full array, or a reference to a document that does
    /// not exist.
    pub reason: Arc<Error>,
}

impl fmt::Display for RejectedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "document {}", self.index)?;
        if let Some(id) = &self.id {
            write!(f, " (_id {})", mongosh::value(id))?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// Formats the error message for an `insert_many` that did not store all of its documents.
pub(super) struct InsertManyMessage<'a> {
    pub(super) of: (&'static str, &'static str),
    pub(super) stored: u64,
    pub(super) rejected: &'a [RejectedDocument],
    pub(super) transaction_ended: bool,
    pub(super) source: &'a Arc<Error>,
}

impl fmt::Display for InsertManyMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (model, collection) = self.of;
        if self.transaction_ended {
            write!(
                f,
                "the server ended the transaction when it rejected a document of `{collection}` (`{model}`), so that nothing \
                 of it is stored; insert outside of the transaction, with `tx.odm()`, or without this document"
            )?;
        } else {
            write!(
                f,
                "`insert_many` into `{collection}` (`{model}`) stored {} and rejected {}",
                self.stored,
                self.rejected.len()
            )?;
        }
        self.reasons(f)
    }
}

impl InsertManyMessage<'_> {
    /// Writes the first few reasons. If a different error ended the insert, that error follows at the end.
    fn reasons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        for (at, rejected) in self.rejected.iter().take(SHOWN).enumerate() {
            write!(f, "{} {rejected}", if at == 0 { ":" } else { ";" })?;
        }
        if self.rejected.len() > SHOWN {
            write!(f, "; and {} more", self.rejected.len() - SHOWN)?;
        }
        if self.is_about_rejected() {
            let kind = self.source.driver().map(|driver| driver.kind.as_ref());
            if matches!(kind, Some(DriverKind::InsertMany(many)) if many.write_concern_error.is_some())
            {
                f.write_str(
                    "; fewer servers than the write concern requires have confirmed the stored documents, so a failover can \
                     undo them",
                )?;
            }
            return Ok(());
        }
        write!(f, ", then: {}", self.source)
    }

    /// Returns whether the source of the error repeats the listed reasons, because the source is one of these reasons,
    /// or is the driver's error that contains all of them.
    fn is_about_rejected(&self) -> bool {
        let kind = self.source.driver().map(|driver| driver.kind.as_ref());
        let is_of_all = matches!(kind, Some(DriverKind::InsertMany(_)));
        let mut reasons = self.rejected.iter().map(|it| &it.reason);
        !self.rejected.is_empty()
            && (is_of_all || reasons.any(|reason| Arc::ptr_eq(reason, self.source)))
    }
}
