//! Conditions on ids that a collation does not change.
//!
//! A collation of a call applies to its whole filter. So if the library adds the ids of the documents that it has read,
//! the statement could also find a document whose id the collation treats as equal (`"a"` and `"A"`). The server ignores
//! collations for patterns.

use mongodb::{
    bson::{Bson, Document, Regex, doc},
    options::Collation,
};

use crate::{derived::values::key_condition, query::field::escape_pattern};

/// Largest number of ids in one statement that contains patterns, because the server compares each document with each
/// pattern.
pub(super) const PATTERNS: usize = 500;

/// Whether a statement with this collation can treat an id as equal to another id.
pub(super) fn is_ambiguous(id: &Bson, collation: Option<&Collation>) -> bool {
    matches!(id, Bson::String(_)) && collation.is_some_and(|it| it.locale != "simple")
}

/// Returns a condition that only the documents with these ids meet.
pub(super) fn exactly(ids: &[Bson], collation: Option<&Collation>) -> Document {
    if !ids.iter().any(|id| is_ambiguous(id, collation)) {
        return doc! { "_id": key_condition(ids) };
    }
    let exact = ids
        .iter()
        .map(|id| pattern_of(id).unwrap_or_else(|| id.clone()));
    doc! { "_id": { "$in": exact.collect::<Vec<_>>() } }
}

/// Returns the pattern that matches only this string, or `None` for other values.
#[allow(
    clippy::unnecessary_fallible_conversions,
    reason = "patterns are strings in one major of BSON and C strings in the other"
)]
fn pattern_of(id: &Bson) -> Option<Bson> {
    let Bson::String(text) = id else {
        return None;
    };
    // Unlike `$`, `\z` does not match before a line break at the end.
    let pattern = format!(r"^{}\z", escape_pattern(text));
    Some(Bson::RegularExpression(Regex {
        pattern: pattern.as_str().try_into().ok()?,
        options: "".try_into().ok()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_collation_makes_patterns_of_strings() {
        let english = Collation::builder().locale("en".to_owned()).build();
        let simple = crate::client::command::simple();
        let ids = [Bson::from("a.b"), Bson::from(1)];
        let plain = doc! { "_id": { "$in": ["a.b", 1] } };
        assert_eq!(exactly(&ids, None), plain);
        assert_eq!(exactly(&ids, Some(&simple)), plain);
        let number = doc! { "_id": { "$eq": 1 } };
        assert_eq!(exactly(&ids[1..], Some(&english)), number);
        let exact = exactly(&ids, Some(&english)).to_string();
        assert!(exact.contains(r"a\.b\z"), "{exact}");
    }
}
