//! What may be compared with a field, or put into it.

use crate::{containers::for_pointers, presence::Presence};

/// A value that can become a `T`: a `T`, a reference to one, a `&str` for a `String`, and any of
/// them for an optional field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of a field of type `{T}`",
    label = "expected `{T}`"
)]
pub trait Operand<T> {
    /// Returns the value to encode.
    fn into_value(self) -> T;
}

impl<T> Operand<T> for T {
    fn into_value(self) -> T {
        self
    }
}

impl<T: Clone> Operand<T> for &T {
    fn into_value(self) -> T {
        self.clone()
    }
}

impl Operand<String> for &str {
    fn into_value(self) -> String {
        self.to_owned()
    }
}

impl<T> Operand<Option<T>> for T {
    fn into_value(self) -> Option<T> {
        Some(self)
    }
}

impl<T: Clone> Operand<Option<T>> for &T {
    fn into_value(self) -> Option<T> {
        Some(self.clone())
    }
}

impl<T> Operand<Presence<T>> for T {
    fn into_value(self) -> Presence<T> {
        Presence::Value(self)
    }
}

impl<T: Clone> Operand<Presence<T>> for &T {
    fn into_value(self) -> Presence<T> {
        Presence::Value(self.clone())
    }
}

macro_rules! behind {
    ($pointer:ty) => {
        impl<T> Operand<$pointer> for T {
            fn into_value(self) -> $pointer {
                self.into()
            }
        }

        impl<T: Clone> Operand<$pointer> for &T {
            fn into_value(self) -> $pointer {
                self.clone().into()
            }
        }

        impl<T> Operand<Option<$pointer>> for T {
            fn into_value(self) -> Option<$pointer> {
                Some(self.into())
            }
        }
    };
}
behind!(Box<T>);
for_pointers!(behind);

impl Operand<Option<String>> for &str {
    fn into_value(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl<T, const N: usize> Operand<Vec<T>> for [T; N] {
    fn into_value(self) -> Vec<T> {
        self.into()
    }
}

impl<T: Clone> Operand<Vec<T>> for &[T] {
    fn into_value(self) -> Vec<T> {
        self.to_vec()
    }
}
