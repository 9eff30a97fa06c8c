//! What may be compared with a field, or put into it.

use super::Numeric;
use crate::{containers::for_pointers, presence::Presence};

/// A value that can become a `T`: a `T`, a reference to one, a `&str` for a `String`, and any of
/// them for an optional field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of a field of type `{T}`",
    label = "expected `{T}`",
    note = "where the field is an array, this is about the whole of it: of one element write `.contains(element)`, `.push(field, element)` or \
            `.pull(field, element)`"
)]
pub trait Operand<T> {
    /// Returns the value to encode.
    fn into_value(self) -> T;
}

/// A value by which a number is changed: an operand of a field that is stored as one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be added to a field of type `{T}`",
    label = "a field of type `{T}`",
    note = "a number that is added or multiplied is of the type of the field, which is an integer, a float or a decimal, or an option of one"
)]
pub trait Amount<T>: Operand<T> {}

#[diagnostic::do_not_recommend]
impl<T: Numeric, V: Operand<T>> Amount<T> for V {}

#[diagnostic::do_not_recommend]
impl<T> Operand<T> for T {
    fn into_value(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Operand<T> for &T {
    fn into_value(self) -> T {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl Operand<String> for &str {
    fn into_value(self) -> String {
        self.to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Operand<Option<T>> for T {
    fn into_value(self) -> Option<T> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Operand<Option<T>> for &T {
    fn into_value(self) -> Option<T> {
        Some(self.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<T> Operand<Presence<T>> for T {
    fn into_value(self) -> Presence<T> {
        Presence::Value(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Operand<Presence<T>> for &T {
    fn into_value(self) -> Presence<T> {
        Presence::Value(self.clone())
    }
}

macro_rules! behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T> Operand<$pointer> for T {
            fn into_value(self) -> $pointer {
                self.into()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Clone> Operand<$pointer> for &T {
            fn into_value(self) -> $pointer {
                self.clone().into()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T> Operand<Option<$pointer>> for T {
            fn into_value(self) -> Option<$pointer> {
                Some(self.into())
            }
        }
    };
}
behind!(Box<T>);
for_pointers!(behind);

#[diagnostic::do_not_recommend]
impl Operand<Option<String>> for &str {
    fn into_value(self) -> Option<String> {
        Some(self.to_owned())
    }
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> Operand<Vec<T>> for [T; N] {
    fn into_value(self) -> Vec<T> {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Operand<Vec<T>> for &[T] {
    fn into_value(self) -> Vec<T> {
        self.to_vec()
    }
}
