//! The declarations of other programs, and the age of this program's own declarations.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::bson::DateTime;

use super::{
    live::live,
    stored::{Contradiction, StoredDeclaration, of_rule},
};
use crate::{
    client::odm::Odm,
    error::Result,
    graph::{ExtendedReference, graph},
    model::shape::DocumentSet,
};

/// How long a program may use the declarations of other programs before it must read them again. Settings cannot extend
/// this time.
pub(super) const READ_EVERY: Duration = Duration::from_secs(60);

/// How long other programs might still begin writes without knowing a declaration, counted from the time at which the
/// declaration was first stored. For up to [`READ_EVERY`], another program may use declarations that it read earlier.
/// The other two minutes are for retries.
///
/// A process that is paused or suspended for minutes after it has read the declarations can exceed this time. A write
/// that it continues then stores no job for copies that were declared meanwhile.
const UNKNOWN_FOR: Duration = Duration::from_secs(READ_EVERY.as_secs() + 120);

/// The valid declarations that this program has read from a database.
#[derive(Debug)]
pub(super) struct Declarations {
    /// The time at which the declarations were read.
    pub(super) asked: Instant,
    /// The extended references that only other programs declare.
    pub(super) foreign: Vec<Arc<ExtendedReference>>,
    /// Copies that this program declares, but that other programs fill from a different field.
    pub(super) contradictions: Vec<Contradiction>,
    /// The time at which each of this program's relations was first declared.
    own: HashMap<String, Since>,
}

/// The time at which a relation was first declared, and the age of the declaration when it was read.
#[derive(Clone, Copy, Debug)]
struct Since {
    declared_at: DateTime,
    /// The age of the declaration when it was read, by the server's clock.
    age: Duration,
    /// The local time at which the declaration was read. This time is used to compute how much the age has increased
    /// since the read.
    read: Instant,
}

/// Reads all valid declarations. Sends one `find`.
pub(super) async fn read(odm: &Odm) -> Result<Declarations> {
    let asked = Instant::now();
    let live = live(odm).await?;
    let since = |stored: &StoredDeclaration| {
        let (declared_at, age) = stored.since()?;
        let read = Instant::now();
        Some(Since {
            declared_at,
            age,
            read,
        })
    };
    let own = live
        .iter()
        .filter_map(|(relation, stored)| Some((relation.clone(), since(stored)?)));
    let ours = live.iter().filter(|(relation, _)| graph().knows(relation));
    Ok(Declarations {
        asked,
        contradictions: ours.flat_map(|(_, it)| it.contradictions()).collect(),
        own: own.collect(),
        foreign: live.values().flat_map(StoredDeclaration::foreign).collect(),
    })
}

impl Declarations {
    /// Returns the declarations of an empty database.
    #[cfg(test)]
    pub(super) fn none(asked: Instant) -> Self {
        Self {
            asked,
            foreign: Vec::new(),
            contradictions: Vec::new(),
            own: HashMap::new(),
        }
    }

    /// Returns the time at which this program's copies of a relation were first declared.
    pub(super) fn declared_at(&self, relation: &str) -> Option<DateTime> {
        Some(self.own.get(relation)?.declared_at)
    }

    /// Returns the earliest time at which the last look at a copy may run, if the copy is stored at this moment. Until
    /// that time, a program that does not know the relation might change the source. Returns `None` if all programs
    /// already know the relation.
    pub(super) fn until_known(&self, relation: &str, grace: Duration) -> Option<DateTime> {
        self.own.get(relation)?.until_known(grace)
    }

    /// Lists the delete rules of this program for references in the given documents, if other programs might not know
    /// these rules yet. Each rule is represented as an extended reference without copies.
    pub(super) fn young_rules(
        &self,
        documents: DocumentSet<'_>,
        grace: Duration,
    ) -> impl Iterator<Item = Arc<ExtendedReference>> {
        let young = graph()
            .acting_rules_within(documents)
            .filter(move |rule| self.until_known(&rule.relation, grace).is_some());
        young.map(of_rule)
    }
}

/// An overview of all declarations, for the health report.
#[derive(Debug)]
pub(crate) struct DeclarationsState {
    /// Copies that different programs fill from different source fields.
    pub(crate) contradictions: Vec<Contradiction>,
    /// Relations that only other programs declare.
    pub(crate) foreign: Vec<String>,
}

/// Reads an overview of all declarations. Sends one `find`.
pub(crate) async fn declarations_state(odm: &Odm) -> Result<DeclarationsState> {
    let live = live(odm).await?;
    let all = || live.values();
    let foreign = all().flat_map(StoredDeclaration::foreign);
    Ok(DeclarationsState {
        contradictions: all().flat_map(StoredDeclaration::contradictions).collect(),
        foreign: foreign.map(|it| it.relation.clone()).collect(),
    })
}

impl Since {
    fn until_known(self, grace: Duration) -> Option<DateTime> {
        // The last write by a program that does not know the declaration must commit within one grace period. After
        // that, a write that stored a copy during this period can take up to one more grace period to commit.
        let age = self.age.saturating_add(self.read.elapsed());
        if age > UNKNOWN_FOR.saturating_add(grace) {
            return None;
        }
        let later = UNKNOWN_FOR.saturating_add(grace.saturating_mul(2));
        let later = i64::try_from(later.as_millis()).unwrap_or(i64::MAX);
        let until = self.declared_at.timestamp_millis().saturating_add(later);
        Some(DateTime::from_millis(until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_looked_at_after_the_last_write_that_does_not_know() {
        let grace = Duration::from_secs(180);
        let of_age = |secs| Since {
            declared_at: DateTime::from_millis(1_000_000),
            age: Duration::from_secs(secs),
            read: Instant::now(),
        };
        // All copies have the same time for their last look, so one job covers all copies for a key.
        for secs in [0, 100, 359] {
            let until = of_age(secs).until_known(grace);
            assert_eq!(until, Some(DateTime::from_millis(1_540_000)));
        }
        assert_eq!(of_age(361).until_known(grace), None);
    }
}
