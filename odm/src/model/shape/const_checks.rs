//! Functions that compare shapes in `const` assertions.

use super::{FieldShape, KindShape, ModelShape, OnDelete, ReferenceShape};

/// Returns whether two strings are equal.
pub const fn same_text(left: &str, right: &str) -> bool {
    same_bytes(left.as_bytes(), right.as_bytes())
}

const fn same_bytes(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        // `get` is not available in `const` code. The index is valid for both strings, because their lengths are equal.
        #[allow(clippy::indexing_slicing)]
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns the shape of a field by its Rust name.
pub const fn find_field(fields: &'static [FieldShape], name: &str) -> Option<&'static FieldShape> {
    let at = position(fields, name);
    #[allow(clippy::indexing_slicing)]
    if at < fields.len() {
        Some(&fields[at])
    } else {
        None
    }
}

/// Returns whether the given field of the other model declares `back` as its inverse.
///
/// Also returns true if this struct (`here`) does not have the declared inverse, because another assertion reports
/// that error.
pub const fn names_back(
    fields: &'static [FieldShape],
    field: &str,
    here: &'static [FieldShape],
    back: &str,
) -> bool {
    match find_field(fields, field) {
        Some(FieldShape {
            reference:
                Some(ReferenceShape {
                    inverse: Some(inverse),
                    ..
                }),
            ..
        }) => same_text(inverse, back) || find_field(here, inverse).is_none(),
        _ => false,
    }
}

/// Returns whether the given field of a model is an array.
pub const fn is_array(fields: &'static [FieldShape], field: &str) -> bool {
    match find_field(fields, field) {
        Some(found) => found.array,
        None => false,
    }
}

/// Returns the position of the given field, or `usize::MAX` if there is no such field.
pub const fn position(fields: &'static [FieldShape], name: &str) -> usize {
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing)]
        if same_text(fields[at].name, name) {
            return at;
        }
        at += 1;
    }
    usize::MAX
}

/// Returns whether a struct declares exactly one reference.
pub const fn has_one_reference(fields: &'static [FieldShape]) -> bool {
    let (mut at, mut references) = (0, 0);
    while at < fields.len() {
        #[allow(clippy::indexing_slicing)]
        if fields[at].reference.is_some() {
            references += 1;
        }
        at += 1;
    }
    references == 1
}

/// Returns whether the given field of a model is an array that contains references.
const fn is_array_of_keys(fields: &'static [FieldShape], field: &str) -> bool {
    match find_field(fields, field) {
        Some(found) => found.array && found.reference.is_some(),
        None => false,
    }
}

/// Returns whether the given field of a model is a reference.
pub const fn refers(fields: &'static [FieldShape], field: &str) -> bool {
    match find_field(fields, field) {
        Some(found) => found.reference.is_some(),
        None => false,
    }
}

/// Returns whether the given field of a model is a reference to one document that is stored as a plain key.
pub const fn is_key(fields: &'static [FieldShape], field: &str) -> bool {
    match find_field(fields, field) {
        Some(found) => !found.array && found.embed.is_none() && found.reference.is_some(),
        None => false,
    }
}

/// Returns whether a field is an array of keys and its inverse in the other model is an array of references, as in
/// a mirror.
pub const fn are_arrays(
    here: &'static [FieldShape],
    field: &str,
    there: &'static [FieldShape],
    inverse: &str,
) -> bool {
    let holds_keys = match find_field(here, field) {
        Some(found) => found.embed.is_none(),
        None => false,
    };
    holds_keys && is_array_of_keys(here, field) && is_array_of_keys(there, inverse)
}

/// Returns whether a field is flattened in both the model and the projection, or in neither of them. An unknown
/// field is reported by another assertion.
pub const fn is_flattened_as(fields: &'static [FieldShape], name: &str, flatten: bool) -> bool {
    match find_field(fields, name) {
        Some(found) => found.flatten == flatten,
        None => true,
    }
}

/// Returns whether the model stores a projected field under the name that the projection uses, and reads it with the
/// same codec. A projection is never written, so it does not have the function that writes the field.
pub const fn read_stored_name(
    fields: &'static [FieldShape],
    field: &str,
    stored: &str,
    codec: Option<&str>,
) -> bool {
    match find_field(fields, field) {
        Some(found) => {
            let is_read_alike = match (found.codec, codec) {
                (Some(_), None) => found.only_written_by_codec,
                (Some(both), Some(read)) => {
                    same_text(both, read)
                        || is_last_part(both, read, "")
                        || is_last_part(both, read, "::deserialize")
                }
                (None, codec) => codec.is_none(),
            };
            same_text(found.stored, stored) && is_read_alike
        }
        None => false,
    }
}

/// Returns whether the last part of a codec is the function with this path: `read` in `write, read`. The path of the
/// function consists of `path` and `end`.
const fn is_last_part(codec: &str, path: &str, end: &str) -> bool {
    let (codec, path, end) = (codec.as_bytes(), path.as_bytes(), end.as_bytes());
    let length = path.len() + end.len();
    if codec.len() < length {
        return false;
    }
    let (before, function) = codec.split_at(codec.len() - length);
    let (above, name) = function.split_at(path.len());
    matches!(before, [] | [.., b',', b' ']) && same_bytes(above, path) && same_bytes(name, end)
}

/// Returns whether a model stores a shared field of an enum under the name and with the codec that the enum declares.
pub const fn same_stored_name(
    fields: &'static [FieldShape],
    field: &str,
    stored: &str,
    codec: Option<&str>,
) -> bool {
    match find_field(fields, field) {
        Some(found) => same_text(found.stored, stored) && same_codec(found.codec, codec),
        None => false,
    }
}

/// Returns whether the given field exists in every document that serde can read. An unknown field is reported by
/// another assertion.
pub const fn is_required(fields: &'static [FieldShape], field: &str) -> bool {
    match find_field(fields, field) {
        Some(found) => !found.may_be_missing() || same_text(found.stored, "_id"),
        None => true,
    }
}

/// Returns whether serde also reads the given field under other names.
pub const fn is_aliased(fields: &'static [FieldShape], field: &str) -> bool {
    matches!(find_field(fields, field), Some(found) if found.aliased)
}

/// Returns whether serde also reads the field from names that its shape does not contain: aliases, the keys of a
/// flattened map, or the names that the codec of a flattened field writes.
pub(super) const fn has_own_other_names(field: &FieldShape) -> bool {
    field.aliased || field.flatten && (field.embed.is_none() || field.codec.is_some())
}

/// Returns whether serde reads all of these fields only from their declared names.
pub const fn have_known_names(fields: &'static [FieldShape]) -> bool {
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        if has_own_other_names(&fields[at]) {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns whether two fields have the same codec, or both have none.
pub const fn same_codec(left: Option<&str>, right: Option<&str>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => same_text(left, right),
        (None, None) => true,
        _ => false,
    }
}

/// Returns whether a struct that has these fields is removed from its array when the target of one of its
/// references is deleted (`pull`).
pub const fn pulls(fields: &'static [FieldShape]) -> bool {
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        let field = &fields[at];
        if let (false, Some(reference)) = (field.array, &field.reference)
            && matches!(reference.on_delete, OnDelete::Pull)
        {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns whether the library must maintain one of these fields when their struct is inside a document.
pub const fn declares(fields: &'static [FieldShape]) -> bool {
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        if fields[at].declares() {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns whether a model contains only the documents of one kind in its collection.
pub const fn has_kind(model: &'static ModelShape) -> bool {
    model.kind.is_some()
}

/// Returns whether the kind of a model is stored in this field. Another assertion reports a model that does not
/// have a kind.
pub const fn kind_is_in(model: &'static ModelShape, field: &str) -> bool {
    match model.kind {
        Some(KindShape { field: stored, .. }) => same_text(stored, field),
        None => true,
    }
}

/// Returns whether a model has this kind. Another assertion reports a model that does not have a kind.
pub const fn kind_is(model: &'static ModelShape, name: &str) -> bool {
    match model.kind {
        Some(KindShape { value, .. }) => same_text(value, name),
        None => true,
    }
}

/// Returns whether two models are stored in the same collection.
pub const fn same_collection(left: &'static ModelShape, right: &'static ModelShape) -> bool {
    same_text(left.collection, right.collection)
}

/// Returns whether a struct stores a field under this name.
pub const fn stores(fields: &'static [FieldShape], name: &str) -> bool {
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        let field = &fields[at];
        if !field.flatten && same_text(field.stored, name) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns whether two structs have a field that is stored under the same name.
pub const fn store_same(left: &'static [FieldShape], right: &'static [FieldShape]) -> bool {
    let mut at = 0;
    while at < left.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        let field = &left[at];
        if !field.flatten && stores(right, field.stored) {
            return true;
        }
        at += 1;
    }
    false
}
