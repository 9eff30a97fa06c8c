//! Phase 5 of the follow-up: writes the copies of changed sources level by level, in the write's transaction.

use std::mem::take;

use mongodb::bson::{Bson, doc};

use super::{
    collect::{FollowUp, spend},
    copy_write::{Candidates, count, count_tied, followers, send, write_with_changes},
    follow_result::Follow,
    source_change::{Change, by_reference, references, written_entries},
};
use crate::{
    client::{command::UpdateCommand, odm::Exec},
    derived::{
        outbox::record_all,
        values::{CopyReport, Form, Guarantee, resolve_stored, updates},
    },
    error::{Error, Result},
    graph::{ExtendedReference, Targets},
    mongosh,
    value::key::JoinKey,
};

impl FollowUp {
    /// Writes the copies, and the copies of these copies, until the budget is used up. Jobs write the remaining copies.
    pub(super) async fn spread(&mut self, exec: &Exec) -> Result<()> {
        let mut level = take(&mut self.spread);
        while !level.is_empty() {
            let reports = &mut self.followed.reports;
            let next = write_level(&level, &mut self.budget, reports, exec).await;
            let is_rejected = next.as_ref().is_err_and(Error::is_document_rejected);
            if is_rejected && self.how == Follow::Converge {
                // Without this call, every change to a source would fail if one document cannot store its copy.
                exec.refuse_copies();
            }
            let Some(next) = next? else {
                // The levels that have already been written stay written. Only this level is left to its jobs.
                return self.leave_to_jobs(&level, exec).await;
            };
            let spread = by_reference(references(&level)).into_iter();
            let spread = spread.map(|(reference, keys, _)| (reference, keys));
            self.followed.spread.extend(spread);
            // Copies of copies need jobs of their own, because they belong to other relations, which the last look of
            // the first job does not check.
            record_all(&written_entries(&next), exec).await?;
            self.promise_of_foreign(&next, exec);
            level = next;
        }
        Ok(())
    }
}

/// Writes the copies of some changed sources. Returns the changes that these writes cause, or `None` if there are more
/// copies than the budget allows.
pub(super) async fn write_level(
    changes: &[Change],
    budget: &mut Option<u64>,
    reports: &mut Vec<CopyReport>,
    exec: &Exec,
) -> Result<Option<Vec<Change>>> {
    // All copies of a level are counted before the first copy is written. So a level is either written completely or
    // left to its jobs completely.
    let mut statements = Vec::new();
    for (reference, keys, known) in by_reference(references(changes)) {
        let resolved = match known {
            Some(known) => known,
            None => resolve_stored(&reference, &keys, exec).await?,
        };
        let updates = updates(&reference, &keys, &resolved)?;
        if updates.is_empty() {
            continue;
        }
        if let Some(left) = *budget {
            exec.note(|| {
                format!(
                    "{}: more than {left} copies are left to a job",
                    reference.name
                )
            });
            // Counting stops at one more than the budget, because an exact count would read all copies.
            let copies = copies_of(&reference, &keys, &updates, left.saturating_add(1), exec);
            let copies = copies.await?;
            if !spend(budget, copies) {
                return Ok(None);
            }
            if copies == 0 {
                CopyReport::new(&reference, Form::Written, Guarantee::Atomic).merge_into(reports);
                continue;
            }
        }
        statements.push((reference, keys, updates));
    }
    let mut next = Vec::new();
    for (reference, keys, updates) in statements {
        explain(&reference, exec);
        let followers = followers(&reference, exec).await?;
        let wrote = if followers.is_empty() {
            send(&updates, exec).await?
        } else {
            let keys = Candidates::Keys(&keys);
            let seen = write_with_changes(&reference, followers, keys, &updates, exec).await?;
            next.extend(seen.1);
            seen.0
        };
        let mut report = CopyReport::new(&reference, Form::Written, Guarantee::Atomic);
        // The report counts only copies that had a different value, but the filter also matches some correct copies. So
        // the report contains the number of modified documents as `matched`.
        (report.matched, report.modified, report.batches) = (wrote.modified, wrote.modified, 1);
        report.merge_into(reports);
    }
    Ok(Some(next))
}

/// Counts the copies that the given updates would change, up to a limit. For several updates, the result is the number
/// of all copies for their keys, because counting these requires only one statement instead of one for each source.
async fn copies_of(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    updates: &[UpdateCommand],
    limit: u64,
    exec: &Exec,
) -> Result<u64> {
    match (reference.targets(), updates) {
        (Targets::OneById, _) => Ok(keys.len() as u64),
        (Targets::All, [update]) => count(update, limit, exec).await,
        (Targets::All, updates) => {
            let hint = updates.first().and_then(|it| it.options.hint.clone());
            let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
            count_tied(reference, &keys, hint, limit, exec).await
        }
    }
}

/// Adds a note to a plan. The note states which copies the next statement writes, and which index this statement uses.
fn explain(reference: &ExtendedReference, exec: &Exec) {
    exec.note(|| {
        let path = reference.key_path();
        let index = if path == "_id" {
            doc! { "_id": 1 }
        } else {
            doc! { path: 1, "_id": 1 }
        };
        format!(
            "{}, by the index {}",
            reference.name,
            mongosh::document(&index)
        )
    });
    exec.count_next();
}
