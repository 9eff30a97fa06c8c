//! The updates that `link_..` and `unlink_..` send to change a two-way reference between two arrays.

use super::{UpdateOne, get::by_id};
use crate::{
    client::odm::Executor,
    model::derive_traits::Storable,
    query::{
        field::{HoldsItems, Operand, Writable},
        update::UpdateOperators,
    },
};

/// Returns the update that adds the keys of other documents to an array in a document.
#[doc(hidden)]
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
    update_of(document, odm).add_all_to_set(array, others)
}

/// Returns the update that removes the keys of other documents from an array in a document.
#[doc(hidden)]
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
    update_of(document, odm).pull_all(array, others)
}

#[track_caller]
fn update_of<M: Storable>(document: &M, odm: &(impl Executor + ?Sized)) -> UpdateOne<M> {
    UpdateOne::new(by_id::<M>(document.stored_id()), odm.exec())
}
