//! Functions and types that the generated source of a declaration uses.

pub use mongo_odm::{Average, Result, Update, UpdateReport, model::SoftDelete, prelude::*};

use mongo_odm::{
    bson::Bson,
    field::{Amount, ArrayType, Changeable, Operand, Removable},
};
use serde::de::DeserializeOwned;

use crate::adapter::{key, options, send as sent, value as read};
pub use crate::{
    adapter::{Adapter, Of, Report, Sent, Typed},
    program::{Change, Follow, Operator, Relate, Verb, Write},
};

/// A function that returns the adapters of a declaration's models.
pub type Adapters = fn() -> Vec<Box<dyn Adapter>>;

/// Changes a field that always has a value.
///
/// # Panics
///
/// If the field does not have the operator.
pub fn value<M, F>(update: Update<M>, field: F, change: Change) -> Update<M>
where
    F: Changeable<M>,
    F::Value: DeserializeOwned + Operand<F::Value>,
{
    let operand = read::<F::Value>(change.value);
    match change.operator {
        Operator::Set => update.set(field, operand),
        Operator::SetOnInsert => update.set_on_insert(field, operand),
        Operator::Min => update.min(field, operand),
        Operator::Max => update.max(field, operand),
        other => panic!("{other:?} of {}", change.field),
    }
}

/// Changes a field that may be missing.
pub fn optional<M, F>(update: Update<M>, field: F, change: Change) -> Update<M>
where
    F: Removable<M>,
    F::Value: DeserializeOwned + Operand<F::Value>,
{
    match change.operator {
        Operator::Unset => update.unset(field),
        _ => value(update, field, change),
    }
}

/// Changes a numeric field.
pub fn number<M, F>(update: Update<M>, field: F, change: Change) -> Update<M>
where
    F: Changeable<M>,
    F::Value: DeserializeOwned + Operand<F::Value> + Amount<F::Value>,
{
    match change.operator {
        Operator::Inc => update.inc(field, read::<F::Value>(change.value)),
        Operator::Mul => update.mul(field, read::<F::Value>(change.value)),
        _ => value(update, field, change),
    }
}

/// Changes a numeric field that may be missing.
pub fn optional_number<M, F>(update: Update<M>, field: F, change: Change) -> Update<M>
where
    F: Removable<M>,
    F::Value: DeserializeOwned + Operand<F::Value> + Amount<F::Value>,
{
    match change.operator {
        Operator::Unset => update.unset(field),
        _ => number(update, field, change),
    }
}

/// Changes an array field.
pub fn array<M, F>(update: Update<M>, field: F, change: Change) -> Update<M>
where
    F: Changeable<M>,
    F::Value: DeserializeOwned + Operand<F::Value> + ArrayType,
    <F::Value as ArrayType>::Item: DeserializeOwned + Operand<<F::Value as ArrayType>::Item>,
{
    let element = |bson: Bson| read::<<F::Value as ArrayType>::Item>(bson);
    match change.operator {
        Operator::Push => update.push(field, element(change.value)),
        Operator::AddToSet => update.add_to_set(field, element(change.value)),
        Operator::Pull => update.pull(field, element(change.value)),
        Operator::PopFirst => update.pop_first(field),
        Operator::PopLast => update.pop_last(field),
        _ => value(update, field, change),
    }
}

/// Sends a call of a model that keeps deleted documents.
///
/// # Panics
///
/// If all models have this call.
pub fn live<M>(on: &dyn Executor, write: &Write, follow: Follow) -> Sent<Report>
where
    M: Typed + SoftDelete,
    M::Id: From<M::Key>,
{
    match write {
        Write::Restore(id) => sent(follow, M::restore(on, key::<M>(*id))),
        Write::Purge(id) => sent(follow, M::purge(on, key::<M>(*id))),
        Write::PurgeMany(filter) => sent(follow, M::purge_many(on, filter.clone())),
        other => panic!("{other:?} is no such call"),
    }
}

/// Returns the ids in a call.
pub fn ids<T: DeserializeOwned>(call: &Relate) -> Vec<T> {
    call.ids.iter().map(|id| read(Bson::Int64(*id))).collect()
}

/// Returns the id in a call.
///
/// # Panics
///
/// If the call has no id.
pub fn id<T: DeserializeOwned>(call: &Relate) -> T {
    read(Bson::Int64(call.ids[0]))
}

/// Returns the id in a call, if it has one.
pub fn some_id<T: DeserializeOwned>(call: &Relate) -> Option<T> {
    call.ids.first().map(|id| read(Bson::Int64(*id)))
}

/// Sends a generated call with its options.
pub fn send<B>(call: &Relate, builder: B) -> Sent<UpdateReport>
where
    B: CopyOptions + IntoFuture<Output = Result<UpdateReport>, IntoFuture = Sent<UpdateReport>>,
{
    options(call.follow, builder).into_future()
}
