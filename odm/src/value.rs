//! Values as they are stored: codecs, keys, ids, paths, presence.
//!
//! Nothing here knows a model or a collection.

pub(crate) mod codec;
pub(crate) mod decode;
pub(crate) mod id;
pub(crate) mod key;
pub mod path;
pub(crate) mod presence;
pub mod with;
