//! Defines which values copies should have, and when a stored copy is equal to the expected value.
//!
//! Two values are equal if all their parts have the same BSON type and value, and their fields have the same order. The
//! server's filters are less strict: they treat equal numbers of different types as equal, and an array matches if one
//! of its elements does. So the condition on a copy excludes the types of such values: `$nor: [{name: {$eq: "a", $not:
//! {$type: ["array", "symbol"]}}}]`.
//!
//! A filter cannot distinguish certain values: documents, arrays, decimals and signed zeros. For such values, the
//! condition is `$in: []`, which never matches. So the update always sets the copy, and the server skips identical
//! values. An update that matches but changes nothing takes twice as long as an update whose filter does not match.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use foldhash::fast::RandomState;
use mongodb::bson::{Bson, Decimal128, Document, RawBsonRef, doc};

use crate::{
    client::command::is_unknown,
    graph::{
        Absence, Copied, ExtendedReference, Orphan,
        fold::{Comparison, key_of_member},
    },
    value::{
        key::{JoinKey, is_operator_or_pattern},
        path::{value_at, value_through},
    },
};

/// The values of the copied fields in a source, in the order of the extended reference's fields. `None` stands for a
/// missing field.
#[derive(Clone, Debug)]
pub(crate) struct Values(pub(crate) Vec<Option<Bson>>);

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        let same = |(left, right): (&Option<Bson>, &Option<Bson>)| match (left, right) {
            (Some(left), Some(right)) => is_same(left, right),
            (left, right) => left.is_none() && right.is_none(),
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }
}

impl Values {
    /// Returns the values of the copied fields in a source.
    pub(crate) fn of(reference: &ExtendedReference, source: &Document) -> Self {
        let values = reference.fields.iter();
        Self(
            values
                .map(|copied| value_at(source, &copied.from).cloned())
                .collect(),
        )
    }

    /// Returns all values of a source on which the copied fields depend.
    pub(crate) fn read(reference: &ExtendedReference, source: &Document) -> Self {
        Self::of_paths(
            reference.fields.iter().flat_map(|copied| &copied.reads),
            source,
        )
    }

    /// Returns the values at the given paths. A path may pass through arrays.
    pub(super) fn of_paths<'p>(
        paths: impl IntoIterator<Item = &'p String>,
        document: &Document,
    ) -> Self {
        let paths = paths.into_iter();
        Self(paths.map(|path| value_through(document, path)).collect())
    }
}

/// The source values for each key. Keys without a source are not included.
pub(crate) type Resolved = HashMap<JoinKey, Values, RandomState>;

/// Whether a source exists for a key, and its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SourceValues<'t> {
    /// The source exists and has these values.
    Found(&'t Values),
    /// The key is not null, but there is no source.
    Missing,
    /// The key is null or missing.
    NoKey,
}

impl<'t> SourceValues<'t> {
    /// Returns the source of a key that is not null. `values` is `None` if there is no source.
    pub(crate) fn of(values: Option<&'t Values>) -> Self {
        values.map_or(Self::Missing, Self::Found)
    }

    /// Returns the source of a key that can be null or missing.
    pub(crate) fn of_key(resolved: &'t Resolved, key: Option<&JoinKey>) -> Self {
        match key.filter(|key| !key.is_null()) {
            None => Self::NoKey,
            Some(key) => Self::of(resolved.get(key)),
        }
    }
}

/// The value that a copy should have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expected<'t> {
    Value(&'t Bson),
    /// A sum of doubles, which depends on the order of the additions, or a number that can be stored in several forms.
    /// Small differences are allowed.
    Near(&'t Bson),
    /// Exactly these elements, in any order. The string is the path of the key in each element.
    Set(&'t Bson, &'t str),
    /// At least these elements. The string is the path of the key in each element.
    Superset(&'t Bson, &'t str),
    /// No value, because the source lacks the field.
    Absent,
    /// Null or missing. The library writes null.
    Empty,
    /// Null or missing. The library removes the field, because serde omits the value.
    LeftOut,
    /// Any value, because there is no source to compare the copy with.
    Any,
}

/// Lists the copies of an extended reference, each with its expected value.
pub(crate) fn expected<'t>(
    reference: &'t ExtendedReference,
    source: SourceValues<'t>,
) -> impl Iterator<Item = (&'t Copied, Expected<'t>)> {
    reference
        .fields
        .iter()
        .enumerate()
        .map(move |(at, copied)| {
            let value = match source {
                SourceValues::Found(values) => match values.0.get(at) {
                    Some(Some(value)) if copied.leaves_out(value) => Expected::LeftOut,
                    Some(Some(value)) => match copied.fold.comparison() {
                        Comparison::Equal => Expected::Value(value),
                        Comparison::EqualNumber => equal_number(value),
                        Comparison::Near => Expected::Near(value),
                        Comparison::Set(inner) => Expected::Set(value, inner),
                        Comparison::Superset(inner) => Expected::Superset(value, inner),
                    },
                    _ => Expected::Absent,
                },
                SourceValues::Missing => match copied.orphan {
                    Orphan::Emptied => empty(copied),
                    Orphan::Kept => Expected::Any,
                },
                SourceValues::NoKey => without_key(copied),
            };
            (copied, value)
        })
}

/// Returns the expected value if the key is null or missing. The result is the value of a copy without a key, or of a
/// summary without children.
fn without_key(copied: &Copied) -> Expected<'_> {
    match copied.fold.of_nothing() {
        Some(value) if copied.leaves_out(value) => Expected::LeftOut,
        Some(value) => Expected::Value(value),
        None if copied.optional => empty(copied),
        None => Expected::Any,
    }
}

/// Returns the expected value for a number that can be stored in several forms: a decimal, or a zero with a sign.
fn equal_number(value: &Bson) -> Expected<'_> {
    match value {
        Bson::Decimal128(_) => Expected::Near(value),
        Bson::Double(double) if *double == 0.0 => Expected::Near(value),
        _ => Expected::Value(value),
    }
}

fn empty(copied: &Copied) -> Expected<'static> {
    if copied.leaves_out(&Bson::Null) {
        Expected::LeftOut
    } else {
        Expected::Empty
    }
}

impl Copied {
    /// Whether a required copy is missing because its source lacks the field.
    pub(crate) fn is_missed(&self, expected: Expected<'_>, is_stored: bool) -> bool {
        match self.absence {
            Absence::Undecodable => expected == Expected::Absent && !is_stored,
            Absence::Allowed => false,
        }
    }
}

impl<'t> Expected<'t> {
    /// Returns the value to store. Returns `None` if the field should not be stored.
    pub(crate) const fn stored(self) -> Option<&'t Bson> {
        match self {
            Self::Value(value)
            | Self::Near(value)
            | Self::Set(value, _)
            | Self::Superset(value, _) => Some(value),
            Self::Empty => Some(&Bson::Null),
            Self::Absent | Self::LeftOut | Self::Any => None,
        }
    }

    /// Whether every stored value counts as correct.
    pub(crate) const fn is_any(self) -> bool {
        matches!(self, Self::Any)
    }

    /// Returns the condition that a correct stored value meets. Returns `None` if any value is correct.
    ///
    /// If no filter can distinguish the value from all other values, the returned condition is never met.
    pub(super) fn condition(self) -> Option<Bson> {
        let (mut condition, other_types) = match self {
            Self::Value(value)
            | Self::Near(value)
            | Self::Set(value, _)
            | Self::Superset(value, _)
                if is_unknown(value) =>
            {
                return Some(value.clone());
            }
            Self::Near(Bson::Double(sum)) if sum.is_finite() => {
                let far = sum.abs() * ROUNDED;
                let near = doc! { "$gte": sum - far, "$lte": sum + far };
                (near, &["array", "int", "long", "decimal"][..])
            }
            Self::Near(_) => return Some(doc! { "$in": [] }.into()),
            Self::Set(value, inner) => return Some(set_condition(value, inner).into()),
            Self::Superset(Bson::Array(none), _) if none.is_empty() => return None,
            Self::Superset(value, inner) => return Some(holding_condition(value, inner).into()),
            Self::Value(value) => match types_taken_for(value) {
                Some(types) => (equal_to(value), types),
                None => return Some(doc! { "$in": [] }.into()),
            },
            Self::Absent => return Some(doc! { "$exists": false }.into()),
            // `$eq: null` also matches a missing field.
            Self::Empty | Self::LeftOut => (doc! { "$eq": null }, &["array", "undefined"][..]),
            Self::Any => return None,
        };
        condition.insert("$not", doc! { "$type": other_types });
        Some(condition.into())
    }

    /// Whether a stored value is correct.
    pub(crate) fn equals(self, stored: Option<RawBsonRef<'_>>) -> bool {
        match (self, stored) {
            (Self::Any, _)
            | (Self::Absent | Self::Empty | Self::LeftOut, None)
            | (Self::Empty | Self::LeftOut, Some(RawBsonRef::Null)) => true,
            (Self::Value(Bson::String(expected)), Some(RawBsonRef::String(stored))) => {
                expected == stored
            }
            (Self::Value(expected), Some(stored)) => {
                Bson::try_from(stored).is_ok_and(|stored| is_same(&stored, expected))
            }
            (Self::Set(expected, inner), Some(stored)) => {
                Bson::try_from(stored).is_ok_and(|stored| is_same_set(&stored, expected, inner))
            }
            (Self::Superset(expected, inner), stored) => {
                let stored = stored.map_or(Ok(Bson::Null), Bson::try_from);
                stored.is_ok_and(|stored| holds(&stored, expected, inner))
            }
            (Self::Near(expected), Some(stored)) => {
                Bson::try_from(stored).is_ok_and(|stored| is_near(&stored, expected))
            }
            _ => false,
        }
    }
}

fn equal_to(value: &Bson) -> Document {
    match value {
        // `$eq: null` would also match a missing field, and the server rejects comparisons with `undefined`.
        Bson::Null => doc! { "$type": "null" },
        Bson::Undefined => doc! { "$type": "undefined" },
        value => doc! { "$eq": value.clone() },
    }
}

/// Lists the other BSON types whose values a filter may consider equal to this value. Returns `None` if a filter cannot
/// even distinguish different values of the same type: documents, arrays, signed zeros, and decimals such as `1.0` and
/// `1.00`.
fn types_taken_for(value: &Bson) -> Option<&'static [&'static str]> {
    Some(match value {
        Bson::Int32(_) => &["array", "long", "double", "decimal"],
        Bson::Int64(_) => &["array", "int", "double", "decimal"],
        Bson::Double(double) if *double != 0.0 => &["array", "int", "long", "decimal"],
        Bson::String(_) => &["array", "symbol"],
        Bson::Symbol(_) => &["array", "string"],
        Bson::Double(_)
        | Bson::Decimal128(_)
        | Bson::Document(_)
        | Bson::Array(_)
        | Bson::JavaScriptCodeWithScope(_) => return None,
        _ => &["array"],
    })
}

/// Whether two values are equal: all their parts have the same BSON type and value, and their fields have the same
/// order. All NaN values are equal.
///
/// The server uses the same rule to decide whether `$set` changes a value.
fn is_same(left: &Bson, right: &Bson) -> bool {
    let is_same_document = |left: &Document, right: &Document| {
        let same = |(left, right): ((&String, &Bson), (&String, &Bson))| {
            left.0 == right.0 && is_same(left.1, right.1)
        };
        left.len() == right.len() && left.iter().zip(right).all(same)
    };
    match (left, right) {
        (Bson::Double(left), Bson::Double(right)) => {
            left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()
        }
        (Bson::Document(left), Bson::Document(right)) => is_same_document(left, right),
        (Bson::Array(left), Bson::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| is_same(left, right))
        }
        (Bson::JavaScriptCodeWithScope(left), Bson::JavaScriptCodeWithScope(right)) => {
            left.code == right.code && is_same_document(&left.scope, &right.scope)
        }
        (left, right) => left == right,
    }
}

/// Returns a condition that is met by arrays with exactly these elements, in any order.
fn set_condition(elements: &Bson, inner: &str) -> Document {
    let count = elements.as_array().map_or(0, Vec::len);
    let mut condition = doc! { "$size": i64::try_from(count).unwrap_or(i64::MAX) };
    if count > 0 {
        condition.extend(holding_condition(elements, inner));
    }
    condition
}

/// Returns a condition that is met by arrays with at least these elements. There must be at least one element.
fn holding_condition(elements: &Bson, inner: &str) -> Document {
    let elements = elements.as_array().map_or(&[][..], Vec::as_slice);
    let all: Vec<Bson> = elements
        .iter()
        .map(|element| {
            let key = key_of_member(element, inner).to_bson();
            if inner.is_empty() {
                return key;
            }
            doc! { "$elemMatch": { inner: { "$eq": key } } }.into()
        })
        .collect();
    if all.iter().any(is_operator_or_pattern) && inner.is_empty() {
        return doc! { "$in": [] };
    }
    doc! { "$all": all }
}

/// Whether two arrays contain elements with the same keys, each key once.
fn is_same_set(stored: &Bson, expected: &Bson, inner: &str) -> bool {
    let (Bson::Array(stored), Bson::Array(expected)) = (stored, expected) else {
        return false;
    };
    let keys = |elements: &[Bson]| -> HashSet<JoinKey> {
        elements.iter().map(|it| key_of_member(it, inner)).collect()
    };
    stored.len() == expected.len() && keys(stored) == keys(expected)
}

/// Whether an array contains at least the keys of another array.
fn holds(stored: &Bson, expected: &Bson, inner: &str) -> bool {
    let keys = |array: &Bson| -> HashSet<JoinKey> {
        let elements = array.as_array().map_or(&[][..], Vec::as_slice);
        elements.iter().map(|it| key_of_member(it, inner)).collect()
    };
    keys(expected).is_subset(&keys(stored))
}

/// Largest relative difference between two sums of the same doubles that still counts as equal.
const ROUNDED: f64 = 1e-12;

/// Whether two values are equal, apart from rounding errors in sums and from the forms of numbers.
fn is_near(left: &Bson, right: &Bson) -> bool {
    match (left, right) {
        (Bson::Decimal128(left), Bson::Decimal128(right)) if left != right => {
            let number = |decimal: &Decimal128| decimal.to_string().parse::<f64>().ok();
            number(left).partial_cmp(&number(right)) == Some(Ordering::Equal)
        }
        (Bson::Double(left), Bson::Double(right)) if left.is_finite() && right.is_finite() => {
            (left - right).abs() <= left.abs().max(right.abs()) * ROUNDED
        }
        (Bson::Document(left), Bson::Document(right)) => {
            let near =
                |((left_name, left), (right_name, right)): ((&String, &Bson), (&String, &Bson))| {
                    left_name == right_name && is_near(left, right)
                };
            left.len() == right.len() && left.iter().zip(right).all(near)
        }
        (left, right) => is_same(left, right),
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::RawDocumentBuf;

    use super::*;

    fn is(expected: Expected<'_>, stored: impl Into<Bson>) -> bool {
        let raw = RawDocumentBuf::try_from(&doc! { "v": stored.into() }).unwrap();
        expected.equals(raw.get("v").unwrap())
    }

    #[test]
    fn a_value_is_the_same_in_type_and_order_of_all_its_parts() {
        let same = |left: &Bson, right: Bson| is(Expected::Value(left), right);
        assert!(same(&1.into(), 1.into()));
        assert!(!same(&1.into(), 1_i64.into()));
        assert!(!same(&0.0.into(), (-0.0).into()));
        assert!(same(&f64::NAN.into(), (-f64::NAN).into()));
        let document = doc! { "a": [1, { "b": 2 }], "c": 3 }.into();
        assert!(same(&document, document.clone()));
        assert!(!same(
            &document,
            doc! { "c": 3, "a": [1, { "b": 2 }] }.into()
        ));
        assert!(!same(
            &document,
            doc! { "a": [1, { "b": 2.0 }], "c": 3 }.into()
        ));
    }

    #[test]
    fn an_extreme_may_be_stored_in_another_form() {
        let decimal = |text: &str| Bson::Decimal128(text.parse().unwrap());
        assert!(is(equal_number(&decimal("1.0")), decimal("1.00")));
        assert!(!is(equal_number(&decimal("1.0")), decimal("1.01")));
        assert!(is(equal_number(&0.0.into()), -0.0));
        assert!(!is(equal_number(&1.into()), 1_i64));
    }

    #[test]
    fn null_and_missing_are_two_values() {
        assert!(!Expected::Value(&Bson::Null).equals(None));
        assert!(!is(Expected::Absent, Bson::Null));
        assert!(is(Expected::Empty, Bson::Null));
        assert!(Expected::Empty.equals(None));
        assert!(!is(Expected::Empty, Bson::Undefined));
        assert!(!is(Expected::Empty, vec![Bson::Null]));
    }

    #[test]
    fn a_filter_tells_a_value_from_what_the_server_takes_for_it() {
        let condition = |value: Bson| {
            let condition = Expected::Value(&value).condition();
            condition.unwrap().as_document().cloned().unwrap()
        };
        let types = ["array", "long", "double", "decimal"];
        assert_eq!(
            condition(1.into()),
            doc! { "$eq": 1, "$not": { "$type": types.to_vec() } }
        );
        let null = doc! { "$type": "null", "$not": { "$type": ["array"] } };
        assert_eq!(condition(Bson::Null), null);
        for untold in [0.0.into(), doc! { "a": 1 }.into(), Bson::from(vec!["a"])] {
            assert_eq!(condition(untold), doc! { "$in": [] });
        }
    }
}
