//! Puts right what a verification has found.

mod copies;
mod links;
mod report;
mod two_way;

use std::future::IntoFuture;

use futures_util::TryStreamExt;

pub use report::{RepairReport, Repaired};

use super::{
    builder::Verify,
    drift::Drift,
    finding::{Cause, Drifted},
    finding_stream::Event,
};
use crate::{
    client::{
        odm::{Odm, Running, traced_call},
        plan::Plan,
    },
    error::Result,
};

/// Puts drift right: `drift.repair(&odm).await?`, or `odm.verify().repair().await?`.
///
/// Nothing is written from what the verification read. Every value is read again where it is written:
///
/// - A stale copy: a job is stored for its source and run to its end, as after a change of the source,
///   which brings all copies of this source up to date.
/// - A copy without a source becomes null if it may, in transactions that look for the source again.
/// - A two-way reference: the pointer is the truth, `Task.owner` for instance. The array on the other
///   side gets what is missing and loses what is too much, in a transaction that reads both again.
///   Where that array holds more than keys, it is left.
/// - Two arrays that name each other: the side that lacks the other gets it, by a job. With
///   [`remove_one_sided`](Self::remove_one_sided), the side that names the other loses it.
/// - Links between documents of one collection: each gets its link to itself, loses doubled ones and those to documents
///   that are gone, and has the kinds of the documents. A link at one end is made at the other by a job; with
///   [`remove_one_sided`](Self::remove_one_sided) it is taken away.
/// - What an unfinished job will put right is left to this job, and counted ([`RepairReport::pending`]).
/// - A reference that leads nowhere or is null, an array over its bound, and what cannot be read are left: only
///   somebody who knows what they mean can say what is right.
///
/// What this sends: for copies a transaction that writes the jobs of up to 1,000 findings, and the
/// batches of these jobs; for references a transaction of four statements and one for each finding.
/// Interrupted, the jobs that are stored go on.
///
/// # Errors
///
/// What the server reports. Documents that cannot take their copies are in the report, and findings that are left because
/// the index is missing by which the copies are found, both with the reason ([`Repaired::why`]).
#[must_use = "nothing is repaired until it is awaited"]
#[derive(Debug)]
pub struct Repair {
    input: RepairInput,
    odm: Odm,
    removes: bool,
}

#[derive(Debug)]
enum RepairInput {
    /// Findings, and how many more are left to jobs.
    Items(Vec<Drifted>, u64),
    Verify(Verify),
}

/// How many findings are repaired together.
const AT_ONCE: usize = 1_000;

impl Drift {
    /// Returns a builder that puts the findings right.
    pub fn repair(&self, odm: &Odm) -> Repair {
        Repair {
            input: RepairInput::Items(self.items.clone(), self.left_out()),
            odm: odm.clone(),
            removes: false,
        }
    }

    /// Returns what [`repair`](Self::repair) would write, as mongosh text: the jobs, the updates by which
    /// these bring the copies to what their sources held when they were read, and the corrections of two-way
    /// references.
    ///
    /// A job sends its update in batches, by ranges of `_id`. What a repair reads does not appear, nor what it
    /// leaves as it is. Sends nothing to the server.
    pub fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        for items in self.items.chunks(AT_ONCE) {
            plan.statements.extend(copies::plan(items, self.grace));
            plan.statements.extend(two_way::plan(items, self.grace));
            plan.statements.extend(links::plan(items, self.grace));
        }
        plan
    }
}

impl Verify {
    /// Returns a builder that looks for drift and puts right what it finds, as it finds it; memory
    /// does not grow with the number of findings.
    pub fn repair(self) -> Repair {
        Repair {
            odm: self.odm().clone(),
            input: RepairInput::Verify(self),
            removes: false,
        }
    }
}

impl Repair {
    /// Takes away what only one of two arrays names, in the place of adding it to the other: for pairs that somebody has
    /// ended at one side alone, past the library.
    ///
    /// Of an array and a pointer the pointer is the truth, which this does not change.
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
        let is_left = matches!(
            item.cause,
            Cause::Reference(_) | Cause::Unknown | Cause::Unreadable(_)
        );
        report.note(&item.relation, |noted| noted.left += u64::from(is_left));
    }
    copies::repair(items, odm, report).await?;
    two_way::repair(items, removes, odm, report).await?;
    links::repair(items, removes, odm, report).await
}

impl IntoFuture for Repair {
    type Output = Result<RepairReport>;
    type IntoFuture = Running<RepairReport>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("repair", self.run())
    }
}
