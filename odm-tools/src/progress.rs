//! Reports the progress of calls as the number of processed documents.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};

use mongo_odm::{__tools::Reads, ErrorKind, Result, WalkProgress};
use mongodb::bson::doc;

use super::{listed_collection::ListedCollection, numbers::number_in};

/// A function that receives the progress of a call.
#[derive(Clone)]
pub(crate) struct OnProgress(Arc<dyn Fn(WalkProgress) + Send + Sync>);

impl OnProgress {
    pub(crate) fn new(call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }

    /// Starts to report the progress of a call that processes each sample several times. The sample of each collection
    /// contains at most `at_most` documents.
    pub(crate) async fn begin_samples(
        &self,
        reads: &Reads,
        collections: &[ListedCollection],
        at_most: u64,
        times: u64,
    ) -> Result<Walk> {
        let mut known = Estimates::default();
        let mut documents = 0;
        for it in collections {
            documents += times * known.of(reads, &it.name).await?.min(at_most);
        }
        Ok(self.begin(documents))
    }

    fn begin(&self, documents: u64) -> Walk {
        let walk = Walk {
            told: self.clone(),
            at: Arc::new(Mutex::new(WalkProgress::new(0, documents))),
        };
        walk.add(0);
        walk
    }
}

impl fmt::Debug for OnProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnProgress")
    }
}

/// The progress of a running call.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    told: OnProgress,
    at: Arc<Mutex<WalkProgress>>,
}

impl Walk {
    /// Adds to the number of processed documents. The number never exceeds the total, which is an estimate and can be
    /// too small.
    pub(crate) fn add(&self, documents: u64) {
        let Ok(mut at) = self.at.lock() else {
            return;
        };
        at.documents = at.documents.saturating_add(documents).min(at.of);
        (self.told.0)(*at);
    }

    /// Reports that all documents have been processed.
    pub(crate) fn end(&self) {
        self.add(u64::MAX);
    }
}

/// Numbers of documents in collections, from the server's metadata. Each number is requested only once.
#[derive(Debug, Default)]
pub(crate) struct Estimates(BTreeMap<String, u64>);

impl Estimates {
    /// Returns the number of documents in a collection. Sends one `count` without a filter. Returns 0 if the server
    /// rejects the `count`, or if the `count` exceeds its time limit.
    pub(crate) async fn of(&mut self, reads: &Reads, collection: &str) -> Result<u64> {
        if let Some(known) = self.0.get(collection) {
            return Ok(*known);
        }
        let count = reads.command("count", doc! { "count": collection });
        let documents = match count.await {
            Ok(reply) => number_in(&reply, "n"),
            Err(error) if error.server_code().is_some() || error.kind() == ErrorKind::Timeout => 0,
            Err(error) => return Err(error),
        };
        self.0.insert(collection.to_owned(), documents);
        Ok(documents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_ends_at_its_end_however_much_was_counted() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&seen);
        let on = OnProgress::new(move |it| told.lock().unwrap().push(it.documents));
        let walk = on.begin(30);
        for documents in [4, 40] {
            walk.add(documents);
        }
        walk.end();
        assert_eq!(*seen.lock().unwrap(), [0, 4, 30, 30]);
    }
}
