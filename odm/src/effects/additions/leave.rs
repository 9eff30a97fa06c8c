//! Leaves what is added to hot documents as deltas.

use std::collections::HashSet;

use super::{AddedUp, Parents};
use crate::{
    copy::{
        CopyReport, Form, Guarantee, Step,
        deltas::{self, Delta},
    },
    effects::{followed::Follow, hot::are_hot},
    error::Result,
    key::JoinKey,
    odm::Exec,
};

/// How many deltas one `insert` stores.
const AT_ONCE: usize = 1_000;

impl Parents {
    /// Leaves additions as deltas, where the parents had conflicts or nothing is to be written now: one `insert`.
    pub(super) async fn leave_deltas(
        &mut self,
        how: Follow,
        done: &mut AddedUp,
        exec: &Exec,
    ) -> Result<()> {
        let hot = match how {
            Follow::Atomic => return Ok(()),
            Follow::Deferred => self.keys(),
            Follow::Converge => are_hot(self.reference, self.keys(), exec),
        };
        let hot: HashSet<JoinKey> = hot.into_iter().collect();
        let mut left = Vec::new();
        for (key, steps) in &self.steps {
            if hot.contains(key) {
                left.extend(self.delta(key, steps));
            }
        }
        if left.is_empty() {
            return Ok(());
        }
        let reference = self.reference;
        for part in left.chunks(AT_ONCE) {
            deltas::store(reference, part, exec).await?;
        }
        let keys: HashSet<&JoinKey> = left.iter().map(|delta| &delta.key).collect();
        self.steps.retain(|(key, _)| !keys.contains(key));
        CopyReport::new(reference, Form::Delta, Guarantee::Eventual)
            .merge_into(&mut done.followed.reports);
        let keys = left.into_iter().map(|delta| delta.key);
        done.followed.deltas.push((reference, keys.collect()));
        Ok(())
    }

    /// Returns the delta of a parent; none if something has to be looked at.
    fn delta(&self, key: &JoinKey, steps: &[Step]) -> Option<Delta> {
        let mut added = Vec::new();
        for (copied, step) in self.reference.fields.iter().zip(steps) {
            match step {
                Step::Same => {}
                Step::Add(addition) => added.push((copied.to.clone(), copied.waiting(addition)?)),
                Step::StaysIf(_) | Step::Anew => return None,
            }
        }
        Some(Delta {
            key: key.clone(),
            steps: added,
        })
    }
}
