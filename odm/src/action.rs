//! Awaitable builders: what a model can be asked to do.

mod aggregate;
mod count;
mod delete;
mod distinct;
mod find;
mod insert;
mod page;
mod save;
mod tracked;
mod update;
mod upsert;

pub use aggregate::Aggregate;
pub use count::{Count, Exists};
pub use delete::{Delete, DeleteReport};
pub use distinct::Distinct;
pub use find::{Find, FindOne, Get};
pub use insert::{Insert, InsertMany};
pub use page::{Page, PageOf, PageToken};
pub use save::Save;
pub use tracked::CopyOptions;
pub use update::{FindOneAndUpdate, UpdateMany, UpdateOne, UpdateReport};
pub use upsert::{Upsert, UpsertReport};

pub(crate) use count::any;
pub(crate) use find::{by_id, collect};
pub(crate) use tracked::{Arrived, Duties, FanOut, are_there};
pub(crate) use update::{Write, id_in_filter};

use futures_util::future::BoxFuture;

/// The future of every builder.
pub(crate) type Running<T> = BoxFuture<'static, crate::error::Result<T>>;
