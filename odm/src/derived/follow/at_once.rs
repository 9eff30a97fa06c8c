//! Phase 2 of the follow-up: writes the fields that are always updated in the write's transaction.

use std::mem::take;

use super::{
    collect::FollowUp, parent_update::Parents, source_change::entries, spread::write_level,
};
use crate::{
    client::odm::Exec,
    derived::outbox::{Phase, record_all},
    error::Result,
    graph::Content,
};

impl FollowUp {
    /// Updates the fields that are always updated in the write's transaction, by an addition if possible. Fields for
    /// which an addition is not possible are recomputed. Changes that these updates cause are assigned to the later
    /// phases.
    pub(super) async fn at_once(&mut self, exec: &Exec) -> Result<()> {
        let mut recomputed = Vec::new();
        for children in take(&mut self.at_once) {
            let mut parents = Parents::new(&children, self.how, exec).await?;
            let left = parents.update(exec).await?;
            match children.0.content() {
                // `update` has written the job if the document at the other end did not change. If that document did
                // change, its update already conflicts with concurrent writes.
                Content::Mirrored => {}
                Content::Derived | Content::Absent => {
                    record_all(&entries(&left, Phase::Settle), exec).await?;
                }
            }
            recomputed.extend(left);
            self.followed.extend(parents.followed);
            self.collect_caused(parents.caused);
        }
        // The jobs for the pairs are also written, so that this write conflicts with a concurrent writer that removes
        // such a pair. If that writer does not see the array yet, it writes only the job.
        record_all(&entries(&self.pairs, Phase::Settle), exec).await?;
        recomputed.append(&mut self.pairs);
        // The budget is unlimited, because a job could not complete the remaining updates.
        let reports = &mut self.followed.reports;
        let next = write_level(&recomputed, &mut None, reports, exec).await?;
        self.collect_caused(next.into_iter().flatten());
        Ok(())
    }
}
