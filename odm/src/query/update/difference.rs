//! The operators of an update that changes one document into another.

use mongodb::bson::Document;

use super::set_or_unset::set_or_unset;
use crate::{
    error::{Error, Result},
    model::shape::{FieldShape, ModelShape, walk},
};

/// Returns the operators that set or remove the fields in which `after` differs from `before`. The operators do not
/// contain fields that the library sets.
///
/// # Errors
///
/// [`Error::Invalid`] if the name of a changed field is empty, contains a dot, or begins with `$`.
pub(crate) fn difference(
    model: &'static ModelShape,
    before: &Document,
    after: &Document,
) -> Result<Document> {
    let derived = walk(model.fields).into_iter();
    let derived = derived.filter(|field| !field.path.contains('.') && is_derived(field.shape));
    let derived: Vec<String> = derived.map(|field| field.path).collect();
    let is_own = |name: &str| !derived.iter().any(|derived| derived == name);
    let changed = after
        .iter()
        .filter(|(name, value)| before.get(name) != Some(value));
    let changed = changed.map(|(name, value)| (name, Some(value.clone())));
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    let fields = changed.chain(removed.map(|name| (name, None)));
    let fields: Vec<_> = fields.filter(|(name, _)| is_own(name)).collect();
    let mut names = fields.iter().map(|(name, _)| *name);
    let is_unfit = |name: &&String| name.is_empty() || name.contains('.') || name.starts_with('$');
    if let Some(name) = names.find(is_unfit) {
        // The server also rejects a replacement with such a name, unless the only problem is a dot in the name.
        let remedy = if name.is_empty() || name.starts_with('$') {
            "rename the field"
        } else {
            "use `save`"
        };
        let message = format!(
            "an update of `{}` cannot set the changed field `{name}`, because its name is empty, begins with `$`, or contains \
             a dot; {remedy}",
            model.name
        );
        return Err(Error::invalid(message).in_model(model));
    }
    let fields = fields.into_iter();
    Ok(set_or_unset(
        fields.map(|(name, value)| (name.clone(), value)),
    ))
}

/// Whether the library sets the field and ignores the value in the struct.
fn is_derived(field: &FieldShape) -> bool {
    field.is_synchronized() || field.maintained.is_some()
}
