//! The operators of an update that changes one document into another.

use mongodb::bson::Document;

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
    let (mut set, mut unset) = (Document::new(), Document::new());
    for (name, value) in after.iter().filter(|(name, _)| is_own(name)) {
        if before.get(name) != Some(value) {
            set.insert(name, value.clone());
        }
    }
    for name in before.keys().filter(|name| is_own(name)) {
        if !after.contains_key(name) {
            unset.insert(name, "");
        }
    }
    let mut names = set.keys().chain(unset.keys());
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
    let operators = [("$set", set), ("$unset", unset)].into_iter();
    let operators = operators.filter(|(_, fields)| !fields.is_empty());
    Ok(operators
        .map(|(name, fields)| (name.to_owned(), fields.into()))
        .collect())
}

/// Whether the library sets the field and ignores the value in the struct.
fn is_derived(field: &FieldShape) -> bool {
    field.is_synchronized() || field.maintained.is_some()
}
