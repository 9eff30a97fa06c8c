//! Types of values that can be compared with a field or written to a field.

use std::{borrow::Cow, rc::Rc, sync::Arc};

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
use mongodb::bson::DateTime;

use super::Numeric;
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

#[diagnostic::do_not_recommend]
impl<T> IntoField<T> for T {
    type Fit = Fit<T>;

    fn into_field(self) -> Fit<T> {
        Fit(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> IntoField<T> for &T {
    type Fit = Fit<T>;

    fn into_field(self) -> Fit<T> {
        Fit(self.clone())
    }
}

macro_rules! texts {
    ($($text:ty: $from:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoField<$text> for $from {
            type Fit = Fit<$text>;

            fn into_field(self) -> Fit<$text> {
                Fit(self.to_owned().into())
            }
        }

        #[diagnostic::do_not_recommend]
        impl IntoField<Option<$text>> for $from {
            type Fit = Fit<Option<$text>>;

            fn into_field(self) -> Fit<Option<$text>> {
                Fit(Some(self.to_owned().into()))
            }
        }

        #[diagnostic::do_not_recommend]
        impl IntoField<Presence<$text>> for $from {
            type Fit = Fit<Presence<$text>>;

            fn into_field(self) -> Fit<Presence<$text>> {
                Fit(Presence::Value(self.to_owned().into()))
            }
        }
    )*};
}
texts! {
    String: &str;
    Box<str>: &str;
    Arc<str>: &str;
    Rc<str>: &str;
    Cow<'static, str>: &str;
    Cow<'static, str>: String;
}

/// Permits time types of other crates as operands for a BSON date. A BSON date has a precision of one millisecond.
macro_rules! dates {
    ($($feature:literal $time:ty, $convert:expr;)*) => {$(
        #[cfg(feature = $feature)]
        #[diagnostic::do_not_recommend]
        impl IntoField<DateTime> for $time {
            type Fit = Fit<DateTime>;

            fn into_field(self) -> Fit<DateTime> {
                Fit($convert(self))
            }
        }

        #[cfg(feature = $feature)]
        #[diagnostic::do_not_recommend]
        impl IntoField<Option<DateTime>> for $time {
            type Fit = Fit<Option<DateTime>>;

            fn into_field(self) -> Fit<Option<DateTime>> {
                Fit(Some($convert(self)))
            }
        }
    )*};
}
dates! {
    "chrono" chrono::DateTime<chrono::Utc>, DateTime::from;
    "time" time::OffsetDateTime, DateTime::from;
    "jiff" jiff::Timestamp, |time: jiff::Timestamp| DateTime::from_millis(time.as_millisecond());
}

/// A whole number is also accepted for a float: `price.gt(3)`.
#[diagnostic::do_not_recommend]
impl IntoField<f64> for i32 {
    type Fit = Fit<f64>;

    fn into_field(self) -> Fit<f64> {
        Fit(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl IntoField<Option<f64>> for i32 {
    type Fit = Fit<Option<f64>>;

    fn into_field(self) -> Fit<Option<f64>> {
        Fit(Some(self.into()))
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoField<Option<T>> for T {
    type Fit = Fit<Option<T>>;

    fn into_field(self) -> Fit<Option<T>> {
        Fit(Some(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> IntoField<Option<T>> for &T {
    type Fit = Fit<Option<T>>;

    fn into_field(self) -> Fit<Option<T>> {
        Fit(Some(self.clone()))
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoField<Presence<T>> for T {
    type Fit = Fit<Presence<T>>;

    fn into_field(self) -> Fit<Presence<T>> {
        Fit(Presence::Value(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> IntoField<Presence<T>> for &T {
    type Fit = Fit<Presence<T>>;

    fn into_field(self) -> Fit<Presence<T>> {
        Fit(Presence::Value(self.clone()))
    }
}

macro_rules! behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T> IntoField<$pointer> for T {
            type Fit = Fit<$pointer>;

            fn into_field(self) -> Fit<$pointer> {
                Fit(self.into())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Clone> IntoField<$pointer> for &T {
            type Fit = Fit<$pointer>;

            fn into_field(self) -> Fit<$pointer> {
                Fit(self.clone().into())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T> IntoField<Option<$pointer>> for T {
            type Fit = Fit<Option<$pointer>>;

            fn into_field(self) -> Fit<Option<$pointer>> {
                Fit(Some(self.into()))
            }
        }
    };
}
behind!(Box<T>);
for_pointers!(behind);

#[diagnostic::do_not_recommend]
impl<T, const N: usize> IntoField<Vec<T>> for [T; N] {
    type Fit = Fit<Vec<T>>;

    fn into_field(self) -> Fit<Vec<T>> {
        Fit(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> IntoField<Vec<T>> for &[T] {
    type Fit = Fit<Vec<T>>;

    fn into_field(self) -> Fit<Vec<T>> {
        Fit(self.to_vec())
    }
}
