//! Conditions that make the server compare a key as a value, even if the key looks like an operator.

use mongodb::bson::{Bson, Document, doc};

use super::JoinKey;

/// Returns a filter for documents that have one of the given keys at a path.
pub fn any_of(path: &str, mut keys: Vec<Bson>) -> Document {
    let mut apart: Vec<Bson> = keys
        .extract_if(.., |key| is_operator_or_pattern(key))
        .map(|key| doc! { path: equal_to(key) }.into())
        .collect();
    if apart.is_empty() || !keys.is_empty() {
        let alone = (keys.len() == 1).then(|| keys.pop()).flatten();
        let others = || doc! { "$in": std::mem::take(&mut keys) }.into();
        apart.push(doc! { path: alone.unwrap_or_else(others) }.into());
    }
    match (apart.len(), apart.pop()) {
        (1, Some(Bson::Document(only))) => only,
        (_, last) => {
            apart.extend(last);
            doc! { "$or": apart }
        }
    }
}

/// Returns a condition that matches values equal to a key.
pub(crate) fn equal_to(key: Bson) -> Bson {
    if is_operator_or_pattern(&key) {
        doc! { "$eq": key }.into()
    } else {
        key
    }
}

/// Returns the filter `{path: value}`, or `{path: {$eq: value}}` if the server would read the value as an operator or
/// a pattern.
pub(crate) fn equality(path: impl Into<String>, value: Bson) -> Document {
    let mut filter = Document::new();
    add_equality(&mut filter, path.into(), value);
    filter
}

/// Whether the server treats two keys as equal: equal numbers of different types, or null and a missing key.
pub(crate) fn is_same_key(one: &Bson, other: &Bson) -> bool {
    JoinKey::from(one.clone()) == JoinKey::from(other.clone())
}

/// Adds the condition that the value at a path equals the operand.
pub(crate) fn add_equality(conditions: &mut Document, path: String, value: Bson) {
    if value != Bson::Null || !has_position(&path) {
        conditions.insert(path, equal_to(value));
        return;
    }
    let other = doc! { path: { "$exists": true, "$not": { "$type": "null" } } };
    let mut others = match conditions.remove("$nor") {
        Some(Bson::Array(others)) => others,
        _ => Vec::new(),
    };
    others.push(other.into());
    conditions.insert("$nor", others);
}

/// Whether a path may contain the position of an array element.
pub(crate) fn has_position(path: &str) -> bool {
    let is_position = |segment: &str| segment.bytes().all(|byte| byte.is_ascii_digit());
    path.split('.').any(is_position)
}

/// Returns whether the server would interpret a key in a filter as an operator or a pattern instead of
/// comparing it.
pub(crate) fn is_operator_or_pattern(key: &Bson) -> bool {
    match key {
        Bson::RegularExpression(_) => true,
        Bson::Document(key) => key.keys().next().is_some_and(|name| name.starts_with('$')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::Regex;

    use super::*;

    #[test]
    #[allow(
        clippy::unnecessary_fallible_conversions,
        reason = "patterns are strings in one major of BSON and C strings in the other"
    )]
    fn what_the_server_would_obey_is_a_condition_of_its_own() {
        let pattern = Bson::RegularExpression(Regex {
            pattern: "^b".try_into().unwrap(),
            options: "".try_into().unwrap(),
        });
        let operator = Bson::from(doc! { "$gt": 1 });
        let alone = |key: &Bson| doc! { "k": { "$eq": key } };
        assert_eq!(any_of("k", vec![pattern.clone()]), alone(&pattern));
        assert_eq!(
            any_of("k", vec![1.into(), operator.clone(), pattern.clone()]),
            doc! { "$or": [alone(&operator), alone(&pattern), { "k": 1 }] }
        );
    }

    #[test]
    fn others_are_one_list() {
        assert_eq!(any_of("k", vec![1.into()]), doc! { "k": 1 });
        let keys = vec![1.into(), doc! { "a": 1 }.into()];
        assert_eq!(any_of("k", keys), doc! { "k": { "$in": [1, { "a": 1 }] } });
        assert_eq!(any_of("k", vec![]), doc! { "k": { "$in": [] } });
    }
}
