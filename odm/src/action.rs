//! The builders that the calls of a model return.
//!
//! A builder sends nothing until it is awaited. `plan()` returns the statements that it would send, as mongosh text.
//! `dry_run()` of a write runs it in a transaction and rolls the transaction back. For `tokio::spawn` and `try_join_all`,
//! call `.into_future()`. The futures are `Send + 'static`.
//!
//! # Cancel safety
//!
//! A write runs in a task of its own. If you drop its future, the write is still complete or has no effect.
//! [`Odm::finish_writes`](crate::Odm::finish_writes) waits for such tasks.
//!
//! # The first write of a handle
//!
//! Some statements are sent by the first write that affects derived data, and not again by later ones:
//!
//! - three `createIndexes`, for the collections `_odm_jobs`, `_odm_cursors` and `_odm_deltas`;
//! - one `listIndexes` for each reference with copies or delete rules, to check that an index finds the documents;
//! - a read and an update of the declarations in `_odm_schema`, repeated as
//!   [`Settings::schema_refresh`](crate::Settings::schema_refresh) says.

mod aggregate;
mod change_links;
mod count;
mod delete;
mod distinct;
mod find;
mod find_one;
mod find_one_and_update;
mod get;
mod habits;
mod insert;
mod link_target;
pub(crate) mod linked_model;
mod linked_query;
mod mirror_link;
pub(crate) mod model;
pub(crate) mod model_habits;
mod page;
mod reassign;
mod rejected_options;
mod save;
mod take_children;
mod update;
mod upsert;
mod write_builder;

pub use aggregate::Aggregate;
pub use change_links::ChangeLinks;
pub(crate) use change_links::links_of;
pub use count::{Count, Exists};
pub use delete::Delete;
pub use distinct::Distinct;
pub use find::Find;
pub use find_one::FindOne;
pub use find_one_and_update::FindOneAndUpdate;
pub use get::{Fresh, Get};
pub use insert::Insert;
pub use link_target::{LinkTarget, LinkTargets, Target, target_of};
pub use linked_query::{KindsOf, LinkedBy, LinkedPage, LinkedPageOf, LinkedQuery};
pub use mirror_link::{link, unlink};
pub use page::{Page, PageOf, PageStart, PageToken};
pub use reassign::Reassign;
pub use save::Save;
pub use take_children::Take;
pub use update::{UpdateMany, UpdateOne};
pub use upsert::Upsert;

pub use crate::{
    derived::follow::CopyOptions,
    write::{DeleteReport, InsertReport, UpdateReport, UpsertReport},
};

pub(crate) use get::by_id;
pub(crate) use insert::stored;

use crate::{error::Error, model::derive_traits::Described};

/// Adds the model to the error of an operand.
fn with_model<M: Described>(error: Error) -> Error {
    error.in_model(M::SHAPE)
}
