//! Compiler messages for calls to methods that exist in other libraries but not on these builders.
//!
//! 1. Each of these methods is defined in an impl whose bound (the "condition") no type satisfies.
//! 2. When the compiler resolves a call, it skips these methods. So traits in your code can have methods with the same
//!    names.
//! 3. If no other method has the name, the compiler prints the message attached to the condition.
//!
//! If a name is also a method of `Iterator` or `Documents`, the condition is on the method instead of the impl.
//! Without this exception, the compiler would report that the builder does not implement the trait.

use super::{
    Count, Delete, Distinct, Exists, Find, FindOne, FindOneAndUpdate, Get, UpdateMany, UpdateOne,
    Upsert,
};
use crate::relation::{Joined, RelationQuery};

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
        #[allow(
            clippy::iter_without_into_iter,
            clippy::iter_not_returning_iterator,
            reason = "a call of the method never compiles"
        )]
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
    PopulateIsJoin: populate | include | prefetch | preload | inner_join | left_join | left_outer_join
        | find_with_related | find_also_related | lookup =>
        "referenced documents are read by a join or a load of their own",
        "await the query, then write `Book::join_author(&books, &odm).await?` for a reference `author`";
    LeanIsUsual: lean =>
        "documents are always plain structs",
        "remove `.lean()`";
    ProjectionIsSelect: projection | select_only | column | columns | into_model | into_partial_model | into_json
        | into_tuple =>
        "a query reads selected fields into a separate struct",
        "write `.select::<Title>()` for a struct with `#[derive(Projection)]`, or `.project(document)`";
    PaginateIsPage: paginate | paginated | cursor_by =>
        "the pages of a query are read with `page`",
        "write `Model::find(&odm).sort(..).page(20).await?`, and `.after(token)` for the next page";
    GroupIsAggregate: group_by | having =>
        "groups are computed by an aggregation",
        "write `Model::group_into::<Row>(&odm)`, or `Model::aggregate(&odm, pipeline)`";
    BatchSizeIsBatches: batch_size =>
        "the batches of a query are a stream",
        "write `.batches(100)`, or `.options(|options| options.batch_size = Some(100))`";
    OptionIsInOptions: no_cursor_timeout | allow_partial_results | show_record_id | return_key | cursor_type
        | max_await_time | selection_criteria =>
        "less common options of the driver are set by `options`",
        "write `.options(|options| options.no_cursor_timeout = Some(true))`, with the name of this option";
    LockIsTransaction: for_update | for_share | lock | lock_exclusive =>
        "a query does not lock documents",
        "read and write in `odm.transaction(async |tx| {{ .. }})`, which is repeated after a conflict";
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
    IterIsAwaited: iter | iter_mut =>
        "a query has no documents until it is awaited",
        "write `.await?` before it";
    CursorIsStream: cursor | each_async | try_next =>
        "the documents of a query are a stream",
        "write `.stream()`, or `.batches(100)`";
    DistinctIsCall: distinct =>
        "the distinct values of a field are a call of their own",
        "write `Model::distinct(&odm, Model::fields().name).filter(..)`";
}

habits! {
    for {
        [M, V] FindOneAndUpdate<M, V>;
        [M] UpdateMany<M>;
    }
    ReturnDocumentIsReturnNew: return_document | returning =>
        "the changed document is returned by `find_one_and_update`",
        "write `Model::find_one_and_update(&odm, filter)`, the changes, and `.return_new()`";
}

habits! {
    for {
        [M] UpdateOne<M>;
    }
    ReturnDocumentIsReturning: return_document | return_new =>
        "an update returns the changed document with `returning`",
        "write `.returning()` in place of it";
}

habits! {
    for {
        [M, V] FindOne<M, V>;
    }
    OrFailIsRequire: or_fail | or_error | or_not_found | ok_or | ok_or_else =>
        "a missing document is an error with `require`",
        "write `.require().await?` in place of it";
}

habits! {
    for {
        [M, V] FindOneAndUpdate<M, V>;
        [M] UpdateOne<M>;
        [M] UpdateMany<M>;
        [M] Upsert<M>;
    }
    ColumnIsField: col_expr | set_expr | update_column =>
        "a field is changed by `set`",
        "write `.set(field, value)`, or `.modifications(pipeline)` for an expression";
}

habits! {
    for {
        [O, V, R] Joined<O, V, R>;
    }
    IterIsDocuments: iter | iter_mut | values =>
        "the documents of a join are a slice, or those of one owner",
        "write `.documents()`, or `.of(&owner)`";
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

    pub fn rev(self) -> Self
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn next(self) -> std::future::Ready<Option<V>>
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn last(self) -> std::future::Ready<crate::error::Result<Option<V>>>
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn enumerate(self) -> std::iter::Enumerate<std::vec::IntoIter<V>>
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn fold<T>(self, _: T, _: impl FnMut(T, V) -> T) -> T
    where
        Self: IteratesDocuments,
    {
        Self::result()
    }

    pub fn any(self, _: impl FnMut(V) -> bool) -> bool
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
