//! Sends the statements of several operations together.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use mongodb::bson::{Bson, doc};

use super::{group::SharedStatements, outcome::BulkOutcome};
use crate::{
    client::{
        command::{
            BulkWriteCommand, BulkWritten, Command,
            rejected_documents::{reasons, unconfirmed},
        },
        odm::Exec,
        place::Place,
    },
    error::{Error, Result},
    observe::stats::Writes,
    value::key::JoinKey,
    write::conflict::{deleted, deleted_ids, explained},
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
        let most = command.most_matched();
        let error = match exec.send(command).await {
            Ok(mut written) => {
                let rejected = written.rejected.take();
                let has_unmatched = most.is_none_or(|most| written.found() < most);
                count(&shared, indexes, written, outcome);
                let failed = || place.failed(name);
                match rejected {
                    Some(error) => Some(Error::from(error).during(failed, Duration::ZERO)),
                    None if has_unmatched => check(&shared, indexes, outcome, exec).await.err(),
                    None => None,
                }
            }
            Err(error) => Some(error),
        };
        if outcome.has_failed() && exec.in_transaction() {
            return;
        }
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

/// Adds the counts of a command to the outcome of the bulk write.
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

/// Records the failure of each operation whose document is deleted. Sends one `find` if the command contains operations
/// that must be checked.
async fn check(
    shared: &SharedStatements,
    indexes: &[usize],
    outcome: &mut BulkOutcome,
    exec: &Exec,
) -> Result<()> {
    // The positions are in ascending order.
    let is_own = |(index, _): &&(usize, Bson)| indexes.binary_search(index).is_ok();
    let own: Vec<&(usize, Bson)> = shared.checked.iter().filter(is_own).collect();
    if own.is_empty() || exec.is_paper() {
        return Ok(());
    }
    let ids: Vec<Bson> = own.iter().map(|(_, id)| id.clone()).collect();
    let found = deleted_ids(shared.model, &ids, exec).await?;
    for (index, id) in own {
        if found.contains(&JoinKey::from(id.clone())) {
            outcome.fail(*index, deleted(shared.model, id.clone()));
        }
    }
    Ok(())
}

/// Explains the error of a statement. The error of a shared command contains the `_id` only as text, so the `_id` is
/// taken from the statement.
async fn reason_of(
    shared: &SharedStatements,
    index: usize,
    mut reason: Error,
    exec: &Exec,
) -> Error {
    let at = shared.indexes.binary_search(&index).ok();
    let Some(statement) = at.and_then(|at| shared.statements.get(at)) else {
        return reason;
    };
    if let (Some(id), Error::DuplicateKey { index, fields, .. }) = (statement.id(), &mut reason)
        && index == "_id_"
    {
        **fields = doc! { "_id": id };
    }
    explained(shared.model, statement.matched(), reason, exec).await
}

/// Records the operations whose statements were rejected, or carried out without enough confirmations.
async fn fail(
    shared: &SharedStatements,
    (indexes, ordered): (&[usize], bool),
    (error, place, name): (Error, &Place, &'static str),
    outcome: &mut BulkOutcome,
    exec: &Exec,
) {
    let reasons = reasons(&error, place, name);
    let unconfirmed = unconfirmed(&error, place, name);
    if reasons.is_empty() && unconfirmed.is_none() {
        return outcome.fail_all(indexes, error.in_model(shared.model), ordered);
    }
    if let Some(reason) = unconfirmed {
        let rejected: BTreeSet<usize> = reasons.iter().map(|(at, _)| *at).collect();
        let end = rejected.first().filter(|_| ordered);
        let carried_out = indexes
            .iter()
            .enumerate()
            .take(end.map_or(usize::MAX, |at| *at));
        let reason = Arc::new(reason.in_model(shared.model));
        for (_, index) in carried_out.filter(|(at, _)| !rejected.contains(at)) {
            outcome.fail(*index, Arc::clone(&reason));
        }
    }
    for (at, reason) in reasons {
        if let Some(index) = indexes.get(at) {
            let reason = reason_of(shared, *index, reason, exec).await;
            outcome.fail(*index, reason.in_model(shared.model));
        }
    }
}
