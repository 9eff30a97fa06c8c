//! Compiler messages for operands of the wrong type.
//!
//! This module lists frequent mistakes as pairs of an operand type and a field type. Each pair requires a trait bound
//! that no type satisfies, and the compiler prints the message of that bound.

use std::marker::PhantomData;

use mongodb::bson::{DateTime, oid::ObjectId};

use super::operand::{Fits, IntoField};
use crate::{model::derive_traits::Embedded, value::id::Id};

/// The type that the trait bounds of this module constrain. `Never` has a lifetime parameter, because the compiler
/// checks a bound without parameters at its declaration and would reject a bound that is always false.
#[doc(hidden)]
#[derive(Debug)]
pub struct Never<'a>(PhantomData<&'a ()>);

macro_rules! mistakes {
    ($($mistake:ident, $condition:ident, $message:literal, $label:literal, $note:literal;)*) => {$(
        #[doc(hidden)]
        #[derive(Debug)]
        pub struct $mistake;

        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $condition<T> {
            fn value() -> T;
        }

        impl<T> Fits<T> for $mistake
        where
            for<'a> Never<'a>: $condition<T>,
        {
            fn value(self) -> T {
                <Never<'_> as $condition<T>>::value()
            }
        }
    )*};
}
mistakes! {
    TextAsDate, DateOfText, "a text is not a value of a field of type `{T}`", "expected a date",
        "write `DateTime::parse_rfc3339_str(\"2024-01-01T00:00:00Z\")?`; the present is `DateTime::now()`";
    TextAsId, IdOfText, "a text is not a value of a field of type `{T}`", "expected an id",
        "write `.parse()?` after the text";
    TextAsNumber, NumberOfText, "a text is not a value of a field of type `{T}`", "expected a number",
        "write the number without quotes, or `.parse()?` after a text that was read";
    NumberAsText, TextOfNumber, "a number is not a value of a field of type `{T}`", "expected a text",
        "write it in quotes, or `.to_string()` after the number";
    FloatAsInteger, IntegerOfFloat, "a float is not a value of a field of type `{T}`", "expected a whole number",
        "write a number without a point: `3`";
    ElementAsArray, ArrayOfElement, "one element is not a value of a field of type `{T}`", "expected a whole array",
        "of one element write `.contains(element)`, `.push(field, element)` or `.pull(field, element)`; of several, `.contains_any([..])`";
}

macro_rules! misfits {
    ($($mistake:ident: $generics:tt $($value:ty)|* => $field:ty;)*) => {$($(
        misfits!(@ $mistake $generics $value => $field);
        misfits!(@ $mistake $generics $value => Option<$field>);
    )*)*};
    (@ $mistake:ident [$($generics:tt)*] $value:ty => $field:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IntoField<$field> for $value {
            type Fit = $mistake;

            fn into_field(self) -> $mistake {
                $mistake
            }
        }
    };
}
misfits! {
    TextAsDate: [] &str | String | &String => DateTime;
    TextAsId: [] &str | String | &String => ObjectId;
    TextAsId: [M, K] &str | String | &String => Id<M, K>;
    NumberAsText: [] i32 | i64 | f64 => String;
    FloatAsInteger: [] f64 => i32;
    FloatAsInteger: [] f64 => i64;
    FloatAsInteger: [] f64 => u32;
    FloatAsInteger: [] f64 => u64;
    ElementAsArray: [] &str | String | &String => Vec<String>;
    ElementAsArray: [] i32 => Vec<i32>;
    ElementAsArray: [] i64 => Vec<i64>;
    ElementAsArray: [] f64 => Vec<f64>;
    ElementAsArray: [] ObjectId => Vec<ObjectId>;
    ElementAsArray: [M, K] Id<M, K> | &Id<M, K> => Vec<Id<M, K>>;
    ElementAsArray: [E: Embedded] E | &E => Vec<E>;
}

macro_rules! texts_as_numbers {
    ($($number:ty)*) => {$( misfits! { TextAsNumber: [] &str | String | &String => $number; } )*};
}
texts_as_numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
