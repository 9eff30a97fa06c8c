//! Inserts the documents of several operations together.

use super::outcome::BulkOutcome;
use crate::{
    client::odm::{Exec, Write},
    error::Error,
    write::InsertWrite,
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
    let error = match all.run(exec.clone()).await {
        Ok(done) => {
            outcome.counts().inserted += done.inserted;
            outcome.add(model, &done);
            let token = done.token().clone();
            outcome.add_derived(done.copies, Vec::new(), token);
            return;
        }
        Err(error) => error.in_model(model),
    };
    outcome.add_partly(model, &error);
    let Error::InsertMany {
        inserted,
        rejected,
        source,
        ..
    } = error
    else {
        return outcome.fail_all(&indexes, error, ordered);
    };
    if rejected.is_empty() {
        // A later batch has failed. The documents of the earlier batches are stored.
        let stored = usize::try_from(inserted).unwrap_or(indexes.len());
        let left = indexes.get(stored..).unwrap_or_default();
        return outcome.fail_all(left, source, ordered);
    }
    for document in rejected {
        if let Some(index) = indexes.get(document.index) {
            outcome.fail(*index, document.reason);
        }
    }
}
