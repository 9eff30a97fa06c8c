//! Compares indexes as the server does, so that different notations of the same index are equal.

use mongodb::bson::{Bson, Document};

use super::spec::{IndexSpec, sign};
use crate::value::key::JoinKey;

/// The options that distinguish two indexes with the same keys. Collations are compared separately. The version of the
/// index, the way in which it was built, and `hidden` are ignored.
const OPTIONS: [&str; 11] = [
    "unique",
    "sparse",
    "expireAfterSeconds",
    "partialFilterExpression",
    "weights",
    "default_language",
    "language_override",
    "bits",
    "min",
    "max",
    "wildcardProjection",
];

/// Whether both indexes have the same keys in the same order.
pub(super) fn same_keys(left: &IndexSpec, right: &IndexSpec) -> bool {
    keys(&left.keys) == keys(&right.keys)
}

/// Whether two declared indexes are identical.
pub(super) fn is_same(left: &IndexSpec, right: &IndexSpec) -> bool {
    same_keys(left, right) && left.options == right.options
}

/// Lists the options in which an index on the server differs from an index that a model declares or implies.
///
/// A reference requires only an index that finds every document by its key. So an existing index also counts as the
/// implied one if it is unique or has a time to live.
pub(super) fn differences(
    wanted: &IndexSpec,
    existing: &IndexSpec,
    default: Option<&Document>,
) -> Vec<&'static str> {
    let matters = |option: &&str| {
        !(wanted.is_implied() && matches!(*option, "unique" | "expireAfterSeconds"))
    };
    let differs =
        |option: &&str| !same_option(wanted.options.get(option), existing.options.get(option));
    let mut found: Vec<_> = OPTIONS
        .into_iter()
        .filter(matters)
        .filter(differs)
        .collect();
    if !same_collation(wanted, existing, default) {
        found.push("collation");
    }
    found
}

/// Whether the partial filters of two indexes permit different values of the same field, such as the kinds of two models.
/// So the indexes contain different documents.
pub(super) fn are_disjoint(left: &IndexSpec, right: &IndexSpec) -> bool {
    let (Some(left), Some(right)) = (partial_filter(left), partial_filter(right)) else {
        return false;
    };
    left.keys().any(|field| {
        let values = permitted(left, field).zip(permitted(right, field));
        values.is_some_and(|(left, right)| {
            let is_in_right = |value: &&Bson| right.iter().any(|it| same_value(value, it, false));
            !left.iter().any(is_in_right)
        })
    })
}

fn partial_filter(index: &IndexSpec) -> Option<&Document> {
    index.options.get_document("partialFilterExpression").ok()
}

/// Lists the values that a filter permits in a field. Returns `None` if the field can have other values, too.
fn permitted<'f>(filter: &'f Document, field: &str) -> Option<Vec<&'f Bson>> {
    match filter.get(field)? {
        Bson::Document(operators) => Some(operators.get_array("$in").ok()?.iter().collect()),
        value => Some(vec![value]),
    }
}

/// A key of an index, in a form that can be compared.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ComparedKey<'a>(ComparedKind<'a>, &'a str);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum ComparedKind<'a> {
    Direction(i8),
    Word(&'a str),
}

/// Lists the keys in their order. The fields of a text index are sorted, because their order has no meaning and the
/// server returns them sorted.
fn keys(keys: &Document) -> Vec<ComparedKey<'_>> {
    let mut keys: Vec<_> = keys
        .iter()
        .map(|(path, kind)| {
            let direction = sign(kind).map(ComparedKind::Direction);
            ComparedKey(
                direction.unwrap_or_else(|| ComparedKind::Word(kind.as_str().unwrap_or_default())),
                path,
            )
        })
        .collect();
    for text in keys.chunk_by_mut(|left, right| left.is_text() && right.is_text()) {
        text.sort();
    }
    keys
}

impl ComparedKey<'_> {
    fn is_text(&self) -> bool {
        self.0 == ComparedKind::Word("text")
    }
}

fn same_option(left: Option<&Bson>, right: Option<&Bson>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => same_value(left, right, true),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Returns whether two values are equal. Numbers are compared by value. The order of fields is significant in values,
/// but not in filters and operators.
fn same_value(left: &Bson, right: &Bson, is_filter: bool) -> bool {
    match (left, right) {
        (Bson::Document(left), Bson::Document(right)) => same_document(left, right, is_filter),
        (Bson::Array(left), Bson::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same_value(left, right, is_filter))
        }
        (left, right) => JoinKey::from(left.clone()) == JoinKey::from(right.clone()),
    }
}

fn same_document(left: &Document, right: &Document, is_filter: bool) -> bool {
    let is_set = is_filter || left.keys().any(|name| name.starts_with('$'));
    let same_order = || left.keys().eq(right.keys());
    left.len() == right.len()
        && (is_set || same_order())
        && left.iter().all(|(name, value)| {
            // The elements of `$and`, `$or` and `$nor` are filters themselves.
            let is_filter = is_filter && matches!(name.as_str(), "$and" | "$or" | "$nor");
            right
                .get(name)
                .is_some_and(|other| same_value(value, other, is_filter))
        })
}

fn same_collation(wanted: &IndexSpec, existing: &IndexSpec, default: Option<&Document>) -> bool {
    let existing = given_collation(existing);
    match given_collation(wanted) {
        None => same_expanded(default, existing),
        Some(wanted) if is_simple(wanted) => existing.is_none(),
        Some(wanted) => existing.is_some_and(|existing| is_expansion(existing, wanted)),
    }
}

pub(super) fn given_collation(index: &IndexSpec) -> Option<&Document> {
    index.options.get("collation").and_then(Bson::as_document)
}

pub(super) fn is_simple(collation: &Document) -> bool {
    collation
        .get_str("locale")
        .is_ok_and(|locale| locale == "simple")
}

/// Whether the existing collation is the declared one, to which the server has added the locale's default values.
///
/// For every locale, the default strength is 3, and case level and numeric ordering are off. The defaults of the other
/// options depend on the locale. The comparison ignores these other options, because models cannot declare them.
fn is_expansion(existing: &Document, wanted: &Document) -> bool {
    let strength = wanted.get("strength").cloned().unwrap_or(Bson::Int32(3));
    let is_off = |option| !existing.get_bool(option).unwrap_or(false);
    same_option(existing.get("locale"), wanted.get("locale"))
        && same_option(existing.get("strength"), Some(&strength))
        && is_off("caseLevel")
        && is_off("numericOrdering")
}

/// Compares two collations in the server's long form. Ignores the version of the server's collation library.
fn same_expanded(left: Option<&Document>, right: Option<&Document>) -> bool {
    let bare = |collation: Option<&Document>| {
        let mut bare = collation?.clone();
        bare.remove("version");
        Some(bare)
    };
    bare(left) == bare(right)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{bson, doc};

    use super::*;
    use crate::index::spec::IndexOrigin;

    fn index(keys: Document, options: Document) -> IndexSpec {
        IndexSpec {
            collection: "things".to_owned(),
            name: "an_index".to_owned(),
            keys,
            options,
            origin: IndexOrigin::Declared("Thing".to_owned()),
        }
    }

    fn with(options: Document) -> IndexSpec {
        index(doc! { "a": 1 }, options)
    }

    fn same(left: &Bson, right: &Bson) -> bool {
        same_value(left, right, true)
    }

    #[test]
    fn keys_are_compared_in_order_and_directions_by_sign() {
        let same = |left, right| same_keys(&index(left, doc! {}), &index(right, doc! {}));
        assert!(same(
            doc! { "a": 1, "b": -1 },
            doc! { "a": 1.0, "b": -1_i64 }
        ));
        assert!(!same(doc! { "a": 1, "b": 1 }, doc! { "b": 1, "a": 1 }));
        assert!(!same(doc! { "a": 1 }, doc! { "a": -1 }));
        assert!(!same(doc! { "a": 1 }, doc! { "a": "hashed" }));
        assert!(!same(doc! { "a": 1 }, doc! { "a": 1, "b": 1 }));
    }

    #[test]
    fn the_fields_of_a_text_index_are_a_set_at_their_place() {
        let same = |left, right| same_keys(&index(left, doc! {}), &index(right, doc! {}));
        let declared = doc! { "x": 1, "title": "text", "body": "text", "y": 1 };
        assert!(same(
            declared.clone(),
            doc! { "x": 1, "body": "text", "title": "text", "y": 1 }
        ));
        assert!(!same(
            declared.clone(),
            doc! { "x": 1, "body": "text", "y": 1 }
        ));
        assert!(!same(
            declared,
            doc! { "body": "text", "title": "text", "x": 1, "y": 1 }
        ));
    }

    #[test]
    fn numbers_are_compared_by_value() {
        assert!(same(
            &bson!({ "qty": { "$gt": 5 } }),
            &bson!({ "qty": { "$gt": 5.0 } })
        ));
        assert!(same(&bson!(3600), &Bson::Int64(3600)));
        assert!(!same(
            &bson!({ "qty": { "$gt": 5 } }),
            &bson!({ "qty": { "$gt": "5" } })
        ));
    }

    #[test]
    fn filters_say_the_same_in_any_order_but_stored_documents_do_not() {
        assert!(same(&bson!({ "a": 1, "b": 2 }), &bson!({ "b": 2, "a": 1 })));
        assert!(same(
            &bson!({ "a": { "$gt": 1, "$lt": 9 } }),
            &bson!({ "a": { "$lt": 9, "$gt": 1 } })
        ));
        assert!(same(
            &bson!({ "$and": [{ "a": 1, "b": 2 }] }),
            &bson!({ "$and": [{ "b": 2, "a": 1 }] })
        ));
        assert!(!same(
            &bson!({ "a": { "x": 1, "y": 2 } }),
            &bson!({ "a": { "y": 2, "x": 1 } })
        ));
    }

    #[test]
    fn every_option_that_differs_is_named() {
        let wanted = with(doc! { "unique": true, "expireAfterSeconds": 60 });
        let existing = with(doc! { "sparse": true, "expireAfterSeconds": 60_i64, "hidden": true });
        assert_eq!(differences(&wanted, &existing, None), ["unique", "sparse"]);
        assert!(differences(&existing, &existing, None).is_empty());
    }

    #[test]
    fn a_declared_collation_is_compared_with_what_the_server_made_of_it() {
        let german = with(doc! { "collation": { "locale": "de" } });
        let expanded = |strength: i32, numeric: bool| {
            with(doc! { "collation": {
                "locale": "de", "caseLevel": false, "strength": strength,
                "numericOrdering": numeric, "version": "57.1",
            } })
        };
        assert!(differences(&german, &expanded(3, false), None).is_empty());
        assert_eq!(
            differences(&german, &expanded(2, false), None),
            ["collation"]
        );
        assert_eq!(
            differences(&german, &expanded(3, true), None),
            ["collation"]
        );
        assert_eq!(differences(&german, &with(doc! {}), None), ["collation"]);
    }

    #[test]
    fn an_undeclared_collation_is_the_default_of_the_collection() {
        let default = doc! { "locale": "en", "strength": 2, "version": "57.1" };
        let plain = with(doc! {});
        let simple = with(doc! { "collation": { "locale": "simple" } });
        let newer = doc! { "locale": "en", "strength": 2, "version": "58" };
        let inherited = with(doc! { "collation": newer });
        assert!(differences(&plain, &plain, None).is_empty());
        assert!(differences(&plain, &inherited, Some(&default)).is_empty());
        assert_eq!(differences(&plain, &plain, Some(&default)), ["collation"]);
        assert!(differences(&simple, &plain, Some(&default)).is_empty());
        assert_eq!(
            differences(&simple, &inherited, Some(&default)),
            ["collation"]
        );
    }
}
