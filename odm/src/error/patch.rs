//! The reasons why a patch cannot be applied.

/// The reason why a [patch](trait@crate::Patch) cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchProblem {
    /// The patch sets a field to null although the field must have a value.
    Null,
    /// The patch changes a field of an embedded struct that a stored document does not contain.
    NoStruct,
}

impl PatchProblem {
    /// Returns the second part of the error message, which follows the name of the patch's model.
    pub(super) fn of_field(self, field: &str) -> String {
        match self {
            Self::Null => format!(
                "sets `{field}` to null, but the field must have a value; leave the field out to keep its value"
            ),
            Self::NoStruct => format!(
                "changes fields of `{field}`, which a stored document does not contain; set `{field}` as a whole, or change \
                 only documents that have it"
            ),
        }
    }
}
