//! The progress of a long call, measured in documents read.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};

use mongodb::bson::doc;

use crate::{
    client::{
        command::{RunCommand, number},
        odm::Exec,
    },
    error::{ErrorKind, Result},
};

/// The progress of a call: the number of documents read so far, and the total.
///
/// A document is counted each time it is read. Both numbers are estimates, because the server returns the size of a
/// collection without counting its documents. When the call has finished, the numbers are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkProgress {
    /// Number of documents read so far.
    pub documents: u64,
    /// Total number of documents to read.
    pub of: u64,
}

impl WalkProgress {
    /// Returns the progress after some number of documents has been read.
    pub const fn new(documents: u64, of: u64) -> Self {
        Self { documents, of }
    }
}

/// The function that is called as documents are read.
#[derive(Clone)]
pub(crate) struct OnProgress(Arc<dyn Fn(WalkProgress) + Send + Sync>);

impl OnProgress {
    pub(crate) fn new(call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }

    /// Begins a call that reads `of` documents.
    pub(crate) fn begin(&self, of: u64) -> Walk {
        let walk = Walk {
            callback: self.clone(),
            at: Arc::default(),
        };
        walk.update(|at| at.all.of = of);
        walk
    }
}

impl fmt::Debug for OnProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnProgress")
    }
}

/// A running call, in stages. Each stage reads some of the documents.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    callback: OnProgress,
    at: Arc<Mutex<WalkState>>,
}

#[derive(Debug, Default)]
struct WalkState {
    all: WalkProgress,
    /// Number of documents in all earlier stages.
    before: u64,
    /// Number of documents in the current stage.
    stage: u64,
}

impl Walk {
    /// Ends the previous stage, and begins one with the given number of documents.
    pub(crate) fn stage(&self, documents: u64) {
        self.update(|at| {
            at.before += at.stage;
            (at.stage, at.all.documents) = (documents, at.before);
        });
    }

    /// Adds documents, but at most up to the end of the stage, because a check can count several places in one
    /// document.
    pub(crate) fn add(&self, documents: u64) {
        self.update(|at| {
            let end = at.before + at.stage;
            at.all.documents = (at.all.documents + documents).min(end);
        });
    }

    fn update(&self, step: impl FnOnce(&mut WalkState)) {
        let Ok(mut at) = self.at.lock() else {
            return;
        };
        step(&mut at);
        (self.callback.0)(at.all);
    }
}

/// Estimated sizes of collections, as the server returns them without counting. Each collection is requested once.
#[derive(Debug)]
pub(crate) struct Estimates {
    exec: Exec,
    known: BTreeMap<String, u64>,
}

impl Estimates {
    pub(crate) const fn new(exec: Exec) -> Self {
        Self {
            exec,
            known: BTreeMap::new(),
        }
    }

    /// Returns the estimate of a collection: one `count` without a filter. If the count is forbidden or takes too long,
    /// the estimate is 0.
    pub(crate) async fn estimate(&mut self, collection: &str) -> Result<u64> {
        if let Some(known) = self.known.get(collection) {
            return Ok(*known);
        }
        let count = RunCommand::command("count", doc! { "count": collection });
        let documents = match self.exec.send(count).await {
            Ok(reply) => number(&reply, "n"),
            Err(error) if matches!(error.kind(), ErrorKind::Server | ErrorKind::Timeout) => 0,
            Err(error) => return Err(error),
        };
        self.known.insert(collection.to_owned(), documents);
        Ok(documents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_ends_where_the_next_begins_however_much_was_counted() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&seen);
        let on = OnProgress::new(move |it| told.lock().unwrap().push(it.documents));
        let walk = on.begin(30);
        walk.stage(10);
        walk.add(4);
        walk.add(40);
        walk.stage(20);
        walk.add(5);
        walk.stage(0);
        assert_eq!(*seen.lock().unwrap(), [0, 0, 4, 10, 10, 15, 30]);
    }
}
