//! What the compiler says of a builder that is handed to something that takes futures.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use crate::{
    action::{
        Aggregate, ChangeLinks, Count, Delete, Distinct, Exists, Find, FindOne, FindOneAndUpdate,
        Fresh, Get, Insert, LinkedPageOf, LinkedQuery, PageOf, Reassign, Save, Take, UpdateMany,
        UpdateOne, Upsert,
    },
    backfill::Backfill,
    error::Result,
    moving::{CheckMove, MoveDocuments},
    relation::{CountEach, CountRelated, LoadAll, RelationQuery},
    runner::{Jobs, Wait},
    single_collection::Grouped,
    sync_indexes::{DiffIndexes, SyncIndexes},
    verify::{Repair, Verify},
};

/// What no builder is: a future that runs without having become one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` becomes a future when it is awaited, and is none before",
    label = "a builder is handed to what takes a future",
    note = "write `.into_future()` after the builder: `tokio::spawn(Part::find(&odm).into_future())`, `try_join_all(builders.map(IntoFuture::into_future))`"
)]
pub trait AwaitedAlready {
    fn already<T>(&self) -> Poll<T>;
}

/// No `Future` at all, since its condition never holds: it is there for the words of that condition.
macro_rules! awaited {
    ($([$($generics:tt)*] $builder:ty;)*) => {
        $( awaited!(@ [$($generics)*] $builder, Self: AwaitedAlready); )*
    };
    // A condition without a parameter would be refused where it stands; one with a lifetime is asked by who needs it.
    ($($builder:ty),* $(,)?) => {
        $( awaited!(@ [] $builder, for<'a> &'a Self: AwaitedAlready); )*
    };
    (@ [$($generics:tt)*] $builder:ty, $($condition:tt)*) => {
        #[doc(hidden)]
        impl<$($generics)*> Future for $builder
        where
            $($condition)*
        {
            type Output = Result<()>;

            fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
                (&*self).already()
            }
        }
    };
}

awaited! {
    [M, V] Find<M, V>;
    [M, V] FindOne<M, V>;
    [M, V] Get<M, V>;
    [M, V] Fresh<M, V>;
    [M, V] PageOf<M, V>;
    [M, V] FindOneAndUpdate<M, V>;
    [M] Count<M>;
    [M] Exists<M>;
    [M, F] Distinct<M, F>;
    [T] Aggregate<T>;
    [V: Grouped] LinkedQuery<V>;
    [V: Grouped] LinkedPageOf<V>;
    [F, T, V] RelationQuery<F, T, V>;
    [T] CountRelated<T>;
    [O, R] CountEach<O, R>;
    [L] LoadAll<L>;
    [M] UpdateOne<M>;
    [M] UpdateMany<M>;
    [M] Upsert<M>;
    [M] Delete<M>;
    [M: crate::model::Model] Backfill<M>;
    [Old: crate::model::Model, New: crate::model::Model] MoveDocuments<Old, New>;
}

awaited!(
    Insert,
    Save,
    ChangeLinks,
    Reassign,
    Take,
    CheckMove,
    Jobs,
    Wait,
    DiffIndexes,
    SyncIndexes,
    Verify,
    Repair,
);
