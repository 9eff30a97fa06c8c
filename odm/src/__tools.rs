//! Items that the crate `mongo-odm-tools` uses. They are not part of the public interface.
//!
//! The tools use the public interface if it is sufficient. A comment gives the reason for each item below.

mod indexes;
mod jobs;
mod models;
mod reads;
mod references;
mod sharding;
mod texts;

// The rules by which the library compares indexes. If the tools had rules of their own, their results could differ from
// those of `sync_indexes`.
pub use crate::index::server::OnServer;
// Finds references in documents in the same way as `verify` does, including those in array elements and in enums of
// references.
pub use crate::graph::stored_reference::{StoredReference, StoredSlot};
// Fills in the copies of a model when the command-line tool knows only the model's name. `Odm::backfill` requires the
// model's type.
pub use crate::maintenance::backfill::Filling;
// Formats values in the same way as the library's messages.
pub use texts::{mongosh_document, mongosh_value};
// Only the library knows all relations that the models declare, and which of these relations copy fields that are
// copies themselves.
pub use jobs::{declares_relation, is_behind};
// Decodes a document as a model when the tools do not know the model's type.
pub use models::fits;
// Returns all models that are linked into the program, or the library's error if there are none.
pub use models::linked_models;
// The tools use the library's code to read stored paths, to escape keys that look like operators, and to divide their
// statements into batches.
pub use crate::{
    batches::{parts, size_of},
    value::{key::any_of, path},
};
// The declared shard keys, and those on the server, as `shard_collections` reads and compares them.
pub use sharding::Sharding;
// Sends the tools' statements through the library, so that they are observed, traced and described in errors like the
// library's own. The tool's time limit and comment also apply to the tool's calls to the library.
pub use reads::Reads;
