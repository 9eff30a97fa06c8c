//! Batches that cover several keys, for many sources that have few copies each.
//!
//! 1. A batch first counts the copies of its keys. If there are too many, it writes nothing, and the next batch covers
//!    fewer keys.
//! 2. A batch that fails because of one document is split in the same way.
//! 3. A key gets a separate run if its copies do not fit into a batch, or if one of its documents cannot store its
//!    copy. The cursor of that run stores a position, so another runner can continue it. A group does not store a
//!    position.

use std::sync::Arc;

use super::Sweep;
use crate::{
    batches::BatchSize,
    derived::runner::job_batch::{BatchOutcome, Extent},
    error::Result,
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// How much larger the batches of the last look are. Most copies are already correct by then.
const ROOM_OF_LAST_LOOK: u64 = 10;

impl Sweep<'_> {
    pub(super) async fn key_group(
        &mut self,
        reference: &Arc<ExtendedReference>,
        keys: &[JoinKey],
    ) -> Result<()> {
        let is_left = |key: &&JoinKey| !self.left.alone.contains(*key);
        let keys: Vec<JoinKey> = keys.iter().filter(is_left).cloned().collect();
        let (mut left, mut size) = (keys.as_slice(), BatchSize::new(keys.len()));
        while !left.is_empty() {
            let (now, rest) = size.split(left);
            let (room, was_indexed) = (self.room(), self.is_indexed);
            let done = self
                .batch(reference, now.to_vec(), Extent::All(room), None)
                .await?;
            match done {
                Some(BatchOutcome { copies, .. }) if copies <= room => {
                    left = rest;
                    size.set(keys_for(room, now.len(), copies));
                    if !left.is_empty() {
                        self.rest().await;
                    }
                }
                None if was_indexed && !self.is_indexed => {}
                _ if !size.halve(now.len()) => {
                    self.left.alone.extend(now.iter().cloned());
                    left = rest;
                }
                Some(BatchOutcome { copies, .. }) => {
                    size.set(keys_for(room, now.len(), copies).min(size.get()));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the largest number of copies in a batch of several keys.
    fn room(&self) -> u64 {
        let size = self.pace.size.get() as u64;
        if self.is_last_look {
            size.saturating_mul(ROOM_OF_LAST_LOOK)
        } else {
            size
        }
    }
}

/// Returns how many keys the next batch should cover, assuming that they have as many copies as the last ones.
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
