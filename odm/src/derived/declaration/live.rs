//! The declarations that count: what of them is of other programs, and since when others know those of this one.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use mongodb::bson::DateTime;

use super::stored::{Contradiction, StoredDeclaration, live, of_rule};
use crate::{
    client::odm::Odm,
    error::Result,
    graph::{ExtendedReference, graph},
    model::shape::DocumentSet,
};

/// For how long a program may use what it has read, whatever its settings say.
pub(super) const READ_EVERY: Duration = Duration::from_secs(60);

/// For how long writes of other programs can be begun that do not know of a declaration: with what was read before
/// it, and tried again for two minutes.
const UNKNOWN_FOR: Duration = Duration::from_secs(READ_EVERY.as_secs() + 120);

/// What is declared.
#[derive(Debug)]
pub(super) struct Declarations {
    /// When it was asked for.
    pub(super) asked: Instant,
    /// What only other programs declare.
    pub(super) foreign: Vec<&'static ExtendedReference>,
    /// The copies of this program that others take from another field.
    pub(super) contradictions: Vec<Contradiction>,
    /// Since when the relations of this program are declared.
    own: HashMap<String, Since>,
}

/// When something was declared for the first time.
#[derive(Clone, Copy, Debug)]
struct Since {
    declared_at: DateTime,
    /// How long ago that was by the clock of the server.
    age: Duration,
    /// When the server said so: from there on, time is that of this program.
    read: Instant,
}

/// Reads all declarations that count: one `find`.
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
    /// Nothing is declared.
    #[cfg(test)]
    pub(super) fn none(asked: Instant) -> Self {
        Self {
            asked,
            foreign: Vec::new(),
            contradictions: Vec::new(),
            own: HashMap::new(),
        }
    }

    /// Returns when copies of a relation that are stored now have to be looked at once more, because somebody may
    /// change their source without knowing of them; none if everybody knows.
    pub(super) fn until_known(&self, relation: &str, grace: Duration) -> Option<DateTime> {
        self.own.get(relation)?.until_known(grace)
    }

    /// Lists the rules of this program for references in some documents that not everybody knows, as extended references
    /// without copies.
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
    /// The copies that programs take from different fields of their source.
    pub(crate) contradictions: Vec<Contradiction>,
    /// The relations that only other programs declare.
    pub(crate) foreign: Vec<String>,
}

/// Reads the state of all declarations: one `find`.
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
        // The last write that does not know has the grace to commit, and so has who stores a copy meanwhile.
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
        // The same time for all copies, so that one job does for all of a key.
        for secs in [0, 100, 359] {
            let until = of_age(secs).until_known(grace);
            assert_eq!(until, Some(DateTime::from_millis(1_540_000)));
        }
        assert_eq!(of_age(361).until_known(grace), None);
    }
}
