//! Creates the statement that sets copies to the current values of their source.
//!
//! All statements that write copies follow these rules:
//!
//! - The statements use the simple collation. A case-insensitive default collation would treat "grommet" and "Grommet"
//!   as equal.
//! - The statements match array elements with `$elemMatch`, because conditions on dotted paths could be met by two
//!   different elements.
//! - The statements contain one array filter for each level of arrays, pass values as literals, and need no index on a
//!   copied value.
//! - A key may be a pattern, or a document that begins with an operator. Such a key gets a separate condition or
//!   statement (`key::any_of`, `by_values`), because the server would evaluate the key inside `$in`.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use super::expected_value::{SourceValues, expected};
use crate::{
    client::{
        command::{UpdateCommand, simple},
        place::Place,
    },
    graph::ExtendedReference,
    query::update::set_or_unset,
    value::key::any_of,
};

/// Returns the `updateMany` that sets the copies for the given keys to the values of their source. Returns `None` if
/// none of the copies can differ.
///
/// The statement matches documents with stale copies. If no filter can distinguish the values, the statement also
/// matches documents with correct copies, which the server leaves unchanged. If `keys` contains a pattern or an
/// operator, it must have only one element.
pub(crate) fn update_of(
    reference: &ExtendedReference,
    keys: &[Bson],
    source: SourceValues<'_>,
) -> Option<UpdateCommand> {
    let key = key_condition(keys);
    let conditions = expected(reference, source).filter_map(|(copied, value)| {
        let path = reference.place.relative(&copied.to);
        Some((path, value.condition()?))
    });
    let right: Document = conditions.collect();
    if right.is_empty() {
        return None;
    }
    let fields = expected(reference, source).filter(|(_, value)| !value.is_any());
    let update = set_or_unset(fields.map(|(copied, value)| {
        let path = reference.place.update_path(&copied.to);
        (path, value.stored().cloned())
    }));
    let mut element = doc! { reference.place.relative(&reference.key): key.clone() };
    element.insert("$nor", vec![right]);
    let mut array_filters = reference.place.array_filters(&reference.key, &key);
    // A filter for a null key also matches elements that lack the struct. In such elements, `$set` would create the
    // struct with a null inside.
    if source == SourceValues::NoKey {
        reference.place.where_present(&mut array_filters);
    }
    let place = Place::at(&reference.target).durable();
    let update = UpdateCommand::many(
        place,
        reference.place.matching(element),
        UpdateModifications::Document(update),
    );
    Some(update.array_filters(array_filters).collation(simple()))
}

/// Returns a filter for all documents that contain copies for the given keys.
pub(crate) fn tied(reference: &ExtendedReference, keys: &[Bson]) -> Document {
    any_of(&reference.key_path(), keys.to_vec())
}

/// Returns a condition that only the given keys meet. If there are several keys, none may be a pattern or an operator.
pub(crate) fn key_condition(keys: &[Bson]) -> Bson {
    match keys {
        [key] => Bson::Document(doc! { "$eq": key.clone() }),
        keys => Bson::Document(doc! { "$in": keys.to_vec() }),
    }
}
