//! The findings of a verification, collected in one value.

use std::{collections::BTreeMap, fmt, time::Duration};

use crate::{
    maintenance::invariant::{
        finding::{DriftKind, Drifted},
        finding_stream::Event,
    },
    mongosh::several,
};

/// All findings of a verification.
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let drift = odm.verify().await?;
/// println!("{} findings in {} places", drift.len(), drift.checked);
/// for (relation, count) in drift.by_relation() {
///     println!("{relation}: {count}");
/// }
/// # Ok(()) }
/// ```
#[must_use = "drift is there until it is repaired"]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Drift {
    /// The findings, grouped by relation.
    pub items: Vec<Drifted>,
    /// Number of copies, references and arrays that the verification compared.
    pub checked: u64,
    /// Number of differences that an unfinished job will correct. `items` contains them only if you called
    /// [`include_pending`](crate::Verify::include_pending).
    pub pending: u64,
    /// The grace period from the settings of the handle. A repair uses this period for the jobs that it stores.
    pub(super) grace: Duration,
}

impl Drift {
    /// Number of findings that the text form shows.
    pub const SHOWN: usize = 20;

    /// Returns whether `items` is empty.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let drift = odm.verify().await?;
    /// assert!(drift.is_empty(), "{drift}");
    /// # Ok(()) }
    /// ```
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the number of findings in `items`.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// println!("{} findings are listed", odm.verify().await?.len());
    /// # Ok(()) }
    /// ```
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns the number of findings that are not pending.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// println!("{} findings", odm.verify().await?.found());
    /// # Ok(()) }
    /// ```
    pub fn found(&self) -> usize {
        self.items.iter().filter(|item| !item.pending).count()
    }

    /// Returns the number of pending differences that `items` does not contain.
    pub(super) fn left_out(&self) -> u64 {
        let listed = (self.len() - self.found()) as u64;
        self.pending.saturating_sub(listed)
    }

    /// Returns the number of findings of each kind.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// use mongo_odm::DriftKind;
    ///
    /// let kinds = odm.verify().await?.by_kind();
    /// let stale = kinds.get(&DriftKind::Stale).copied().unwrap_or(0);
    /// println!("{stale} copies are stale");
    /// # Ok(()) }
    /// ```
    pub fn by_kind(&self) -> BTreeMap<DriftKind, usize> {
        by_kind(&self.items)
    }

    /// Returns the number of findings for each relation.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// for (relation, findings) in odm.verify().await?.by_relation() {
    ///     println!("{relation}: {findings}");
    /// }
    /// # Ok(()) }
    /// ```
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

/// Shows the number of findings for each relation, then the first findings, and then the number of remaining findings
/// of each kind.
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
