//! What repair would do, as statements.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, doc};

use super::{
    finding::{Cause, CopyCause, Drifted},
    pair::{Direction, TwoWay},
};
use crate::{
    command::Command,
    copy::{SourceValues, update_of},
    key::{JoinKey, any_of},
    outbox::{JOBS, JobId},
    statement::{Plan, Statement},
};

/// Returns the statements that repair findings, those of one source together.
pub(super) fn of(items: &[Drifted]) -> Plan {
    let mut plan = Plan::default();
    let mut seen: HashSet<(&str, Option<&JoinKey>)> = HashSet::new();
    for item in items {
        match &item.cause {
            Cause::Copy(cause) if seen.insert((&cause.reference.name, cause.key.as_ref())) => {
                plan.statements.extend(job(cause));
                plan.statements.extend(copies(cause));
            }
            Cause::TwoWay(pair, direction) => {
                plan.statements.extend(reference(pair, *direction, item));
            }
            Cause::Copy(_) | Cause::Reference(_) | Cause::Unknown | Cause::Unreadable(_) => {}
        }
    }
    plan
}

fn job(cause: &CopyCause) -> Option<Statement> {
    let (reference, key) = (cause.reference, cause.key.as_ref()?.clone());
    cause.values.as_ref()?;
    let id = JobId {
        relation: reference.relation.clone(),
        key,
    };
    let phase = doc! { "phase": "run", "version": Bson::JavaScriptCode("ObjectId()".to_owned()) };
    Some(
        Statement::new(JOBS, "updateOne")
            .argument(doc! { "_id": id.to_bson() })
            .argument(doc! { "$set": phase })
            .options(doc! { "upsert": true })
            .note(format!("{}, by a job of its key", reference.name)),
    )
}

fn copies(cause: &CopyCause) -> Option<Statement> {
    let source = match (&cause.key, &cause.values) {
        (None, _) => SourceValues::NoKey,
        (Some(_), None) => SourceValues::Gone,
        (Some(_), Some(values)) => SourceValues::Is(values),
    };
    let key = cause.key.as_ref().map_or(Bson::Null, JoinKey::to_bson);
    let update = update_of(cause.reference, &[key], source)?;
    Some(
        update
            .clone()
            .scoped(true)
            .statement()
            .counted_by(update.filter),
    )
}

/// Returns the filter and the update of the array that a pointer on the other side decides about.
pub(super) fn correction(
    pair: &TwoWay,
    direction: Direction,
    id: &Bson,
    key: &Bson,
) -> Option<(Document, Document)> {
    let left = &pair.left;
    if !pair.is_derived() || !left.is_plain {
        return None;
    }
    Some(match direction {
        Direction::LeftNamesRight => (
            doc! { "_id": id.clone() },
            doc! { "$pullAll": { &left.path: [key.clone()] } },
        ),
        Direction::RightNamesLeft => {
            // What the array names is the value of the pointer's document, which is its `_id` here.
            if left.to != "_id" {
                return None;
            }
            let mut filter = any_of(&pair.right.to, vec![key.clone()]);
            if let Some(last) = left.max.and_then(|max| max.checked_sub(1)) {
                // Room for one more: nothing at the last position that the bound allows.
                filter.insert(format!("{}.{last}", left.path), doc! { "$exists": false });
            }
            (filter, doc! { "$addToSet": { &left.path: id.clone() } })
        }
    })
}

fn reference(pair: &TwoWay, direction: Direction, item: &Drifted) -> Option<Statement> {
    let (filter, update) = correction(pair, direction, &item.id, item.key.as_ref()?)?;
    Some(
        Statement::new(pair.left.model.collection, "updateOne")
            .argument(filter)
            .argument(update)
            .note(format!(
                "{}, in a transaction that reads both sides again",
                pair.name
            )),
    )
}
