//! Operations on whole collections or databases: verifying, repairing, filling, moving, watching, indexes and health.

pub(crate) mod backfill;
pub(crate) mod check_models;
pub(crate) mod health;
pub(crate) mod invariant;
pub(crate) mod move_documents;
pub(crate) mod progress;
pub(crate) mod resumable_walk;
pub(crate) mod sync_indexes;
pub(crate) mod unawaited_builder;
pub(crate) mod verify;
pub(crate) mod watch_sources;

pub use backfill::{Backfill, BackfillReport};
pub use health::Health;
pub use move_documents::{CheckMove, MoveDocuments, MoveDrift, MoveReport};
pub use progress::WalkProgress;
pub use sync_indexes::{DiffIndexes, SyncIndexes};
pub use verify::{Drift, DriftKind, Drifted, Repair, RepairReport, Repaired, Verify};
pub use watch_sources::WatchSources;
