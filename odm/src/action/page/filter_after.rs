//! The filter for the documents after a position in a sort order.
//!
//! A sort orders values of all types, but `$gt` and `$lt` compare only values of one type.
//!
//! - Values of types that come later in the order are compared with `$expr`, which orders all types and uses an index
//!   range. Conditions with `$type` would also be correct, but several such conditions make the server scan the whole
//!   index. To read a page of 50 documents in the middle of 20,000, the server scanned 14,000 index keys with `$type`,
//!   and 51 with `$expr`.
//! - A sort and `$expr` order missing fields differently: a sort treats a missing field as null, whereas `$expr` treats
//!   it as undefined.
//! - If the page starts after a null, one condition that does not use an index compares the remaining fields in the
//!   sort. With several index scans, the server could merge their results, put missing fields before null, and return
//!   the page in the wrong order.
//! - The server sorts an array by one of its elements, and these conditions cannot determine which one. However, the
//!   conditions also match an array that is empty or that has an element of the same type as the neighbouring values.
//!   So the page contains the document with the array, and the library can reject this document.

use mongodb::bson::{
    Binary, Bson, DateTime, Document, Timestamp, doc, oid::ObjectId, spec::BinarySubtype,
};

use crate::value::key::{Number, equality};

/// One field in the sort, and its value in the document after which the page starts.
#[derive(Clone, Copy)]
struct SortedValue<'a> {
    path: &'a str,
    value: &'a Bson,
    descending: bool,
}

/// Returns the filter for the documents that come after the given values in a sort order.
pub(super) fn filter_after(sort: &Document, values: &[Bson]) -> Document {
    let places = sort.iter().zip(values);
    let places: Vec<SortedValue<'_>> = places
        .map(|((path, direction), value)| SortedValue {
            path,
            value,
            descending: is_descending(direction),
        })
        .collect();
    let mut branches: Vec<Document> = Vec::new();
    let mut equal: Vec<Document> = Vec::new();
    let mut rest = places.as_slice();
    while let [place, further @ ..] = rest {
        let mut branch = |clauses: Vec<Document>| {
            let clauses = equal.iter().cloned().chain(clauses);
            branches.push(joined("$and", clauses.collect()));
        };
        for beyond in place.beyond() {
            branch(vec![beyond]);
        }
        rest = further;
        if let (Bson::Null, [next, _, ..]) = (place.value, further) {
            let clauses = [
                Some(place.equal_values()),
                next.range(),
                Some(in_one_scan(further)),
            ];
            branch(clauses.into_iter().flatten().collect());
            break;
        }
        equal.push(place.equal_values());
    }
    if branches.is_empty() {
        return doc! { "$nor": [{}] };
    }
    joined("$or", branches)
}

fn joined(operator: &str, mut clauses: Vec<Document>) -> Document {
    match clauses.pop() {
        Some(only) if clauses.is_empty() => only,
        last => {
            clauses.extend(last);
            doc! { operator: clauses }
        }
    }
}

fn is_descending(direction: &Bson) -> bool {
    match direction {
        Bson::Int32(direction) => *direction < 0,
        Bson::Int64(direction) => *direction < 0,
        Bson::Double(direction) => *direction < 0.0,
        _ => false,
    }
}

impl SortedValue<'_> {
    /// The filter for documents whose value in this field has the same position in the sort order.
    fn equal_values(self) -> Document {
        let path = self.path;
        match self.value {
            // Before MongoDB 8.0, null also matches undefined, which is sorted before null.
            Bson::Null => doc! { path: { "$eq": null, "$not": { "$type": "undefined" } } },
            Bson::Undefined => doc! { path: { "$type": "undefined" } },
            value => equality(path, value.clone()),
        }
    }

    /// The filters for the documents after this position. Each of these documents matches at least one of the filters.
    fn beyond(self) -> Vec<Document> {
        let Self { path, value, .. } = self;
        match (value, self.descending) {
            (Bson::MinKey, true) | (Bson::MaxKey, false) => vec![],
            (Bson::Undefined, true) => vec![doc! { path: Bson::MinKey }],
            // These conditions avoid the index range below null, because that range would include all missing fields.
            (Bson::Null, true) => vec![
                doc! { path: { "$in": [[], Bson::MinKey] } },
                doc! { path: { "$type": "undefined" } },
            ],
            (Bson::Undefined, false) => {
                let value = &Bson::Null;
                vec![
                    Self { value, ..self }.equal_values(),
                    across(path, "$gt", Bson::Null),
                ]
            }
            (value, false) => greater(path, value),
            (value, true) => less(path, value),
        }
    }

    /// A condition that matches all documents at or after this position. The server evaluates the condition as an index
    /// range. The result is `None` if the range would cover most of the index.
    fn range(self) -> Option<Document> {
        match (self.value, self.descending) {
            (Bson::Null | Bson::Undefined | Bson::MinKey, false) => None,
            (value, false) => Some(across(self.path, "$gte", value.clone())),
            (value, true) => Some(across(self.path, "$lte", value.clone())),
        }
    }

    /// An expression that compares a document with this position. The result is positive for a document after the
    /// position, and zero for a document at the position.
    fn compared(self) -> Document {
        let field = Bson::String(format!("${}", self.path));
        let is_missing = doc! { "$eq": [{ "$type": field.clone() }, "missing"] };
        let sorted_by = doc! { "$cond": [is_missing, null, field] }.into();
        let (value, place) = (literal(self.value.clone()), sorted_by);
        let operands: [Bson; 2] = if self.descending {
            [value, place]
        } else {
            [place, value]
        };
        doc! { "$cmp": operands.to_vec() }
    }
}

/// The filter for the documents after a position in a sort by several fields. The condition does not use an index.
///
/// If the server merges several index scans in sort order, it puts a missing field before null. So a single scan must
/// read all documents in which a sorted field is null or missing.
fn in_one_scan(places: &[SortedValue<'_>]) -> Document {
    let later = places.iter().rev().fold(None, |later, place| {
        let beyond = doc! { "$gt": [place.compared(), 0] };
        let Some(later) = later else {
            return Some(beyond);
        };
        let same = doc! { "$eq": [place.compared(), 0] };
        Some(doc! { "$or": [beyond, { "$and": [same, later] }] })
    });
    doc! { "$expr": later.unwrap_or_default() }
}

fn greater(path: &str, value: &Bson) -> Vec<Document> {
    match bracket(path, value) {
        Some(Bracket { above, .. }) => vec![
            doc! { path: { "$gt": value.clone() } },
            across(path, above.0, above.1),
        ],
        None => vec![across(path, "$gt", value.clone())],
    }
}

fn less(path: &str, value: &Bson) -> Vec<Document> {
    let mut clauses = match bracket(path, value) {
        Some(Bracket { least, .. }) => vec![
            doc! { path: { "$lt": value.clone() } },
            across(path, "$lt", least),
        ],
        None => vec![across(path, "$lt", value.clone())],
    };
    if path != "_id" {
        // The server sorts an empty array between `MinKey` and null.
        clauses.push(doc! { path: [] });
    }
    clauses
}

/// Returns a condition that compares a field with a value of any type, in the same order as a sort.
fn across(path: &str, operator: &str, value: Bson) -> Document {
    doc! { "$expr": { operator: [format!("${path}"), literal(value)] } }
}

/// Marks a value as a literal, so that an expression does not evaluate it.
fn literal(value: Bson) -> Bson {
    match value {
        Bson::String(_) | Bson::Symbol(_) | Bson::Document(_) | Bson::Array(_) => {
            doc! { "$literal": value }.into()
        }
        value => value,
    }
}

/// The range of values that `$gt` and `$lt` can compare with values of one type.
struct Bracket {
    /// The smallest value of the range.
    least: Bson,
    /// The comparison that matches all larger values of other types.
    above: (&'static str, Bson),
}

/// Returns the bracket of a value, or `None` if a comparison across all types is sufficient.
///
/// An `_id` requires no bracket, because it is never an array. Regular expressions and NaN do not have a bracket,
/// because `$gt` and `$lt` do not compare such values. The remaining types are so rare that the comparison across all
/// types is sufficient.
fn bracket(path: &str, value: &Bson) -> Option<Bracket> {
    const LAST: u32 = u32::MAX;
    let timestamp = |time, increment| Bson::Timestamp(Timestamp { time, increment });
    let first_id = Bson::ObjectId(ObjectId::from_bytes([0; 12]));
    let (least, above) = match value {
        _ if path == "_id" => return None,
        value if is_number(value) => (f64::NEG_INFINITY.into(), ("$gte", "".into())),
        Bson::String(_) | Bson::Symbol(_) => ("".into(), ("$gte", Document::new().into())),
        Bson::Document(_) => (Document::new().into(), ("$gte", Bson::Array(vec![]))),
        Bson::Binary(_) => (no_bytes(), ("$gte", first_id)),
        Bson::ObjectId(_) => (first_id, ("$gte", false.into())),
        Bson::Boolean(_) => (false.into(), ("$gt", true.into())),
        Bson::DateTime(_) => (DateTime::MIN.into(), ("$gte", timestamp(0, 0))),
        Bson::Timestamp(_) => (timestamp(0, 0), ("$gt", timestamp(LAST, LAST))),
        _ => return None,
    };
    Some(Bracket { least, above })
}

/// Returns whether the value is a number other than NaN.
fn is_number(value: &Bson) -> bool {
    match value {
        Bson::Int32(_) | Bson::Int64(_) => true,
        Bson::Double(double) => !double.is_nan(),
        Bson::Decimal128(decimal) => !Number::from(*decimal).is_nan(),
        _ => false,
    }
}

fn no_bytes() -> Bson {
    Bson::Binary(Binary {
        subtype: BinarySubtype::Generic,
        bytes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_beyond_the_last_value() {
        let sort = doc! { "_id": -1 };
        assert_eq!(filter_after(&sort, &[Bson::MinKey]), doc! { "$nor": [{}] });
    }
}
