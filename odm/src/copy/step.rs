//! What a write of one document does to a field that is computed of it and others.

use std::{cmp::Ordering, collections::HashSet};

use mongodb::bson::{Bson, Document, doc, spec::ElementType};

use super::{
    fold::{Fold, has, key_of_member, line_of, member_of},
    graph::Copied,
};
use crate::{
    command::{is_unknown, unknown},
    key::JoinKey,
    path::{join, value_at, value_through},
};

/// A document that has a key before or after a write.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Passage<'d> {
    /// It has the key now; whether the filter of the field lets it in was asked of the server.
    Enters { child: &'d Document, matches: bool },
    /// It had the key.
    Leaves(&'d Document),
    /// It had the key and keeps it.
    Stays {
        before: &'d Document,
        after: &'d Document,
    },
}

/// What becomes of a computed field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Nothing.
    Same,
    /// Something is added, in whatever order.
    Add(Addition),
    /// It stays where the parent meets all conditions, and is computed anew elsewhere.
    StaysIf(Vec<Document>),
    /// It is computed anew.
    Anew,
}

/// What is added to a computed field. Additions commute with one another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Addition {
    /// To a count or a sum.
    Number(Bson),
    /// To a mean.
    Mean { sum: f64, count: i64 },
    /// A value that may be smaller than all before.
    Least(Bson),
    /// A value that may be larger than all before.
    Greatest(Bson),
    /// Newcomers in a list.
    Lines(Vec<Document>),
    /// Elements of newcomers in an array of keys.
    Members(Vec<Bson>),
    /// Keys that leave an array of keys, which has them.
    Gone(Vec<Bson>),
}

impl Copied {
    /// Returns what a passage does to the field.
    pub(crate) fn step(&self, passage: Passage<'_>) -> Step {
        if let Passage::Stays { before, after } = passage {
            let same = |path: &String| value_through(before, path) == value_through(after, path);
            if self.reads.iter().all(same) {
                return Step::Same;
            }
        }
        match (passage, &self.filter) {
            (Passage::Enters { matches: false, .. }, _) => Step::Same,
            (Passage::Enters { .. }, _) | (_, None) => self.unfiltered(passage),
            // Whether it had matched is not known any more.
            (_, Some(_)) => Step::Anew,
        }
    }

    fn unfiltered(&self, passage: Passage<'_>) -> Step {
        let path = self.reads.first().map_or("_id", String::as_str);
        match &self.fold {
            Fold::Copy => Step::Anew,
            Fold::Count => Step::number(match passage {
                Passage::Enters { .. } => 1,
                Passage::Leaves(_) => -1,
                Passage::Stays { .. } => 0,
            }),
            Fold::Sum { .. } if passage.is_planned(path) => {
                Step::Add(Addition::Number(unknown(&format!("what {path} changes"))))
            }
            Fold::Sum {
                zero: Bson::Int64(_),
            } => {
                let [old, new] = passage.ends(path).map(integer);
                new.checked_sub(old).map_or(Step::Anew, Step::number)
            }
            Fold::Sum { zero } => match passage.ends(path) {
                [None, None] => Step::Same,
                [None, Some(new)] if new.element_type() == zero.element_type() => {
                    Step::of_finite(new, Addition::Number(new.clone()))
                }
                // Taking away what was added once leaves another double, and another decimal.
                _ => Step::Anew,
            },
            Fold::Average => match passage.ends(path) {
                [None, None] => Step::Same,
                [None, Some(new)] => match double(new) {
                    Some(sum) => Step::of_finite(new, Addition::Mean { sum, count: 1 }),
                    None => Step::Anew,
                },
                _ => Step::Anew,
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
    ) -> Step {
        let is_plain = |value: &&Bson| !matches!(value, Bson::Array(_) | Bson::Document(_));
        if ![old, new].into_iter().flatten().all(|it| is_plain(&it)) {
            return Step::Anew;
        }
        match (old, new) {
            (None, None) => Step::Same,
            (None, Some(new)) => Step::Add(addition(new.clone())),
            (Some(old), Some(new)) if compare(new, old) == Some(further) => {
                Step::Add(addition(new.clone()))
            }
            // What is beyond it was not this one.
            (Some(old), _) => Step::StaysIf(vec![doc! { &self.to: { beyond: old.clone() } }]),
        }
    }

    fn listed(&self, passage: Passage<'_>, order: &str, lines: &Document) -> Step {
        // Another place in the order, or a line whose inner fields are chosen.
        if lines.keys().any(|path| path.contains('.')) || !has(lines, order) {
            return Step::Anew;
        }
        match passage {
            Passage::Enters { child, .. } => {
                Step::Add(Addition::Lines(vec![line_of(child, lines)]))
            }
            Passage::Stays { before, after } if before.get(order) != after.get(order) => Step::Anew,
            Passage::Leaves(child) | Passage::Stays { before: child, .. } => {
                let name = if has(lines, "_id") { "_id" } else { order };
                match child.get(name) {
                    Some(value) if *value != Bson::Null => {
                        let path = format!("{}.{name}", self.to);
                        Step::StaysIf(vec![doc! { path: { "$ne": value.clone() } }])
                    }
                    _ => Step::Anew,
                }
            }
        }
    }

    /// Adds what an addition is for the server: the conditions under which the stored value can take it, and the
    /// operators. Returns nothing where it cannot be said in operators.
    pub(crate) fn add_to(
        &self,
        addition: &Addition,
        conditions: &mut Vec<Document>,
        operators: &mut Operators,
    ) -> Option<()> {
        let to = &self.to;
        match addition {
            Addition::Number(number) => {
                let mut condition = doc! { "$type": type_of(number)? };
                if self.fold != Fold::Count {
                    condition.extend(room_for(number));
                }
                conditions.push(doc! { to: condition });
                operators.put("$inc", to, number.clone());
            }
            Addition::Mean { sum, count } => {
                let (of_sum, of_count) = (format!("{to}.sum"), format!("{to}.count"));
                conditions.push(doc! { &of_sum: { "$type": "double" } });
                conditions.push(doc! { &of_count: { "$type": "long" } });
                operators.put("$inc", &of_sum, (*sum).into());
                operators.put("$inc", &of_count, (*count).into());
            }
            // Below all others is null, which stands for none at all.
            Addition::Least(value) => {
                conditions.push(doc! { to: { "$type": type_of(value)? } });
                operators.put("$min", to, value.clone());
            }
            Addition::Greatest(value) => {
                conditions.push(doc! { to: { "$type": [type_of(value)?, "null"] } });
                operators.put("$max", to, value.clone());
            }
            Addition::Lines(new) => self.push(new, conditions, operators)?,
            Addition::Members(new) => self.add_members(new, conditions, operators)?,
            Addition::Gone(keys) => {
                let inner = self.fold.key_of_elements()?;
                conditions.push(doc! { join(to, inner): { "$all": keys } });
                if inner.is_empty() {
                    operators.put("$pullAll", to, keys.clone().into());
                } else {
                    operators.put("$pull", to, doc! { inner: { "$in": keys } }.into());
                }
            }
        }
        Some(())
    }

    fn add_members(
        &self,
        new: &[Bson],
        conditions: &mut Vec<Document>,
        operators: &mut Operators,
    ) -> Option<()> {
        let Fold::Members { max, .. } = &self.fold else {
            return None;
        };
        let (to, inner) = (&self.to, self.fold.key_of_elements()?);
        let keys: Vec<Bson> = new
            .iter()
            .map(|element| key_of_member(element, inner).to_bson())
            .collect();
        conditions.push(doc! { to: { "$type": "array" } });
        conditions.push(doc! { join(to, inner): { "$nin": keys } });
        if let Some(max) = max {
            // Room for all of them: nothing at the last position that is left then.
            let last = u64::from(*max).checked_sub(new.len() as u64)?;
            conditions.push(doc! { format!("{to}.{last}"): { "$exists": false } });
        }
        operators.put("$push", to, doc! { "$each": new.to_vec() }.into());
        Some(())
    }

    fn push(
        &self,
        new: &[Document],
        conditions: &mut Vec<Document>,
        operators: &mut Operators,
    ) -> Option<()> {
        let Fold::Recent {
            limit,
            newest_first,
            lines,
        } = &self.fold
        else {
            return None;
        };
        let (to, order) = (&self.to, self.reads.first()?);
        let direction = if *newest_first { -1 } else { 1 };
        let mut sort = doc! { order: direction };
        let mut condition = doc! { to: { "$type": "array" } };
        if has(lines, "_id") {
            sort.insert("_id", direction);
        } else {
            // Among equals the `_id` decides, and these lines have none.
            let values: Vec<Bson> = new
                .iter()
                .map(|line| line.get(order).cloned().unwrap_or(Bson::Null))
                .collect();
            let known: HashSet<JoinKey> = values.iter().cloned().map(JoinKey::from).collect();
            if known.len() < values.len() {
                return None;
            }
            condition.insert(format!("{to}.{order}"), doc! { "$nin": values });
        }
        let slice = i64::from(*limit) * if *newest_first { 1 } else { -1 };
        let push = doc! { "$each": new.to_vec(), "$sort": sort, "$slice": slice };
        conditions.push(condition);
        operators.put("$push", to, push.into());
        Some(())
    }
}

/// Adds or takes away the element of a document; what its other fields hold is copied by itself.
fn member_step(passage: Passage<'_>, line: &[(String, String)]) -> Step {
    let key = |child: &Document| {
        line.first()
            .and_then(|(_, from)| value_at(child, from))
            .cloned()
    };
    match passage {
        Passage::Enters { child, .. } => match key(child) {
            Some(_) => Step::Add(Addition::Members(vec![member_of(child, line)])),
            None => Step::Anew,
        },
        Passage::Leaves(child) => match key(child) {
            Some(key) => Step::Add(Addition::Gone(vec![key])),
            None => Step::Anew,
        },
        Passage::Stays { before, after } if key(before) == key(after) => Step::Same,
        Passage::Stays { .. } => Step::Anew,
    }
}

impl Addition {
    /// Whether it can wait: what leaves can be in what waits.
    pub(crate) const fn can_wait(&self) -> bool {
        !matches!(self, Self::Gone(_))
    }
}

impl<'d> Passage<'d> {
    /// Returns what was counted of the document and what is now.
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

impl Passage<'_> {
    /// Whether a plan does not know the values.
    fn is_planned(self, path: &str) -> bool {
        self.ends(path).into_iter().flatten().any(is_unknown)
    }
}

impl Step {
    /// Returns what follows from two steps of the same field.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Same, step) | (step, Self::Same) => step,
            (Self::Add(one), Self::Add(other)) => sum_of(one, other).map_or(Self::Anew, Self::Add),
            (Self::StaysIf(mut all), Self::StaysIf(more)) => {
                all.extend(more);
                Self::StaysIf(all)
            }
            _ => Self::Anew,
        }
    }

    fn number(number: i64) -> Self {
        if number == 0 {
            return Self::Same;
        }
        Self::Add(Addition::Number(number.into()))
    }

    /// What is no number, or infinite, is for the server to add up.
    fn of_finite(value: &Bson, addition: Addition) -> Self {
        match value {
            Bson::Double(number) if !number.is_finite() => Self::Anew,
            _ => Self::Add(addition),
        }
    }
}

/// Returns two additions as one; none where that takes more than a look.
fn sum_of(one: Addition, other: Addition) -> Option<Addition> {
    Some(match (one, other) {
        (Addition::Number(Bson::Int64(one)), Addition::Number(Bson::Int64(other))) => {
            Addition::Number(one.checked_add(other)?.into())
        }
        (Addition::Number(Bson::Double(one)), Addition::Number(Bson::Double(other))) => {
            Addition::Number((one + other).into())
        }
        (
            Addition::Mean { sum, count },
            Addition::Mean {
                sum: more,
                count: others,
            },
        ) => Addition::Mean {
            sum: sum + more,
            count: count + others,
        },
        (Addition::Least(one), Addition::Least(other)) => {
            Addition::Least(if compare(&one, &other)? == Ordering::Greater {
                other
            } else {
                one
            })
        }
        (Addition::Greatest(one), Addition::Greatest(other)) => {
            Addition::Greatest(if compare(&one, &other)? == Ordering::Less {
                other
            } else {
                one
            })
        }
        (Addition::Lines(mut one), Addition::Lines(other)) => {
            one.extend(other);
            Addition::Lines(one)
        }
        (Addition::Members(mut one), Addition::Members(other)) => {
            one.extend(other);
            Addition::Members(one)
        }
        (Addition::Gone(mut one), Addition::Gone(other)) => {
            one.extend(other);
            Addition::Gone(one)
        }
        _ => return None,
    })
}

/// An update by operators.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operators(pub(crate) Document);

impl Operators {
    fn put(&mut self, operator: &str, path: &str, value: Bson) {
        let entry = self.0.entry(operator.to_owned());
        let fields = entry.or_insert_with(|| Bson::Document(Document::new()));
        if let Bson::Document(fields) = fields {
            fields.insert(path, value);
        }
    }
}

/// Returns what a value adds to a sum of integers: of another type, nothing.
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

/// Compares values of one type as the server does; none where that takes more than a look.
fn compare(one: &Bson, other: &Bson) -> Option<Ordering> {
    match (one, other) {
        (Bson::Int32(one), Bson::Int32(other)) => Some(one.cmp(other)),
        (Bson::Int64(one), Bson::Int64(other)) => Some(one.cmp(other)),
        (Bson::Double(one), Bson::Double(other)) => one.partial_cmp(other),
        (Bson::DateTime(one), Bson::DateTime(other)) => Some(one.cmp(other)),
        (Bson::ObjectId(one), Bson::ObjectId(other)) => Some(one.cmp(other)),
        (Bson::String(one), Bson::String(other)) => Some(one.as_bytes().cmp(other.as_bytes())),
        _ => None,
    }
}

/// Returns the condition on an integer that another one can be added to.
fn room_for(number: &Bson) -> Document {
    match number {
        Bson::Int64(number) => doc! {
            "$gte": i64::MIN - number.min(&0), "$lte": i64::MAX - number.max(&0),
        },
        unknown if is_unknown(unknown) => doc! { "$gte": unknown, "$lte": unknown },
        _ => doc! {},
    }
}

/// Returns the name of a type in `$type`; none for one that is better computed by the server.
fn type_of(value: &Bson) -> Option<Bson> {
    if is_unknown(value) {
        return Some(unknown("its type"));
    }
    let name = match value.element_type() {
        ElementType::Int32 => "int",
        ElementType::Int64 => "long",
        ElementType::Double => "double",
        ElementType::Decimal128 => "decimal",
        ElementType::DateTime => "date",
        ElementType::String => "string",
        ElementType::ObjectId => "objectId",
        _ => return None,
    };
    Some(name.into())
}
