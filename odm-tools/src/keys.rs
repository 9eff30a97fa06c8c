//! Conditions on keys, and lists of keys that fit into one statement.

use mongodb::{
    bson::{Bson, Document, doc},
    options::Collation,
};

/// How many bytes of keys one statement takes: half of what the server allows.
const BYTES: usize = 8 << 20;

/// About how many bytes an element of an array takes besides its value: its type, its index as text.
const TYPE_AND_INDEX: usize = 8;

/// Returns the filter for documents that have one of some keys at a path.
///
/// A key that the server would obey in a filter, as an operator or a pattern, is a condition of its own.
pub(crate) fn any_of(path: &str, mut keys: Vec<Bson>) -> Document {
    let mut apart: Vec<Bson> = keys
        .extract_if(.., |key| is_obeyed(key))
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

/// Returns the condition on a value to equal a key.
pub(crate) fn equal_to(key: Bson) -> Bson {
    if is_obeyed(&key) {
        doc! { "$eq": key }.into()
    } else {
        key
    }
}

fn is_obeyed(key: &Bson) -> bool {
    match key {
        Bson::RegularExpression(_) => true,
        Bson::Document(key) => key.keys().next().is_some_and(|name| name.starts_with('$')),
        _ => false,
    }
}

/// Returns the collation that compares texts byte by byte, whatever the default of a collection is.
pub(crate) fn simple_collation() -> Collation {
    Collation::builder().locale("simple".to_owned()).build()
}

/// Cuts keys into parts of which each fits into a statement. A key that is too large for any is a part of its own.
pub(crate) fn batches(keys: &[Bson]) -> impl Iterator<Item = &[Bson]> {
    let mut rest = keys;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = rest.iter().take_while(|key| {
            bytes += size_of_value(key) + TYPE_AND_INDEX;
            bytes <= BYTES
        });
        let (part, left) = rest.split_at_checked(fits.count().max(1))?;
        rest = left;
        Some(part)
    })
}

/// About how many bytes a value takes.
pub(crate) fn size_of_value(value: &Bson) -> usize {
    match value {
        Bson::String(text) | Bson::Symbol(text) | Bson::JavaScriptCode(text) => text.len() + 5,
        Bson::Binary(binary) => binary.bytes.len() + 5,
        Bson::Document(document) => {
            let sizes = document
                .iter()
                .map(|(name, value)| name.len() + 2 + size_of_value(value));
            sizes.sum::<usize>() + 5
        }
        Bson::Array(items) => {
            let sizes = items
                .iter()
                .map(|item| TYPE_AND_INDEX + size_of_value(item));
            sizes.sum::<usize>() + 5
        }
        _ => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_look_like_operators_are_compared() {
        let operator = Bson::from(doc! { "$gt": 1 });
        let equal = doc! { "k": { "$eq": &operator } };
        assert_eq!(any_of("k", vec![operator.clone()]), equal);
        assert_eq!(
            any_of("k", vec![1.into(), operator]),
            doc! { "$or": [equal, { "k": 1 }] }
        );
        assert_eq!(
            any_of("k", vec![1.into(), 2.into()]),
            doc! { "k": { "$in": [1, 2] } }
        );
        assert_eq!(any_of("k", vec![]), doc! { "k": { "$in": [] } });
    }

    #[test]
    fn a_large_key_is_a_part_of_its_own() {
        let large = Bson::from("x".repeat(BYTES));
        let keys = [1.into(), 2.into(), large, 3.into()];
        let sizes: Vec<_> = batches(&keys).map(<[_]>::len).collect();
        assert_eq!(sizes, [2, 1, 1]);
    }
}
