//! Builders returned by a model's methods.
//!
//! A builder sends nothing until it is awaited. `plan()` returns the statements that the builder would send, in mongosh
//! syntax. `dry_run()` runs a write in a transaction and rolls the transaction back. To pass a builder to
//! `tokio::spawn` or `try_join_all`, call `.into_future()`. The resulting futures are `Send + 'static`.
//!
//! # Cancel safety
//!
//! Each write runs in a separate task. If you drop its future, the write either still runs to completion or has no
//! effect. [`Odm::finish_writes`](crate::Odm::finish_writes) waits for the tasks whose futures were dropped.
//!
//! A read outside of a transaction runs in the task of its caller. If you drop its future, the read is cancelled. While
//! your code does not poll the future, the read keeps its connection. So if more reads than connections (`maxPoolSize`)
//! run at once, for example in `buffer_unordered`, do not await other calls between their results. Pass each of these
//! reads to `tokio::spawn` instead.
//!
//! # The first write of a handle
//!
//! When a write through a handle affects derived data for the first time, it also sends these statements to prepare the
//! handle:
//!
//! - three `createIndexes` commands for the collections `_odm_jobs`, `_odm_cursors` and `_odm_deltas`;
//! - one `listIndexes` for each reference that has a delete rule or on which copies depend, to check that an index on
//!   the reference exists;
//! - a read and an update of the declarations in `_odm_schema`, which later writes repeat at the interval in
//!   [`Settings::schema_refresh`](crate::Settings::schema_refresh).

mod aggregate;
mod bulk_write;
mod change_links;
mod count;
mod delete;
mod distinct;
mod find;
mod find_one;
mod find_one_and_update;
mod get;
mod get_or_create;
mod group;
mod habits;
mod insert;
mod insert_new;
pub(crate) mod insertable;
mod link_target;
pub(crate) mod linked_model;
mod linked_query;
mod mirror_link;
pub(crate) mod model;
pub(crate) mod model_habits;
mod page;
mod reassign;
mod rejected_options;
mod restore;
mod returning;
mod save;
mod save_changes;
mod take_children;
mod text_search;
mod update;
mod upsert;
mod watch;
mod write_builder;

pub use aggregate::Aggregate;
pub use bulk_write::{BulkOperation, BulkWrite};
pub use change_links::ChangeLinks;
pub(crate) use change_links::links_of;
pub use count::{Count, Exists};
pub use delete::Delete;
pub use distinct::Distinct;
pub use find::Find;
pub use find_one::FindOne;
pub use find_one_and_update::FindOneAndUpdate;
pub use get::{Fresh, Get};
pub use get_or_create::{Created, GetOrCreate};
pub use group::Group;
pub use insert::Insert;
pub use insert_new::InsertNew;
pub use link_target::{LinkTarget, LinkTargets, Target, target_of};
pub use linked_query::{KindsOf, LinkedBy, LinkedPage, LinkedPageOf, LinkedQuery};
pub use mirror_link::{link, unlink};
pub use page::{Page, PageOf, PageStart, PageToken};
pub use reassign::Reassign;
pub use restore::Restore;
pub use returning::Returning;
pub use save::Save;
pub use take_children::Take;
pub use text_search::Scored;
pub use update::{UpdateMany, UpdateOne};
pub use upsert::Upsert;
pub use watch::{ChangeEvent, ChangeStream, DocumentChange, FieldChanges, ResumeToken, Watch};

pub use crate::{
    derived::follow::CopyOptions,
    write::{BulkReport, DeleteReport, InsertReport, RestoreReport, UpdateReport, UpsertReport},
};

pub(crate) use get::by_id;

use crate::{error::Error, model::derive_traits::Described};

/// Adds the name of the model to an error about an operand.
fn with_model<M: Described>(error: Error) -> Error {
    error.in_model(M::SHAPE)
}
