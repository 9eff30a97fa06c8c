//! Folds: computations of a field from all documents that share a key.
//!
//! Summaries, recent lists and two-way arrays are also represented by extended references. The key of a fold is the
//! `_id` of the parent, which the children store at `source_key`. For each variant, [`Fold`] defines the text in
//! declarations, the expression for the server, and the value if there are no documents.
//!
//! The rest of the library does not distinguish between folds. An image contains all paths that a field `reads`: the
//! fields to sum, sort, project or filter. If one of these fields changes, the write affects both the document's old
//! keys and its new keys. Jobs, plans, reports, `verify`, backfill and `watch` treat folds like copies.

mod element;

use std::sync::LazyLock;

use mongodb::bson::{Bson, Document, doc};

use crate::value::path::projection;
pub(crate) use element::{ElementPart, key_of_member, member_of};
use element::{elements_of, members};

/// The computation of a field from all documents that share a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Fold {
    /// A plain copy of a field from the document with the lowest `_id`.
    #[default]
    Copy,
    /// The number of documents that share the key.
    Count,
    /// The sum of a field. If there are no documents, the sum is the zero of the field's type.
    Sum { zero: Bson },
    /// The average of a field, stored as the sum and the number of the values.
    Average,
    /// The smallest value of a field, or null if there are no values.
    Min,
    /// The largest value of a field, or null if there are no values.
    Max,
    /// The first or last documents in the order of a field.
    Recent {
        limit: u32,
        newest_first: bool,
        /// The projection that determines which fields of each document are stored.
        lines: Document,
    },
    /// The keys of all documents. New keys are appended. The stored order is preserved, so your code can choose the
    /// order.
    Members {
        /// The fields of an array element. The first field is the key.
        line: Vec<ElementPart>,
        /// The bound of the array, if it has one.
        max: Option<u32>,
        other_side: OtherSide,
    },
}

/// How the documents on the other side of a two-way array store the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherSide {
    /// One reference. The array contains exactly the keys of the documents that refer to the array's owner.
    Reference,
    /// A mirrored array. If that array lacks an element, the library adds the element there instead of removing its
    /// counterpart here.
    Array,
}

/// How a stored value is compared with the computed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison<'f> {
    Equal,
    /// Equal numbers are allowed even if they are stored in different forms, such as the decimals `1.0` and `1.00`. If
    /// several children have the minimum or maximum, the stored form depends on the order of the writes.
    EqualNumber,
    /// Small rounding differences are allowed, because a sum of doubles depends slightly on the order of the additions.
    Near,
    /// Both arrays must contain the same elements, in any order. The string is the path of the key in each element.
    Set(&'f str),
    /// The stored array must contain all computed elements, in any order. It may contain more elements.
    Superset(&'f str),
}

/// Why a computed value cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unheld {
    /// The sum is too large for a `long`.
    Sum,
    /// The array would contain more elements than its bound allows.
    Full { len: usize, max: u32 },
}

impl Fold {
    /// Lists the copies that array elements contain in addition to the key.
    pub(crate) fn copies_in_elements(&self) -> &[ElementPart] {
        let line = self.elements();
        line.and_then(|line| line.get(1..)).unwrap_or_default()
    }

    /// Returns the fields of an array element. Returns `None` if the fold is not an array of keys.
    fn elements(&self) -> Option<&[ElementPart]> {
        match self {
            Self::Members { line, .. } => Some(line),
            Self::Copy
            | Self::Count
            | Self::Sum { .. }
            | Self::Average
            | Self::Min
            | Self::Max
            | Self::Recent { .. } => None,
        }
    }

    /// Returns the text that represents the fold in declarations.
    pub(crate) fn declared(&self, path: &str) -> String {
        match self {
            Self::Copy => path.to_owned(),
            Self::Count => "count()".to_owned(),
            Self::Sum { .. } => format!("sum({path})"),
            Self::Average => format!("average({path})"),
            Self::Min => format!("min({path})"),
            Self::Max => format!("max({path})"),
            Self::Members { other_side, .. } => match other_side {
                OtherSide::Array => format!("each {path}, and back"),
                OtherSide::Reference => format!("each {path}"),
            },
            Self::Recent {
                limit,
                newest_first,
                lines,
            } => {
                let lines = lines.iter().filter(|(_, kept)| **kept != Bson::Int32(0));
                let lines: Vec<&str> = lines.map(|(path, _)| path.as_str()).collect();
                let first = if *newest_first { ", newest first" } else { "" };
                format!("recent {limit} by {path} ({}){first}", lines.join(", "))
            }
        }
    }

    /// Returns how a stored value is compared with the computed value.
    pub(crate) fn comparison(&self) -> Comparison<'_> {
        match self {
            Self::Average
            | Self::Sum {
                zero: Bson::Double(_),
            } => Comparison::Near,
            Self::Min | Self::Max => Comparison::EqualNumber,
            Self::Copy | Self::Count | Self::Sum { .. } | Self::Recent { .. } => Comparison::Equal,
            Self::Members {
                line, other_side, ..
            } => {
                let key = line.first().map_or("", |part| part.to.as_str());
                match other_side {
                    OtherSide::Reference => Comparison::Set(key),
                    OtherSide::Array => Comparison::Superset(key),
                }
            }
        }
    }

    /// Returns the bound of the array, if it has one.
    pub(crate) const fn max(&self) -> Option<u32> {
        match self {
            Self::Members { max, .. } => *max,
            _ => None,
        }
    }

    /// Adopts the bound that another model declares for the same array, if that bound is smaller.
    pub(crate) fn narrow(&mut self, other: &Self) {
        if let Self::Members { max, .. } = self {
            *max = [*max, other.max()].into_iter().flatten().min();
        }
    }

    /// Returns the path of the key in each element. Returns `None` if the fold is not an array of keys.
    pub(crate) fn key_of_elements(&self) -> Option<&str> {
        self.elements()?.first().map(|part| part.to.as_str())
    }

    /// Returns the path of the field that sorts the list. Returns `None` if the fold does not depend on an order.
    pub(crate) fn order<'p>(&self, reads: &'p [String]) -> Option<&'p str> {
        let is_list = matches!(self, Self::Recent { .. });
        reads.first().filter(|_| is_list).map(String::as_str)
    }

    /// Returns the name that the stored value has in the server's result. Returns `None` if the new value does not
    /// depend on the stored value.
    pub(crate) fn stored_part(&self) -> Option<&'static str> {
        self.elements().map(|_| "stored")
    }

    /// Returns one accumulator for each part of the value. Returns an empty list for folds that need documents in full.
    pub(crate) fn accumulators(&self, path: &str) -> Vec<(&'static str, Document)> {
        let value = format!("${path}");
        let is_number = doc! { "$isNumber": &value };
        let accumulator = match self {
            Self::Count => doc! { "$sum": 1_i64 },
            // `$sum` returns a double as soon as one value is a double, so a sum of integers adds only the integers.
            Self::Sum {
                zero: Bson::Int64(_),
            } => {
                let is_integer = doc! { "$in": [{ "$type": &value }, ["int", "long"]] };
                doc! { "$sum": { "$cond": [is_integer, value, 0_i64] } }
            }
            Self::Sum { .. } => doc! { "$sum": value },
            Self::Average => {
                // Values that are not numbers, or that cannot be converted to a double, are ignored.
                let number = doc! { "input": value, "to": "double", "onError": Bson::Null };
                let number = doc! { "$cond": [is_number, { "$convert": number }, Bson::Null] };
                let one = doc! { "$cond": [{ "$isNumber": number.clone() }, 1_i64, 0_i64] };
                return vec![
                    ("sum", doc! { "$sum": number }),
                    ("count", doc! { "$sum": one }),
                ];
            }
            Self::Min => doc! { "$min": value },
            Self::Max => doc! { "$max": value },
            Self::Copy | Self::Recent { .. } | Self::Members { .. } => return Vec::new(),
        };
        vec![("", accumulator)]
    }

    /// Returns the stages that read the documents for a list or an array of keys. For a recent list, the newest
    /// documents come first. For an array of keys, the lowest `_id` comes first.
    pub(crate) fn stages(&self, path: &str) -> Vec<Document> {
        let (limit, lines) = match self {
            Self::Recent { limit, lines, .. } => (limit, lines),
            Self::Members { line, .. } => {
                let read = projection(line.iter().map(|part| part.from.as_str()));
                return vec![
                    doc! { "$sort": { "_id": 1 } },
                    doc! { "$project": fetched(&read) },
                ];
            }
            Self::Copy | Self::Count | Self::Sum { .. } | Self::Average | Self::Min | Self::Max => {
                return Vec::new();
            }
        };
        // The `_id` breaks ties between documents that have equal values.
        vec![
            doc! { "$sort": { path: -1, "_id": -1 } },
            doc! { "$limit": i64::from(*limit) },
            doc! { "$project": fetched(lines) },
        ]
    }

    /// Builds the value from the parts that the server computed. A part is missing if the server found no documents.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be stored in the declared type.
    pub(crate) fn value(&self, computed: impl Fn(&str) -> Option<Bson>) -> Result<Bson, Unheld> {
        if let Self::Members {
            line,
            max,
            other_side,
        } = self
        {
            let children = elements_of(computed(""));
            let stored = elements_of(computed("stored"));
            let members = members(stored, &children, line, *other_side);
            let len = members.len();
            return match max {
                Some(max) if len as u64 > u64::from(*max) => Err(Unheld::Full { len, max: *max }),
                _ => Ok(members.into()),
            };
        }
        self.summary(computed).ok_or(Unheld::Sum)
    }

    /// Returns the value of a summary or list over zero documents. Returns `None` for copies and arrays of keys.
    pub(crate) fn of_nothing(&self) -> Option<&Bson> {
        static NONE: Bson = Bson::Int64(0);
        static NO_LINES: Bson = Bson::Array(Vec::new());
        static NO_AVERAGE: LazyLock<Bson> =
            LazyLock::new(|| doc! { "sum": 0.0, "count": 0_i64 }.into());
        match self {
            Self::Count => Some(&NONE),
            Self::Sum { zero } => Some(zero),
            Self::Average => Some(&NO_AVERAGE),
            Self::Min | Self::Max => Some(&Bson::Null),
            Self::Recent { .. } => Some(&NO_LINES),
            Self::Copy | Self::Members { .. } => None,
        }
    }

    fn summary(&self, computed: impl Fn(&str) -> Option<Bson>) -> Option<Bson> {
        match self {
            Self::Average => {
                let sum = in_type_of(&Bson::Double(0.0), computed("sum"))?;
                let count = in_type_of(&Bson::Int64(0), computed("count"))?;
                Some(doc! { "sum": sum, "count": count }.into())
            }
            Self::Recent {
                newest_first,
                lines,
                ..
            } => {
                let found = elements_of(computed(""));
                let found = found.iter().filter_map(Bson::as_document);
                let mut kept: Vec<Bson> = found.map(|it| line_of(it, lines).into()).collect();
                if !newest_first {
                    kept.reverse();
                }
                Some(kept.into())
            }
            Self::Count => in_type_of(&Bson::Int64(0), computed("")),
            Self::Sum { zero } => in_type_of(zero, computed("")),
            Self::Copy | Self::Min | Self::Max | Self::Members { .. } => {
                Some(computed("").unwrap_or(Bson::Null))
            }
        }
    }
}

/// Extends a projection so that the server must read the documents. If the server read only an index that contains all
/// the fields, it would return null for missing fields.
fn fetched(lines: &Document) -> Document {
    let mut lines = lines.clone();
    lines.insert("_odm", doc! { "$type": "$$ROOT" });
    lines
}

/// Returns the entry that a list stores for a document. The entry's fields have the same order as in `lines`.
pub(crate) fn line_of(child: &Document, lines: &Document) -> Document {
    let mut line = Document::new();
    for path in lines.keys().filter(|path| lines_have(lines, path)) {
        let name = path.split('.').next().unwrap_or(path);
        if let Some(value) = child.get(name) {
            line.insert(name, value.clone());
        }
    }
    line
}

/// Whether the entries of a recent list contain a field.
pub(crate) fn lines_have(lines: &Document, name: &str) -> bool {
    lines.get(name).is_some_and(|kept| *kept != Bson::Int32(0))
}

/// Converts a number to the type of `zero`. Returns `None` if the number does not fit. The server returns numbers in
/// the smallest possible type. If a sum of integers is too large for a `long`, the server returns a double.
fn in_type_of(zero: &Bson, number: Option<Bson>) -> Option<Bson> {
    Some(match (zero, number) {
        (zero, None) => zero.clone(),
        (Bson::Int64(_), Some(Bson::Int32(number))) => Bson::Int64(number.into()),
        (Bson::Int64(_), Some(Bson::Double(_))) => return None,
        (Bson::Double(_), Some(Bson::Int32(number))) => Bson::Double(number.into()),
        (Bson::Decimal128(_), Some(Bson::Int32(0))) => zero.clone(),
        (_, Some(number)) => number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(max: Option<u32>) -> Fold {
        Fold::Members {
            line: Vec::new(),
            max,
            other_side: OtherSide::Reference,
        }
    }

    #[test]
    fn the_value_of_nothing_is_the_one_that_is_computed_of_no_documents() {
        let recent = Fold::Recent {
            limit: 1,
            newest_first: true,
            lines: Document::new(),
        };
        let zero = Bson::Double(0.0);
        let sum = Fold::Sum { zero };
        for fold in [
            Fold::Count,
            sum,
            Fold::Average,
            Fold::Min,
            Fold::Max,
            recent,
        ] {
            let computed = fold.value(|_| None).unwrap();
            assert_eq!(fold.of_nothing(), Some(&computed), "{fold:?}");
        }
    }

    #[test]
    fn an_element_may_contain_a_struct_and_a_field_inside_it() {
        let part = |path: &str| ElementPart::new(path.to_owned(), path.to_owned());
        let fold = Fold::Members {
            line: vec![part("_id"), part("home"), part("home.city")],
            max: None,
            other_side: OtherSide::Reference,
        };
        let stages = fold.stages("_id");
        let project = stages
            .last()
            .and_then(|it| it.get_document("$project").ok());
        // The server rejects a projection that contains both paths.
        let paths: Vec<&str> = project.unwrap().keys().map(String::as_str).collect();
        assert_eq!(paths, ["_id", "home", "_odm"]);
    }

    #[test]
    fn of_two_bounds_the_smaller_one_holds_whichever_comes_first() {
        for (first, second, expected) in [
            (Some(5), Some(2), Some(2)),
            (Some(2), Some(5), Some(2)),
            (Some(2), None, Some(2)),
            (None, Some(2), Some(2)),
            (None, None, None),
        ] {
            let mut fold = members(first);
            fold.narrow(&members(second));
            assert_eq!(fold.max(), expected, "{first:?}, then {second:?}");
        }
    }
}
