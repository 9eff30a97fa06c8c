//! Phase 4 of the follow-up: writes the jobs for changed sources, before any copies are written.

use std::mem::take;

use super::{
    collect::{FollowUp, Reach},
    follow_result::Follow,
    new_declaration::mark,
    source_change::{Change, by_reference, entries, references, written_entries},
};
use crate::{
    client::odm::Exec,
    derived::{
        outbox::{JobEntry, JobId, Phase, record, record_all},
        values::{CopyReport, Form, Guarantee},
    },
    error::Result,
    graph::{DeclaredBy, Sources},
};

impl FollowUp {
    /// Writes the jobs for all remaining changes. `spread` then writes the copies, unless they are left to these jobs.
    pub(super) async fn announce(&mut self, exec: &Exec) -> Result<()> {
        let changes = take(&mut self.announced);
        if self.reach != Reach::Copies {
            record_all(&entries(&changes, Phase::Run), exec).await?;
            self.promise(&changes);
            return Ok(());
        }
        // The jobs are written even if all copies fit into the budget, because a concurrent transaction may insert a
        // copy of the old value. The last look finds such copies.
        let is_running = record_settling(&changes, exec).await?;
        mark_computed(&changes, exec).await?;
        if is_running && self.how == Follow::Converge {
            // The stored job was already in the phase `run`, so its runner will read the new values. If this write also
            // updated the copies, it would only conflict with that runner.
            self.promise(&changes);
        } else {
            self.promise_of_foreign(&changes, exec);
            self.spread = changes;
        }
        Ok(())
    }

    /// Leaves the copies of some changed sources to jobs, after they have been announced as written.
    pub(super) async fn leave_to_jobs(&mut self, changes: &[Change], exec: &Exec) -> Result<()> {
        let left = entries(changes, Phase::Run).into_iter();
        let left: Vec<_> = left.map(JobEntry::left_later).collect();
        record_all(&left, exec).await?;
        self.promise(changes);
        Ok(())
    }

    /// Reports the copies that are left to jobs of this program.
    fn promise(&mut self, changes: &[Change]) {
        for it in references(changes) {
            CopyReport::new(&it.reference, Form::Job, Guarantee::Eventual)
                .merge_into(&mut self.followed.reports);
        }
        let jobs = entries(changes, Phase::Run).into_iter();
        self.followed.jobs.extend(jobs.map(|entry| entry.id));
    }

    /// Reports the copies that are left to other programs, and the jobs for these copies.
    pub(super) fn promise_of_foreign(&mut self, changes: &[Change], exec: &Exec) {
        let all = references(changes);
        for it in all.filter(|it| it.reference.declared_by == DeclaredBy::OtherPrograms) {
            exec.odm().warn_of_foreign(&it.reference.relation);
            CopyReport::new(&it.reference, Form::Job, Guarantee::Eventual)
                .merge_into(&mut self.followed.reports);
            let jobs = JobId::of_keys(&it.reference.relation, &it.keys);
            self.followed.foreign.extend(jobs);
        }
    }
}

/// Stores the jobs for the copies that this transaction is about to write. Sends one `findAndModify` for a single job,
/// and one `update` for several jobs. Returns true if there is only one job and this job was already in the phase
/// `run`.
async fn record_settling(changes: &[Change], exec: &Exec) -> Result<bool> {
    let entries = written_entries(changes);
    if let [entry] = entries.as_slice()
        // A job for foreign copies always has the phase `Run`. Without this condition, the function would treat such a
        // job as already running, and this write would then try to run another program's job.
        && entry.phase == Phase::Settle
    {
        return Ok(record(entry, exec).await? == Phase::Run);
    }
    // The reply to an `update` does not contain the phases. One `findAndModify` for each job would cost more than it
    // saves.
    record_all(&entries, exec).await?;
    Ok(false)
}

/// Stores jobs for documents that contain computed fields (marks, see `new_declaration`), because another program may
/// write children without knowing these fields.
async fn mark_computed(changes: &[Change], exec: &Exec) -> Result<()> {
    let computed = references(changes).filter(|it| match it.reference.sources() {
        Sources::All => true,
        Sources::OneById | Sources::FirstByKey => false,
    });
    for (reference, keys, _) in by_reference(computed) {
        mark(&reference, &keys, exec).await?;
    }
    Ok(())
}
