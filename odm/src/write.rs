//! Writes: each is statements and what follows them, the same whether it is sent, planned or tried.
//!
//! What follows a write are its [`Effects`](crate::derived::follow::Effects); most writes have none, and are one
//! statement then. The files know nothing of the type of a model: builders hand over encoded documents.

mod after;
mod bounded_update;
mod counted;
mod delete;
mod find_and_update;
mod id_batches;
mod insert;
mod kind;
mod known_after;
mod link;
mod own_link;
mod reassign;
mod save;
mod take;
mod update;
mod update_many;
mod upsert;
mod upserted;

pub(crate) use bounded_update::{BoundedUpdate, id_in_filter};
pub(crate) use counted::run_counted;
pub use delete::DeleteReport;
pub(crate) use delete::DeleteWrite;
pub(crate) use find_and_update::FindAndUpdateWrite;
pub use insert::InsertReport;
pub(crate) use insert::InsertWrite;
pub(crate) use link::{LinkChange, LinkWrite};
pub(crate) use reassign::{Holder, ReassignWrite, same_key};
pub(crate) use save::SaveWrite;
pub(crate) use take::{TakeWrite, Taker};
pub(crate) use update::UpdateOneWrite;
pub use update::UpdateReport;
pub(crate) use update_many::UpdateManyWrite;
pub use upsert::UpsertReport;
pub(crate) use upsert::UpsertWrite;
pub(crate) use upserted::refuse_unreadable;
