//! All that a verification has found.

use std::{collections::BTreeMap, fmt, time::Duration};

use super::{
    events::Report,
    finding::{DriftKind, Drifted},
};

/// What a verification has found.
#[must_use = "drift is there until it is repaired"]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Drift {
    /// The findings, relation by relation.
    pub items: Vec<Drifted>,
    /// How many copies, references and arrays were looked at.
    pub checked: u64,
    /// How many copies differ and are left out, because a job will correct them.
    pub pending: u64,
    /// The grace of the handle, which is in the jobs of a repair.
    pub(super) grace: Duration,
}

impl Drift {
    /// Whether everything is as the models say.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns how many findings there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Counts the findings by what is wrong.
    pub fn by_kind(&self) -> BTreeMap<DriftKind, usize> {
        let mut counts = BTreeMap::new();
        for item in &self.items {
            *counts.entry(item.kind).or_insert(0) += 1;
        }
        counts
    }

    /// Counts the findings by relation.
    pub fn by_relation(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for item in &self.items {
            *counts.entry(item.relation.as_str()).or_insert(0) += 1;
        }
        counts
    }

    pub(super) fn add(&mut self, event: Report) {
        match event {
            Report::Found(page) => self.items.extend(page),
            Report::Checked(count) => self.checked += count,
            Report::Pending(count) => self.pending += count,
        }
    }
}

/// The counts by relation, then the first findings of all.
impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        write!(f, "{} findings in {} checked", self.len(), self.checked)?;
        for (relation, count) in self.by_relation() {
            write!(f, "\n  {relation}: {count}")?;
        }
        for item in self.items.iter().take(SHOWN) {
            write!(f, "\n{item}")?;
        }
        match self.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n.. and {more} more"),
        }
    }
}
