//! Builds the update that removes the keys of deleted documents from other documents.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    derived::values::{SourceValues, expected, key_condition},
    graph::{Copied, ExtendedReference, KeyForm, NullForm, StoredReference, graph},
    model::shape::OnDelete,
    query::update::set_or_unset,
    value::{
        key::{any_of, is_operator_or_pattern},
        path::join,
    },
};

/// Returns the update that removes the given keys and the copies beside them, together with its array filters.
/// `foreign` contains the extended references that have copies in the updated documents, if only other programs write
/// these copies.
pub(super) fn removal(
    rule: &StoredReference,
    keys: &[Bson],
    foreign: &[Arc<ExtendedReference>],
) -> (Document, Vec<Document>) {
    let filters = filters_of(rule, keys);
    match rule.on_delete {
        OnDelete::Nullify => nullify(rule, filters, foreign),
        OnDelete::Pull | OnDelete::Keep | OnDelete::Restrict | OnDelete::Cascade => {
            pull(rule, keys, filters)
        }
    }
}

/// Returns the update that sets the key and the copies beside it to null.
fn nullify(
    rule: &StoredReference,
    mut filters: Vec<Document>,
    foreign: &[Arc<ExtendedReference>],
) -> (Document, Vec<Document>) {
    if let Some(whole) = &rule.whole {
        // The server rejects an update if no path uses one of its array filters.
        filters.truncate(whole.arrays.len());
        let value = value_of(rule.null_form);
        return (set_or_unset([(whole.update_path(""), value)]), filters);
    }
    let key = rule.place.update_path(&rule.key);
    let mut fields = vec![(key, value_of(rule.null_form))];
    for reference in graph().copied_into(rule.model.documents()) {
        if reference.place == rule.place && reference.key == rule.key {
            // A copy that is not an `Option` is kept, because the document could not be decoded without this copy.
            let values = expected(reference, SourceValues::NoKey);
            let values = values.filter(|(_, value)| !value.is_any());
            let path = |it: &Copied| reference.place.update_path(&it.to);
            fields.extend(values.map(|(it, value)| (path(it), value.stored().cloned())));
        }
    }
    // A path in an update has to show which of its parts are arrays, but another program's declaration does not
    // contain this information.
    let beside =
        |it: &&Arc<ExtendedReference>| rule.place.arrays.is_empty() && it.key_path() == rule.path();
    let foreign = foreign.iter().filter(beside);
    fields.extend(foreign.flat_map(|it| it.copy_paths().map(|path| (path, None))));
    (set_or_unset(fields), filters)
}

/// Returns the update that removes the key from an array of keys, or the element that contains the key.
fn pull(
    rule: &StoredReference,
    keys: &[Bson],
    mut filters: Vec<Document>,
) -> (Document, Vec<Document>) {
    if let KeyForm::Array = rule.form {
        let path = rule.place.update_path(&rule.key);
        // `$pull` with `$in` cannot be used, because a key that is a regular expression would match other keys.
        return (doc! { "$pullAll": { path: keys.to_vec() } }, filters);
    }
    // `$pull` removes whole elements from the innermost array, so only the outer arrays require filters.
    filters.pop();
    let mut path = String::new();
    for (level, array) in rule.place.arrays.iter().enumerate() {
        path = join(&path, array);
        if level + 1 < rule.place.arrays.len() {
            path = format!("{path}.$[l{level}]");
        }
    }
    let element = any_of(&rule.place.relative(&rule.key), keys.to_vec());
    (doc! { "$pull": { path: element } }, filters)
}

fn value_of(null_form: NullForm) -> Option<Bson> {
    match null_form {
        NullForm::LeftOut => None,
        NullForm::Stored => Some(Bson::Null),
    }
}

/// Returns the array filters for elements that contain one of the keys. A key that is a pattern or an operator gets a
/// separate condition, because the server would evaluate such a key inside `$in`.
fn filters_of(rule: &StoredReference, keys: &[Bson]) -> Vec<Document> {
    let (apart, others): (Vec<Bson>, Vec<Bson>) =
        keys.iter().cloned().partition(is_operator_or_pattern);
    let others = Some(others).filter(|keys| !keys.is_empty());
    let groups = apart.into_iter().map(|key| vec![key]).chain(others);
    let filters = groups.map(|keys| rule.place.array_filters(&rule.key, &key_condition(&keys)));
    let either = |(one, other): (Document, Document)| doc! { "$or": [one, other] };
    filters
        .reduce(|all, more| all.into_iter().zip(more).map(either).collect())
        .unwrap_or_default()
}
