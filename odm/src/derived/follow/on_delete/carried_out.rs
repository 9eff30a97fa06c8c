//! The result of a delete or a restore.

use crate::derived::follow::{
    follow_result::Followed, new_source::NewSources, written_copy::WrittenCopies,
};

/// The result of a delete or a restore, and the work that remains after its commit.
#[derive(Debug, Default)]
pub(crate) struct CarriedOut {
    /// Number of documents that the queries of the call found, and that were deleted or restored.
    pub(crate) count: u64,
    pub(crate) followed: Followed,
    /// The copies in documents that were taken out of the archive.
    pub(crate) written: Vec<WrittenCopies>,
    /// The documents that were taken out of the archive, which are new sources.
    pub(crate) new_sources: Vec<NewSources>,
}
