//! Links documents of two models whose arrays name each other, and ends such links.

use super::{UpdateOne, get::by_id};
use crate::{
    client::odm::Executor,
    model::derive_traits::Storable,
    query::{
        field::{HoldsItems, Operand, Writable},
        update::UpdateOperators,
    },
};

/// Returns the update that adds the keys of others to an array of a document.
#[track_caller]
pub fn link<H, M, F, V>(
    document: &M,
    array: F,
    others: impl IntoIterator<Item = V>,
    odm: &(impl Executor + ?Sized),
) -> UpdateOne<M>
where
    H: HoldsItems,
    M: Storable,
    F: Writable<M, Value = H::Array>,
    V: Operand<H::Item>,
{
    of(document, odm).add_all_to_set(array, others)
}

/// Returns the update that takes the keys of others out of an array of a document.
#[track_caller]
pub fn unlink<H, M, F, V>(
    document: &M,
    array: F,
    others: impl IntoIterator<Item = V>,
    odm: &(impl Executor + ?Sized),
) -> UpdateOne<M>
where
    H: HoldsItems,
    M: Storable,
    F: Writable<M, Value = H::Array>,
    V: Operand<H::Item>,
{
    of(document, odm).pull_all(array, others)
}

#[track_caller]
fn of<M: Storable>(document: &M, odm: &(impl Executor + ?Sized)) -> UpdateOne<M> {
    UpdateOne::new(by_id::<M>(document.stored_id()), odm.exec())
}
