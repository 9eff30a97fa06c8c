//! Determines how one written child affects a computed field of its parent.
//!
//! The images of the child before and after the write determine which of the following happens to each field:
//!
//! 1. An addition is applied to the field (`$inc`, `$min`, `$max`, `$push`).
//! 2. The field stays unchanged under a condition: the list does not contain the child, or the stored minimum or
//!    maximum belongs to another child.
//! 3. The field is recomputed from all children of the parent.

use std::cmp::Ordering;

use mongodb::bson::{Bson, Document, doc};

use super::{
    addition::{Addition, compare, is_no_array, type_of},
    expected_value::Values,
};
use crate::{
    client::command::{is_unknown, unknown},
    graph::{
        Copied,
        fold::{ElementPart, Fold, line_of, lines_have, member_of},
    },
    value::path::value_at,
};

/// How a write changed the reference from a child to one parent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ChildTransition<'d> {
    /// The child refers to the parent only after the write. `matches` is true if the child matches the field's filter,
    /// according to the server.
    Enters { child: &'d Document, matches: bool },
    /// The child referred to the parent only before the write.
    Leaves(&'d Document),
    /// The child refers to the parent both before and after the write.
    Stays {
        before: &'d Document,
        after: &'d Document,
    },
}

/// How a written child affects a computed field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FieldEffect {
    /// The write does not affect the field.
    Same,
    /// An addition is applied to the field. Additions can be applied in any order.
    Add(Addition),
    /// The field stays unchanged if the parent meets all conditions. Otherwise, the field is recomputed.
    UnchangedIf(Vec<Document>),
    /// The field is recomputed from all children.
    Recompute,
}

impl Copied {
    /// Returns how a written child affects this field.
    pub(crate) fn step(&self, passage: ChildTransition<'_>) -> FieldEffect {
        if let ChildTransition::Stays { before, after } = passage {
            // `reads` also contains the paths in the filter. If none of these values has changed, the child matches the
            // filter after the write if and only if it matched before. The order of the fields in a document counts,
            // because the server compares documents by it, and because lists store it.
            if Values::of_paths(&self.reads, before) == Values::of_paths(&self.reads, after) {
                return FieldEffect::Same;
            }
        }
        match (passage, &self.filter) {
            (ChildTransition::Enters { matches: false, .. }, _) => FieldEffect::Same,
            (ChildTransition::Enters { .. }, _) | (_, None) => self.unfiltered(passage),
            // It is not known whether the old document matched the filter, because only the server evaluates filters.
            (_, Some(_)) => FieldEffect::Recompute,
        }
    }

    fn unfiltered(&self, passage: ChildTransition<'_>) -> FieldEffect {
        let path = self.reads.first().map_or("_id", String::as_str);
        match &self.fold {
            Fold::Copy => FieldEffect::Recompute,
            Fold::Count => FieldEffect::number(match passage {
                ChildTransition::Enters { .. } => 1,
                ChildTransition::Leaves(_) => -1,
                ChildTransition::Stays { .. } => 0,
            }),
            Fold::Sum { .. } if passage.is_planned(path) => {
                FieldEffect::Add(Addition::Number(unknown(&format!("what {path} changes"))))
            }
            Fold::Sum {
                zero: Bson::Int64(_),
            } => {
                let [old, new] = passage.ends(path).map(integer);
                // The difference might not fit into a `long` even if the old and the new sum fit.
                new.checked_sub(old)
                    .map_or(FieldEffect::Recompute, FieldEffect::number)
            }
            Fold::Sum { zero } => match passage.ends(path) {
                [None, None] => FieldEffect::Same,
                [None, Some(new)] if new.element_type() == zero.element_type() => {
                    FieldEffect::of_finite(new, Addition::Number(new.clone()))
                }
                // A subtraction does not restore the earlier double or decimal exactly.
                _ => FieldEffect::Recompute,
            },
            Fold::Average => match passage.ends(path) {
                [None, None] => FieldEffect::Same,
                [None, Some(new)] => match double(new) {
                    Some(sum) => FieldEffect::of_finite(new, Addition::Mean { sum, count: 1 }),
                    None => FieldEffect::Recompute,
                },
                _ => FieldEffect::Recompute,
            },
            Fold::Min => self.extreme(passage.ends(path), "$lt", Ordering::Less, Addition::Least),
            Fold::Max => self.extreme(
                passage.ends(path),
                "$gt",
                Ordering::Greater,
                Addition::Greatest,
            ),
            Fold::Recent { lines, .. } => self.listed(passage, path, lines),
            Fold::Members { line, .. } => member_step(passage, line),
        }
    }

    fn extreme(
        &self,
        [old, new]: [Option<&Bson>; 2],
        beyond: &str,
        further: Ordering,
        addition: fn(Bson) -> Addition,
    ) -> FieldEffect {
        // A filter compares the elements of an array one by one, but `$min` compares the array as a whole.
        let is_plain = |value: &&Bson| !matches!(value, Bson::Array(_) | Bson::Document(_));
        if ![old, new].into_iter().flatten().all(|it| is_plain(&it)) {
            return FieldEffect::Recompute;
        }
        match (old, new) {
            (None, None) => FieldEffect::Same,
            (None, Some(new)) => FieldEffect::Add(addition(new.clone())),
            (Some(old), Some(new)) if compare(new, old) == Some(further) => {
                FieldEffect::Add(addition(new.clone()))
            }
            // Only the server compares values of different types, such as an `int` and a `long`.
            (Some(old), Some(new)) if compare(new, old).is_none() => FieldEffect::Recompute,
            // If the stored minimum or maximum lies beyond the old value, it belongs to another child.
            (Some(old), _) if type_of(old).is_some() => {
                let mut condition = is_no_array();
                condition.insert(beyond, old.clone());
                FieldEffect::UnchangedIf(vec![doc! { &self.to: condition }])
            }
            _ => FieldEffect::Recompute,
        }
    }

    fn listed(&self, passage: ChildTransition<'_>, order: &str, lines: &Document) -> FieldEffect {
        // Only the server can build entries that contain nested fields or expressions. In addition, the position of a
        // new entry is unknown if the entries do not contain the sort field.
        let is_part =
            |(path, kept): (&String, &Bson)| path.contains('.') || kept.as_document().is_some();
        if lines.iter().any(is_part) || !lines_have(lines, order) {
            return FieldEffect::Recompute;
        }
        match passage {
            ChildTransition::Enters { child, .. } => {
                FieldEffect::Add(Addition::Lines(vec![line_of(child, lines)]))
            }
            // A child that is not in the list may have to replace this entry. Only a query over all children can find
            // that child.
            ChildTransition::Stays { before, after } if before.get(order) != after.get(order) => {
                FieldEffect::Recompute
            }
            ChildTransition::Leaves(child) | ChildTransition::Stays { before: child, .. } => {
                let name = if lines_have(lines, "_id") {
                    "_id"
                } else {
                    order
                };
                match child.get(name) {
                    Some(value) if type_of(value).is_some() => {
                        let path = format!("{}.{name}", self.to);
                        FieldEffect::UnchangedIf(vec![doc! { path: { "$ne": value.clone() } }])
                    }
                    _ => FieldEffect::Recompute,
                }
            }
        }
    }
}

/// Returns the effect that adds or removes the child's element in an array of keys. Copies inside the element belong to
/// another extended reference.
fn member_step(passage: ChildTransition<'_>, line: &[ElementPart]) -> FieldEffect {
    let key = |child: &Document| {
        line.first()
            .and_then(|part| value_at(child, &part.from))
            .cloned()
    };
    let is_id = line.first().is_some_and(|part| part.from == "_id");
    match passage {
        ChildTransition::Enters { child, .. } => match key(child) {
            Some(_) => FieldEffect::members(vec![member_of(child, line)], Vec::new()),
            None => FieldEffect::Recompute,
        },
        // Another child can have the same key, unless the key is the `_id`.
        ChildTransition::Leaves(child) => match key(child).filter(|_| is_id) {
            Some(key) => FieldEffect::members(Vec::new(), vec![key]),
            None => FieldEffect::Recompute,
        },
        ChildTransition::Stays { before, after } if key(before) == key(after) => FieldEffect::Same,
        ChildTransition::Stays { .. } => FieldEffect::Recompute,
    }
}

impl<'d> ChildTransition<'d> {
    /// Returns the values before and after the write. Null counts as a missing value.
    fn ends(self, path: &str) -> [Option<&'d Bson>; 2] {
        let counted = |document: &'d Document| {
            let value = value_at(document, path);
            value.filter(|value| !matches!(value, Bson::Null | Bson::Undefined))
        };
        match self {
            Self::Enters { child, .. } => [None, counted(child)],
            Self::Leaves(child) => [counted(child), None],
            Self::Stays { before, after } => [counted(before), counted(after)],
        }
    }
}

impl ChildTransition<'_> {
    /// Whether one of the values is a placeholder, which only a plan contains.
    fn is_planned(self, path: &str) -> bool {
        self.ends(path).into_iter().flatten().any(is_unknown)
    }
}

impl FieldEffect {
    /// Combines two effects on the same field.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Same, step) | (step, Self::Same) => step,
            (Self::Add(one), Self::Add(other)) => one.and(other).map_or(Self::Recompute, Self::Add),
            (Self::UnchangedIf(mut all), Self::UnchangedIf(more)) => {
                all.extend(more);
                Self::UnchangedIf(all)
            }
            // The condition would be checked after the addition, when the field has a different value.
            _ => Self::Recompute,
        }
    }

    /// Whether the effect is correct only if the field already includes earlier writes to the same child.
    pub(crate) const fn depends(&self) -> bool {
        match self {
            Self::Add(addition) => addition.depends(),
            Self::UnchangedIf(_) => true,
            Self::Same | Self::Recompute => false,
        }
    }

    const fn members(come: Vec<Bson>, gone: Vec<Bson>) -> Self {
        Self::Add(Addition::Members { come, gone })
    }

    fn number(number: i64) -> Self {
        if number == 0 {
            return Self::Same;
        }
        Self::Add(Addition::Number(number.into()))
    }

    /// Returns the addition if its value is finite. For NaN and infinity, the server recomputes the field.
    fn of_finite(value: &Bson, addition: Addition) -> Self {
        match value {
            Bson::Double(number) if !number.is_finite() => Self::Recompute,
            _ => Self::Add(addition),
        }
    }
}

/// Returns how much a value contributes to a sum of integers. Other types contribute 0.
fn integer(value: Option<&Bson>) -> i64 {
    match value {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        _ => 0,
    }
}

#[allow(clippy::cast_precision_loss, reason = "as the server converts it")]
fn double(value: &Bson) -> Option<f64> {
    match value {
        Bson::Double(number) => Some(*number),
        Bson::Int32(number) => Some(f64::from(*number)),
        Bson::Int64(number) => Some(*number as f64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_with_another_order_of_fields_has_changed() {
        let copied = Copied {
            reads: vec!["time".to_owned(), "tags".to_owned()],
            fold: Fold::Recent {
                limit: 2,
                newest_first: false,
                lines: doc! { "time": 1, "tags": 1, "_id": 0 },
            },
            to: "latest".to_owned(),
            ..Copied::default()
        };
        let before = &doc! { "_id": 1, "time": 1, "tags": { "a": 1, "b": 2 } };
        let after = &doc! { "_id": 1, "time": 1, "tags": { "b": 2, "a": 1 } };
        let step = |after| copied.step(ChildTransition::Stays { before, after });
        assert_eq!(step(before), FieldEffect::Same);
        assert_ne!(step(after), FieldEffect::Same);
    }
}
