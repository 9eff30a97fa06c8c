//! Stores additions as deltas. Deltas are used for hot parents (`hot_parent`), for deferred writes, and for parents
//! that have other pending work.

use std::{collections::HashSet, sync::Arc};

use super::Parents;
use crate::{
    client::odm::Exec,
    derived::{
        follow::{follow_result::Follow, hot_parent::are_hot},
        values::{
            CopyReport, FieldEffect, Form, Guarantee,
            delta::{self, Delta},
        },
    },
    error::Result,
    value::key::JoinKey,
};

/// Largest number of deltas in one `insert`.
const AT_ONCE: usize = 1_000;

impl Parents {
    /// Stores additions as deltas: the additions to all parents in a deferred write, and otherwise only the additions
    /// to hot parents. Sends one `insert` for every 1,000 deltas. Removes the parents of the stored deltas from `self`.
    pub(super) async fn leave_deltas(&mut self, how: Follow, exec: &Exec) -> Result<()> {
        let hot = match how {
            // An atomic write guarantees that the parent is correct at the commit. So after a conflict, the write is
            // repeated without storing a delta.
            Follow::Atomic => return Ok(()),
            Follow::Deferred => self.keys(),
            Follow::Converge => are_hot(&self.reference, self.keys(), exec),
        };
        let hot: HashSet<JoinKey> = hot.into_iter().collect();
        let mut left = Vec::new();
        for (key, steps) in &self.steps {
            if hot.contains(key) {
                left.extend(self.delta(key, steps));
            }
        }
        let keys: HashSet<&JoinKey> = left.iter().map(|delta| &delta.key).collect();
        self.retain(|key, _| !keys.contains(key));
        self.store(left, exec).await
    }

    /// Stores the additions to the given parents as deltas. Fields that cannot be part of a delta are recomputed.
    pub(super) async fn leave_behind(
        &mut self,
        keys: &HashSet<JoinKey>,
        exec: &Exec,
    ) -> Result<()> {
        let reference = &Arc::clone(&self.reference);
        let mut left = Vec::new();
        let behind = self.steps.iter_mut().filter(|(key, _)| keys.contains(key));
        for (key, steps) in behind {
            let mut added = Vec::new();
            for (copied, step) in reference.fields.iter().zip(steps) {
                let waiting = match step {
                    FieldEffect::Same => continue,
                    FieldEffect::Add(addition) => copied.waiting(addition),
                    // The stored field does not include the pending additions, so a condition on this field would be
                    // checked against an outdated value.
                    FieldEffect::UnchangedIf(_) | FieldEffect::Recompute => None,
                };
                *step = waiting.map_or(FieldEffect::Recompute, |addition| {
                    added.push((copied.to.clone(), addition));
                    FieldEffect::Same
                });
            }
            let key = key.clone();
            left.extend((!added.is_empty()).then_some(Delta { key, steps: added }));
        }
        self.retain(|_, steps| steps.iter().any(|step| *step != FieldEffect::Same));
        self.store(left, exec).await
    }

    /// Stores deltas, and records their keys so that the deltas are folded after the commit.
    async fn store(&mut self, left: Vec<Delta>, exec: &Exec) -> Result<()> {
        if left.is_empty() {
            return Ok(());
        }
        let reference = &self.reference;
        for part in left.chunks(AT_ONCE) {
            delta::store(reference, part, exec).await?;
        }
        CopyReport::new(reference, Form::Delta, Guarantee::Eventual)
            .merge_into(&mut self.followed.reports);
        let keys = left.into_iter().map(|delta| delta.key);
        self.followed
            .deltas
            .push((Arc::clone(reference), keys.collect()));
        Ok(())
    }

    /// Returns the delta for a parent. Returns `None` if an effect on one of its fields cannot be part of a delta.
    fn delta(&self, key: &JoinKey, steps: &[FieldEffect]) -> Option<Delta> {
        let mut added = Vec::new();
        for (copied, step) in self.reference.fields.iter().zip(steps) {
            match step {
                FieldEffect::Same => {}
                FieldEffect::Add(addition) => {
                    added.push((copied.to.clone(), copied.waiting(addition)?));
                }
                FieldEffect::UnchangedIf(_) | FieldEffect::Recompute => return None,
            }
        }
        Some(Delta {
            key: key.clone(),
            steps: added,
        })
    }
}
