//! Writes: each is statements and what follows them, the same whether it is sent, planned or tried.
//!
//! What follows a write are its [`Effects`](crate::effects::Effects); most writes have none, and are one
//! statement then. The files know nothing of the type of a model: builders hand over encoded documents.

mod after;
mod bounded;
mod delete;
mod find_and_update;
mod id_batches;
mod insert;
mod save;
mod update;
mod update_many;
mod upsert;

pub(crate) use bounded::{BoundedUpdate, id_in_filter};
pub(crate) use delete::Delete;
pub use delete::DeleteReport;
pub(crate) use find_and_update::FindAndUpdate;
pub(crate) use insert::Insert;
pub use insert::InsertReport;
pub(crate) use save::Save;
pub(crate) use update::UpdateOne;
pub use update::UpdateReport;
pub(crate) use update_many::UpdateMany;
pub(crate) use upsert::Upsert;
pub use upsert::UpsertReport;
