//! Names for `mongo-odm-tools`. They are not part of the public interface.
//!
//! The tools use the public interface if it is enough. Each name here has its reason.

mod indexes;
mod jobs;
mod models;
mod reads;
mod references;
mod texts;

// The rules of the library for equal indexes: a second comparison could differ from `sync_indexes`.
pub use crate::index::server::OnServer;
// The fields of structs inside arrays, and enums of references, are found in documents as `verify` finds them.
pub use crate::graph::stored_reference::{StoredReference, StoredSlot};
// Fills the copies of a model of which the command knows only the name. `Odm::backfill` needs its type.
pub use crate::maintenance::backfill::Filling;
// Texts of tools show values as the messages of the library do.
pub use texts::{mongosh_document, mongosh_value};
// Only the library knows which relations the models declare, and which of them copy from others.
pub use jobs::{declares_relation, is_behind};
// Decodes a document as a model whose type the tools do not know.
pub use models::fits;
// All linked models, or the error of the library if there are none.
pub use models::linked_models;
// Tools read stored paths, escape keys that look like operators, and cut their statements into batches by the code of the
// library.
pub use crate::{
    batches::{parts, size_of},
    value::{key::any_of, path},
};
// Statements of tools are observed, traced and described in errors like those of the library. Calls of the library by a
// tool have the time limit and the comment of the tool, too.
pub use reads::Reads;
