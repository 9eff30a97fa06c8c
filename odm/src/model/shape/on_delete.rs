//! Delete rules of references.

use serde::Serialize;

/// The rule for a reference, and for the copies beside it, when its target is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnDelete {
    /// The reference stays and becomes dangling.
    #[default]
    Keep,
    /// The delete is rejected while a reference exists.
    Restrict,
    /// The documents that contain the reference are also deleted.
    Cascade,
    /// The reference and its copies become null.
    Nullify,
    /// The array element that contains the reference is removed.
    Pull,
}
