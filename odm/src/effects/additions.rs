//! Adds what children bring to the fields of their parents, where these need not be computed anew.

mod fold;
mod leave;
mod matching;

use std::collections::{BTreeSet, HashMap, HashSet};

pub(crate) use fold::fold;
use matching::{Matching, keys_with_ends};

use mongodb::bson::{Bson, Document, doc};

use super::{
    change::{Change, ChildChange, ReferenceChange, entries},
    copies::{followers, send_and_see},
    followed::{Follow, Followed},
    hot,
    marks::mark,
};
use crate::{
    command::{FindCommand, UpdateCommand, simple},
    copy::{
        CopyReport, ExtendedReference, Guarantee, Operators, Passage, Step, deltas, key_condition,
    },
    error::Result,
    key::JoinKey,
    odm::Exec,
    outbox::{Phase, record_all},
    parts::{parts, size_of},
    place::Place,
};

/// How many keys one `find` asks for.
const KEYS_AT_ONCE: usize = 10_000;

/// What was added, and what is left.
#[derive(Debug, Default)]
pub(super) struct AddedUp {
    /// Changes whose fields are computed anew or copied, and those that the additions made in turn.
    pub(super) left: Vec<Change>,
    pub(super) followed: Followed,
}

/// Adds to the fields of parents what changes of their children bring; what cannot be added is left.
///
/// One `update` for all parents of an extended reference. An addition and another one commute; a write that looks
/// at a parent or at its children to decide conflicts with additions at the parent, which both change, or at its
/// job: whoever leaves the parent as it is writes that.
pub(super) async fn add_up(
    mut changes: Vec<Change>,
    how: Follow,
    budget: &mut Option<u64>,
    exec: &Exec,
) -> Result<AddedUp> {
    let mut done = AddedUp::default();
    for (reference, children) in children_of(&mut changes) {
        let mut parents = Parents::new(reference, &children, exec).await?;
        mark(reference, &parents.keys(), exec).await?;
        parents.leave_deltas(how, &mut done, exec).await?;
        if how == Follow::Deferred {
            done.left.push(parents.anew_of_all());
            continue;
        }
        if let Some(left) = budget {
            let Some(rest) = left.checked_sub(parents.steps.len() as u64) else {
                done.left.push(parents.anew_of_all());
                continue;
            };
            *left = rest;
        }
        parents.add(&mut done, exec).await?;
        parents.look(exec).await?;
        parents.leave(&mut done);
    }
    changes.retain(|change| !change.references.is_empty() || !change.rules.is_empty());
    done.left.extend(changes);
    Ok(done)
}

/// Takes out of changes what they say of children, by extended reference.
fn children_of(changes: &mut [Change]) -> Vec<(&'static ExtendedReference, Vec<ChildChange>)> {
    let mut groups: Vec<(&'static ExtendedReference, Vec<ChildChange>)> = Vec::new();
    for change in changes {
        change.references.retain_mut(|it| {
            // Elsewhere than by `_id`, nothing keeps several documents from having the key.
            let can = it.reference.is_by_document() && !it.reference.foreign;
            let Some(child) = it.child.take_if(|_| can) else {
                return true;
            };
            match groups
                .iter_mut()
                .find(|(of, _)| std::ptr::eq(*of, it.reference))
            {
                Some((_, children)) => children.push(child),
                None => groups.push((it.reference, vec![child])),
            }
            false
        });
    }
    groups
}

/// The parents of children that were written, each with what becomes of its fields.
struct Parents {
    reference: &'static ExtendedReference,
    steps: Vec<(JoinKey, Vec<Step>)>,
    /// The fields of each that are computed anew.
    anew: HashMap<JoinKey, BTreeSet<usize>>,
}

impl Parents {
    async fn new(
        reference: &'static ExtendedReference,
        children: &[ChildChange],
        exec: &Exec,
    ) -> Result<Self> {
        let matching = Matching::of(reference, children, exec).await?;
        let mut steps: Vec<(JoinKey, Vec<Step>)> = Vec::new();
        let mut known: HashMap<JoinKey, usize> = HashMap::new();
        for child in children {
            for (key, is_old, is_new) in keys_with_ends(reference, child) {
                let at = *known.entry(key.clone()).or_insert_with(|| {
                    steps.push((key, vec![Step::Same; reference.fields.len()]));
                    steps.len() - 1
                });
                let Some((_, of_key)) = steps.get_mut(at) else {
                    continue;
                };
                for (at, (copied, step)) in reference.fields.iter().zip(of_key).enumerate() {
                    let before = child.before.as_ref().filter(|_| is_old);
                    let after = child.after.as_ref().filter(|_| is_new);
                    let passage = match (before, after) {
                        (None, None) => continue,
                        (Some(before), Some(after)) => Passage::Stays { before, after },
                        (Some(before), None) => Passage::Leaves(before),
                        (None, Some(child)) => Passage::Enters {
                            child,
                            matches: matching.has(at, child),
                        },
                    };
                    let before = std::mem::replace(step, Step::Same);
                    *step = before.and(copied.step(passage));
                }
            }
        }
        Ok(Self {
            reference,
            steps,
            anew: HashMap::new(),
        })
    }

    fn keys(&self) -> Vec<JoinKey> {
        self.steps.iter().map(|(key, _)| key.clone()).collect()
    }

    fn compute_anew(&mut self, key: &JoinKey, fields: impl IntoIterator<Item = usize>) {
        self.anew.entry(key.clone()).or_default().extend(fields);
    }

    /// Adds what can be added: one `update`. Where it has not changed every parent, it is asked which of them are
    /// there, and their jobs are written.
    async fn add(&mut self, done: &mut AddedUp, exec: &Exec) -> Result<()> {
        let mut updates = Vec::new();
        let mut added = Vec::new();
        for (key, update) in self.updates() {
            match update {
                Some(update) => {
                    added.push(key);
                    updates.push(update);
                }
                None => self.compute_anew(&key, 0..self.reference.fields.len()),
            }
        }
        if updates.is_empty() {
            return Ok(());
        }
        let reference = self.reference;
        let followers = followers(reference, exec).await?;
        exec.note(|| format!("{}, by the index {{_id: 1}}", reference.name));
        let ids: Vec<Bson> = added.iter().map(JoinKey::to_bson).collect();
        let sent = send_and_see(reference, followers, &ids, &updates, exec).await;
        if let Err(error) = &sent {
            hot::note(reference, &added, error, exec);
        }
        let (written, changes) = sent?;
        done.left.extend(changes);
        let mut report = CopyReport::new(
            &reference.name,
            reference.target.collection,
            Guarantee::Atomic,
        );
        (report.matched, report.modified, report.batches) = (written.modified, written.modified, 1);
        report.merge_into(&mut done.followed.reports);
        let all = ids.len() as u64;
        if written.modified == all || exec.is_paper() {
            return Ok(());
        }
        self.record(&added, exec).await?;
        if written.matched == all {
            return Ok(());
        }
        let there = self.there(&ids, exec).await?;
        let (found, missing): (Vec<_>, Vec<_>) =
            added.into_iter().partition(|key| there.contains(key));
        if written.matched != found.len() as u64 {
            // One of them holds what cannot be added to.
            for key in &found {
                self.compute_anew(key, 0..reference.fields.len());
            }
        }
        if !missing.is_empty() {
            done.followed.awaited.push((reference, missing));
        }
        Ok(())
    }

    /// Returns what is added to each parent; none for one whose fields are all computed anew.
    fn updates(&self) -> Vec<(JoinKey, Option<UpdateCommand>)> {
        let place = Place::of(self.reference.target).durable();
        let mut updates = Vec::new();
        for (key, steps) in &self.steps {
            let (mut conditions, mut operators) = (Vec::new(), Operators::default());
            let mut can = true;
            for (copied, step) in self.reference.fields.iter().zip(steps) {
                if let Step::Add(addition) = step {
                    let added = copied.add_to(addition, &mut conditions, &mut operators);
                    can &= added.is_some();
                }
            }
            if !can {
                updates.push((key.clone(), None));
            } else if !conditions.is_empty() {
                let filter = doc! { "_id": key_condition(&[key.to_bson()]), "$and": conditions };
                let update = UpdateCommand::one(place.clone(), filter, operators.0);
                updates.push((key.clone(), Some(update.collation(simple()))));
            }
        }
        updates
    }

    /// Looks which fields stay as they are: one `find` for each that may.
    async fn look(&mut self, exec: &Exec) -> Result<()> {
        let mut looked = Vec::new();
        for at in 0..self.reference.fields.len() {
            let mut conditions = Vec::new();
            for (key, steps) in &self.steps {
                match steps.get(at) {
                    Some(Step::StaysIf(all)) => {
                        let id = key_condition(&[key.to_bson()]);
                        conditions.push((key.clone(), doc! { "_id": id, "$and": all.clone() }));
                    }
                    Some(Step::Anew) => _ = self.anew.entry(key.clone()).or_default().insert(at),
                    _ => {}
                }
            }
            if conditions.is_empty() {
                continue;
            }
            let (keys, any): (Vec<JoinKey>, Vec<Document>) = conditions.into_iter().unzip();
            let mut staying = self.that_match(&any, exec).await?;
            // A child that is in a delta is not in the list yet.
            for key in self.waiting(&staying, exec).await? {
                staying.remove(&key);
            }
            for key in &keys {
                if !staying.contains(key) {
                    self.compute_anew(key, [at]);
                }
            }
            looked.extend(keys);
        }
        looked.sort_unstable();
        looked.dedup();
        // The others leave a job when they are computed anew.
        looked.retain(|key| !self.anew.contains_key(key));
        self.record(&looked, exec).await
    }

    /// Writes the jobs of parents, which are not to be run before the grace.
    async fn record(&self, keys: &[JoinKey], exec: &Exec) -> Result<()> {
        let change = vec![of_keys(self.reference, keys.to_vec())];
        record_all(&entries(&change, Phase::Settle), exec).await
    }

    /// Returns the keys of the parents that are there: one `find`.
    async fn there(&self, ids: &[Bson], exec: &Exec) -> Result<HashSet<JoinKey>> {
        let mut there = HashSet::new();
        for ids in parts(ids, KEYS_AT_ONCE, size_of) {
            let find = FindCommand::new(
                Place::of(self.reference.target),
                doc! { "_id": key_condition(ids) },
            );
            there.extend(exec.ids(find.all()).await?.into_iter().map(JoinKey::from));
        }
        Ok(there)
    }

    /// Returns the keys that have deltas: one `find`, if there are any keys.
    async fn waiting(&self, keys: &HashSet<JoinKey>, exec: &Exec) -> Result<Vec<JoinKey>> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        deltas::keys(self.reference, &ids, exec).await
    }

    /// Returns the keys of the parents that meet one of some conditions. A plan shows what follows where none does.
    async fn that_match(&self, any: &[Document], exec: &Exec) -> Result<HashSet<JoinKey>> {
        let mut found = HashSet::new();
        let conditions: Vec<Bson> = any.iter().cloned().map(Bson::Document).collect();
        for any in parts(&conditions, 1_000, size_of) {
            let any = match any {
                [Bson::Document(only)] => only.clone(),
                any => doc! { "$or": any.to_vec() },
            };
            exec.note(|| format!("{}: where it stays as it is", self.reference.name));
            let find = FindCommand::new(Place::of(self.reference.target), any);
            let ids = exec.ids(find.all().collation(simple())).await?;
            found.extend(ids.into_iter().map(JoinKey::from));
        }
        if exec.is_paper() {
            found.clear();
        }
        Ok(found)
    }

    /// Hands over what is computed anew.
    fn leave(self, done: &mut AddedUp) {
        let mut groups: Vec<(BTreeSet<usize>, Vec<JoinKey>)> = Vec::new();
        for (key, _) in self.steps {
            let Some(fields) = self.anew.get(&key) else {
                continue;
            };
            match groups.iter_mut().find(|(of, _)| of == fields) {
                Some((_, keys)) => keys.push(key),
                None => groups.push((fields.clone(), vec![key])),
            }
        }
        for (fields, keys) in groups {
            done.left.push(of_keys(self.reference.part(&fields), keys));
        }
    }

    fn anew_of_all(&self) -> Change {
        of_keys(self.reference, self.keys())
    }
}

/// Returns the change that has all fields of some keys computed anew.
fn of_keys(reference: &'static ExtendedReference, keys: Vec<JoinKey>) -> Change {
    Change {
        references: vec![ReferenceChange {
            reference,
            keys,
            values: None,
            child: None,
        }],
        rules: Vec::new(),
    }
}
