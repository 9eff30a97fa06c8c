//! Deltas: stored additions to computed fields that have not been applied yet.
//!
//! A delta is a document in `_odm_deltas`: `{_id, of: {relation, key}, at, steps}`. If many programs write to a parent
//! at the same time, they store deltas instead of updating the parent.
//!
//! 1. A write stores the delta in the transaction of the child. Each step of the delta contains the stored path of a
//!    field.
//! 2. A fold (`runner::delta_runner`) applies the deltas of at most 20 parents and deletes these deltas, in one
//!    transaction. Concurrent folds conflict because they delete the same deltas. Fields that only other programs
//!    declare stay in the delta.
//! 3. `resolve` recomputes a field from the children in its snapshot. The deltas of these children are in the same
//!    snapshot, so `resolve` removes the field from these deltas.
//!
//! Each of these rules has a test that fails without it:
//!
//! - The delta is stored together with its child: `when_a_delta_is_written_before_its_child_nobody_is_counted`.
//! - A fold deletes its deltas in the same transaction:
//!   `when_folded_deltas_are_deleted_later_a_child_is_counted_twice`.
//! - `resolve` removes the field from deltas: `when_who_computes_anew_ignores_deltas_a_child_is_counted_twice`.
//!
//! # Limits
//!
//! These changes are never stored as deltas:
//!
//! - Removing an element from an array or a list, because the element's insert may itself be in a delta. While deltas
//!   are pending, even a list that would stay unchanged is recomputed.
//! - Adding an element that contains copies. If the copied source changes, the fan-out would not find the copies inside
//!   the delta.
//! - Adding to an array that has a `max`. Only the stored array shows whether there is room, so concurrent writers
//!   would exceed the bound. A job cannot replace the delta (`Timing::InTransaction`), because a job can no longer
//!   reject the child.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, Timestamp, doc, oid::ObjectId};

use super::{
    addition::{Addition, LARGEST},
    copy_update::key_condition,
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{AggregateCommand, DeleteCommand, FindCommand, Rows, UpdateCommand, and},
        odm::Exec,
        place::Place,
    },
    error::Result,
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

pub(crate) const DELTAS: &str = "_odm_deltas";

/// Largest number of keys in one statement.
const KEYS_AT_ONCE: usize = 1_000;

/// The additions to the fields of one parent. Each step contains the stored path of its field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Delta {
    pub(crate) key: JoinKey,
    pub(crate) steps: Vec<(String, Addition)>,
}

/// A delta as read from the database.
#[derive(Clone, Debug)]
pub(crate) struct StoredDelta {
    pub(crate) id: Bson,
    pub(crate) delta: Delta,
}

/// Returns the collection of deltas. Outside a transaction, reads and writes use the concern `majority`.
pub(crate) fn deltas() -> Place {
    Place::whole_collection(DELTAS).durable()
}

/// Stores deltas, with one `insert` for all of them.
///
/// The server replaces the empty timestamp with its own time, in whole seconds. An update with `$$NOW` would store
/// milliseconds, but would make small transactions 10 % slower.
pub(crate) async fn store(
    reference: &ExtendedReference,
    deltas_of_keys: &[Delta],
    exec: &Exec,
) -> Result<()> {
    const NOW: Timestamp = Timestamp {
        time: 0,
        increment: 0,
    };
    let rows = deltas_of_keys.iter().map(|delta| {
        let steps: Vec<Bson> = delta.steps.iter().map(encoded).collect();
        doc! {
            "_id": ObjectId::new(), "of": id_of(reference, &delta.key), "at": NOW, "steps": steps,
        }
    });
    let rows = Rows::of_documents(&rows.collect::<Vec<_>>())?;
    exec.insert_all(deltas(), rows).await
}

/// Removes the fields of an extended reference from the deltas of the given keys, because these fields are recomputed.
/// Sends one `update` for every 1,000 keys.
pub(crate) async fn remove_fields(
    reference: &ExtendedReference,
    keys: &[Bson],
    exec: &Exec,
) -> Result<()> {
    let fields: Vec<String> = reference.copy_paths().collect();
    for keys in parts(keys, KEYS_AT_ONCE, size_of) {
        // A delta without steps stays until the next fold. Deleting such deltas here would require another read that
        // finds the deltas without steps.
        let pull = doc! { "$pull": { "steps": { "field": { "$in": &fields } } } };
        let update = UpdateCommand::many(deltas(), of_any(reference, keys), pull);
        exec.send(update).await?;
    }
    Ok(())
}

/// Reads the deltas of the given keys, oldest first. Reads at most `limit` deltas, and no more than fit into one
/// update. Also returns whether the result contains all deltas of the keys.
///
/// `at` is the server's logical clock. A write that has seen another write has a later time, so the oldest deltas never
/// contain the delete of a child without its insert. The ids do not have this order, because programs create them with
/// their own clocks.
pub(crate) async fn read(
    reference: &ExtendedReference,
    keys: &[Bson],
    limit: i64,
    exec: &Exec,
) -> Result<(Vec<StoredDelta>, bool)> {
    let mut find = FindCommand::new(deltas(), filter_of_foldable(reference, keys))
        .sort(doc! { "at": 1, "_id": 1 });
    find.options.limit = Some(limit);
    let mut stored = Vec::new();
    let mut size = 0;
    let found = exec.raw_documents(find.all()).await?;
    let mut are_all = i64::try_from(found.len()).is_ok_and(|found| found < limit);
    for raw in found {
        size += raw.as_bytes().len();
        // At least one delta is read, even if it is too large. Otherwise, the fold would read the same delta again and
        // again.
        if size > LARGEST && !stored.is_empty() {
            are_all = false;
            break;
        }
        let document = Document::try_from(&*raw).map_err(mongodb::error::Error::from)?;
        stored.extend(StoredDelta::read(&document));
    }
    Ok((stored, are_all))
}

/// Returns the given keys for which deltas are stored. Sends one `find`.
pub(crate) async fn keys(
    reference: &ExtendedReference,
    keys: &[Bson],
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    let find =
        FindCommand::new(deltas(), filter_of_foldable(reference, keys)).select(doc! { "of": 1 });
    let found = exec.documents(find.all()).await?;
    let keys = found.iter().filter_map(|delta| {
        let of = delta.get_document("of").ok()?;
        JoinKey::from_id_field(of)
    });
    Ok(keys.collect())
}

/// Removes deltas that have been applied. If a delta contains fields that only other programs declare, these fields
/// stay in the delta.
pub(crate) async fn remove(
    reference: &ExtendedReference,
    applied: &[StoredDelta],
    exec: &Exec,
) -> Result<()> {
    let known: Vec<String> = reference.copy_paths().collect();
    let is_known = |(field, _): &(String, Addition)| known.contains(field);
    let (whole, parts): (Vec<_>, Vec<_>) = applied
        .iter()
        .partition(|it| it.delta.steps.iter().all(is_known));
    let ids = |some: &[&StoredDelta]| some.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
    if !whole.is_empty() {
        let by_ids = doc! { "_id": key_condition(&ids(&whole)) };
        exec.send(DeleteCommand::many(deltas(), by_ids)).await?;
    }
    if !parts.is_empty() {
        let by_ids = doc! { "_id": key_condition(&ids(&parts)) };
        let pull = doc! { "$pull": { "steps": { "field": { "$in": known } } } };
        exec.send(UpdateCommand::many(deltas(), by_ids, pull))
            .await?;
    }
    Ok(())
}

/// Lists the extended references and keys with deltas that this program can fold.
pub(crate) async fn foldable(
    limit: usize,
    exec: &Exec,
) -> Result<Vec<(Arc<ExtendedReference>, JoinKey)>> {
    let computed: Vec<&Arc<ExtendedReference>> = graph().folds().collect();
    if computed.is_empty() {
        return Ok(Vec::new());
    }
    let relations: Vec<&str> = computed.iter().map(|it| it.relation.as_str()).collect();
    let fields: Vec<String> = computed.iter().flat_map(|it| it.copy_paths()).collect();
    let known = and(
        doc! { "of.relation": { "$in": relations } },
        filter_of_fields(fields),
    );
    let pipeline = vec![
        doc! { "$match": known },
        doc! { "$group": { "_id": "$of" } },
        doc! { "$limit": i64::try_from(limit).unwrap_or(i64::MAX) },
    ];
    let found = exec
        .documents(AggregateCommand::new(deltas(), pipeline))
        .await?;
    let known = found.iter().filter_map(|group| {
        let of = group.get_document("_id").ok()?;
        let relation = of.get_str("relation").ok()?;
        let reference = computed.iter().find(|it| it.relation == relation)?;
        Some((Arc::clone(reference), JoinKey::from_id_field(of)?))
    });
    Ok(known.collect())
}

/// Returns a filter for the deltas of the given keys.
pub(crate) fn of_any(reference: &ExtendedReference, keys: &[Bson]) -> Document {
    let keys = keys.iter().cloned().map(JoinKey::from);
    let all: Vec<Bson> = keys.map(|key| id_of(reference, &key)).collect();
    doc! { "of": key_condition(&all) }
}

/// Returns a filter for the deltas of the given keys if the deltas contain fields that this program can fold.
fn filter_of_foldable(reference: &ExtendedReference, keys: &[Bson]) -> Document {
    let fields = reference.copy_paths().collect();
    and(of_any(reference, keys), filter_of_fields(fields))
}

/// Returns a filter for deltas that contain one of the given fields, and for deltas without steps.
fn filter_of_fields(fields: Vec<String>) -> Document {
    let has_none = doc! { "steps": { "$size": 0 } };
    doc! { "$or": [{ "steps.field": { "$in": fields } }, has_none] }
}

/// Returns the relation and the key of a delta, in the same form as in a job's `_id`.
fn id_of(reference: &ExtendedReference, key: &JoinKey) -> Bson {
    let mut of = doc! { "relation": &reference.relation };
    of.extend([key.to_id_field()]);
    of.into()
}

impl StoredDelta {
    fn read(document: &Document) -> Option<Self> {
        let of = document.get_document("of").ok()?;
        let steps = document.get_array("steps").ok()?.iter();
        let steps = steps.filter_map(|step| decoded(step.as_document()?));
        Some(Self {
            id: document.get("_id")?.clone(),
            delta: Delta {
                key: JoinKey::from_id_field(of)?,
                steps: steps.collect(),
            },
        })
    }
}

fn encoded((field, addition): &(String, Addition)) -> Bson {
    let mut step = doc! { "field": field };
    step.extend(match addition.clone() {
        Addition::Number(number) => doc! { "number": number },
        Addition::Mean { sum, count } => doc! { "sum": sum, "count": count },
        Addition::Least(value) => doc! { "least": value },
        Addition::Greatest(value) => doc! { "greatest": value },
        Addition::Lines(lines) => doc! { "lines": lines },
        // `Copied::waiting` never puts removed elements into a delta.
        Addition::Members { come, .. } => doc! { "members": come },
    });
    step.into()
}

fn decoded(step: &Document) -> Option<(String, Addition)> {
    let value = |name| step.get(name).cloned();
    let lines = || {
        let lines = step.get_array("lines").ok()?.iter();
        Some(lines.filter_map(Bson::as_document).cloned().collect())
    };
    let mean = || {
        Some(Addition::Mean {
            sum: step.get_f64("sum").ok()?,
            count: step.get_i64("count").ok()?,
        })
    };
    let addition = value("number").map(Addition::Number);
    let addition = addition.or_else(|| value("least").map(Addition::Least));
    let addition = addition.or_else(|| value("greatest").map(Addition::Greatest));
    let members = || {
        let come = step.get_array("members").ok()?.clone();
        let gone = Vec::new();
        Some(Addition::Members { come, gone })
    };
    let addition = addition.or_else(|| lines().map(Addition::Lines));
    let addition = addition.or_else(members).or_else(mean)?;
    Some((step.get_str("field").ok()?.to_owned(), addition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_of_an_addition_is_read_again() {
        let additions = [
            Addition::Number(Bson::Int64(-2)),
            Addition::Mean { sum: 1.5, count: 3 },
            Addition::Least("a".into()),
            Addition::Greatest(Bson::Double(0.5)),
            Addition::Lines(vec![doc! { "_id": 1, "time": 2 }]),
            Addition::Members {
                come: vec![1.into(), doc! { "task": 1 }.into()],
                gone: Vec::new(),
            },
        ];
        for addition in additions {
            let step = ("field".to_owned(), addition);
            let stored = encoded(&step);
            assert_eq!(decoded(stored.as_document().unwrap()), Some(step));
        }
    }
}
