//! What happens to a reference when the document that it leads to is deleted.

use serde::Serialize;

/// What happens to a reference, and to the copies beside it, when its target is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnDelete {
    /// The reference stays and leads nowhere.
    #[default]
    Keep,
    /// The delete is refused while a reference is there.
    Restrict,
    /// The documents that refer to it are deleted, too.
    Cascade,
    /// The reference becomes null, with its copies.
    Nullify,
    /// The element of the array that refers to it is removed.
    Pull,
}
