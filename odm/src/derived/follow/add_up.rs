//! Phase 3 of the follow-up: adds changes of children to the computed fields of their parents, or stores deltas for
//! them.

use std::mem::take;

use super::{
    collect::{FollowUp, spend},
    follow_result::Follow,
    parent_update::{ParentUpdates, Parents},
};
use crate::{client::odm::Exec, error::Result};

impl FollowUp {
    /// Adds changes of children to the computed fields of their parents. A deferred write stores deltas, which cost
    /// less than a job that reads all children. Fields to which nothing can be added are left to `announce`.
    pub(super) async fn add_up(&mut self, exec: &Exec) -> Result<()> {
        let mut done = ParentUpdates::default();
        for (reference, children) in take(&mut self.add_up) {
            let mut parents = Parents::new(&reference, &children, exec).await?;
            parents.leave_to_deltas(self.how, &mut done, exec).await?;
            // A deferred write cannot store the remaining additions as deltas, so a job computes the fields again.
            if self.how == Follow::Deferred || !spend(&mut self.budget, parents.count()) {
                done.left.extend(parents.recomputation_of_all());
            } else {
                let left = parents.update(&mut done, exec).await?;
                done.left.extend(left);
            }
        }
        self.followed.extend(done.followed);
        // The changes that the additions caused are at the end. If two changes contain values of the same source, the
        // later one is newer.
        self.announced.append(&mut done.left);
        Ok(())
    }
}
