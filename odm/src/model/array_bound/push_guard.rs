//! Builds the filter condition that requires room in a bounded array for the elements that an update pushes.

use mongodb::bson::{Bson, doc};

use super::{Bound, BoundCheck};
use crate::{error::Result, model::shape::ModelShape};

/// Decides how the library enforces the bound for a `$push`. If a condition in the filter can enforce the bound, builds
/// this condition.
pub(super) fn check_push(
    model: &'static ModelShape,
    bound: &Bound,
    path: &str,
    value: &Bson,
) -> Result<BoundCheck> {
    let modifiers = value
        .as_document()
        .filter(|document| document.contains_key("$each"));
    let added = modifiers
        .and_then(|m| m.get_array("$each").ok())
        .map_or(1, Vec::len);
    let slice = modifiers.and_then(|m| m.get("$slice")).and_then(integer);
    if slice.is_some_and(|slice| slice.unsigned_abs() <= u64::from(bound.max)) || added == 0 {
        return Ok(BoundCheck::Safe);
    }
    let Some(room) = usize::try_from(bound.max)
        .ok()
        .and_then(|max| max.checked_sub(added))
    else {
        return Err(bound.exceeded(model, None, Some(added)));
    };
    if path != bound.path {
        // The array is inside an element of another array, and only the array filters decide which element is
        // updated.
        return Ok(BoundCheck::AfterImage);
    }
    let has_room = doc! { format!("{path}.{room}"): { "$exists": false } };
    Ok(BoundCheck::Guarded(vec![(bound.clone(), has_room)]))
}

fn integer(value: &Bson) -> Option<i64> {
    value.as_i64().or_else(|| value.as_i32().map(i64::from))
}
