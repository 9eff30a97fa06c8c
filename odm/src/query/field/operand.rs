//! Types of values that can be compared with a field or written to a field.

use std::{borrow::Cow, rc::Rc, sync::Arc};

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
use mongodb::bson::DateTime;

use super::Numeric;
#[cfg(any(feature = "time", feature = "jiff"))]
use crate::value::with::bson_date;
use crate::{containers::for_pointers, value::presence::Presence};

/// A value that can be converted to a `T`.
///
/// The value can be a `T`, a reference to a `T`, a `&str` for a `String`, or an `i32` for an `f64`. For a field of
/// type `Option<T>`, you can pass the same values without `Some`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of a field of type `{T}`",
    label = "expected `{T}`",
    note = "a number has the type of the field (`5_i64`, `i64::from(five)`, `i32::try_from(five)?`), a reference takes the id of a document (`part.id`), \
            and a list of texts owns them (`[\"a\".to_owned()]`)"
)]
pub trait Operand<T> {
    /// Converts the operand to a value of the field's type, which is then encoded.
    #[doc(hidden)]
    fn into_value(self) -> T;
}

// This is the only impl. If there were several impls, the compiler would list all of them in its message about a wrong
// operand.
impl<T, V: IntoField<T, Fit: Fits<T>>> Operand<T> for V {
    fn into_value(self) -> T {
        self.into_field().value()
    }
}

/// Implemented for the permitted conversions, and for frequent mistakes that have a compiler message of their own.
#[doc(hidden)]
pub trait IntoField<T> {
    /// [`Fit`] for a permitted operand. For a wrong operand, a type that does not satisfy a trait bound, so that the
    /// compiler prints the bound's message.
    type Fit;

    fn into_field(self) -> Self::Fit;
}

/// Implemented by those conversion results that contain a value of type `T`.
#[doc(hidden)]
pub trait Fits<T> {
    fn value(self) -> T;
}

/// A value that was converted to the field's type.
#[doc(hidden)]
#[derive(Debug)]
pub struct Fit<T>(T);

#[diagnostic::do_not_recommend]
impl<T> Fits<T> for Fit<T> {
    fn value(self) -> T {
        self.0
    }
}

/// A number that can be added to a numeric field, or by which the field can be multiplied.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be added to a field of type `{T}`",
    label = "a field of type `{T}`",
    note = "a number that is added or multiplied is of the type of the field, which is an integer, a float or a decimal, or an option of one"
)]
pub trait Amount<T>: Operand<T> {}

#[diagnostic::do_not_recommend]
impl<T: Numeric, V: Operand<T>> Amount<T> for V {}

/// Implements permitted conversions. `#[cfg(..)]` before a conversion is optional.
macro_rules! fits {
    ($($(#[$cfg:meta])? [$($generics:tt)*] $value:ty => $field:ty: $it:ident => $to:expr;)*) => {$(
        $(#[$cfg])?
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IntoField<$field> for $value {
            type Fit = Fit<$field>;

            fn into_field(self) -> Fit<$field> {
                let $it = self;
                Fit($to)
            }
        }
    )*};
}
fits! {
    [T] T => T: it => it;
    [T: Clone] &T => T: it => it.clone();
    [T] T => Option<T>: it => Some(it);
    [T: Clone] &T => Option<T>: it => Some(it.clone());
    [T] T => Presence<T>: it => Presence::Value(it);
    [T: Clone] &T => Presence<T>: it => Presence::Value(it.clone());
    // A whole number is also accepted for a float: `price.gt(3)`.
    [] i32 => f64: it => it.into();
    [] i32 => Option<f64>: it => Some(it.into());
    [T, const N: usize] [T; N] => Vec<T>: it => it.into();
    [T: Clone] &[T] => Vec<T>: it => it.to_vec();
}

macro_rules! texts {
    ($($text:ty: $from:ty;)*) => {
        fits! {$(
            [] $from => $text: it => it.to_owned().into();
            [] $from => Option<$text>: it => Some(it.to_owned().into());
            [] $from => Presence<$text>: it => Presence::Value(it.to_owned().into());
        )*}
    };
}
texts! {
    String: &str;
    Box<str>: &str;
    Arc<str>: &str;
    Rc<str>: &str;
    Cow<'static, str>: &str;
    Cow<'static, str>: String;
}

/// Permits time types of other crates as operands for a BSON date. They are rounded down to the millisecond.
macro_rules! dates {
    ($($feature:literal $time:ty: $it:ident => $to:expr;)*) => {
        fits! {$(
            #[cfg(feature = $feature)]
            [] $time => DateTime: $it => $to;
            #[cfg(feature = $feature)]
            [] $time => Option<DateTime>: $it => Some($to);
        )*}
    };
}
dates! {
    "chrono" chrono::DateTime<chrono::Utc>: it => DateTime::from(it);
    "time" time::OffsetDateTime: it => bson_date::of_nanos(it.unix_timestamp_nanos());
    "jiff" jiff::Timestamp: it => bson_date::of_nanos(it.as_nanosecond());
}

macro_rules! behind {
    ($pointer:ty) => {
        fits! {
            [T] T => $pointer: it => it.into();
            [T: Clone] &T => $pointer: it => it.clone().into();
            [T] T => Option<$pointer>: it => Some(it.into());
        }
    };
}
behind!(Box<T>);
for_pointers!(behind);
