//! The number of documents in each collection, cached for a minute.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use mongodb::bson::doc;

use super::{COMMENT, Exec, Odm};
use crate::{
    client::command::{RunCommand, number},
    error::Result,
};

/// How long a number is cached.
const HOLDS: Duration = Duration::from_secs(60);

/// The sizes of collections, and the times at which they were queried. A `count` locks the entry of its collection, so
/// that concurrent checks send only one `count`.
#[derive(Debug, Default)]
pub(super) struct CollectionSizes(Mutex<HashMap<&'static str, Arc<Size>>>);

type Size = tokio::sync::Mutex<Option<(Instant, u64)>>;

fn fresh(size: Option<(Instant, u64)>) -> Option<u64> {
    let (asked, size) = size?;
    (asked.elapsed() < HOLDS).then_some(size)
}

impl CollectionSizes {
    fn size(&self, collection: &'static str) -> Arc<Size> {
        let mut sizes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sizes.entry(collection).or_default())
    }

    /// Returns the size of a collection if it is cached.
    pub(super) fn cached(&self, collection: &'static str) -> Option<u64> {
        let size = self.size(collection);
        let known = size.try_lock().ok()?;
        fresh(*known)
    }

    /// Returns the size of a collection. Sends a `count` without a filter, at most once a minute. Such a `count` reads
    /// no documents.
    pub(super) async fn load(&self, collection: &'static str, odm: &Odm) -> Result<u64> {
        let size = self.size(collection);
        let mut known = size.lock().await;
        if let Some(size) = fresh(*known) {
            return Ok(size);
        }
        let count = doc! { "count": collection, "comment": COMMENT };
        let counted = Exec::on(odm.clone())
            .send(RunCommand::command("count", count))
            .await?;
        let documents = number(&counted, "n");
        *known = Some((Instant::now(), documents));
        Ok(documents)
    }
}
