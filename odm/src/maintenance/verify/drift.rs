//! All that a verification has found.

use std::{collections::BTreeMap, fmt, time::Duration};

use super::{
    finding::{DriftKind, Drifted},
    finding_stream::Event,
};
use crate::mongosh::several;

/// What a verification has found.
#[must_use = "drift is there until it is repaired"]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Drift {
    /// The findings, relation by relation.
    pub items: Vec<Drifted>,
    /// How many copies, references and arrays were looked at.
    pub checked: u64,
    /// Number of places that an unfinished job will put right. They are left out of `items`, unless
    /// [`include_pending`](crate::Verify::include_pending) asks for them.
    pub pending: u64,
    /// The grace of the handle, which is in the jobs of a repair.
    pub(super) grace: Duration,
}

impl Drift {
    /// The number of findings that are shown as text.
    pub const SHOWN: usize = 20;

    /// Whether everything is as the models say.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns how many findings there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns the number of findings that no job will correct.
    pub fn found(&self) -> usize {
        self.items.iter().filter(|item| !item.pending).count()
    }

    /// Returns how many places are left to jobs and are not among the items.
    pub(super) fn left_out(&self) -> u64 {
        let listed = (self.len() - self.found()) as u64;
        self.pending.saturating_sub(listed)
    }

    /// Counts the findings by what is wrong.
    pub fn by_kind(&self) -> BTreeMap<DriftKind, usize> {
        by_kind(&self.items)
    }

    /// Counts the findings by relation.
    pub fn by_relation(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for item in &self.items {
            *counts.entry(item.relation.as_str()).or_insert(0) += 1;
        }
        counts
    }

    pub(super) fn add(&mut self, event: Event) {
        match event {
            Event::Found(page) => self.items.extend(page),
            Event::Checked(count) => self.checked += count,
            Event::Pending(count) => self.pending += count,
        }
    }
}

fn by_kind(items: &[Drifted]) -> BTreeMap<DriftKind, usize> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item.kind).or_insert(0) += 1;
    }
    counts
}

/// The counts by relation, the first findings of all, and of the others how many there are of each kind.
impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let findings = several(self.found() as u64, "finding");
        let pending = match self.pending {
            0 => String::new(),
            pending => format!(", {pending} pending"),
        };
        let places = several(self.checked, "place");
        write!(f, "{findings}{pending} in {places} checked")?;
        for (relation, count) in self.by_relation() {
            write!(f, "\n  {relation}: {count}")?;
        }
        for item in self.items.iter().take(Self::SHOWN) {
            write!(f, "\n{item}")?;
        }
        let Some(cut) = self.items.get(Self::SHOWN..).filter(|cut| !cut.is_empty()) else {
            return Ok(());
        };
        let kinds = by_kind(cut).into_iter();
        let kinds: Vec<_> = kinds
            .map(|(kind, count)| format!("{count} {}", kind.word()))
            .collect();
        write!(f, "\n.. and {} more: {}", cut.len(), kinds.join(", "))
    }
}
