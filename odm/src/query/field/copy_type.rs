//! Conditions that the type of a copy must satisfy, and the functions that a derived impl such as `From<&Part> for
//! PartLine` calls to create a copy.

use super::EmbedType;
use crate::{
    model::{
        derive_traits::{Embedded, HoldsId, IdOf},
        reference::FromKey,
    },
    value::presence::Presence,
};

/// Implemented by the types that a copy or key may have: the type of its source, or an option of that
/// type.
#[diagnostic::on_unimplemented(
    message = "a copy of a `{T}` is a `{T}` or an `Option<{T}>`, not a `{Self}`",
    label = "the source is a `{T}`"
)]
pub trait SameAs<T> {
    /// Copies the value of the source.
    fn copy_of(source: &T) -> Self
    where
        T: Clone;
}

#[diagnostic::do_not_recommend]
impl<T> SameAs<T> for T {
    fn copy_of(source: &T) -> Self
    where
        T: Clone,
    {
        source.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<T> SameAs<T> for Option<T> {
    fn copy_of(source: &T) -> Self
    where
        T: Clone,
    {
        Some(source.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<T> SameAs<T> for Presence<T> {
    fn copy_of(source: &T) -> Self
    where
        T: Clone,
    {
        Self::Value(source.clone())
    }
}

/// Returns a reference that contains the key of a document.
pub fn reference_to<M, R, I, K>(document: &M) -> R
where
    M: HoldsId<I>,
    I: IdOf<M, Key = K>,
    R: FromKey<K>,
{
    R::from_key(document.held_id().as_key())
}

/// The type of a field whose embedded struct contains the source of a copy. `Copied` is the type of the copy.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may be missing, and a copy out of it is no `{Copied}`",
    label = "may be missing",
    note = "make the copy an `Option`, or write `From` by hand and remove `from`"
)]
pub trait OneEmbedded<Copied>: EmbedType {
    /// Calls the function with the embedded struct and returns the copied value, or returns `None`
    /// if there is no struct.
    fn copy_inner(&self, copy: impl FnOnce(&Self::Embedded) -> Copied) -> Copied;
}

#[diagnostic::do_not_recommend]
impl<E: Embedded, Copied> OneEmbedded<Copied> for E {
    fn copy_inner(&self, copy: impl FnOnce(&E) -> Copied) -> Copied {
        copy(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: OneEmbedded<Option<Copied>>, Copied> OneEmbedded<Option<Copied>> for Option<T> {
    fn copy_inner(&self, copy: impl FnOnce(&Self::Embedded) -> Option<Copied>) -> Option<Copied> {
        self.as_ref()?.copy_inner(copy)
    }
}

#[diagnostic::do_not_recommend]
impl<T: OneEmbedded<Option<Copied>>, Copied> OneEmbedded<Option<Copied>> for Presence<T> {
    fn copy_inner(&self, copy: impl FnOnce(&Self::Embedded) -> Option<Copied>) -> Option<Copied> {
        self.as_ref()?.copy_inner(copy)
    }
}

#[diagnostic::do_not_recommend]
impl<T: OneEmbedded<Copied>, Copied> OneEmbedded<Copied> for std::sync::Arc<T> {
    fn copy_inner(&self, copy: impl FnOnce(&Self::Embedded) -> Copied) -> Copied {
        T::copy_inner(self, copy)
    }
}
