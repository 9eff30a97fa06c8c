//! Keeps writes that depend on others behind these.
//!
//! The insert of a child may wait in a delta, or be left to a job. A later write of the child must not reach the parent
//! before it: a delete would be taken from a count that does not have the child. Both inserts and what they leave are
//! committed together, so a write that changes or deletes a child sees in its snapshot whether something waits.
//!
//! 1. A write of a child that was there before asks whether deltas of its parent wait, or a job that is to be run. It
//!    need not ask for arrays of keys, which name their children.
//! 2. If so, what it adds is left as a delta, too, and what cannot be a delta is computed again of all children.
//! 3. An `atomic()` write folds the deltas in its own transaction. If a job waits, it computes all fields again.
//! 4. A fold takes deltas in the order of the clock of the server ([`deltas::read`]), and leaves those of parents
//!    with a job that is to be run until it has run.

use mongodb::bson::Bson;

use super::{
    AddedUp, Parents,
    fold::AT_ONCE,
    waiting::{keys_of, waiting_for},
};
use crate::{
    client::odm::Exec,
    derived::{
        follow::followed::Follow,
        values::{Step, deltas},
    },
    error::Result,
    value::key::JoinKey,
};

impl Parents {
    /// Keeps the steps of children that were there before behind what waits for their parents.
    pub(super) async fn wait_behind(
        &mut self,
        how: Follow,
        done: &mut AddedUp,
        exec: &Exec,
    ) -> Result<()> {
        // A deferred write leaves its parents to deltas and jobs anyway.
        let is_left = how == Follow::Deferred && !self.reference.follows_at_once();
        let keys = self.dependent_keys();
        if keys.is_empty() || is_left {
            return Ok(());
        }
        let waiting = waiting_for(self.reference, &keys, exec).await?;
        let [with_deltas, with_jobs] = [waiting.deltas, waiting.jobs].map(keys_of);
        if how != Follow::Atomic {
            let behind = with_deltas.union(&with_jobs).cloned().collect();
            return self.leave_behind(&behind, done, exec).await;
        }
        for key in &with_jobs {
            self.all_anew(key);
        }
        let folded: Vec<JoinKey> = with_deltas.difference(&with_jobs).cloned().collect();
        self.fold_in(&folded, exec).await
    }

    /// Lists the parents of children that were there before, if their steps depend on earlier ones.
    fn dependent_keys(&self) -> Vec<JoinKey> {
        let steps = self.steps.iter();
        let dependent = steps.filter(|(key, steps)| {
            self.of_known_children.contains(key) && steps.iter().any(Step::depends)
        });
        dependent.map(|(key, _)| key.clone()).collect()
    }

    /// Adds the deltas of some parents to their steps, and removes them: a `find` and a `delete`. A parent with more
    /// than one fold takes is computed again.
    async fn fold_in(&mut self, keys: &[JoinKey], exec: &Exec) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let ids: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        let (stored, are_all) = deltas::read(self.reference, &ids, AT_ONCE, exec).await?;
        if !are_all {
            for key in keys {
                self.all_anew(key);
            }
            return Ok(());
        }
        self.add_deltas(&stored);
        deltas::remove(self.reference, &stored, exec).await
    }

    fn all_anew(&mut self, key: &JoinKey) {
        let steps = self.places.get(key).and_then(|at| self.steps.get_mut(*at));
        if let Some((_, steps)) = steps {
            steps.fill(Step::Anew);
        }
    }
}
