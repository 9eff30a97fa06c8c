//! Awaitable builders: what a model can be asked to do.

mod aggregate;
mod change_links;
mod count;
mod delete;
mod distinct;
mod find;
mod find_one;
mod find_one_and_update;
mod get;
mod insert;
mod link_target;
pub(crate) mod linked_model;
mod linked_query;
mod mirror_link;
pub(crate) mod model;
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

/// Names the model in an error of an operand, which knows none.
fn with_model<M: Described>(error: Error) -> Error {
    error.in_model(M::SHAPE)
}
