//! Compiler messages for calls on embedded structs, which do not have a collection.

use super::derive_traits::Embedded;

/// A trait that no embedded struct implements. The trait's compiler message explains that embedded structs
/// do not have a collection.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is embedded in documents and has no collection of its own",
    label = "an embedded struct",
    note = "find the documents that hold it, by a field of it: `Product::find(&odm).filter(Product::fields().lines.qty.gt(0))`"
)]
pub trait HasCollection {
    fn refuse<R>() -> R;
}

/// Calls that are not available on embedded structs. These methods exist only so that the compiler prints
/// a helpful message.
#[doc(hidden)]
pub trait EmbeddedCalls: Embedded {
    fn find<R>(_: &(impl ?Sized + Sync)) -> R
    where
        Self: HasCollection,
    {
        Self::refuse()
    }

    fn find_one<R>(_: &(impl ?Sized + Sync)) -> R
    where
        Self: HasCollection,
    {
        Self::refuse()
    }

    fn get<R>(_: &(impl ?Sized + Sync), _: impl Sized) -> R
    where
        Self: HasCollection,
    {
        Self::refuse()
    }
}

impl<E: Embedded> EmbeddedCalls for E {}
