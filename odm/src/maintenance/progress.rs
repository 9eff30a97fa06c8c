//! The progress of a long-running call, measured by the number of documents read.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use mongodb::bson::doc;

use crate::{
    client::{
        command::{RunCommand, number},
        odm::Exec,
    },
    derived::outbox::ProgressFn,
    error::{ErrorKind, Result},
};

/// The progress of a call: how many documents the call has read so far, and how many it will read in total.
///
/// A document is counted each time it is read. Both numbers are estimates, because the sizes of the collections
/// come from their metadata, and a stage never counts more documents than its estimated size. Once the call has
/// finished, both numbers are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkProgress {
    /// Number of documents read so far.
    pub documents: u64,
    /// Estimated number of documents that the whole call reads.
    pub of: u64,
}

impl WalkProgress {
    /// Returns the progress of a call that has read `documents` out of `of` documents.
    #[doc(hidden)]
    pub const fn new(documents: u64, of: u64) -> Self {
        Self { documents, of }
    }
}

/// The progress of a running call. The call consists of stages, and each stage reads a part of the documents.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    callback: ProgressFn<WalkProgress>,
    at: Arc<Mutex<WalkState>>,
}

#[derive(Debug, Default)]
struct WalkState {
    all: WalkProgress,
    /// Number of documents that the completed stages have read.
    before: u64,
    /// Number of documents that the current stage reads.
    stage: u64,
}

impl Walk {
    /// Starts tracking the progress of a call that will read `of` documents.
    pub(crate) fn begin(callback: &ProgressFn<WalkProgress>, of: u64) -> Self {
        let walk = Self {
            callback: callback.clone(),
            at: Arc::default(),
        };
        walk.update(|at| at.all.of = of);
        walk
    }

    /// Completes the current stage, and starts a stage that reads the given number of documents.
    pub(crate) fn stage(&self, documents: u64) {
        self.update(|at| {
            at.before += at.stage;
            (at.stage, at.all.documents) = (documents, at.before);
        });
    }

    /// Counts documents as read, but never more than the current stage reads in total. The count is limited because a
    /// check may count a document several times, once for each reference or copy in it.
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
        self.callback.call(&at.all);
    }
}

/// Estimated sizes of collections, which the server returns from its metadata. Each size is requested only once.
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

    /// Returns the estimated size of a collection. Sends one `count` without a filter. If the server rejects the
    /// `count` or takes too long, the estimate is 0.
    pub(crate) async fn estimate(&mut self, collection: &str) -> Result<u64> {
        if let Some(known) = self.known.get(collection) {
            return Ok(*known);
        }
        let count = RunCommand::command("count", doc! { "count": collection });
        let documents = match self.exec.send(count).await {
            Ok(reply) => number(&reply, "n"),
            Err(error) if error.server_code().is_some() || error.kind() == ErrorKind::Timeout => 0,
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
        let on = move |it: &WalkProgress| told.lock().unwrap().push(it.documents);
        let walk = Walk::begin(&ProgressFn::new(on), 30);
        walk.stage(10);
        walk.add(4);
        walk.add(40);
        walk.stage(20);
        walk.add(5);
        walk.stage(0);
        assert_eq!(*seen.lock().unwrap(), [0, 0, 4, 10, 10, 15, 30]);
    }
}
