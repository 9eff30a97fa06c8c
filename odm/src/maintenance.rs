//! Operations on whole collections or databases: verifying, repairing, filling, moving, watching, managing indexes and
//! checking health.

pub(crate) mod backfill;
pub(crate) mod check_models;
pub(crate) mod health;
pub(crate) mod invariant;
pub(crate) mod move_documents;
pub(crate) mod progress;
pub(crate) mod resumable_walk;
pub(crate) mod shard_collections;
pub(crate) mod sync_indexes;
pub(crate) mod sync_validators;
pub(crate) mod unawaited_builder;
pub(crate) mod validator;
pub(crate) mod verify;
pub(crate) mod watch_sources;

pub use backfill::{Backfill, BackfillReport};
pub use health::Health;
pub use move_documents::{CheckMove, MoveDocuments, MoveDrift, MoveReport};
pub use progress::WalkProgress;
pub use shard_collections::{
    DiffSharding, ShardCollections, ShardKeyChange, ShardedCollection, ShardingDiff, ShardingReport,
};
pub use sync_indexes::{DiffIndexes, SyncIndexes};
pub use sync_validators::{DiffValidators, SyncValidators};
pub use validator::{Validator, ValidatorChange, ValidatorDiff, ValidatorReport};
pub use verify::{Drift, DriftKind, Drifted, Repair, RepairReport, Repaired, Verify};
pub use watch_sources::WatchSources;
