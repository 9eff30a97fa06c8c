//! Applies changes of children to the computed fields of their parents. A field that cannot be updated by an addition
//! is recomputed from all children.
//!
//! 1. `values::child_effect` decides what happens to each field. An addition is applied to the field, the field stays
//!    unchanged under a condition, or the field is recomputed.
//! 2. Additions that become deltas are stored, and their parents are removed from the following steps (`delta_choice`,
//!    `write_order`).
//! 3. One `update` applies the additions to all other parents. Its conditions check the stored types, whether sums
//!    would overflow, and, in lists whose entries contain no ids, whether neighbouring entries would be equal. A second
//!    `update` is sent for lists that have to be sorted (`values::addition`).
//! 4. If the updates did not match all existing parents, all fields of all these parents are recomputed, because the
//!    reply does not identify the unmatched parents. If a parent does not exist, the library searches for it again
//!    after the commit (`new_source::await_documents`).
//! 5. A `find` checks the conditions under which other fields stay unchanged.
//! 6. `spread` recomputes only the affected fields (`ExtendedReference::part`).
//!
//! # Concurrent writes of children
//!
//! If a write makes a decision based on a value that it has read, no concurrent write that changes this value may
//! commit unnoticed. Additions commute, and they change the parent, so they conflict with all other writers of the
//! parent. Some writes may leave the parent unchanged, or may depend on values that they have read. Each such write
//! also updates the parent's job in the same transaction, so that two of these writes conflict if they run
//! concurrently. These are the writes:
//!
//! - An addition or a fold that changes no value, for example because the stored maximum is larger. Tests:
//!   `when_a_write_that_changes_nothing_leaves_no_job_a_new_child_is_lost`,
//!   `when_a_fold_that_changes_nothing_leaves_no_job_a_new_child_is_lost`.
//! - A write that decides that a field stays unchanged. Test:
//!   `when_a_field_that_stays_leaves_no_job_a_child_that_is_gone_comes_back`.
//! - A write that recomputes a field from all children.
//! - An addition to a parent that does not exist. Test: `without_a_job_for_a_missing_parent_a_child_stays_uncounted`.
//! - A recheck of a new parent that corrects a value (`recheck`).
//!
//! The protocol model in `tests/tests/summaries` also contains a leaner protocol (`Rules::LEAN`). In that protocol, a
//! last look is repeated if it has changed a value, and ordinary additions and folds write no job.
//!
//! # Negative counts
//!
//! If an update would make a count negative, its filter does not match, and the fields of the parent are recomputed. A
//! count can be too low after writes that bypass the library, or if a parent is inserted at the same time as its child.
//! Test: `when_a_count_below_none_is_written_a_reader_sees_it_beside_a_new_parent`.

mod delta_choice;
mod delta_fold;
mod filter_match;
mod pending_parent_work;
mod write_order;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use super::{
    copy_write::{followers, ids_that_match, send_with_changes},
    follow_result::{Follow, Followed},
    hot_parent,
    new_declaration::mark,
    source_change::{Change, Children, entries},
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, UpdateCommand, Updated, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        outbox::{Phase, record_all},
        values::{
            ChildTransition, CopyReport, FieldEffect, Form, Guarantee, NewEntries, Operators,
            key_condition,
        },
    },
    error::Result,
    graph::{Deltas, ExtendedReference},
    value::key::JoinKey,
};
pub(crate) use delta_fold::fold;
use filter_match::{Matching, keys_with_ends};

/// The parents of written children, and the effects of the write on the parents' fields.
pub(super) struct Parents {
    reference: Arc<ExtendedReference>,
    /// The key of each parent, with the effect on each of its fields.
    steps: Vec<(JoinKey, Vec<FieldEffect>)>,
    /// The index of each key in `steps`.
    places: HashMap<JoinKey, usize>,
    /// The keys of the parents of children that already existed before the write.
    of_known_children: HashSet<JoinKey>,
    /// Fields that have to be recomputed, in addition to the fields with the effect [`FieldEffect::Recompute`].
    recomputed: HashMap<JoinKey, BTreeSet<usize>>,
    /// The changes that the additions caused in the parents.
    pub(super) caused: Vec<Change>,
    pub(super) followed: Followed,
}

impl Parents {
    fn empty(reference: &Arc<ExtendedReference>) -> Self {
        Self {
            reference: Arc::clone(reference),
            steps: Vec::new(),
            places: HashMap::new(),
            of_known_children: HashSet::new(),
            recomputed: HashMap::new(),
            caused: Vec::new(),
            followed: Followed::default(),
        }
    }

    /// Determines the effects of changed children. Stores additions as deltas if concurrent writes to the parent have
    /// conflicted recently, if the write is deferred, or if earlier work for the parent is pending. The result contains
    /// only the parents without new deltas.
    pub(super) async fn new(
        (reference, children): &Children,
        how: Follow,
        exec: &Exec,
    ) -> Result<Self> {
        let matching = Matching::of(reference, children, exec).await?;
        let mut parents = Self::empty(reference);
        for child in children {
            for (key, is_old, is_new) in keys_with_ends(reference, child) {
                // For a new child, no earlier write can be pending in a delta or a job.
                if child.before.is_some() {
                    parents.of_known_children.insert(key.clone());
                }
                let before = child.before.as_ref().filter(|_| is_old);
                let after = child.after.as_ref().filter(|_| is_new);
                for (at, copied) in reference.fields.iter().enumerate() {
                    let before = before.filter(|it| copied.counts(it));
                    let after = after.filter(|it| copied.counts(it));
                    let passage = match (before, after) {
                        (None, None) => continue,
                        (Some(before), Some(after)) => ChildTransition::Stays { before, after },
                        (Some(before), None) => ChildTransition::Leaves(before),
                        (None, Some(child)) => ChildTransition::Enters {
                            child,
                            matches: matching.contains(at, child),
                        },
                    };
                    parents.step(&key, at, copied.step(passage));
                }
            }
        }
        mark(reference, &parents.keys(), exec).await?;
        match reference.deltas() {
            Deltas::Possible => {
                // Deltas are stored before `wait_behind`, which then reads only the pending work of the other parents.
                // This order is correct because the new deltas are folded after the pending deltas.
                parents.leave_deltas(how, exec).await?;
                parents.wait_behind(how, exec).await?;
            }
            Deltas::Never => {}
        }
        Ok(parents)
    }

    /// Combines an effect on one field of a parent with the earlier effects on that field.
    fn step(&mut self, key: &JoinKey, field: usize, step: FieldEffect) {
        let at = *self.places.entry(key.clone()).or_insert_with(|| {
            let same = vec![FieldEffect::Same; self.reference.fields.len()];
            self.steps.push((key.clone(), same));
            self.steps.len() - 1
        });
        let noted = self.steps.get_mut(at);
        if let Some(noted) = noted.and_then(|(_, steps)| steps.get_mut(field)) {
            let before = std::mem::replace(noted, FieldEffect::Same);
            *noted = before.and(step);
        }
    }

    /// Keeps the parents for which `is_kept` returns true.
    fn retain(&mut self, is_kept: impl Fn(&JoinKey, &[FieldEffect]) -> bool) {
        self.steps.retain(|(key, steps)| is_kept(key, steps));
        let keys = self.steps.iter().enumerate();
        self.places = keys.map(|(at, (key, _))| (key.clone(), at)).collect();
    }

    fn keys(&self) -> Vec<JoinKey> {
        self.steps.iter().map(|(key, _)| key.clone()).collect()
    }

    fn recompute(&mut self, key: &JoinKey, fields: impl IntoIterator<Item = usize>) {
        self.recomputed
            .entry(key.clone())
            .or_default()
            .extend(fields);
    }

    pub(super) const fn count(&self) -> u64 {
        self.steps.len() as u64
    }

    /// Applies the additions to the parents, and checks the conditions under which fields may stay unchanged. Returns
    /// the changes for the fields that have to be recomputed.
    pub(super) async fn update(&mut self, exec: &Exec) -> Result<Vec<Change>> {
        self.add(exec).await?;
        self.check_conditions(exec).await?;
        Ok(self.changes_to_compute())
    }

    /// Sends the additions. One `update` contains all additions. A second `update` adds entries to lists whose new
    /// entries do not all sort after the stored entries. Writes the jobs for all parents, and checks which parents
    /// exist, if the updates did not change all of them.
    async fn add(&mut self, exec: &Exec) -> Result<()> {
        let (added, updates) = self.updates();
        if updates.is_empty() {
            return Ok(());
        }
        let reference = &Arc::clone(&self.reference);
        exec.note(|| format!("{}, by the index {{_id: 1}}", reference.name));
        let all = updates.len() as u64;
        let mut written = self.send(&added, &updates, exec).await?;
        if written.matched < all && !exec.is_paper() {
            let (keys, updates) = self.insertions_into_lists();
            if !updates.is_empty() {
                let more = self.send(&keys, &updates, exec).await?;
                written.matched += more.matched;
                written.modified += more.modified;
            }
        }
        let mut report = CopyReport::new(reference, Form::Added, Guarantee::Atomic);
        (report.matched, report.modified, report.batches) = (written.modified, written.modified, 1);
        report.merge_into(&mut self.followed.reports);
        // All parents were changed, so this write already conflicts with all other writes to these parents. No jobs are
        // needed.
        if written.modified == all || exec.is_paper() {
            return Ok(());
        }
        // The reply contains only totals, not the parents that changed. So all parents get a job.
        self.record(&added, exec).await?;
        if written.matched == all {
            return Ok(());
        }
        let ids: Vec<Bson> = added.iter().map(JoinKey::to_bson).collect();
        let there = ids_that_match(&reference.target, &ids, &Document::new(), exec).await?;
        let (found, missing): (Vec<_>, Vec<_>) =
            added.into_iter().partition(|key| there.contains(key));
        if written.matched != found.len() as u64 {
            // At least one of these parents stores a value that does not meet the conditions of the update.
            for key in &found {
                self.recompute(key, 0..reference.fields.len());
            }
        }
        // A concurrent transaction may insert a missing parent without seeing the child.
        if !missing.is_empty() {
            self.followed.awaited.push((Arc::clone(reference), missing));
        }
        Ok(())
    }

    async fn send(
        &mut self,
        keys: &[JoinKey],
        updates: &[UpdateCommand],
        exec: &Exec,
    ) -> Result<Updated> {
        let reference = &self.reference;
        let followers = followers(reference, exec).await?;
        let ids: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        let sent = send_with_changes(reference, followers, &ids, updates, exec).await;
        // After a conflict, the transaction is repeated. The next attempt then stores a delta.
        if let Err(error) = &sent {
            hot_parent::note(reference, keys, error, exec);
        }
        let (written, changes) = sent?;
        self.caused.extend(changes);
        Ok(written)
    }

    /// Returns the updates that contain the additions, and the key of the parent for each update. If operators cannot
    /// express an addition, all fields of that parent are recomputed.
    fn updates(&mut self) -> (Vec<JoinKey>, Vec<UpdateCommand>) {
        let place = Place::at(&self.reference.target).durable();
        let (mut keys, mut updates, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (key, steps) in &self.steps {
            let Some(both) = self.operators(steps, NewEntries::AfterAll) else {
                rest.push(key.clone());
                continue;
            };
            let id = key.to_bson();
            for update in both.into_iter().filter_map(|it| it.update(&place, &id)) {
                // A parent that gets two updates is listed twice, because the number of matches includes both updates.
                keys.push(key.clone());
                updates.push(update);
            }
        }
        // One update applies the additions to all fields of a parent. If operators cannot express one of these
        // additions, no update is sent for the parent, and all its fields are recomputed.
        for key in rest {
            self.recompute(&key, 0..self.reference.fields.len());
        }
        (keys, updates)
    }

    /// Returns the second updates, for lists whose new entries do not all sort after the stored entries. A second
    /// update does not match lists to which the first update has already added the entries. If a list might no longer
    /// contain these entries, there is no second update.
    fn insertions_into_lists(&self) -> (Vec<JoinKey>, Vec<UpdateCommand>) {
        let place = Place::at(&self.reference.target).durable();
        let updates = self.steps.iter().filter_map(|(key, steps)| {
            let [_, first] = self.operators(steps, NewEntries::AfterAll)?;
            if !first.tells_when_done {
                return None;
            }
            let [_, operators] = self.operators(steps, NewEntries::Anywhere)?;
            Some((key.clone(), operators.update(&place, &key.to_bson())?))
        });
        updates.unzip()
    }

    /// Returns two sets of operators for the effects on a parent. The first set removes elements from arrays, and the
    /// second set contains all other operators.
    fn operators(&self, steps: &[FieldEffect], newcomers: NewEntries) -> Option<[Operators; 2]> {
        let [mut before, mut operators] = <[Operators; 2]>::default();
        for (copied, step) in self.reference.fields.iter().zip(steps) {
            if let FieldEffect::Add(addition) = step {
                copied.add_to(addition, newcomers, &mut before, &mut operators)?;
            }
        }
        Some([before, operators])
    }

    /// Checks the conditions under which fields may stay unchanged. Sends one `find` for each field that has
    /// conditions. Fields that do not meet their conditions are recomputed.
    async fn check_conditions(&mut self, exec: &Exec) -> Result<()> {
        let mut looked = Vec::new();
        for at in 0..self.reference.fields.len() {
            let mut conditions = Vec::new();
            for (key, steps) in &self.steps {
                if let Some(FieldEffect::UnchangedIf(all)) = steps.get(at) {
                    let id = key_condition(&[key.to_bson()]);
                    conditions.push((key.clone(), doc! { "_id": id, "$and": all.clone() }));
                }
            }
            if conditions.is_empty() {
                continue;
            }
            let (keys, any): (Vec<JoinKey>, Vec<Document>) = conditions.into_iter().unzip();
            let staying = self.that_match(&any, exec).await?;
            for key in &keys {
                if !staying.contains(key) {
                    self.recompute(key, [at]);
                }
            }
            looked.extend(keys);
        }
        looked.sort_unstable();
        looked.dedup();
        // The other parents get a job when their fields are recomputed.
        looked.retain(|key| self.recomputed_fields(key).is_empty());
        // A read does not conflict with a concurrent write to a child. Without the job, the change to that child could
        // be missed.
        self.record(&looked, exec).await
    }

    /// Writes the jobs for the given parents. The jobs are not due before the end of the grace period, because the
    /// fields are correct for now.
    async fn record(&self, keys: &[JoinKey], exec: &Exec) -> Result<()> {
        let change = vec![Change::of_keys(&self.reference, keys.to_vec())];
        record_all(&entries(&change, Phase::Settle), exec).await
    }

    /// Returns the keys of the parents that match at least one of the given conditions. A plan assumes that no parent
    /// matches.
    async fn that_match(&self, any: &[Document], exec: &Exec) -> Result<HashSet<JoinKey>> {
        let mut found = HashSet::new();
        let conditions: Vec<Bson> = any.iter().cloned().map(Bson::Document).collect();
        for any in parts(&conditions, 1_000, size_of) {
            let any = match any {
                [Bson::Document(only)] => only.clone(),
                any => doc! { "$or": any.to_vec() },
            };
            exec.note(|| format!("{}: parents with an unchanged field", self.reference.name));
            let find = FindCommand::new(Place::at(&self.reference.target), any);
            let ids = exec.ids(find.all().collation(simple())).await?;
            found.extend(ids.into_iter().map(JoinKey::from));
        }
        if exec.is_paper() {
            found.clear();
        }
        Ok(found)
    }

    /// Lists the fields of a parent that have to be recomputed.
    fn recomputed_fields(&self, key: &JoinKey) -> BTreeSet<usize> {
        let mut fields = self.recomputed.get(key).cloned().unwrap_or_default();
        let steps = self.places.get(key).and_then(|at| self.steps.get(*at));
        let steps = steps.into_iter().flat_map(|(_, steps)| steps).enumerate();
        fields.extend(
            steps
                .filter(|(_, step)| **step == FieldEffect::Recompute)
                .map(|(at, _)| at),
        );
        fields
    }

    /// Returns the changes for the fields that have to be recomputed.
    fn changes_to_compute(&self) -> Vec<Change> {
        let mut groups: Vec<(BTreeSet<usize>, Vec<JoinKey>)> = Vec::new();
        for (key, _) in &self.steps {
            let fields = self.recomputed_fields(key);
            if fields.is_empty() {
                continue;
            }
            match groups.iter_mut().find(|(of, _)| *of == fields) {
                Some((_, keys)) => keys.push(key.clone()),
                None => groups.push((fields, vec![key.clone()])),
            }
        }
        let of_group = |(fields, keys)| Change::of_keys(&self.reference.part(&fields), keys);
        groups.into_iter().map(of_group).collect()
    }

    /// Returns the change that recomputes all fields of all parents, if there are any parents.
    pub(super) fn recomputation_of_all(&self) -> Option<Change> {
        (!self.steps.is_empty()).then(|| Change::of_keys(&self.reference, self.keys()))
    }
}
