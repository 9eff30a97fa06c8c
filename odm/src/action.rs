//! Awaitable builders: what a model can be asked to do.

mod aggregate;
mod count;
mod delete;
mod distinct;
mod find;
mod find_one;
mod find_one_and_update;
mod fresh;
mod get;
mod insert;
mod link;
mod linked;
pub(crate) mod linked_documents;
mod links;
pub(crate) mod model;
mod page;
mod reassign;
mod refused_options;
mod save;
mod take;
mod update;
mod upsert;
mod write_builder;

pub use aggregate::Aggregate;
pub use count::{Count, Exists};
pub use delete::Delete;
pub use distinct::Distinct;
pub use find::Find;
pub use find_one::FindOne;
pub use find_one_and_update::FindOneAndUpdate;
pub use fresh::Fresh;
pub use get::Get;
pub use insert::Insert;
pub use link::{link, unlink};
pub use linked::{KindsOf, LinkedBy, LinkedPage, LinkedPageOf, LinkedQuery};
pub(crate) use links::links_of;
pub use links::{ChangeLinks, LinkTarget, LinkTargets, Target, target_of};
pub use page::{Page, PageOf, PageStart, PageToken};
pub use reassign::Reassign;
pub use save::Save;
pub use take::Take;
pub use update::{UpdateMany, UpdateOne};
pub use upsert::Upsert;

pub use crate::{
    derived::follow::CopyOptions,
    write::{DeleteReport, InsertReport, UpdateReport, UpsertReport},
};

pub(crate) use get::by_id;
pub(crate) use insert::stored;

use crate::{error::Error, model::described::Described};

/// Names the model in an error of an operand, which knows none.
fn with_model<M: Described>(error: Error) -> Error {
    error.in_model(M::SHAPE)
}
