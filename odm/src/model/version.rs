//! The version of a document that your code has loaded.

/// A model that has a `#[version]` field.
///
/// The derive implements this trait. [`if_unchanged`](crate::action::UpdateOne::if_unchanged) requires it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no version",
    label = "no version",
    note = "add a field `#[version] #[serde(default)] version: i64` to `{Self}`"
)]
pub trait Versioned {
    /// Returns the version with which the struct was loaded, or 0 if the document had none.
    #[doc(hidden)]
    fn __odm_version(&self) -> i64;
}

/// A type that a `#[version]` field can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a version",
    label = "not a version",
    note = "make it an `i64`, `i32`, `u64` or `u32`; a missing version counts as 0, so write `#[serde(default)]` and not an \
            `Option`"
)]
pub trait VersionNumber: Copy {
    /// Returns the version as the server stores it.
    #[doc(hidden)]
    fn number(self) -> i64;
}

macro_rules! version_numbers {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl VersionNumber for $type {
            fn number(self) -> i64 {
                i64::from(self)
            }
        }
    )*};
}
version_numbers!(i64 i32 u32);

#[diagnostic::do_not_recommend]
impl VersionNumber for u64 {
    fn number(self) -> i64 {
        // No stored version is larger than `i64::MAX`.
        i64::try_from(self).unwrap_or(i64::MAX)
    }
}

/// Returns the value of a `#[version]` field. The derive emits a call to this function for each model that has a
/// version.
#[doc(hidden)]
pub fn version_number<V: VersionNumber>(version: &V) -> i64 {
    version.number()
}
