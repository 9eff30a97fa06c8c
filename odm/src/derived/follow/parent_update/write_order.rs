//! Ensures that a write to a child does not affect the parent before an earlier write to the same child does.
//!
//! Each count that a reader sees must correspond to some subset of the committed writes. If the count includes a change
//! or delete of a child, it must also include the child's insert. However, the insert may still be pending in a delta
//! or a job. Deltas and jobs are committed together with the child, so a later write to the child sees them in its
//! snapshot.
//!
//! 1. A write to an existing child reads the pending deltas and jobs of its parent (`outbox::waiting`). This step is
//!    not necessary for arrays of keys, because the conditions of their updates contain the keys of the children.
//! 2. If work is pending, the addition becomes a delta, too. Fields that cannot be part of a delta are recomputed.
//!    Tests: `when_a_delete_ignores_deltas_a_reader_sees_it_without_the_insert`,
//!    `when_a_delete_ignores_jobs_a_reader_sees_it_without_the_insert`.
//! 3. A write with `atomic()` folds the deltas in its own transaction. If a job is pending, the write recomputes all
//!    fields.
//! 4. A fold reads deltas in the order of `at`, the server's logical clock. A write that has seen another write has a
//!    later time, even if the two writes ran on different primaries. So a fold may apply the oldest 1,000 deltas and
//!    leave the other deltas for later. Sorting by id would not work, because the ids depend on the programs' clocks.
//!    Test: `when_deltas_are_folded_by_their_ids_a_reader_sees_a_delete_without_the_insert`.
//! 5. A fold skips a parent that has a pending job. The runner runs the job, and then folds the deltas. If each fold
//!    wrote the job instead, the job would never finish while writes continue. Test:
//!    `when_deltas_are_folded_beside_a_job_a_reader_sees_a_delete_without_the_insert`.
//!
//! We rejected a design in which only inserts become deltas, and each delete folds the pending deltas. In that design,
//! the order of deltas would not matter. But every delete of a child would have to write to the parent, even if many
//! programs write to this parent at the same time.

use mongodb::bson::Bson;

use super::{
    Parents,
    delta_fold::AT_ONCE,
    pending_parent_work::{keys_of, waiting_for},
};
use crate::{
    client::odm::Exec,
    derived::{
        follow::follow_result::Follow,
        values::{FieldEffect, delta},
    },
    error::Result,
    graph::Timing,
    value::key::JoinKey,
};

impl Parents {
    /// Ensures that changes to existing children take effect after the pending work for their parents.
    pub(super) async fn wait_behind(&mut self, how: Follow, exec: &Exec) -> Result<()> {
        // A deferred write leaves the updates of all parents to deltas and jobs. The only exceptions are bounded
        // arrays, which the write updates immediately.
        let is_left = match self.reference.timing() {
            Timing::ByBudget => how == Follow::Deferred,
            Timing::InTransaction | Timing::WithTheWrite => false,
        };
        let keys = self.dependent_keys();
        if keys.is_empty() || is_left {
            return Ok(());
        }
        let waiting = waiting_for(&self.reference, &keys, exec).await?;
        let [with_deltas, with_jobs] = [waiting.deltas, waiting.jobs].map(keys_of);
        if how != Follow::Atomic {
            let behind = with_deltas.union(&with_jobs).cloned().collect();
            return self.leave_behind(&behind, exec).await;
        }
        // The pending job may be the job that adds the insert to the count. A field that is recomputed in this
        // transaction's snapshot includes the insert.
        for key in &with_jobs {
            self.recompute_all_fields(key);
        }
        // The deltas for the parents in `with_jobs` are not folded, because `resolve` removes them when it computes the
        // fields.
        let folded: Vec<JoinKey> = with_deltas.difference(&with_jobs).cloned().collect();
        self.fold_in(&folded, exec).await
    }

    /// Lists the parents of existing children for which the effects depend on earlier writes to these children.
    fn dependent_keys(&self) -> Vec<JoinKey> {
        let steps = self.steps.iter();
        let dependent = steps.filter(|(key, steps)| {
            self.of_known_children.contains(key) && steps.iter().any(FieldEffect::depends)
        });
        dependent.map(|(key, _)| key.clone()).collect()
    }

    /// Adds the deltas of the given parents to the effects, and deletes these deltas. Sends a `find` and a `delete`. If
    /// there are more deltas than one fold can apply, the fields of the parents are recomputed.
    async fn fold_in(&mut self, keys: &[JoinKey], exec: &Exec) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let ids: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        let (stored, are_all) = delta::read(&self.reference, &ids, AT_ONCE, exec).await?;
        if !are_all {
            for key in keys {
                self.recompute_all_fields(key);
            }
            return Ok(());
        }
        self.add_deltas(&stored);
        delta::remove(&self.reference, &stored, exec).await
    }

    fn recompute_all_fields(&mut self, key: &JoinKey) {
        let steps = self.places.get(key).and_then(|at| self.steps.get_mut(*at));
        if let Some((_, steps)) = steps {
            steps.fill(FieldEffect::Recompute);
        }
    }
}
