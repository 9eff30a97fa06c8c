//! Calls for a whole collection or database: verify, repair, backfill, move, watch, indexes, health.

pub(crate) mod backfill;
pub(crate) mod check_models;
pub(crate) mod health;
pub(crate) mod move_documents;
pub(crate) mod progress;
pub(crate) mod resumable_walk;
pub(crate) mod sync_indexes;
pub(crate) mod unawaited_builder;
pub(crate) mod verify;
pub(crate) mod watch_sources;
