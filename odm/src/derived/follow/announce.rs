//! Writes the jobs for changed sources, and reports which copies are left to jobs.

use super::{
    follow_result::Followed,
    new_declaration::mark,
    source_change::{Change, by_reference, entries, references},
};
use crate::{
    client::odm::Exec,
    derived::{
        outbox::{JobEntry, Phase, record, record_all},
        values::{CopyReport, Form, Guarantee},
    },
    error::Result,
    graph::{DeclaredBy, Sources},
};

/// Writes the jobs for the copies that this transaction is about to write. Sends one `findAndModify` for a single job,
/// and one `update` for several jobs. Returns whether there is a single job that was already in the phase `run`.
pub(super) async fn announce(changes: &[Change], exec: &Exec) -> Result<bool> {
    let entries = entries(changes, Phase::Settle);
    if let [entry] = entries.as_slice()
        // A job for foreign copies always has the phase `Run`. Without this condition, it would seem to have a runner,
        // and this write would try to run a job that belongs to another program.
        && entry.phase == Phase::Settle
    {
        return Ok(record(entry, exec).await? == Phase::Run);
    }
    // The reply to an `update` does not contain the phases. One `findAndModify` for each job would cost more than it
    // saves.
    record_all(&entries, exec).await?;
    Ok(false)
}

/// Marks documents that contain computed fields, because another program may write children without knowing these
/// fields.
pub(super) async fn mark_computed(changes: &[Change], exec: &Exec) -> Result<()> {
    if !references(changes).any(|it| it.reference.sources() == Sources::All) {
        return Ok(());
    }
    for (reference, keys, _) in by_reference(changes) {
        if reference.sources() == Sources::All {
            mark(reference, &keys, exec).await?;
        }
    }
    Ok(())
}

/// Returns the reports about copies that are left to other programs, and the jobs for these copies.
pub(super) fn promise_of_foreign(changes: &[Change], exec: &Exec) -> Followed {
    let mut followed = Followed::default();
    for it in references(changes).filter(|it| it.reference.declared_by == DeclaredBy::OtherPrograms)
    {
        exec.odm().warn_of_foreign(&it.reference.relation);
        CopyReport::new(it.reference, Form::Job, Guarantee::Eventual)
            .merge_into(&mut followed.reports);
        let jobs = it.keys.iter();
        let jobs = jobs.map(|key| JobEntry::of_reference(it.reference, key, Phase::Run).id);
        followed.foreign.extend(jobs);
    }
    followed
}

pub(super) async fn defer(changes: &[Change], exec: &Exec) -> Result<Followed> {
    record_all(&entries(changes, Phase::Run), exec).await?;
    Ok(promise(changes))
}

/// Returns the reports about copies that are left to jobs of this program.
pub(super) fn promise(changes: &[Change]) -> Followed {
    let mut followed = Followed::default();
    for it in references(changes) {
        CopyReport::new(it.reference, Form::Job, Guarantee::Eventual)
            .merge_into(&mut followed.reports);
    }
    let jobs = entries(changes, Phase::Run).into_iter();
    followed.jobs = jobs.map(|entry| entry.id).collect();
    followed
}
