//! Phase 3 of the follow-up: applies the changes of children to the computed fields of their parents, or stores these
//! changes as deltas.

use std::mem::take;

use super::{
    collect::{FollowUp, spend},
    follow_result::Follow,
    parent_update::Parents,
};
use crate::{client::odm::Exec, error::Result};

impl FollowUp {
    /// Applies the changes of children to the computed fields of their parents. A deferred write stores deltas, which
    /// cost less than a job that reads all children. Fields that cannot be updated by an addition are left to
    /// `announce`.
    pub(super) async fn add_up(&mut self, exec: &Exec) -> Result<()> {
        for children in take(&mut self.add_up) {
            let mut parents = Parents::new(&children, self.how, exec).await?;
            // A deferred write cannot store the remaining additions as deltas, so a job recomputes the fields of these
            // parents.
            if self.how == Follow::Deferred || !spend(&mut self.budget, parents.count()) {
                self.announced.extend(parents.recomputation_of_all());
            } else {
                let left = parents.update(exec).await?;
                // These changes are appended at the end, because `by_reference` lets a later change replace an earlier
                // change for the same key.
                self.announced.append(&mut parents.caused);
                self.announced.extend(left);
            }
            self.followed.extend(parents.followed);
        }
        Ok(())
    }
}
