//! The operators of an update that sets or removes fields.

use mongodb::bson::{Bson, Document};

/// Returns the operators that set the fields that have a value and remove the fields that have no value.
pub(crate) fn set_or_unset(fields: impl IntoIterator<Item = (String, Option<Bson>)>) -> Document {
    let (mut set, mut unset) = (Document::new(), Document::new());
    for (path, value) in fields {
        match value {
            None => _ = unset.insert(path, ""),
            Some(value) => _ = set.insert(path, value),
        }
    }
    let operators = [("$set", set), ("$unset", unset)].into_iter();
    let operators = operators.filter(|(_, fields)| !fields.is_empty());
    operators
        .map(|(name, fields)| (name.to_owned(), fields.into()))
        .collect()
}
