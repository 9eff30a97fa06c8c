//! Marks the models for which the server keeps pre-images.

/// A model that declares `#[model(pre_images)]`.
///
/// The derive macro implements this trait. [`with_before`](crate::action::Watch::with_before) requires it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare pre-images, which are the documents before each change",
    label = "no pre-images",
    note = "add `pre_images` to `#[model(..)]` of `{Self}`, and call `odm.sync_indexes()`, which enables them on the server"
)]
pub trait PreImages {}
