//! Repairs the findings of a verification.

use std::sync::Arc;

use futures_util::TryStreamExt;

use super::{builder::Verify, drift::Drift};
use crate::{
    client::{
        odm::{Odm, into_future, traced_call},
        plan::Plan,
    },
    error::Result,
    maintenance::invariant::{
        Invariant, Repairing, finding::Drifted, finding_stream::Event, repair_report::RepairReport,
    },
};

/// Repairs drift: `drift.repair(&odm).await?`, or `odm.verify().repair().await?`.
///
/// Awaiting the builder returns a [`RepairReport`]. The repair does not use the values that the verification read.
/// Instead, every value is read again in the transaction that writes it.
///
/// | finding | repair |
/// |---|---|
/// | stale copy | a job for its source updates the copy, as after a change to the source |
/// | copy without a source | the copy is set to null if its type allows this |
/// | two-way reference between an array and a single reference | a job computes the array from the references (`Task.owner`) |
/// | two arrays that refer to each other | a job adds the missing reference on the other side |
/// | links within one collection | missing links are added; duplicates, dangling links and wrong kinds are corrected |
/// | pending finding | left to its job, and counted in [`RepairReport::pending`] |
/// | other dangling references, null references, references to another tenant, arrays that exceed their bound, unreadable values | not changed, because only you can know the correct value |
///
/// With [`remove_one_sided`](Self::remove_one_sided), a reference or link that exists at only one end is removed,
/// instead of being added at the other end. The option also removes elements of two-way arrays that refer to missing
/// documents. Arrays are not changed if their elements contain more than a key.
///
/// # Sends
///
/// - For copies: one transaction that stores the jobs for up to 1,000 findings, followed by the batches of these jobs.
/// - For links and removed references: a transaction that contains four statements plus one statement for each finding.
///
/// # Guarantees
///
/// If the repair is interrupted, the jobs that it has already stored still run.
///
/// # Errors
///
/// Server errors. Two problems do not cause an error: documents that cannot be updated, and findings that cannot be
/// repaired because an index is missing. The report lists such findings with the reason
/// ([`Repaired::why`](crate::Repaired::why)).
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let report = odm.verify().repair().await?;
/// println!("{} documents repaired, {} findings left", report.repaired(), report.left());
/// # Ok(()) }
/// ```
#[must_use = "nothing is repaired until it is awaited"]
#[derive(Debug)]
pub struct Repair {
    input: RepairInput,
    odm: Odm,
    removes: bool,
}

#[derive(Debug)]
enum RepairInput {
    /// The findings to repair, and the number of other findings that are pending.
    Items(Vec<Drifted>, u64),
    Verify(Verify),
}

/// Number of findings that one step repairs.
const AT_ONCE: usize = 1_000;

impl Drift {
    /// Returns a builder that repairs the findings.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let drift = odm.verify().await?;
    /// println!("{}", drift.repair(&odm).await?);
    /// # Ok(()) }
    /// ```
    pub fn repair(&self, odm: &Odm) -> Repair {
        Repair {
            input: RepairInput::Items(self.items.clone(), self.left_out()),
            odm: odm.clone(),
            removes: false,
        }
    }

    /// Returns the writes that a [`repair`](Self::repair) would send, in mongosh syntax, without sending anything.
    ///
    /// The plan contains the jobs, the updates that these jobs make to copies, and the corrections to two-way
    /// references. The plan uses the values that the verification read.
    ///
    /// A job sends its update in batches, by ranges of `_id`. The plan contains neither the reads that a repair sends,
    /// nor findings that a repair does not change.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let drift = odm.verify().await?;
    /// println!("{}", drift.plan());
    /// # Ok(()) }
    /// ```
    pub fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        for items in self.items.chunks(AT_ONCE) {
            for (invariant, findings) in by_invariant(items) {
                plan.statements
                    .extend(invariant.plan(&findings, self.grace));
            }
        }
        plan
    }
}

impl Verify {
    /// Returns a builder that finds drift and repairs the findings immediately. The memory use of such a repair does
    /// not grow with the number of findings.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let repaired = odm.verify().repair().await?;
    /// # Ok(()) }
    /// ```
    pub fn repair(self) -> Repair {
        Repair {
            odm: self.odm().clone(),
            input: RepairInput::Verify(self),
            removes: false,
        }
    }
}

impl Repair {
    /// Removes references that only one of two arrays contains, instead of adding them to the other array. Use this
    /// option if another program has removed links at only one end.
    ///
    /// This option applies only to pairs of arrays. If the inverse of an array is a single reference, the single
    /// reference always counts as correct.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let report = odm.verify().repair().remove_one_sided().await?;
    /// println!("{report}");
    /// # Ok(()) }
    /// ```
    pub fn remove_one_sided(mut self) -> Self {
        self.removes = true;
        self
    }

    async fn run(self) -> Result<RepairReport> {
        let mut report = RepairReport::default();
        match self.input {
            RepairInput::Items(items, pending) => {
                report.pending = pending;
                for items in items.chunks(AT_ONCE) {
                    repair_items(items, self.removes, &self.odm, &mut report).await?;
                }
            }
            RepairInput::Verify(verify) => {
                let mut mended = 0;
                let mut events = std::pin::pin!(verify.events());
                while let Some(event) = events.try_next().await? {
                    match event {
                        Event::Found(items) => {
                            mended += items.iter().filter(|it| it.pending).count() as u64;
                            repair_items(&items, self.removes, &self.odm, &mut report).await?;
                        }
                        Event::Pending(count) => report.pending += count,
                        Event::Checked(_) => {}
                    }
                }
                report.pending = report.pending.saturating_sub(mended);
            }
        }
        Ok(report)
    }
}

async fn repair_items(
    items: &[Drifted],
    removes: bool,
    odm: &Odm,
    report: &mut RepairReport,
) -> Result<()> {
    for item in items {
        let is_left = item.repaired_by.is_none();
        report.note(&item.relation, |noted| noted.left += u64::from(is_left));
    }
    for (invariant, findings) in by_invariant(items) {
        let repairing = Repairing {
            findings,
            odm,
            removes,
            report: &mut *report,
        };
        invariant.repair(repairing).await?;
    }
    Ok(())
}

/// Groups the repairable findings by invariant, in the order of the verification.
fn by_invariant(items: &[Drifted]) -> Vec<(Arc<dyn Invariant>, Vec<&Drifted>)> {
    let mut groups: Vec<(Arc<dyn Invariant>, Vec<&Drifted>)> = Vec::new();
    for item in items {
        let Some(invariant) = &item.repaired_by else {
            continue;
        };
        let mut known = groups.iter_mut();
        match known.find(|(known, _)| Arc::ptr_eq(known, invariant)) {
            Some((_, findings)) => findings.push(item),
            None => groups.push((Arc::clone(invariant), vec![item])),
        }
    }
    groups
}

into_future!([] Repair => RepairReport, |it| traced_call("repair", it.run()));
