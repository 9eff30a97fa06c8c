//! Inserts the documents of several operations together.

use std::sync::Arc;

use super::outcome::BulkOutcome;
use crate::{
    client::odm::Exec,
    error::Error,
    write::{InsertWrite, Inserted, insert::Unconfirmed},
};

/// Inserts the documents of all operations, as `insert_many` does.
pub(super) async fn insert(
    inserts: Vec<(usize, InsertWrite)>,
    ordered: bool,
    outcome: &mut BulkOutcome,
    exec: &Exec,
) {
    let (indexes, writes): (Vec<usize>, Vec<InsertWrite>) = inserts.into_iter().unzip();
    let joined = writes.into_iter().reduce(|mut all, write| {
        all.documents.extend(write.documents);
        all
    });
    let Some(mut all) = joined else {
        return;
    };
    all.one = false;
    all.options.ordered = (!ordered).then_some(false);
    let model = all.model;
    let failed = match all.insert(exec).await {
        Ok(Inserted { report: done, .. }) => {
            outcome.counts().inserted += done.inserted;
            outcome.add_report(model, done);
            return;
        }
        Err(failed) => failed,
    };
    let error = failed.error.in_model(model);
    outcome.add_partly(model, &error);
    if !failed.dangling.is_empty() {
        // A transaction has ended, so no document is stored.
        let most = if ordered { 1 } else { usize::MAX };
        for (at, reason) in failed.dangling.into_iter().take(most) {
            if let Some(index) = indexes.get(at) {
                outcome.fail(*index, reason);
            }
        }
        return;
    }
    let (rejected, source) = match error {
        Error::InsertMany {
            rejected, source, ..
        } => (rejected, source),
        other => (Vec::new(), Arc::new(other)),
    };
    let is_unconfirmed = failed.unconfirmed.is_some();
    if let Some(Unconfirmed { reason, positions }) = failed.unconfirmed {
        for index in positions.iter().filter_map(|at| indexes.get(*at)) {
            outcome.fail(*index, Arc::clone(&reason));
        }
    }
    // The first error ends an ordered bulk write and a transaction. The documents after a rejected one were not sent.
    let lists_unsent = rejected.is_empty() && !(ordered && is_unconfirmed);
    if lists_unsent || !(ordered || exec.in_transaction()) {
        let unsent = failed.unsent.iter();
        let unsent: Vec<usize> = unsent.filter_map(|at| indexes.get(*at).copied()).collect();
        outcome.fail_all(&unsent, source, ordered);
    }
    for document in rejected {
        if let Some(index) = indexes.get(document.index) {
            outcome.fail(*index, document.reason);
        }
    }
}
