//! Delete rules for references.

use serde::Serialize;

/// The rule that applies to a reference, and to the copies that depend on the reference, when the target is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnDelete {
    /// The reference stays and is dangling from then on.
    #[default]
    Keep,
    /// The delete is rejected as long as a reference to the document exists.
    Restrict,
    /// The documents that contain the reference are also deleted.
    Cascade,
    /// The reference and its copies become null.
    Nullify,
    /// The array element that contains the reference is removed.
    Pull,
}
