//! Copies of values out of a struct whose fields are private: what `From<&Part> for PartLine` calls.
//!
//! A place is a type, a list of field names as numbers. Whether a struct gives a copy of what is there
//! is a bound, and the derive writes it into the generated impl: where it does not hold (a value that
//! is not `Clone`, a field below an array), there is no impl and no error.

use std::marker::PhantomData;

use crate::{
    field::HasFields,
    model::{IdOf, Model},
    reference::FromKey,
};

/// The field of a name, which is given as a number, and the place below it.
#[derive(Debug)]
pub struct Step<const NAME: u64, Below>(PhantomData<fn() -> Below>);

/// No field further down.
#[derive(Debug)]
pub struct Here;

/// A struct that gives a copy of what it has at `Place`; derived by `gives!`.
///
/// The lifetime makes a bound for every one of them, `for<'x>`, one that the compiler looks at where
/// it is used: an impl with a bound that does not hold is allowed, and is as good as none.
pub trait Gives<'x, U, Place> {
    /// Returns a copy.
    fn give(&self) -> U;
}

/// A value that gives a copy of itself, or of what it has at `Place`.
pub trait Given<U, Place> {
    /// Returns a copy.
    fn given(&self) -> U;
}

impl<T: Clone> Given<T, Here> for T {
    fn given(&self) -> T {
        self.clone()
    }
}

impl<T: Clone> Given<Option<T>, Here> for T {
    fn given(&self) -> Option<T> {
        Some(self.clone())
    }
}

impl<S, U, const NAME: u64, Below> Given<U, Step<NAME, Below>> for S
where
    S: HasFields + for<'x> Gives<'x, U, Step<NAME, Below>>,
{
    fn given(&self) -> U {
        self.give()
    }
}

/// What may be missing gives a copy that may be missing.
impl<S, U, const NAME: u64, Below> Given<Option<U>, Step<NAME, Below>> for Option<S>
where
    S: Given<Option<U>, Step<NAME, Below>>,
{
    fn given(&self) -> Option<U> {
        self.as_ref().and_then(Given::given)
    }
}

/// A model that gives its id as a reference of type `R`.
pub trait GivesKey<'x, R> {
    /// Returns a reference to the document.
    fn give_key(&self) -> R;
}

impl<M: Model, R: FromKey<M::Key>> GivesKey<'_, R> for M {
    fn give_key(&self) -> R {
        R::from_key(self.id().as_key())
    }
}

/// Derives `Gives` for every field of a struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __odm_gives {
    ($owner:ident { $($field:ident $name:literal $ty:ty,)* }) => {$(
        #[doc(hidden)]
        #[automatically_derived]
        impl<'x, U, Below> $crate::__private::Gives<'x, U, $crate::__private::Step<$name, Below>> for $owner
        where
            $ty: $crate::__private::Given<U, Below>,
        {
            fn give(&self) -> U {
                $crate::__private::Given::given(&self.$field)
            }
        }
    )*};
}
