//! Compiler messages for calls that embedded structs do not have, because they have no collection.

use super::derive_traits::Embedded;

/// A trait that embedded structs do not implement. Its error message explains that they have no collection.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is embedded in documents and has no collection of its own",
    label = "an embedded struct",
    note = "find the documents that hold it, by a field of it: `Product::find(&odm).filter(Product::fields().lines.qty.gt(0))`"
)]
pub trait HasCollection {
    fn refuse<R>() -> R;
}

/// Calls that an embedded struct does not have. They exist only for their error messages.
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
