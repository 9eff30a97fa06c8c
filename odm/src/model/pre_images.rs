//! Marks the models for which the server keeps pre-images.

/// A model that declares `#[model(pre_images)]`, or an enum over the kinds of a collection.
///
/// The derive macro implements this trait. [`with_before`](crate::action::Watch::with_before) requires it.
///
/// For an enum, it is sufficient if one of the kinds declares `pre_images`, because the server keeps pre-images for a
/// whole collection. If none of the kinds declares `pre_images`, `with_before` fails.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare pre-images, which are the documents before each change",
    label = "no pre-images",
    note = "add `pre_images` to `#[model(..)]` of `{Self}`, and call `odm.sync_indexes()`, which enables them on the server"
)]
pub trait PreImages {}
