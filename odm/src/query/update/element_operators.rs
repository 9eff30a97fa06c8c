//! Operands of the update operators that add or remove elements of an array.

use mongodb::bson::{Bson, Document, doc};

use super::Update;
use crate::{
    error::{Error, Result},
    query::field::{Operand, SameElements},
};

pub(super) fn values<T, V: Operand<T>>(elements: impl IntoIterator<Item = V>) -> Vec<T> {
    elements.into_iter().map(Operand::into_value).collect()
}

/// Adds elements under `$each`. A second call for the same array appends its elements to those of the first call and
/// keeps the `$slice` and `$sort` of the first call.
pub(super) fn add_each<M>(
    update: &mut Update<M>,
    operator: &str,
    path: String,
    items: Result<Vec<Bson>>,
) {
    let before = update.operand_of(operator, &path).cloned();
    let each = items.map(|items| {
        let mut modifiers = match before {
            Some(Bson::Document(document)) if document.contains_key("$each") => document,
            Some(element) => doc! { "$each": [element] },
            None => Document::new(),
        };
        let mut all = modifiers.get_array("$each").cloned().unwrap_or_default();
        all.extend(items);
        modifiers.insert("$each", all);
        Bson::Document(modifiers)
    });
    update.add(operator, path, each);
}

/// Adds elements that the update removes from an array. A second call for the same array appends its elements to those
/// of the first call.
///
/// `$pullAll` only compares values. `$pull` would interpret an operand as a condition, and `$in` would also remove an
/// inner array that contains the operand. Structs with copies nevertheless need a condition, which omits the copies.
pub(super) fn add_pulled<M>(
    update: &mut Update<M>,
    path: String,
    items: Result<Vec<Bson>>,
    same: &dyn Fn(&[Bson]) -> Option<SameElements>,
) {
    let items = match items {
        Ok(items) => items,
        Err(error) => return update.fail(error),
    };
    let items: Vec<Bson> = match same(&items) {
        Some(same) if same.has_none => {
            return update.fail(Error::invalid(format!(
                "one update cannot `$pull` both `None` and structs with copies from `{path}`; remove `None` by a second update"
            )));
        }
        Some(same) => same.structs.into_iter().map(Bson::from).collect(),
        None => {
            let before = update.operand_of("$pullAll", &path);
            let mut all = before.and_then(Bson::as_array).cloned().unwrap_or_default();
            all.extend(items);
            return update.add("$pullAll", path, Ok(all.into()));
        }
    };
    let before = update
        .operand_of("$pull", &path)
        .and_then(Bson::as_document);
    let mut all = before
        .filter(|condition| condition.len() == 1)
        .and_then(|condition| condition.get_array("$or").ok())
        .cloned()
        .unwrap_or_default();
    all.extend(items);
    update.add("$pull", path, Ok(doc! { "$or": all }.into()));
}
