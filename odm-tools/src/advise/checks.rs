//! The advisor's checks. Each code has its own function, and each subject its own file.

pub(super) mod arrays;
pub(super) mod asked;
pub(super) mod by_hand;
mod case;
pub(super) mod collections;
pub(super) mod copies;
mod declared;
pub(super) mod deployment;
pub(super) mod documents;
pub(super) mod entries;
pub(super) mod found;
mod growth;
pub(super) mod ignored_case;
mod index_words;
pub(super) mod indexes;
mod length;
pub(super) mod patterns;
pub(super) mod profile;
pub(super) mod references;
pub(super) mod shapes;
pub(super) mod shard_keys;
mod shard_words;
pub(super) mod sharding;
pub(super) mod usage;
pub(super) mod wanted_indexes;
