//! Additions to computed fields, and the update operators that apply them.
//!
//! If a `$push` contains `$sort`, the server sorts the whole list. For a list of 1,000 entries, the update then takes
//! five times as long. So the library adds new entries to recent lists in two updates:
//!
//! 1. The first update appends the new entries without sorting. The condition of this update requires that the new
//!    entries follow all stored entries (`NewEntries::AfterAll`).
//! 2. The second update is sent if the first update did not match all parents. The second update sorts the list, and
//!    skips lists that already contain the new entries. A list that the first update has changed always contains the
//!    new entries, because that update removes only older entries.
//!
//! Nulls, decimals, and keys that are neither numbers, dates, strings nor `ObjectId`s are an exception, because the
//! library does not know their order. For these values, the library sends only one update, which sorts the list. The
//! condition of a second update could not distinguish an entry that was cut off from an entry that was never added.

use std::{cmp::Ordering, collections::HashSet};

use mongodb::bson::{Bson, Document, doc, spec::ElementType};

use super::copy_update::key_condition;
use crate::{
    batches::size_of,
    client::{
        command::{UpdateCommand, is_unknown, simple, unknown},
        place::Place,
    },
    graph::{
        Copied,
        fold::{Comparison, Fold, key_of_member, lines_have},
    },
    value::{
        key::{JoinKey, is_operator_or_pattern},
        path::{beginnings, join},
    },
};

/// Largest number of bytes that one update adds. The server accepts documents of at most 16 MB.
pub(super) const LARGEST: usize = 8 << 20;

/// An addition to a computed field. Additions can be applied in any order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Addition {
    /// A number that is added to a count or a sum.
    Number(Bson),
    /// The numbers that are added to an average.
    Mean { sum: f64, count: i64 },
    /// A value that replaces the minimum if the value is smaller.
    Least(Bson),
    /// A value that replaces the maximum if the value is larger.
    Greatest(Bson),
    /// New entries for a recent list.
    Lines(Vec<Document>),
    /// New elements for an array of keys, and the keys of elements to remove.
    Members { come: Vec<Bson>, gone: Vec<Bson> },
}

/// The position of new entries in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewEntries {
    /// After all stored entries. The list then does not have to be sorted. If the children are events, new entries
    /// usually sort last.
    AfterAll,
    /// Anywhere in the list.
    Anywhere,
}

impl Addition {
    /// Whether the addition is correct only if the field already includes earlier writes to the same child. Additions
    /// to an array of keys do not depend on earlier writes, because the condition of the array's update contains the
    /// keys.
    pub(crate) const fn depends(&self) -> bool {
        match self {
            Self::Members { .. } => false,
            Self::Number(_)
            | Self::Mean { .. }
            | Self::Least(_)
            | Self::Greatest(_)
            | Self::Lines(_) => true,
        }
    }

    /// Combines two additions into one. Returns `None` if the result depends on the server's arithmetic.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Number(Bson::Int64(one)), Self::Number(Bson::Int64(other))) => {
                Self::Number(one.checked_add(other)?.into())
            }
            (Self::Number(Bson::Double(one)), Self::Number(Bson::Double(other))) => {
                Self::Number((one + other).into())
            }
            (
                Self::Mean { sum, count },
                Self::Mean {
                    sum: more,
                    count: others,
                },
            ) => Self::Mean {
                sum: sum + more,
                count: count + others,
            },
            (Self::Least(one), Self::Least(other)) => {
                Self::Least(if compare(&one, &other)? == Ordering::Greater {
                    other
                } else {
                    one
                })
            }
            (Self::Greatest(one), Self::Greatest(other)) => {
                Self::Greatest(if compare(&one, &other)? == Ordering::Less {
                    other
                } else {
                    one
                })
            }
            (Self::Lines(mut one), Self::Lines(other)) => {
                one.extend(other);
                Self::Lines(one)
            }
            (
                Self::Members { mut come, mut gone },
                Self::Members {
                    come: more,
                    gone: others,
                },
            ) => {
                come.extend(more);
                gone.extend(others);
                Self::Members { come, gone }
            }
            _ => return None,
        })
    }
}

impl Copied {
    /// Adds the operators and conditions that apply an addition. Operators that remove elements from an array are added
    /// to a separate update (`before`), because one update cannot change an array twice. Returns `None` if operators
    /// cannot express the addition.
    pub(crate) fn add_to(
        &self,
        addition: &Addition,
        newcomers: NewEntries,
        before: &mut Operators,
        operators: &mut Operators,
    ) -> Option<()> {
        let to = &self.to;
        let conditions = &mut operators.conditions;
        match addition {
            Addition::Number(number) => {
                // If the field is missing, `$inc` would create it with only this number. If the field is null, `$inc`
                // fails and aborts the transaction.
                let bounds = match (&self.fold, number) {
                    // A count must not become negative. If the addition would make it negative, the count is
                    // recomputed.
                    (Fold::Count, Bson::Int64(gone @ ..0)) => {
                        doc! { "$gte": gone.saturating_neg() }
                    }
                    (Fold::Count, _) => doc! {},
                    // If a `long` overflows, `$inc` fails and aborts the transaction.
                    _ => room_for(number),
                };
                conditions.push(has_type(to, type_of(number)?, bounds));
                operators.put("$inc", to, number.clone());
            }
            Addition::Mean { sum, count } => {
                let (of_sum, of_count) = (format!("{to}.sum"), format!("{to}.count"));
                let mut types = has_type(&of_sum, "double".into(), doc! {});
                types.extend(has_type(&of_count, "long".into(), doc! {}));
                conditions.push(types);
                operators.put("$inc", &of_sum, (*sum).into());
                operators.put("$inc", &of_count, (*count).into());
            }
            // A stored null means that no child has a value yet. The condition excludes null, because `$min` would
            // never replace it: null sorts before all other values.
            Addition::Least(value) => {
                conditions.push(has_type(to, type_of(value)?, doc! {}));
                operators.put("$min", to, value.clone());
            }
            Addition::Greatest(value) => {
                let types = vec![type_of(value)?, "null".into()];
                conditions.push(has_type(to, types.into(), doc! {}));
                operators.put("$max", to, value.clone());
            }
            Addition::Lines(new) => self.push(new, newcomers, operators)?,
            Addition::Members { come, gone } => {
                if !gone.is_empty() {
                    self.take_members(gone, before)?;
                }
                if !come.is_empty() {
                    self.add_members(come, operators)?;
                }
            }
        }
        Some(())
    }

    fn take_members(&self, keys: &[Bson], operators: &mut Operators) -> Option<()> {
        if keys.iter().any(is_operator_or_pattern) {
            return None;
        }
        let (to, inner) = (&self.to, self.fold.key_of_elements()?);
        // In a mirrored pair, the other end may already have removed the key. In other arrays, a key may be missing
        // because its insert is still pending in a delta or a job, so the field is recomputed.
        let conditions = &mut operators.conditions;
        // A stored key that is not in an array would match `$all`, and the server would reject the update.
        conditions.push(doc! { to: { "$type": "array" } });
        match self.fold.comparison() {
            Comparison::Superset(_) => {}
            Comparison::Equal | Comparison::EqualNumber | Comparison::Near | Comparison::Set(_) => {
                conditions.push(doc! { join(to, inner): { "$all": keys } });
            }
        }
        if inner.is_empty() {
            operators.put("$pullAll", to, keys.to_vec().into());
        } else {
            operators.put("$pull", to, doc! { inner: { "$in": keys } }.into());
        }
        Some(())
    }

    fn add_members(&self, new: &[Bson], operators: &mut Operators) -> Option<()> {
        let (to, inner) = (&self.to, self.fold.key_of_elements()?);
        let keys: Vec<Bson> = new
            .iter()
            .map(|element| key_of_member(element, inner).to_bson())
            .collect();
        let conditions = &mut operators.conditions;
        conditions.push(doc! { to: { "$type": "array" } });
        // A job or a repair may already have added the key. Without this condition, `$push` would store the key twice.
        conditions.push(doc! { join(to, inner): { "$nin": keys.clone() } });
        if let Some(max) = self.fold.max() {
            // There is room for all new elements if the position `max - new.len()` is empty.
            let last = u64::from(max).checked_sub(new.len() as u64)?;
            conditions.push(doc! { format!("{to}.{last}"): { "$exists": false } });
        }
        let distinct: HashSet<JoinKey> = keys.iter().cloned().map(JoinKey::from).collect();
        if distinct.len() < keys.len() {
            return None;
        }
        let push = Bson::from(doc! { "$each": new.to_vec() });
        if keys.iter().any(is_operator_or_pattern) || size_of(&push) > LARGEST {
            return None;
        }
        operators.put("$push", to, push);
        Some(())
    }

    fn push(
        &self,
        new: &[Document],
        newcomers: NewEntries,
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
        // The `_id` determines the order of entries with equal values. Entries without an `_id` must not have equal
        // values.
        let by_id = lines_have(lines, "_id");
        let name = if by_id { "_id" } else { order.as_str() };
        let names = new.iter().map(|line| line.get(name).cloned());
        let names: Vec<Bson> = names.map(|it| it.unwrap_or(Bson::Null)).collect();
        let known: HashSet<JoinKey> = names.iter().cloned().map(JoinKey::from).collect();
        let cannot_be_asked = |it: &Bson| is_operator_or_pattern(it) || *it == Bson::Undefined;
        if known.len() < names.len() || names.iter().any(cannot_be_asked) {
            return None;
        }
        let direction = if *newest_first { -1_i32 } else { 1 };
        let slice = i64::from(*limit) * i64::from(-direction);
        let mut new = self.newest(new).unwrap_or_else(|| new.to_vec());
        let first = match newcomers {
            NewEntries::AfterAll => in_order(&mut new, order, by_id),
            NewEntries::Anywhere => None,
        };
        let (condition, push) = if let Some(first) = first {
            operators.tells_when_done = true;
            let mut push = doc! { "$slice": slice };
            if *newest_first {
                new.reverse();
                push.insert("$position", 0);
            }
            // `$not` is needed because a stored value of a different type, whose position in the order is unknown, does
            // not match `$lt` either.
            let other = doc! { order: { "$not": { "$lt": first } } };
            (doc! { to: { "$not": { "$elemMatch": other } } }, push)
        } else {
            let mut sort = doc! { order: direction };
            sort.extend(by_id.then(|| ("_id".to_owned(), direction.into())));
            let lacks = doc! { format!("{to}.{name}"): { "$nin": names } };
            (lacks, doc! { "$sort": sort, "$slice": slice })
        };
        let mut each = doc! { "$each": new };
        each.extend(push);
        if size_of(&Bson::Document(each.clone())) > LARGEST {
            return None;
        }
        let array = doc! { to: { "$type": "array" } };
        operators.conditions.extend([array, condition]);
        operators.put("$push", to, each.into());
        Some(())
    }
}

/// Sorts new entries, oldest first, and returns the sort value of the oldest entry. Returns `None` if only the server
/// can determine the order.
fn in_order(new: &mut [Document], order: &str, by_id: bool) -> Option<Bson> {
    let compared =
        |name: &str, one: &Document, other: &Document| compare(one.get(name)?, other.get(name)?);
    let first = new.first()?.clone();
    let is_plain = |line: &Document| {
        let of_order = compared(order, &first, line);
        let of_id = compared("_id", &first, line);
        of_order.is_some() && (!by_id || of_id.is_some())
    };
    if !new.iter().all(is_plain) {
        return None;
    }
    new.sort_by(|one, other| {
        let of_order = compared(order, one, other).unwrap_or(Ordering::Equal);
        of_order.then_with(|| compared("_id", one, other).unwrap_or(Ordering::Equal))
    });
    new.first()?.get(order).cloned()
}

impl Copied {
    /// Returns the addition in the form in which a delta stores it. Returns `None` if the addition is too large, or if
    /// it cannot be stored in a delta (see the limits in [`delta`](super::delta)).
    pub(crate) fn waiting(&self, addition: &Addition) -> Option<Addition> {
        let is_bounded = self.fold.max().is_some();
        let leaves = matches!(addition, Addition::Members { gone, .. } if !gone.is_empty());
        if is_bounded || leaves {
            return None;
        }
        let size =
            |values: &mut dyn Iterator<Item = Bson>| values.map(|it| size_of(&it)).sum::<usize>();
        let (waiting, size) = match addition {
            Addition::Lines(lines) => {
                let lines = self.newest(lines).unwrap_or_else(|| lines.clone());
                let size = size(&mut lines.iter().cloned().map(Bson::Document));
                (Addition::Lines(lines), size)
            }
            // If the source of these copies changes, the fan-out would not find the copies inside the delta.
            Addition::Members { .. } if !self.fold.copies_in_elements().is_empty() => return None,
            Addition::Members { come, .. } => (addition.clone(), size(&mut come.iter().cloned())),
            Addition::Number(_)
            | Addition::Mean { .. }
            | Addition::Least(_)
            | Addition::Greatest(_) => (addition.clone(), 0),
        };
        (size <= LARGEST).then_some(waiting)
    }

    /// Returns the newest entries, as many as fit into the list. Returns `None` if all of them fit, or if only the
    /// server can determine their order.
    pub(super) fn newest(&self, new: &[Document]) -> Option<Vec<Document>> {
        let Fold::Recent { limit, .. } = &self.fold else {
            return None;
        };
        let (order, limit) = (self.reads.first()?, usize::try_from(*limit).ok()?);
        if new.len() <= limit {
            return None;
        }
        let mut sorted: Vec<(&Bson, &Document)> = Vec::new();
        for line in new {
            sorted.push((line.get(order)?, line));
        }
        let (first, _) = sorted.first()?;
        let all = sorted
            .iter()
            .all(|(value, _)| compare(first, value).is_some());
        sorted.sort_by(|(one, _), (other, _)| compare(other, one).unwrap_or(Ordering::Equal));
        // The `_id` determines the order of entries with equal values, but an entry does not have to contain its `_id`.
        let is_twice = sorted.windows(2).any(|two| match two {
            [(one, _), (other, _)] => compare(one, other) == Some(Ordering::Equal),
            _ => false,
        });
        let newest = sorted.iter().take(limit).map(|(_, line)| (*line).clone());
        (all && !is_twice).then(|| newest.collect())
    }
}

/// Operators that update one document, and the conditions under which they apply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operators {
    conditions: Vec<Document>,
    changes: Document,
    /// Whether the stored list shows that this update was applied. Such a list contains all new entries, because none
    /// of them can have been cut off.
    pub(crate) tells_when_done: bool,
}

impl Operators {
    /// Returns the update of a document. Returns `None` if there are no operators.
    pub(crate) fn update(self, place: &Place, id: &Bson) -> Option<UpdateCommand> {
        if self.changes.is_empty() {
            return None;
        }
        let id = key_condition(std::slice::from_ref(id));
        let filter = doc! { "_id": id, "$and": self.conditions };
        let update = UpdateCommand::one(place.clone(), filter, self.changes);
        Some(update.collation(simple()))
    }

    fn put(&mut self, operator: &str, path: &str, value: Bson) {
        let entry = self.changes.entry(operator.to_owned());
        let fields = entry.or_insert_with(|| Bson::Document(Document::new()));
        if let Bson::Document(fields) = fields {
            fields.insert(path, value);
        }
    }
}

/// Compares two values of the same type as the server does. Returns `None` for types that are not compared here.
pub(super) fn compare(one: &Bson, other: &Bson) -> Option<Ordering> {
    match (one, other) {
        (Bson::Int32(one), Bson::Int32(other)) => Some(one.cmp(other)),
        (Bson::Int64(one), Bson::Int64(other)) => Some(one.cmp(other)),
        (Bson::Double(one), Bson::Double(other)) => one.partial_cmp(other),
        (Bson::DateTime(one), Bson::DateTime(other)) => Some(one.cmp(other)),
        (Bson::ObjectId(one), Bson::ObjectId(other)) => Some(one.cmp(other)),
        // The simple collation compares bytes, and all statements for summaries use it.
        (Bson::String(one), Bson::String(other)) => Some(one.as_bytes().cmp(other.as_bytes())),
        _ => None,
    }
}

/// Returns the condition that a stored value has a type and lies within bounds. For an array, the server compares the
/// elements with the condition. So neither the value nor a struct that contains it may be an array.
fn has_type(path: &str, name: Bson, bounds: Document) -> Document {
    let mut condition = doc! { "$type": name };
    condition.extend(is_no_array());
    condition.extend(bounds);
    let structs = beginnings(path).map(|part| (part.to_owned(), is_no_array().into()));
    let mut conditions: Document = structs.collect();
    conditions.insert(path, condition);
    conditions
}

pub(super) fn is_no_array() -> Document {
    doc! { "$not": { "$type": "array" } }
}

/// Returns a condition that is met if adding a number to a sum does not overflow.
fn room_for(number: &Bson) -> Document {
    match number {
        Bson::Int64(number) => doc! {
            "$gte": i64::MIN - number.min(&0), "$lte": i64::MAX - number.max(&0),
        },
        unknown if is_unknown(unknown) => doc! { "$gte": unknown, "$lte": unknown },
        _ => doc! {},
    }
}

/// Returns the name of a value's type for `$type`. Returns `None` for a type whose values only the server can compare.
pub(super) fn type_of(value: &Bson) -> Option<Bson> {
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
