//! Marks the models that permit a document to move to another shard.

/// A model with a [shard key](derive@crate::Model#sharded-collections) that contains a field your code can change.
///
/// The derive macro implements this trait. [`moving`](crate::action::Save::moving) requires it. The `_id`, the tenant,
/// and the time and the actor of the insert do not count, because they never change.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no shard key that a write can change",
    label = "no field of a shard key can change",
    note = "remove this call, or declare the shard key in `#[model(..)]` of `{Self}`, for example `shard_key(region = 1)`"
)]
pub trait Movable {}
