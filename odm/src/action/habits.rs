//! Compiler messages for calls to methods that exist in other libraries but not on these builders.
//!
//! 1. Each of these methods is defined in an impl whose bound (the "condition") no type satisfies.
//! 2. When the compiler resolves a call, it skips these methods. So traits in your code can have methods with the same
//!    names.
//! 3. If no other method has the name, the compiler prints the message attached to the condition.
//!
//! If a name is also a method of `Iterator` or `Documents`, the condition is on the method instead of the impl.
//! Otherwise the compiler would report that the builder does not implement the trait.

use super::{
    Count, Delete, Distinct, Exists, Find, FindOne, FindOneAndUpdate, Get, UpdateMany, UpdateOne,
    Upsert,
};
use crate::relation::RelationQuery;

/// Each row contains the condition, the method names, the message, and the label that is printed at the method name.
macro_rules! habits {
    (for $builders:tt $($condition:ident: $($name:ident)|+ => $message:literal, $label:literal;)*) => {$(
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label)]
        pub trait $condition {}

        habits!(@ $condition [$($name)+] $builders);
    )*};
    (@ $condition:ident $names:tt { $([$($generics:tt)*] $builder:ty;)* }) => {$(
        habits!(@@ $condition $names [$($generics)*] $builder);
    )*};
    (@@ $condition:ident [$($name:ident)+] [$($generics:tt)*] $builder:ty) => {
        #[doc(hidden)]
        impl<$($generics)*> $builder
        where
            $builder: $condition,
        {
            $(pub fn $name(self) {})+
        }
    };
}

habits! {
    for {
        [M, V] Find<M, V>;
        [M, V] FindOne<M, V>;
        [M] Count<M>;
        [M] Exists<M>;
        [M, V] Distinct<M, V>;
        [F, T, V] RelationQuery<F, T, V>;
    }
    ConditionIsFilter: where_ | and_where | filter_by | and_filter =>
        "a condition of a query is its filter",
        "write `.filter(..)`; a second `.filter(..)` is combined with the first by \"and\"";
    AlternativeIsFilter: or_filter | or_where | or =>
        "an alternative is a part of the filter",
        "combine the conditions in one `.filter(first | second)`";
}

habits! {
    for {
        [M, V] Find<M, V>;
        [M, V] FindOne<M, V>;
        [F, T, V] RelationQuery<F, T, V>;
    }
    OrderIsSort: order_by | order | order_by_asc | order_by_desc | sort_by | sort_by_key =>
        "the order of a query is its sort",
        "write `.sort(Model::fields().name.asc())`, or `.desc()`";
    OffsetIsSkip: offset =>
        "the offset of a query is `skip`",
        "write `.skip(..)`";
    PopulateIsJoin: populate | include | prefetch | preload | inner_join | left_join | find_with_related
        | find_also_related | lookup =>
        "referenced documents are read by a join or a load of their own",
        "await the query, then write `Book::join_author(&books, &odm).await?` for a reference `author`";
    LeanIsUsual: lean =>
        "documents are always plain structs",
        "remove `.lean()`";
    ProjectionIsSelect: projection | select_only | column | columns =>
        "a query reads selected fields into a separate struct",
        "write `.select::<Title>()` for a struct with `#[derive(Projection)]`, or `.project(document)`";
    PaginateIsPage: paginate | paginated =>
        "the pages of a query are read with `page`",
        "write `Model::find(&odm).sort(..).page(20).await?`, and `.after(token)` for the next page";
    GroupIsAggregate: group_by | having =>
        "groups are computed by an aggregation",
        "write `Model::aggregate(&odm, pipeline)`";
    BatchSizeIsBatches: batch_size =>
        "the batches of a query are a stream",
        "write `.batches(100)`, or `.options(|options| options.batch_size = Some(100))`";
}

habits! {
    for {
        [M, V] Find<M, V>;
        [M, V] FindOne<M, V>;
        [M, V] Get<M, V>;
        [M] Count<M>;
        [M] Exists<M>;
        [M, V] Distinct<M, V>;
        [F, T, V] RelationQuery<F, T, V>;
        [M, V] FindOneAndUpdate<M, V>;
        [M] UpdateOne<M>;
        [M] UpdateMany<M>;
        [M] Upsert<M>;
        [M] Delete<M>;
    }
    ExecIsAwait: exec | execute | run | send | all | one | load | get_result | get_results | fetch | fetch_one
        | fetch_all | fetch_optional | try_collect | to_vec | to_array =>
        "a call is sent when it is awaited",
        "write `.await?` in place of it";
    ResultIsAwaited: unwrap | expect | unwrap_or_default | ok =>
        "a call has no result until it is awaited",
        "write `.await` before it, or `.await?` in place of it";
    SessionIsTransaction: session | with_session =>
        "a call joins a transaction by its first argument",
        "write `odm.transaction(async |tx| {{ .. }})`, and `&tx` in place of `&odm`";
    OptionsAreMethods: with_options | set_options =>
        "the options of the driver are methods of the call",
        "write `.hint(..)`, `.comment(..)`, `.max_time(..)` and others, or `.options(|options| ..)`";
}

habits! {
    for {
        [M, V] Find<M, V>;
    }
    LengthIsCount: len | is_empty =>
        "a query has no documents until it is awaited",
        "write `.count().await?` or `.exists().await?` in place of it";
    DistinctIsCall: distinct =>
        "the distinct values of a field are a call of their own",
        "write `Model::distinct(&odm, Model::fields().name).filter(..)`";
}

habits! {
    for {
        [M, V] FindOneAndUpdate<M, V>;
        [M] UpdateOne<M>;
        [M] UpdateMany<M>;
    }
    ReturnDocumentIsReturnNew: return_document | returning =>
        "the changed document is returned by `find_one_and_update`",
        "write `Model::find_one_and_update(&odm, filter)`, the changes, and `.return_new()`";
}

/// The condition for methods that `Iterator` also has. No type satisfies this condition.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a query has no documents until it is awaited",
    label = "write `.await?` before it",
    note = "`Model::find(&odm).await?` is a `Vec`: `.await?.into_iter().map(..)`; `.limit(5)` sets the number of documents"
)]
pub trait IteratesDocuments {
    fn result<T>() -> T;
}

/// The most frequently used methods of `Iterator`. These methods return the usual types, so that chained calls do not
/// cause further errors.
#[doc(hidden)]
impl<M, V> Find<M, V> {
    pub fn map<T>(self, _: impl FnMut(V) -> T) -> std::vec::IntoIter<T>
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn filter_map<T>(self, _: impl FnMut(V) -> Option<T>) -> std::vec::IntoIter<T>
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn for_each(self, _: impl FnMut(V))
    where
        Self: IteratesDocuments,
    {
        Self::result::<()>();
    }

    pub fn collect<T>(self) -> T
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn take(self, _: usize) -> Self
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }
}

/// The condition for `upsert(true)`. No type satisfies this condition, and its message suggests the call to use
/// instead.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an update that can insert is a call of its own",
    label = "write `Model::upsert(&odm, filter)`, then the changes"
)]
pub trait UpsertIsCall {}

macro_rules! upserts {
    ($([$($generics:ident),*] $builder:ty;)*) => {$(
        #[doc(hidden)]
        impl<$($generics),*> $builder {
            pub fn upsert(self, _: bool) -> Self
            where
                Self: UpsertIsCall,
            {
                self
            }
        }
    )*};
}

upserts! {
    [M] UpdateOne<M>;
    [M] UpdateMany<M>;
    [M, V] FindOneAndUpdate<M, V>;
}
