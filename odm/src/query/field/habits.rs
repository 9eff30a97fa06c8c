//! Compiler messages for calls that use the method names of other libraries on field handles.
//!
//! Each name is a method in an impl whose bound (the "condition") no type satisfies. The compiler considers such a
//! method only if no other method has the same name. In that case, the compiler prints the message attached to the
//! condition.
//!
//! For methods of `Iterator`, the condition is on the method and not on the impl. If the condition were on the impl,
//! the compiler would report that the handle is not an iterator.

use super::Field;

/// Each row lists the condition, the method names, the message, and the label that the compiler
/// prints at the name.
macro_rules! habits {
    ($($condition:ident: $($name:ident)|+ => $message:literal, $label:literal;)*) => {$(
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label)]
        pub trait $condition {}

        #[doc(hidden)]
        #[allow(clippy::iter_not_returning_iterator, reason = "no call has a result")]
        impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
        where
            Self: $condition,
        {
            $(pub fn $name(self) {})+
        }
    )*};
}

habits! {
    EqualsIsEq: equals | equal | equal_to | is =>
        "a field is compared for equality with `eq`",
        "write `.eq(..)`";
    InIsIsIn: eq_any | in_ | in_list | one_of | any_of =>
        "a field is compared with several values by `is_in`",
        "write `.is_in([..])`";
    NotInIsIsNotIn: not_in | nin | ne_all | ne_any | not_in_list =>
        "several values are excluded by `is_not_in`",
        "write `.is_not_in([..])`";
    GreaterOrEqualIsGte: gt_eq | greater_or_equal | greater_than_or_equal_to =>
        "greater or equal is `gte`",
        "write `.gte(..)`";
    LessOrEqualIsLte: lt_eq | less_or_equal | less_than_or_equal_to =>
        "less or equal is `lte`",
        "write `.lte(..)`";
    GreaterIsGt: greater_than =>
        "greater is `gt`",
        "write `.gt(..)`";
    LessIsLt: less_than =>
        "less is `lt`",
        "write `.lt(..)`";
    BetweenIsTwoComparisons: between | in_range =>
        "a range is two comparisons",
        "write `field.gte(first) & field.lte(last)`";
    LikeIsContains: like | ilike | not_like | similar_to =>
        "the server has no SQL patterns",
        "write `.contains(text)`, `.starts_with(text)`, `.ends_with(text)`, or `.contains_ignore_case(text)`";
    RegexIsMatches: regex | regexp | re_match =>
        "a regular expression is compared with `matches`",
        "write `.matches(pattern, \"\")`, or `.matches(pattern, \"i\")`";
    IsNotNullIsNotNull: is_not_null | not_null | is_some =>
        "a filter for a present value is `exists`, or a negated filter",
        "write `.exists()`, or `!field.eq(None)` for a value that is not null";
    IsNoneIsNull: is_none =>
        "an absent value is compared with `is_null` or `is_missing`",
        "write `.is_null()`, `.is_missing()`, or `.eq(None)` for both";
    DescendingIsDesc: descending | order_by_desc =>
        "a descending sort is `desc`",
        "write `.desc()`";
    AscendingIsAsc: ascending | order_by_asc =>
        "an ascending sort is `asc`",
        "write `.asc()`";
    LengthIsSize: len | length | array_length | is_empty =>
        "the number of elements is compared with `size`",
        "write `.size(3)`";
    AnyIsContains: iter | into_iter | any | array_contains =>
        "elements are compared by the server",
        "write `.contains(element)`, `.contains_any([..])`, or `.elem_match(..)` for structs";
    OverlapsIsContainsAny: overlaps_with | overlaps | has_any =>
        "a common element is compared with `contains_any`",
        "write `.contains_any([..])`";
    AllIsContainsAll: all | has_all | contains_every =>
        "several elements are compared with `contains_all`",
        "write `.contains_all([..])`";
    CaseIsPattern: to_lowercase | to_uppercase | lower | upper | eq_ignore_ascii_case =>
        "a comparison that ignores case is a filter of its own",
        "write `.eq_ignore_case(text)`, or `.collation(..)` at the query";
    AverageIsAggregate: avg | average =>
        "values of several documents are computed by an aggregation",
        "write `Model::group_into::<Row>(&odm)`, or declare `#[rollup(..)]` at the parent";
    CombinedAreFilters: and | or =>
        "filters are combined, not fields",
        "write `first.eq(..) & second.eq(..)`, or `|`";
    HandleHasNoValue: unwrap | value | get | map | clone_value =>
        "a field handle has no value",
        "read a document, and use its field: `Book::get(&odm, id).await?.title`";
    SetIsAnUpdate: set | assign | push | inc | increment =>
        "a change is a method of the update",
        "write `Model::update(&odm, id).set(field, value)`, and `.inc(field, by)` or `.push(field, element)`";
    NameIsPath: name | column_name | as_str =>
        "the stored name of a field is its path",
        "write `.path()`";
}

/// The condition whose message is printed for a call to `ge`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(message = "greater or equal is `gte`", label = "write `.gte(..)`")]
pub trait GeIsGte {}

/// The condition whose message is printed for a call to `le`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(message = "less or equal is `lte`", label = "write `.lte(..)`")]
pub trait LeIsLte {}

/// The condition whose message is printed for calls to `sum`, `min` and `max`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of several documents are computed by an aggregation",
    label = "write `Model::group_into::<Row>(&odm)`, or declare `#[rollup(..)]` at the parent"
)]
pub trait SumIsAggregate {}

#[doc(hidden)]
impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R> {
    pub fn ge(self, _: impl Sized)
    where
        Self: GeIsGte,
    {
    }

    pub fn le(self, _: impl Sized)
    where
        Self: LeIsLte,
    {
    }

    pub fn sum(self)
    where
        Self: SumIsAggregate,
    {
    }

    pub fn min(self)
    where
        Self: SumIsAggregate,
    {
    }

    pub fn max(self)
    where
        Self: SumIsAggregate,
    {
    }
}
