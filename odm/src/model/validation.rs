//! Checks documents with the crate `garde` before they are written.
//!
//! The library uses `garde` and not the crate `validator`, because the errors of `garde` contain the whole path of a
//! value, for example `lines[2].qty`. The errors of `validator` are nested maps, and the path ends at types that only
//! serde knows.

use super::shape::FieldShape;
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

/// Replaces the Rust names in the paths of violated rules with the names in documents and JSON.
///
/// Omits the rules of fields that the library writes, such as copies and the version, because the values of these
/// fields in your struct are not stored. In a new document (`is_new`), the library also writes the snapshots.
pub(crate) fn by_stored_names(
    violations: Vec<Violation>,
    fields: &'static [FieldShape],
    is_new: bool,
) -> Vec<Violation> {
    let stored = |Violation { path, message }| {
        let path = stored_path(&path, fields, is_new)?;
        Some(Violation { path, message })
    };
    violations.into_iter().filter_map(stored).collect()
}

/// Returns the path of a value in a document, for example `lines[2].quantity` for `lines[2].qty`. Names inside types
/// that the library does not know stay unchanged. Returns `None` if the library itself sets the value.
fn stored_path(path: &str, fields: &'static [FieldShape], is_new: bool) -> Option<String> {
    let is_replaced = |field: &FieldShape| {
        field.is_synchronized() || field.maintained.is_some() || is_new && field.is_snapshot()
    };
    let mut inside = Some(fields);
    let mut stored = Vec::new();
    for segment in path.split('.') {
        let (name, position) = segment.split_at(segment.find('[').unwrap_or(segment.len()));
        let name = name.strip_prefix("r#").unwrap_or(name);
        let field = inside.and_then(|fields| fields.iter().find(|field| field.name == name));
        if field.is_some_and(is_replaced) {
            return None;
        }
        inside = field.and_then(|field| Some(field.embed?().fields));
        match field {
            Some(field) if field.flatten => {}
            Some(field) => stored.push(format!("{}{position}", field.stored)),
            None => stored.push(segment.to_owned()),
        }
    }
    Some(stored.join("."))
}

/// Returns the rules that a document violates. The derive macro emits a call to this function for each model that has
/// the option `validate`.
#[doc(hidden)]
pub fn broken_rules<T: Validated>(document: &T) -> Vec<Violation> {
    document.broken_rules()
}
