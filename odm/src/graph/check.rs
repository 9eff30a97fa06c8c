//! Finds mistakes in declarations that become visible only when all models are compared. These mistakes concern serde
//! aliases on paths that the library uses, cycles of copies, overlapping kinds, and keys with codecs. They also concern
//! deletes that cannot be restored, data of several tenants in one place, shard keys that would change, and embedded
//! structs that no model contains.

pub(super) mod alias;
pub(super) mod cycle;
pub(super) mod key_codec;
pub(super) mod kind;
pub(super) mod shard_key;
pub(super) mod soft_delete;
pub(super) mod tenant;
pub(super) mod unreached_struct;

/// A mistake in the declarations of one or more models.
#[derive(Debug)]
pub(super) struct Problem {
    /// The collections that the mistake affects. If the list is empty, the mistake affects all collections.
    /// Otherwise, writes to other collections work as usual.
    pub(super) collections: Vec<&'static str>,
    pub(super) message: String,
}
