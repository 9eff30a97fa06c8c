//! Marks the models that declare hooks.

/// A model that declares `#[model(hooks)]`.
///
/// The derive macro implements this trait. [`Hooks`](crate::Hooks) requires it, so an `impl Hooks` that the library
/// would never call does not compile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare hooks, so the library would never call them",
    label = "no declaration of hooks",
    note = "add `hooks` to `#[model(..)]` of `{Self}`"
)]
pub trait DeclaresHooks {}
