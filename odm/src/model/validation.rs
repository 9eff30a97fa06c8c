//! Checks documents with the crate `garde` before they are written.
//!
//! The library uses `garde` and not the crate `validator`, because the errors of `garde` contain the whole path of a
//! value, for example `lines[2].qty`. The errors of `validator` are nested maps, and the path ends at types that only
//! serde knows.

use crate::error::Violation;

/// A type that has validation rules, which the option `validate` requires.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not have validation rules",
    label = "no rules",
    note = "derive `garde::Validate` for `{Self}`, and add the feature `garde` to `mongo-odm`; the `Context` of the rules must \
            implement `Default`"
)]
pub trait Validated {
    /// Returns the rules that the value violates, sorted by the paths of the values.
    #[doc(hidden)]
    fn broken_rules(&self) -> Vec<Violation>;
}

#[cfg(feature = "garde")]
#[diagnostic::do_not_recommend]
impl<T: garde::Validate<Context: Default>> Validated for T {
    fn broken_rules(&self) -> Vec<Violation> {
        let Err(report) = self.validate() else {
            return Vec::new();
        };
        let violations = report.iter().map(|(path, error)| Violation {
            path: path.to_string(),
            message: error.message().to_owned(),
        });
        let mut violations: Vec<Violation> = violations.collect();
        violations.sort_by(|one, other| one.path.cmp(&other.path));
        violations
    }
}

/// Returns the rules that a document violates. The derive macro emits a call of this function for each model that has
/// the option `validate`.
#[doc(hidden)]
pub fn broken_rules<T: Validated>(document: &T) -> Vec<Violation> {
    document.broken_rules()
}
