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
mod update;
mod upsert;
mod write_builder;

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

use tracing::Instrument;

use crate::{odm::Running, shape::ModelShape};

/// Runs what an application asks for in its span.
pub(crate) fn traced<T>(
    model: &'static ModelShape,
    name: &'static str,
    asked: impl Future<Output = crate::error::Result<T>> + Send + 'static,
) -> Running<T> {
    // The span is made when it is awaited: it is then below that of the caller.
    Box::pin(async move { asked.instrument(operation(model, name)).await })
}

/// Returns the span of what the application asks for, `Part::update` for instance: everything that is sent
/// for it is recorded below it.
fn operation(model: &ModelShape, name: &'static str) -> tracing::Span {
    tracing::debug_span!("operation", model = model.name, name)
}
