//! Determines why the result lacks the document for a key: the document is missing or unmatched, or the key was not
//! part of the request.
//!
//! The library may report a document as missing only if the server looked for it without a filter. If a filter, or a
//! skip on the server, was applied, the document may still exist.

use super::{
    request::{Request, Window},
    slot::Slot,
    statement_choice::{ReadyLoad, Sends},
};
use crate::{error::Error, value::key::JoinKey};

/// The reason why no document was found for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    Missing,
    Unmatched,
    NotAsked,
}

impl Absence {
    pub(crate) const fn slot<V>(self, key: JoinKey) -> Slot<V> {
        match self {
            Self::Missing => Slot::Missing(key),
            Self::Unmatched => Slot::Unmatched(key),
            Self::NotAsked => Slot::NotAsked(key),
        }
    }
}

impl ReadyLoad {
    /// Returns the reason that applies to all keys without a document.
    pub(super) fn absence(&self) -> Absence {
        match self.sends {
            Sends::Nothing => Absence::NotAsked,
            Sends::Lookup(Window { skip: 1.., .. }) => Absence::Unmatched,
            _ if self.request.is_filtered() => Absence::Unmatched,
            _ => Absence::Missing,
        }
    }
}

impl Request {
    /// Returns the error for keys without a document.
    pub(crate) fn absent(&self, absence: Absence, keys: &[JoinKey]) -> Error {
        let (relation, collection) = (self.relation.to_owned(), self.target.collection);
        let model = self.target.name;
        let keys = keys.iter().map(JoinKey::to_bson).collect();
        match absence {
            Absence::Unmatched => Error::Unmatched {
                relation,
                model,
                collection,
                keys,
            },
            Absence::Missing | Absence::NotAsked => Error::Missing {
                relation,
                model,
                collection,
                keys,
            },
        }
    }
}
