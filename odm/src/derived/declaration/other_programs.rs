//! The declarations of other programs, and the age of those of this program.

use std::{
    collections::HashMap,
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

/// The longest time for which a program uses declarations that it has read, whatever its settings are.
pub(super) const READ_EVERY: Duration = Duration::from_secs(60);

/// The time after a new declaration in which another program can begin a write without knowing it. It consists of the
/// age of the declarations that the program has read, and two minutes of retries.
const UNKNOWN_FOR: Duration = Duration::from_secs(READ_EVERY.as_secs() + 120);

/// The valid declarations of a database.
#[derive(Debug)]
pub(super) struct Declarations {
    /// The time of the read.
    pub(super) asked: Instant,
    /// The extended references that only other programs declare.
    pub(super) foreign: Vec<&'static ExtendedReference>,
    /// The copies of this program that other programs fill from another field.
    pub(super) contradictions: Vec<Contradiction>,
    /// The time at which each relation of this program was declared.
    own: HashMap<String, Since>,
}

/// The time at which a relation was first declared.
#[derive(Clone, Copy, Debug)]
struct Since {
    declared_at: DateTime,
    /// The age of the declaration by the clock of the server.
    age: Duration,
    /// The local time of the read. From then on, the local clock determines the age.
    read: Instant,
}

/// Reads all valid declarations with one `find`.
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
    /// Returns an empty value.
    #[cfg(test)]
    pub(super) fn none(asked: Instant) -> Self {
        Self {
            asked,
            foreign: Vec::new(),
            contradictions: Vec::new(),
            own: HashMap::new(),
        }
    }

    /// Returns the earliest time of the last look for a copy that is stored now. Until then, a program that does not
    /// know the relation may change the source. Returns `None` if all programs know it.
    pub(super) fn until_known(&self, relation: &str, grace: Duration) -> Option<DateTime> {
        self.own.get(relation)?.until_known(grace)
    }

    /// Lists the rules of this program for references in some documents that other programs may not know yet, as
    /// extended references without copies.
    pub(super) fn young_rules(
        &self,
        documents: DocumentSet<'_>,
        grace: Duration,
    ) -> impl Iterator<Item = &'static ExtendedReference> {
        let rules = graph().rules.iter();
        let rules = rules.filter(move |rule| rule.acts() && documents.overlaps(rule.owner));
        let young = rules.filter(move |rule| self.until_known(&rule.relation, grace).is_some());
        young.map(of_rule)
    }
}

/// The state of all declarations, for operators.
#[derive(Debug)]
pub(crate) struct DeclarationsState {
    /// The copies that have different source fields in different programs.
    pub(crate) contradictions: Vec<Contradiction>,
    /// The relations that only other programs declare.
    pub(crate) foreign: Vec<String>,
}

/// Reads the state of all declarations with one `find`.
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
        // The last write that does not know the declaration must commit within the grace period. So must a writer that
        // stores a copy during this time.
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
        // The time is equal for all copies, so one job covers all copies of a key.
        for secs in [0, 100, 359] {
            let until = of_age(secs).until_known(grace);
            assert_eq!(until, Some(DateTime::from_millis(1_540_000)));
        }
        assert_eq!(of_age(361).until_known(grace), None);
    }
}
