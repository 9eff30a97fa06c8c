//! Sends the statements of several operations together.

use std::time::Duration;

use super::{group::SharedStatements, outcome::BulkOutcome};
use crate::{
    client::{
        command::{BulkWriteCommand, BulkWritten, Command, rejected_documents::reasons},
        odm::Exec,
        place::Place,
    },
    error::Error,
    observe::stats::Writes,
    write::conflict::explained,
};

/// Sends the statements, up to 1,000 in each command.
pub(super) async fn send(
    shared: SharedStatements,
    ordered: bool,
    outcome: &mut BulkOutcome,
    exec: &Exec,
) {
    let mut rest = shared.indexes.as_slice();
    for command in BulkWriteCommand::split(&shared.statements, ordered) {
        let Some((indexes, left)) = rest.split_at_checked(command.len()) else {
            return;
        };
        rest = left;
        let (place, name) = (command.place().clone(), command.name());
        let error = match exec.send(command).await {
            Ok(mut written) => {
                let rejected = written.rejected.take();
                count(&shared, indexes, written, outcome);
                let failed = || place.failed(name);
                rejected.map(|error| Error::from(error).during(failed, Duration::ZERO))
            }
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            fail(
                &shared,
                (indexes, ordered),
                (error, &place, name),
                outcome,
                exec,
            )
            .await;
            if ordered || exec.in_transaction() {
                return;
            }
        }
    }
}

/// Adds the counts of a command.
fn count(
    shared: &SharedStatements,
    indexes: &[usize],
    written: BulkWritten,
    outcome: &mut BulkOutcome,
) {
    let mut wrote = Writes::default();
    let counts = outcome.counts();
    if shared.deletes {
        wrote.deleted = written.matched;
        counts.deleted += written.matched;
    } else {
        wrote.updated = written.modified;
        wrote.inserted = written.upserted.len() as u64;
        counts.matched += written.matched;
        counts.modified += written.modified;
        for (at, id) in written.upserted {
            let index = indexes.get(at).copied().unwrap_or_default();
            counts.upserted.insert(index, id);
        }
    }
    outcome.add(shared.model, &wrote);
}

/// Records the operations whose statements were rejected.
async fn fail(
    shared: &SharedStatements,
    (indexes, ordered): (&[usize], bool),
    (error, place, name): (Error, &Place, &'static str),
    outcome: &mut BulkOutcome,
    exec: &Exec,
) {
    let reasons = reasons(&error, place, name);
    if reasons.is_empty() {
        return outcome.fail_all(indexes, error.in_model(shared.model), ordered);
    }
    for (at, reason) in reasons {
        if let Some(index) = indexes.get(at) {
            let reason = explained(shared.model, reason, exec).await;
            outcome.fail(*index, reason.in_model(shared.model));
        }
    }
}
