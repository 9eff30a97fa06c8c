//! The result for one stored reference.
//!
//! A key without a document is `Missing` only if the library knows that the document does not exist. After a filter, or
//! a skip that the server applied, it is `Unmatched`. `missing()` of the load or the join then sends one more `find`
//! for the keys only, without the filter. A key that was not part of the request is `NotAsked`.

use crate::value::key::JoinKey;

/// What a reference leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slot<V> {
    /// The document.
    Found(V),
    /// No document has this key.
    Missing(JoinKey),
    /// No document came with this key, and the call left some out, by a filter or by a `skip_each`
    /// that the server applied: there may be one. `missing()` of the load or the join tells.
    Unmatched(JoinKey),
    /// The server was not asked about this key: its owner was not part of the join, or `limit_each`
    /// was 0.
    NotAsked(JoinKey),
    /// The owner stores null here.
    Null,
    /// A polymorphic reference has a variant without a key here, which leads to no model: a kind that only other programs
    /// know, for instance. Of [`LoadAll`](super::LoadAll) alone.
    NoModel,
}

impl<V> Slot<V> {
    /// Returns the document, if there is one.
    pub fn found(self) -> Option<V> {
        match self {
            Self::Found(document) => Some(document),
            _ => None,
        }
    }

    /// Makes another value of the document, if there is one.
    pub fn map<W>(self, document: impl FnOnce(V) -> W) -> Slot<W> {
        match self {
            Self::Found(found) => Slot::Found(document(found)),
            Self::Missing(key) => Slot::Missing(key),
            Self::Unmatched(key) => Slot::Unmatched(key),
            Self::NotAsked(key) => Slot::NotAsked(key),
            Self::Null => Slot::Null,
            Self::NoModel => Slot::NoModel,
        }
    }

    /// Returns whether no document has the key of this reference.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing(_))
    }
}
