//! Random writes, one after the other. After each write, the stored documents are compared with the expected ones.

mod write;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use mongo_odm::Error;
use write::write;

use super::*;

const MAX: usize = 4;

/// The documents that each existing document has links to, without itself.
#[derive(Clone, Debug, Default, PartialEq)]
struct Oracle(BTreeMap<String, BTreeSet<String>>);

impl Oracle {
    fn namers(&self, id: &str) -> BTreeSet<String> {
        let names = |(_, named): &(&String, &BTreeSet<String>)| named.contains(id);
        self.0
            .iter()
            .filter(names)
            .map(|(id, _)| id.clone())
            .collect()
    }

    fn name(&mut self, id: &str, other: &str, names: bool) {
        if let Some(named) = self.0.get_mut(id) {
            if names {
                named.insert(other.to_owned());
            } else {
                named.remove(other);
            }
        }
    }

    fn change(&mut self, id: &str, others: &[String], names: bool) {
        for other in others {
            self.name(id, other, names);
            self.name(other, id, names);
        }
    }

    fn set(&mut self, id: &str, others: &[String]) {
        let old = self.0[id].clone();
        let gone: Vec<String> = old.into_iter().filter(|it| !others.contains(it)).collect();
        self.change(id, &gone, false);
        self.change(id, others, true);
    }

    fn insert(&mut self, id: &str, names: &[String]) {
        let all = self.namers(id).into_iter().chain(names.iter().cloned());
        let all: Vec<String> = all.collect();
        self.0.insert(id.to_owned(), BTreeSet::new());
        self.change(id, &all, true);
    }

    /// A delete of a missing document does nothing.
    fn delete(&mut self, id: &str) {
        if self.0.remove(id).is_none() {
            return;
        }
        self.0.values_mut().for_each(|named| _ = named.remove(id));
    }

    /// The job of a delete also removes links to the document that were created after the delete, even in the same
    /// transaction.
    fn without_gone(mut self, before: &Self) -> Self {
        for id in before.0.keys() {
            if !self.0.contains_key(id) {
                self.0.values_mut().for_each(|named| _ = named.remove(id));
            }
        }
        self
    }

    fn is_full(&self) -> bool {
        let mut all = self.0.iter();
        all.any(|(id, named)| id.starts_with('C') && named.len() + 1 > MAX)
    }
}

/// Numbers that look random, the same in each run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % below
    }

    pub(super) fn below(&mut self, number: u8) -> i64 {
        i64::try_from(self.roll(u64::from(number))).unwrap()
    }

    pub(super) fn student(&mut self) -> Student {
        student(self.below(6))
    }

    pub(super) fn class(&mut self) -> Class {
        class(self.below(4))
    }

    fn ids(&mut self, but: &str) -> Vec<String> {
        let mut ids = BTreeSet::new();
        for _ in 0..=self.roll(3) {
            let id = if self.roll(2) == 0 {
                self.student().id.into_key()
            } else {
                self.class().id.into_key()
            };
            if id != but {
                ids.insert(id);
            }
        }
        ids.into_iter().collect()
    }
}

async fn assert_as(odm: &Odm, oracle: &Oracle, context: &str) {
    let mut stored = Oracle::default();
    for document in all(odm, "linked_school").await {
        let id = document.get_str("_id").unwrap().to_owned();
        if id.starts_with('R') {
            continue;
        }
        let links = links_of(odm, &id).await;
        let distinct: BTreeSet<String> = links.iter().cloned().collect();
        assert_eq!(distinct.len(), links.len(), "{context}: {id} {links:?}");
        assert!(distinct.contains(&id), "{context}: {id} {links:?}");
        stored.0.insert(
            id.clone(),
            distinct.into_iter().filter(|it| *it != id).collect(),
        );
    }
    assert_eq!(stored, *oracle, "{context}");
}

/// The result of some writes.
enum Done {
    Stored(Oracle),
    /// Nothing was stored: an array was full, a document was missing, or the transaction was rolled back.
    Undone(&'static str),
}

/// Does one write outside a transaction.
async fn alone(odm: &Odm, dice: &mut Dice, before: &Oracle, told: &mut String) -> Done {
    let mut after = before.clone();
    match write(odm, dice, &mut after, told).await {
        Ok(()) => Done::Stored(after),
        Err(error) => Done::Undone(expected(&error, &after, told)),
    }
}

/// Returns the reason why nothing was stored.
fn expected(error: &Error, after: &Oracle, told: &str) -> &'static str {
    match error {
        Error::BoundExceeded { .. } => {
            assert!(after.is_full(), "{told}: {error}");
            "full"
        }
        error => {
            assert!(error.is_not_found(), "{told}: {error}");
            "missing"
        }
    }
}

/// Does two writes in one transaction, which may be rolled back. If the transaction is retried, its writes are the
/// same.
async fn together(odm: &Odm, dice: &mut Dice, before: &Oracle, told: &mut String) -> Done {
    let rolls_back = dice.roll(3) == 0;
    let from = dice.0;
    let last = Mutex::new((from, before.clone(), String::new()));
    let committed = odm.transaction(async |tx| {
        let (mut dice, mut oracle, mut told) = (Dice(from), before.clone(), String::new());
        let first = write(&tx, &mut dice, &mut oracle, &mut told).await;
        let done = match first {
            Ok(()) => write(&tx, &mut dice, &mut oracle, &mut told).await,
            failed => failed,
        };
        *last.lock().unwrap() = (dice.0, oracle, told);
        done?;
        if rolls_back {
            Student::get(&tx, Id::from_key("nobody".to_owned())).await?;
        }
        Ok(())
    });
    let committed = committed.await;
    let (at, after, both) = last.into_inner().unwrap();
    dice.0 = at;
    told.push_str(&both);
    match committed {
        Ok(()) => {
            assert!(!rolls_back, "{told}");
            Done::Stored(after.without_gone(before))
        }
        Err(error) => Done::Undone(expected(&error, &after, told)),
    }
}

async fn history(test: &str, seed: u64, odm: impl Fn(&Odm) -> Odm) {
    let t = indexed(test).await;
    let odm = odm(&t.odm);
    let (mut dice, mut oracle) = (Dice(seed), Oracle::default());
    let mut told = String::new();
    for at in 0..60 {
        told = format!("{} / ", told.rsplit(" / ").next().unwrap_or_default());
        let done = if dice.roll(4) == 0 {
            together(&odm, &mut dice, &oracle, &mut told).await
        } else {
            alone(&odm, &mut dice, &oracle, &mut told).await
        };
        match done {
            Done::Stored(now) => {
                assert!(!now.is_full(), "{told}");
                oracle = now;
            }
            Done::Undone(why) => told.push_str(why),
        }
        // The jobs run now, so a document that is inserted again counts as a new document.
        odm.run_pending_jobs().await.unwrap();
        assert_as(&odm, &oracle, &format!("{test} {seed}, step {at}: {told}")).await;
    }
    odm.run_pending_jobs().await.unwrap();
    // A missing class keeps its job if more students have links to it than it has room for.
    for job in jobs(&odm).await {
        let key = job.get_document("_id").unwrap().get_str("key").unwrap();
        assert!(oracle.namers(key).len() + 1 > MAX, "{test} {seed}: {job}");
        assert!(!oracle.0.contains_key(key), "{test} {seed}: {job}");
    }
}

/// The seeds of random tests. `ODM_PROPERTY_CASES` and `ODM_PROPERTY_SEED` select different seeds.
pub(super) fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str, or: u64| {
        let set = std::env::var(name).ok();
        set.and_then(|it| it.parse().ok()).unwrap_or(or)
    };
    let first = number("ODM_PROPERTY_SEED", 1);
    first..first + number("ODM_PROPERTY_CASES", 2)
}

#[tokio::test]
async fn links_are_what_the_writes_before_say() {
    for seed in seeds() {
        history("links_oracle", seed, Odm::clone).await;
    }
}

#[tokio::test]
async fn links_are_what_the_writes_before_say_by_jobs() {
    for seed in seeds() {
        history("links_oracle_jobs", seed + 1_000, by_jobs).await;
    }
}
