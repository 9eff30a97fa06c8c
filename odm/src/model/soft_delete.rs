//! Marks the models whose documents are kept when they are deleted.

use super::derive_traits::Described;

/// A model that has a field with `#[deleted_at]`, or that declares `on_delete = "archive"`.
///
/// The derive macro implements this trait. The calls that restore, purge or read deleted documents require it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not keep deleted documents",
    label = "no deleted documents",
    note = "add a field `#[deleted_at] deleted_at: Option<DateTime>` to `{Self}`, or `on_delete = \"archive\"` to its `#[model(..)]`",
    note = "if `{Self}` is an enum over kinds, each kind needs such a field"
)]
pub trait SoftDelete {}

/// A model that has a field with `#[deleted_at]`, so that its deleted documents stay in their collection.
///
/// The derive macro implements this trait. The calls that read live and deleted documents together require it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not keep deleted documents in its collection",
    label = "no deleted documents in this collection",
    note = "if `{Self}` declares `on_delete = \"archive\"`, read the deleted documents by a second call with `only_deleted()`",
    note = "otherwise, add a field `#[deleted_at] deleted_at: Option<DateTime>` to `{Self}`"
)]
pub trait DeletedInPlace: SoftDelete {}

/// The derive macros implement this trait instead of [`SoftDelete`]. So if a type does not implement this trait, the
/// compiler prints only the message of [`SoftDelete`].
#[doc(hidden)]
pub trait KeepsDeleted {}

#[diagnostic::do_not_recommend]
impl<T: KeepsDeleted + ?Sized> SoftDelete for T {}

/// The derive macros implement this trait instead of [`DeletedInPlace`].
#[doc(hidden)]
pub trait KeepsDeletedInPlace: KeepsDeleted {}

#[diagnostic::do_not_recommend]
impl<T: KeepsDeletedInPlace + ?Sized> DeletedInPlace for T {}

/// A kind of a single collection whose model implements [`DeletedInPlace`].
#[doc(hidden)]
pub trait KindKeepsDeleted {}

#[diagnostic::do_not_recommend]
impl<K: Described> KindKeepsDeleted for K where K::__OdmModel: DeletedInPlace {}
