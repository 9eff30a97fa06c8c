//! Compiler messages for code that passes a builder to a function that expects a future.
//!
//! A builder is not a `Future`, but `.await` turns it into one. If you pass a builder to a function that expects a
//! `Future`, the compiler's default message is hard to understand. A library cannot attach its own message to a trait
//! in the standard library, but it can attach one to a condition of an impl:
//!
//! 1. Every builder implements `Future` under a condition that is never satisfied.
//! 2. The compiler checks the condition and prints the message that is attached to the condition's trait,
//!    `AwaitedAlready`.
//! 3. The condition is a bound on a separate type, `Builder`. If the bound were on the builder's own type, the compiler
//!    would print the message for `Future` instead.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use super::{
    backfill::{Backfill, BackfillReport},
    move_documents::{CheckMove, MoveDocuments, MoveDrift, MoveReport},
    shard_collections::{DiffSharding, ShardCollections, ShardingDiff, ShardingReport},
    sync_indexes::{DiffIndexes, SyncIndexes},
    sync_validators::{DiffValidators, SyncValidators},
    validator::{ValidatorDiff, ValidatorReport},
    verify::{Drift, Repair, RepairReport, Verify},
};
use crate::{
    action::{
        Aggregate, BulkReport, BulkWrite, ChangeLinks, ChangeStream, Count, Created, Delete,
        DeleteReport, Distinct, Exists, Find, FindOne, FindOneAndUpdate, Fresh, Get, GetOrCreate,
        Group, Insert, InsertNew, InsertReport, LinkedPage, LinkedPageOf, LinkedQuery, Page,
        PageOf, Reassign, Restore, RestoreReport, Returning, Save, Take, UpdateMany, UpdateOne,
        UpdateReport, Upsert, UpsertReport, Watch, model::Model,
    },
    derived::runner::{Jobs, StoredJob, Wait},
    error::Result,
    index::{IndexDiff, IndexReport},
    query::single_collection::Grouped,
    relation::{
        CountEach, CountRelated, Counts, Each, Joined, LoadAll, Many, One, RelationQuery, Slot,
    },
};

/// A trait that no type implements. The trait defines the compiler's message for builders that have not been awaited.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{B}` becomes a future when it is awaited, and is none before",
    label = "a builder is handed to what takes a future",
    note = "write `.into_future()` after the builder: `tokio::spawn(Part::find(&odm).into_future())`, `try_join_all(builders.map(IntoFuture::into_future))`"
)]
pub trait AwaitedAlready<B> {
    fn already<T>() -> Poll<T>;
}

/// The type in the bound that is never satisfied. If the bound were on the builder's own type, the compiler would print
/// the message for the requested trait, `Future`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Builder<'a>(std::marker::PhantomData<&'a ()>);

/// Implements `Future` under a condition that is never satisfied, so that the compiler prints the message of that
/// condition.
macro_rules! awaited {
    ($([$($generics:tt)*] $builder:ty => $output:ty;)*) => {$(
        #[doc(hidden)]
        impl<$($generics)*> Future for $builder
        where
            // The lifetime parameter delays the check of this condition until the impl is used. Without this parameter,
            // the compiler would reject the condition here.
            for<'a> Builder<'a>: AwaitedAlready<Self>,
        {
            type Output = Result<$output>;

            fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
                Builder::already()
            }
        }
    )*};
}

awaited! {
    [M, V] Find<M, V> => Vec<V>;
    [M, V] FindOne<M, V> => Option<V>;
    [M, V] Get<M, V> => V;
    [M, V] Fresh<M, V> => V;
    [M] GetOrCreate<M> => Created<M>;
    [M, V] PageOf<M, V> => Page<V>;
    [M, V] FindOneAndUpdate<M, V> => Option<V>;
    [M] Count<M> => u64;
    [M] Exists<M> => bool;
    [M, V] Distinct<M, V> => Vec<V>;
    [T] Aggregate<T> => Vec<T>;
    [V: Grouped] LinkedQuery<V> => V::Linked;
    [V: Grouped] LinkedPageOf<V> => LinkedPage<V>;
    [T, V] RelationQuery<Many, T, V> => Vec<V>;
    [T, V] RelationQuery<One, T, V> => Option<V>;
    [O, R, T, V] RelationQuery<Each<O, R>, T, V> => Joined<O, V, R>;
    [T] CountRelated<T> => u64;
    [O, R] CountEach<O, R> => Counts<O, R>;
    [L] LoadAll<L> => Vec<Slot<L>>;
    [M] UpdateOne<M> => UpdateReport;
    [M] UpdateMany<M> => UpdateReport;
    [M] Upsert<M> => UpsertReport;
    [M] Delete<M> => DeleteReport;
    [R] Insert<R> => InsertReport;
    [M] Save<M> => UpdateReport;
    [W, M] Returning<W, M> => M;
    [] ChangeLinks => UpdateReport;
    [] Reassign => UpdateReport;
    [] Take => UpdateReport;
    [M: Model] Backfill<M> => BackfillReport;
    [Old: Model, New: Model] MoveDocuments<Old, New> => MoveReport;
    [] CheckMove => MoveDrift;
    [] Jobs => Vec<StoredJob>;
    [] Wait => ();
    [] DiffIndexes => IndexDiff;
    [] SyncIndexes => IndexReport;
    [] Verify => Drift;
    [] Repair => RepairReport;
    [M] Restore<M> => RestoreReport;
    [] BulkWrite => BulkReport;
    [M] InsertNew<M> => M;
    [M] InsertNew<M, Vec<M>> => Vec<M>;
    [M, R] Group<M, R> => Vec<R>;
    [M: Model] Watch<M> => ChangeStream<M>;
    [] DiffValidators => ValidatorDiff;
    [] SyncValidators => ValidatorReport;
    [] DiffSharding => ShardingDiff;
    [] ShardCollections => ShardingReport;
}

/// A trait that no type implements. The trait defines the compiler's message for loops over builders that have not been
/// awaited.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a query has no documents until it is awaited",
    label = "write `.await?` after it",
    note = "`for book in Book::find(&odm).await? {{ .. }}`; `.stream()` reads many documents in batches"
)]
pub trait IteratedAlready<B> {
    fn already<T>() -> T;
}

/// Implements `Iterator` under a condition that is never satisfied, as `awaited` does for `Future`.
macro_rules! iterated {
    ($([$($generics:tt)*] $builder:ty;)*) => {$(
        #[doc(hidden)]
        impl<$($generics)*> Iterator for $builder
        where
            for<'a> Builder<'a>: IteratedAlready<Self>,
        {
            type Item = V;

            fn next(&mut self) -> Option<V> {
                Builder::already()
            }
        }
    )*};
}

iterated! {
    [M, V] Find<M, V>;
    [T, V] RelationQuery<Many, T, V>;
}
