//! Finds the jobs that completed jobs have stored for the next level of derived data, even if another runner ran the
//! completed jobs.
//!
//! When a batch updates copies that are sources of other copies, it stores jobs for the other copies in the same
//! transaction. A job does not contain the ids of the jobs that it has stored, because there can be one such job for
//! each copy. So a call that waits finds the next level in the documents:
//!
//! 1. The call waits until the jobs of a level are no longer pending. From then on, each job that they have stored is
//!    pending or completed.
//! 2. If the next level has the same keys as this level, the call continues at step 1 with these keys. For example, a
//!    copy of a count has the key of the document that contains the count.
//! 3. Otherwise, one transaction reads the pending work of all relations that can follow. In most cases, nothing is
//!    pending, and the call ends. Without the transaction, the call could miss a job that is stored between two reads.
//! 4. The call reads the documents that contain derived data for the keys of this level. These documents contain the
//!    keys of the next level. The call continues at step 1 with the keys that have pending work.
//! 5. Keys without pending work also belong to the next level, because their jobs might already have run and stored
//!    further jobs.
//! 6. If the documents or the relations form a cycle, the levels repeat. As soon as a level contains only keys of
//!    earlier levels, the call ends if none of these keys has pending work. Otherwise, it continues with the keys that
//!    have pending work.
//!
//! A delete rule deletes the documents that contain the keys, or removes their references. So after the job of a delete
//! rule, the next level consists of all pending work of the relations that can follow, whatever its keys.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use mongodb::bson::Bson;

use super::job_run::parts_of;
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        outbox::{JobId, Waiting, pending_of_relations, waiting},
        values::{Images, keys_held, tied},
    },
    error::Result,
    graph::{ExtendedReference, Sources, Targets, graph},
    model::shape::OnDelete,
    value::{key::JoinKey, path::overlap},
};

/// Largest number of keys in one `find`.
const AT_ONCE: usize = 1_000;

/// The work on one level of derived data.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// The keys for which the data of this level may have changed.
    pub(super) reached: BTreeSet<JobId>,
    /// The part of `reached` that may have pending work.
    pub(super) owed: BTreeSet<JobId>,
    /// The keys of all earlier levels.
    earlier: BTreeSet<JobId>,
}

impl Level {
    /// Returns a level in which every key may have pending work, such as the level that a token contains.
    pub(super) fn all_owed(reached: BTreeSet<JobId>) -> Self {
        Self {
            owed: reached.clone(),
            reached,
            earlier: BTreeSet::new(),
        }
    }

    /// Returns the next level, after the work of this level has been completed.
    pub(super) async fn next(self, exec: &Exec) -> Result<Self> {
        let (reached, pending) = self.successors(exec).await?;
        let mut earlier = self.earlier;
        earlier.extend(self.reached);
        if reached.is_empty() {
            return Ok(Self::default());
        }
        if reached.is_subset(&earlier) {
            return after_cycle(earlier, exec).await;
        }
        let owed = match pending {
            Some(pending) => reached.intersection(&pending).cloned().collect(),
            None => reached.clone(),
        };
        Ok(Self {
            reached,
            owed,
            earlier,
        })
    }

    /// Returns the keys for which data may have changed because of the work of this level. Also returns the pending
    /// work of the relations that can follow, if this work was read.
    async fn successors(&self, exec: &Exec) -> Result<(BTreeSet<JobId>, Option<BTreeSet<JobId>>)> {
        let mut keys_of: BTreeMap<&str, Vec<JoinKey>> = BTreeMap::new();
        for id in &self.reached {
            let (relation, _) = ExtendedReference::field_of(&id.relation);
            keys_of.entry(relation).or_default().push(id.key.clone());
        }
        let steps = keys_of.iter();
        let steps = steps.flat_map(|(relation, keys)| {
            let steps = steps_after(relation).into_iter();
            steps.map(move |step| (step, keys.as_slice()))
        });
        let steps: Vec<(Step, &[JoinKey])> = steps.collect();
        let mut pending = None;
        if steps.iter().any(|(step, _)| step.must_read()) {
            let relations = closure(steps.iter().map(|(step, _)| step.relation()));
            let found = pending_of_relations(&relations, exec).await?;
            if found.is_empty() {
                return Ok((BTreeSet::new(), Some(found)));
            }
            pending = Some(found);
        }
        let mut reached = BTreeSet::new();
        for (step, keys) in &steps {
            match step {
                Step::SameKey(next) => reached.extend(JobId::of_keys(&next.relation, keys)),
                Step::Stored(written, next) => {
                    reached.extend(stored_keys(written, next, keys, exec).await?);
                }
                Step::AnyKey(next) => {
                    let within = closure([next.as_str()]);
                    let found = pending.iter().flatten();
                    reached.extend(found.filter(|it| within.contains(&it.relation)).cloned());
                }
            }
        }
        Ok((reached, pending))
    }
}

/// Returns the level that follows a level that contains only keys of earlier levels. The returned level is empty if, at
/// one point in time, none of these keys has pending work.
async fn after_cycle(earlier: BTreeSet<JobId>, exec: &Exec) -> Result<Level> {
    let parts = earlier.iter().flat_map(parts_of);
    let names: Vec<JobId> = earlier.iter().cloned().chain(parts).collect();
    let found = exec.together(
        names,
        |names, exec| async move { waiting(&names, &exec).await },
    );
    let Waiting { deltas, jobs } = found.await?;
    let owed: BTreeSet<JobId> = deltas
        .into_iter()
        .chain(jobs)
        .map(JobId::of_all_fields)
        .collect();
    Ok(Level {
        reached: owed.clone(),
        owed,
        earlier,
    })
}

/// A way in which the work for one relation causes work for another relation.
enum Step {
    /// The next extended reference has the same key.
    SameKey(Arc<ExtendedReference>),
    /// The documents that contain copies or folds of the first extended reference also contain the keys of the second
    /// extended reference.
    Stored(Arc<ExtendedReference>, Arc<ExtendedReference>),
    /// The keys of the next relation are unknown, because the documents that contained them have changed.
    AnyKey(String),
}

impl Step {
    fn relation(&self) -> &str {
        match self {
            Self::SameKey(next) | Self::Stored(_, next) => &next.relation,
            Self::AnyKey(relation) => relation,
        }
    }

    const fn must_read(&self) -> bool {
        match self {
            Self::SameKey(_) => false,
            Self::Stored(..) | Self::AnyKey(_) => true,
        }
    }
}

/// Lists the steps that can follow the work for a relation.
fn steps_after(relation: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for written in graph().references_of(relation) {
        steps.extend(written.followers().map(|next| {
            let writes_key = |path: String| overlap(&path, &next.source_key);
            match (written.targets(), next.sources()) {
                // If the batch has removed a key from an array, no document contains this key any longer.
                _ if written.copy_paths().any(writes_key) => Step::AnyKey(next.relation.clone()),
                (Targets::OneById, Sources::OneById) => Step::SameKey(next),
                (Targets::All, _) | (_, Sources::FirstByKey | Sources::All) => {
                    Step::Stored(Arc::clone(written), next)
                }
            }
        }));
    }
    for rule in graph().rules_of(relation) {
        let changed = rule.model.documents();
        let references = graph().from(changed).map(|it| it.relation.clone());
        steps.extend(references.map(Step::AnyKey));
        if rule.on_delete == OnDelete::Cascade {
            let rules = graph().acting_rules(changed).map(|it| it.relation.clone());
            steps.extend(rules.map(Step::AnyKey));
        }
    }
    steps
}

/// Lists the given relations, and all relations that can follow them.
fn closure<'r>(relations: impl IntoIterator<Item = &'r str>) -> BTreeSet<String> {
    let mut open: Vec<String> = relations.into_iter().map(ToOwned::to_owned).collect();
    let mut all = BTreeSet::new();
    while let Some(relation) = open.pop() {
        if !all.contains(&relation) {
            let steps = steps_after(&relation);
            open.extend(steps.iter().map(|step| step.relation().to_owned()));
            all.insert(relation);
        }
    }
    all
}

/// Finds the documents that contain copies or folds of `written` for the given keys, and returns the keys of `next` in
/// these documents. Sends one `find` for every 1,000 keys.
async fn stored_keys(
    written: &ExtendedReference,
    next: &Arc<ExtendedReference>,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<BTreeSet<JobId>> {
    let images = Images {
        references: vec![Arc::clone(next)],
    };
    // A secondary could still return a document in which the reference is missing.
    let place = Place::at(&written.target).durable();
    let collation = match written.targets() {
        Targets::OneById => None,
        Targets::All => Some(simple()),
    };
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let mut found = BTreeSet::new();
    for keys in parts(&keys, AT_ONCE, size_of) {
        let find = FindCommand::new(place.clone(), tied(written, keys));
        let find = find
            .select(images.projection())
            .collation(collation.clone());
        for image in exec.documents(find.all()).await? {
            found.extend(JobId::of_keys(&next.relation, &keys_held(next, &image)));
        }
    }
    Ok(found)
}
