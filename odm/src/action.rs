//! Awaitable builders: what a model can be asked to do.

mod aggregate;
mod count;
mod delete;
mod distinct;
mod find;
mod find_one_and_update;
mod insert;
mod page;
mod save;
mod setters;
mod update;
mod upsert;

pub use aggregate::Aggregate;
pub use count::{Count, Exists};
pub use delete::Delete;
pub use distinct::Distinct;
pub use find::{Find, FindOne, Get};
pub use find_one_and_update::FindOneAndUpdate;
pub use insert::Insert;
pub use page::{Page, PageOf, PageToken};
pub use save::Save;
pub use update::{UpdateMany, UpdateOne};
pub use upsert::Upsert;

pub use crate::{
    effects::CopyOptions,
    write::{DeleteReport, InsertReport, UpdateReport, UpsertReport},
};

pub(crate) use find::by_id;

use futures_util::future::BoxFuture;

use crate::shape::ModelShape;

/// The future of every builder.
pub(crate) type Running<T> = BoxFuture<'static, crate::error::Result<T>>;

/// Returns the span of what the application asks for, `Part::update` for instance: everything that is sent
/// for it is recorded below it.
pub(crate) fn operation(model: &ModelShape, name: &'static str) -> tracing::Span {
    tracing::debug_span!("operation", model = model.name, name)
}
