//! Repairs two-way references: arrays that are derived from references on the other side, and pairs of arrays that
//! refer to each other.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{Command, UpdateCommand, simple},
        odm::{Exec, Odm},
        place::Place,
        plan::Statement,
    },
    derived::{
        follow::{Change, Follow, Followed, follow},
        outbox::{JobEntry, Phase, record_all},
        runner::{apply_deltas_of_keys, run_all},
        values::{Image, Images},
    },
    error::Result,
    graph::{Derivation, ExtendedReference},
    maintenance::invariant::{
        copies::repair as copies,
        finding::{Cause, DriftKind, Drifted},
        repair_report::RepairReport,
        two_way::{
            compare_again,
            pair::{Direction, Side, TwoWay},
        },
    },
    value::{
        key::{JoinKey, any_of},
        path::overlap,
    },
};

/// Number of documents that one transaction corrects.
const DOCUMENTS: usize = 100;

/// The findings on one side of a pair: references without a counterpart on the other side.
#[derive(Clone, Debug)]
struct OneSidedDocuments {
    pair: Arc<TwoWay>,
    direction: Direction,
    ids: Vec<Bson>,
    /// Whether to remove references that only one of two arrays contains.
    removes: bool,
}

/// The result of one correcting transaction.
#[derive(Debug, Default)]
struct RepairedPairs {
    repaired: u64,
    left: u64,
    /// The jobs and deltas for data that is derived from the corrected arrays.
    followed: Followed,
}

pub(in crate::maintenance) async fn repair(
    items: &[Drifted],
    removes: bool,
    odm: &Odm,
    report: &mut RepairReport,
) -> Result<()> {
    let (added, items) = split_added(items, removes);
    for (reference, keys) in added.into_values() {
        let findings = keys.len() as u64;
        copies::by_jobs(&reference, keys, findings, odm, report).await?;
    }
    for named in by_side(items.iter().copied(), removes) {
        let images = named.images();
        if !images.is_empty() {
            let ready = odm.ready_for(&images.references, false).await;
            let findings = items.iter().filter(|item| named.concerns(item)).count() as u64;
            let ready = report.unless_no_index(&named.pair.name, findings, ready)?;
            if ready.is_none() {
                continue;
            }
        }
        for ids in named.ids.chunks(DOCUMENTS) {
            let some = OneSidedDocuments {
                ids: ids.to_vec(),
                ..named.clone()
            };
            let exec = Exec::on(odm.clone());
            let done = exec.together(some, correct).await?;
            report.note(&named.pair.name, |noted| {
                noted.repaired += done.repaired;
                noted.left += done.left;
            });
            run_all(done.followed.jobs, None, odm).await?;
            for (reference, keys) in done.followed.deltas {
                apply_deltas_of_keys(&reference, &keys, None, odm).await?;
            }
        }
    }
    Ok(())
}

/// Returns the corrections that a repair would send if neither side has changed since the verification.
pub(in crate::maintenance) fn plan(items: &[Drifted], grace: Duration) -> Vec<Statement> {
    let (added, items) = split_added(items, false);
    let mut statements = Vec::new();
    for (reference, keys) in added.into_values() {
        statements.extend(copies::jobs(&reference, &keys, grace));
    }
    for named in by_side(items.iter().copied(), false) {
        let note = format!(
            "{}, in a transaction that reads both sides again",
            named.pair.name
        );
        let found = items.iter().copied().filter(|item| named.concerns(item));
        let updates = found.filter_map(|item| named.update(item));
        statements.extend(updates.map(|it| it.scoped(true).statement().note(note.clone())));
    }
    statements
}

impl OneSidedDocuments {
    /// Whether a finding belongs to this pair and this direction.
    fn concerns(&self, item: &Drifted) -> bool {
        matches!(&item.cause, Cause::TwoWay(pair, direction)
            if pair.name == self.pair.name && *direction == self.direction)
    }
}

/// The keys of documents that lack a reference in their array, grouped by the extended reference that maintains the
/// array.
type Added = BTreeMap<String, (Arc<ExtendedReference>, Vec<JoinKey>)>;

/// Separates the findings for which a job adds the missing reference to one of two arrays.
fn split_added(items: &[Drifted], removes: bool) -> (Added, Vec<&Drifted>) {
    let (mut added, mut others) = (Added::new(), Vec::new());
    for item in items {
        let repairing_job = match &item.cause {
            Cause::TwoWay(pair, direction) if !removes && item.kind == DriftKind::OneSided => {
                let key = item.key.as_ref();
                key.and_then(|key| pair.repairing_job(*direction, &item.id, key))
            }
            _ => None,
        };
        match repairing_job.filter(|(it, _)| it.derivation == Derivation::Mirror) {
            Some((reference, key)) => {
                let known = added.entry(reference.relation.clone());
                known.or_insert((reference, Vec::new())).1.push(key);
            }
            None => others.push(item),
        }
    }
    (added, others)
}

fn by_side<'i>(
    items: impl IntoIterator<Item = &'i Drifted>,
    removes: bool,
) -> Vec<OneSidedDocuments> {
    let mut sides: BTreeMap<(&str, bool), OneSidedDocuments> = BTreeMap::new();
    for item in items {
        let Cause::TwoWay(pair, direction) = &item.cause else {
            continue;
        };
        // Removals are sent before additions, because they make room in bounded arrays.
        let adds = *direction == Direction::RightNamesLeft;
        let side = sides
            .entry((&pair.name, adds))
            .or_insert_with(|| OneSidedDocuments {
                pair: Arc::clone(pair),
                direction: *direction,
                ids: Vec::new(),
                removes,
            });
        if side.ids.last() != Some(&item.id) {
            side.ids.push(item.id.clone());
        }
    }
    sides.into_values().collect()
}

impl OneSidedDocuments {
    /// Returns the side that the repair writes to. If only one side has an array, it is that side. If both sides have
    /// arrays, it is the side that contains the one-sided reference.
    fn written(&self) -> &Side {
        if self.pair.is_derived() {
            return &self.pair.left;
        }
        self.pair.sides(self.direction).0
    }

    /// Lists the copies that depend on the array. In a pair of arrays, the mirror itself is excluded, because it
    /// already lacks the reference that is removed.
    fn images(&self) -> Images {
        let side = self.written();
        let mut images = Images::of(side.model.documents());
        let concerns = |path: &str| overlap(path, &side.path);
        images
            .references
            .retain(|it| it.derivation != Derivation::Mirror && it.source_paths().any(concerns));
        images
    }
}

/// Reads both sides again, corrects the arrays, and updates copies that depend on them.
async fn correct(named: OneSidedDocuments, exec: Exec) -> Result<RepairedPairs> {
    let (images, model) = (named.images(), named.written().model);
    let place = Place::of(model);
    let mut done = RepairedPairs::default();
    let (mut changes, mut jobs) = (Vec::new(), Vec::new());
    for item in compare_again(&named.pair, named.direction, &named.ids, &exec).await? {
        let Some(update) = named.update(&item) else {
            done.left += 1;
            continue;
        };
        jobs.extend(named.job_of_other(&item));
        let before = images_before(&images, &update, &exec).await?;
        let wrote = exec.send(update).await?;
        done.repaired += wrote.modified;
        // Nothing matched: the document no longer exists, or its array is full.
        done.left += u64::from(wrote.matched == 0);
        let ids: Vec<Bson> = before
            .iter()
            .filter_map(|it| it.get("_id").cloned())
            .collect();
        let after = images.by_ids(&place, &ids, &exec).await?;
        changes.extend(Change::between(model.documents(), &images, before, &after));
    }
    record_all(&jobs, &exec).await?;
    done.followed = follow(changes, Follow::Deferred, &exec).await?;
    Ok(done)
}

impl OneSidedDocuments {
    /// Returns the update that repairs a finding. `None` if the library cannot know the correct value.
    fn update(&self, item: &Drifted) -> Option<UpdateCommand> {
        let key = item.key.as_ref()?;
        let (filter, update) = if self.pair.is_derived() {
            self.array_update(&item.id, key)?
        } else {
            self.removal(item, key)?
        };
        let place = Place::of(self.written().model).durable();
        Some(UpdateCommand::many(place, filter, update).collation(simple()))
    }

    /// Returns the update of an array that is derived from references on the other side.
    fn array_update(&self, id: &Bson, key: &Bson) -> Option<(Document, Document)> {
        let (left, right) = (&self.pair.left, &self.pair.right);
        if !left.is_plain {
            return None;
        }
        Some(match self.direction {
            Direction::LeftNamesRight => (
                doc! { "_id": id.clone() },
                doc! { "$pullAll": { &left.path: [key.clone()] } },
            ),
            Direction::RightNamesLeft => {
                // The array stores the value at `to` in the referring document, but the finding contains only the
                // `_id` of that document.
                if left.to != "_id" {
                    return None;
                }
                let mut filter = any_of(&right.to, vec![key.clone()]);
                if let Some(last) = left.max.and_then(|max| max.checked_sub(1)) {
                    // The array has room for another element if the last position that the bound allows is empty.
                    filter.insert(format!("{}.{last}", left.path), doc! { "$exists": false });
                }
                (filter, doc! { "$addToSet": { &left.path: id.clone() } })
            }
        })
    }

    /// Returns the job that would add the removed reference again. Storing this job makes a runner of the same job
    /// conflict with this transaction.
    fn job_of_other(&self, item: &Drifted) -> Option<JobEntry> {
        let repairing_job = self
            .pair
            .repairing_job(self.direction, &item.id, item.key.as_ref()?);
        let (reference, key) = repairing_job.filter(|_| !self.pair.is_derived())?;
        Some(JobEntry::of_reference(&reference, &key, Phase::Settle))
    }

    /// Returns the update that removes a reference from an array because the mirrored array does not contain its
    /// counterpart.
    fn removal(&self, item: &Drifted, key: &Bson) -> Option<(Document, Document)> {
        let (reference, _) = self.pair.repairing_job(self.direction, &item.id, key)?;
        let is_mirror = reference.derivation == Derivation::Mirror;
        if !self.removes || item.kind != DriftKind::OneSided || !is_mirror {
            return None;
        }
        let side = self.written();
        let update = match side.path.split_once('.') {
            None => doc! { "$pullAll": { &side.path: [key.clone()] } },
            Some((array, inner)) => {
                doc! { "$pull": { array: { inner: { "$in": [key.clone()] } } } }
            }
        };
        Some((doc! { "_id": item.id.clone() }, update))
    }
}

async fn images_before(images: &Images, update: &UpdateCommand, exec: &Exec) -> Result<Vec<Image>> {
    if images.is_empty() {
        return Ok(Vec::new());
    }
    let filter = update.filter.clone();
    images.read(&update.place, filter, exec).await
}
