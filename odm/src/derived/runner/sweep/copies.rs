//! Updates the copies of one extended reference in batches.
//!
//! If there are many sources with few copies each, a batch covers several keys:
//!
//! 1. A batch first counts the copies of its keys. If there are too many copies, the batch writes nothing, and the next
//!    batch covers fewer keys.
//! 2. A batch that fails because of one document is also divided into smaller batches.
//! 3. A key gets a separate run if its copies do not fit into a batch, or if one of its documents cannot store its
//!    copy. The cursor of that run stores a position, so another runner can continue the run. A run for several keys
//!    does not store a position.

use std::{collections::HashMap, sync::Arc};

use mongodb::bson::Bson;

use super::Sweep;
use crate::{
    batches::BatchSize,
    client::odm::Exec,
    derived::{
        outbox::Retry,
        runner::{
            batch_pace::Pace,
            drive::{Step, Work},
            job_batch::{self, BatchOutcome, Extent, Span},
            run_report::Failed,
        },
        values::Values,
    },
    error::{Error, Result},
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// Factor by which the batches of the last look are larger than other batches. During the last look, most copies are
/// already correct.
const ROOM_OF_LAST_LOOK: u64 = 10;

/// The server's error code (`BadValue`) for a hint that refers to a missing index.
const BAD_VALUE: i32 = 2;

/// The copies that are still to be processed.
pub(super) struct Copies<'s, 'p> {
    sweep: &'s mut Sweep<'p>,
    reference: &'s Arc<ExtendedReference>,
    keys: &'s [JoinKey],
    by: By,
    /// The `_id` of the document in the current batch, if the batch contains only one document.
    single: Option<Bson>,
    /// The source's values in the previous batch.
    values: Option<Values>,
    /// The number of copies for each key of a group, if the copies have been counted.
    counts: Option<HashMap<JoinKey, u64>>,
}

/// How the copies are divided into batches.
pub(super) enum By {
    /// Each batch covers some of the keys, which are also the `_id`s of the documents that contain the copies.
    Id,
    /// Each batch covers documents that contain copies for a single key, in the order of `_id`, starting after the
    /// given id.
    Position(Option<Bson>),
    /// Each batch covers all copies for this number of keys.
    Count(BatchSize),
}

impl Work for Copies<'_, '_> {
    async fn piece(&mut self, pace: &mut Pace) -> Result<Step> {
        let size = pace.size.get();
        let (extent, keys) = match &self.by {
            By::Id => (Extent::ById, pace.size.split(self.keys).0),
            By::Position(lo) => (Extent::After(lo.clone(), size), self.keys),
            By::Count(number) => self.group(number.split(self.keys).0, self.room(size)),
        };
        if self.keys.is_empty() {
            return Ok(Step::Over);
        }
        if keys.is_empty() {
            return Ok(self.leave_alone());
        }
        let span = Span {
            reference: Arc::clone(self.reference),
            keys: keys.to_vec(),
            extent,
            is_indexed: self.sweep.is_indexed,
            is_last_look: self.sweep.is_last_look,
        };
        self.single = match (&span.extent, keys) {
            (Extent::ById, [key]) => Some(key.to_bson()),
            // If a batch of one document fails, the error does not contain the document's id. So the id is read before
            // the batch.
            (Extent::After(_, 1), _) => {
                let single = span.end(&Exec::on(self.sweep.odm.clone())).await?;
                // Even a batch without documents would read the sources. If the sources could not be read, the batch
                // would fail again and again.
                if single.is_none() {
                    return Ok(Step::Over);
                }
                single
            }
            _ => None,
        };
        let cursor = self.sweep.cursor_of(self.reference, keys);
        match job_batch::run(span, cursor, self.sweep.odm).await {
            Ok(done) => Ok(self.after(keys.len(), done, pace)),
            // A forced write does not require the index, so the index that the hint names might not exist. The next
            // attempt is sent without a hint.
            Err(error) if self.sweep.is_indexed && error.server_code() == Some(BAD_VALUE) => {
                self.sweep.is_indexed = false;
                Ok(Step::AGAIN)
            }
            Err(error) if error.is_about_one_document() => Ok(match &self.by {
                By::Count(_) => self.divide(keys.len(), usize::MAX),
                By::Id => Step::Rejected(error, keys.len()),
                By::Position(_) => Step::Rejected(error, size),
            }),
            Err(error) => Err(error),
        }
    }

    /// Skips the document whose copies cannot be updated.
    async fn skip(&mut self, error: Error) -> Result<()> {
        let (Some(key), Some(document)) = (self.keys.first(), self.single.take()) else {
            return Err(error);
        };
        tracing::error!(reference = %self.reference.name, ?document, %error, "cannot write a copy");
        self.sweep.left.failed.push(Failed {
            key: key.clone(),
            document: document.clone(),
            why: error.to_string(),
            retry: Retry::AfterCorrection,
        });
        let failed = Some((document.clone(), error.to_string()));
        self.sweep.report(self.reference, 0, failed);
        match &mut self.by {
            By::Position(lo) => *lo = Some(document),
            By::Id | By::Count(_) => self.remove(1),
        }
        Ok(())
    }
}

impl<'s, 'p> Copies<'s, 'p> {
    pub(super) fn new(
        sweep: &'s mut Sweep<'p>,
        reference: &'s Arc<ExtendedReference>,
        keys: &'s [JoinKey],
        by: By,
    ) -> Self {
        Self {
            sweep,
            reference,
            keys,
            by,
            single: None,
            values: None,
            counts: None,
        }
    }

    /// Counts the copies for all keys of a group, so that the batches do not have to count their own copies.
    pub(super) async fn count(&mut self, pace: &Pace) {
        if !matches!(self.by, By::Count(_)) || !self.reference.place.arrays.is_empty() {
            return;
        }
        let span = Span {
            reference: Arc::clone(self.reference),
            keys: self.keys.to_vec(),
            extent: Extent::All(None),
            is_indexed: self.sweep.is_indexed,
            is_last_look: self.sweep.is_last_look,
        };
        let exec = Exec::on(self.sweep.odm.clone());
        // After an error, each batch counts its own copies.
        let counts = span.counts(self.room(pace.size.get()), &exec).await;
        self.counts = counts.ok().flatten();
    }

    /// Returns the longest prefix of the keys whose copies fit into one batch.
    fn group(&self, keys: &'s [JoinKey], room: u64) -> (Extent, &'s [JoinKey]) {
        let Some(counts) = &self.counts else {
            return (Extent::All(Some(room)), keys);
        };
        let mut copies = 0;
        let fitting = keys.iter().take_while(|key| {
            copies += counts.get(*key).copied().unwrap_or(0);
            copies <= room
        });
        let (fitting, _) = keys.split_at(fitting.count());
        (Extent::All(None), fitting)
    }

    /// Records the outcome of a batch, and prepares the next batch.
    fn after(&mut self, keys: usize, done: BatchOutcome, pace: &mut Pace) -> Step {
        let room = self.room(pace.size.get());
        let fitting = keys_for(room, keys, done.copies);
        if matches!(self.by, By::Count(_)) && done.copies > room {
            return self.divide(keys, fitting);
        }
        self.sweep.report(self.reference, done.modified, None);
        self.sweep.ran.add_made(done.made);
        let before = std::mem::replace(&mut self.values, done.values);
        pace.note(before.is_some() && self.values.is_some() && before != self.values);
        match &mut self.by {
            By::Position(lo) if done.hi.is_some() => {
                *lo = done.hi;
                return Step::Done;
            }
            By::Count(number) => number.set(fitting),
            By::Id | By::Position(_) => {}
        }
        self.remove(keys);
        if self.keys.is_empty() {
            Step::Last
        } else {
            Step::Done
        }
    }

    /// Divides a group of keys that was rejected or has too many copies. If the group consists of a single key, a
    /// separate run processes this key.
    fn divide(&mut self, keys: usize, fitting: usize) -> Step {
        let By::Count(number) = &mut self.by else {
            return Step::AGAIN;
        };
        if !number.halve(keys) {
            return self.leave_alone();
        }
        number.set(fitting.min(number.get()));
        Step::AGAIN
    }

    /// Excludes the next key from this sweep, so that a separate run processes it.
    fn leave_alone(&mut self) -> Step {
        self.sweep.left.alone.extend(self.keys.first().cloned());
        self.remove(1);
        Step::AGAIN
    }

    fn remove(&mut self, keys: usize) {
        self.keys = self.keys.get(keys..).unwrap_or_default();
    }

    /// Returns the largest number of copies in a batch of several keys.
    const fn room(&self, size: usize) -> u64 {
        if self.sweep.is_last_look {
            (size as u64).saturating_mul(ROOM_OF_LAST_LOOK)
        } else {
            size as u64
        }
    }
}

/// Estimates how many keys fit into the next batch, on the assumption that a key has on average as many copies as in
/// the previous batch.
fn keys_for(room: u64, keys: usize, copies: u64) -> usize {
    let fitting = (keys as u64).saturating_mul(room) / copies.max(1);
    usize::try_from(fitting).unwrap_or(usize::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_batch_has_as_many_keys_as_fit() {
        assert_eq!(keys_for(1_000, 100, 1_000), 100);
        assert_eq!(keys_for(1_000, 1_000, 16_000), 62);
        assert_eq!(keys_for(1_000, 1, 100_000), 1);
        assert_eq!(keys_for(1_000, 10, 0), 10_000);
    }
}
