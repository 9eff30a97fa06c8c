//! Describes models as `const` shapes, which the derive emits and all other parts of the library read.
//!
//! This module sends nothing to the server.

pub(crate) mod array_bound;
pub(crate) mod derive_traits;
pub(crate) mod embedded_call_messages;
pub(crate) mod hooks;
pub(crate) mod movable;
pub(crate) mod pre_images;
pub(crate) mod projection;
pub(crate) mod reference;
pub(crate) mod registry;
pub mod shape;
pub(crate) mod soft_delete;
pub(crate) mod validation;
pub mod version;

pub use derive_traits::{
    AsId, Described, Embedded, Holds, IdOf, Projection, Readable, Serialized, Storable,
};
pub use hooks::DeclaresHooks;
pub use movable::Movable;
pub use pre_images::PreImages;
pub use reference::{KeyFor, Keys, Polymorphic, PolymorphicTo, Reference};
pub use soft_delete::{DeletedInPlace, SoftDelete};
pub use version::{VersionNumber, Versioned};
