//! Repairs two-way references.
//!
//! An array that is derived from references on the other side is computed by a job. In a pair of arrays, a job adds the
//! missing reference to the other array. So this file only removes references from pairs of arrays.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use mongodb::bson::{Bson, Document, doc};

use super::TwoWaySide;
use crate::{
    client::{
        command::{Command, UpdateCommand, simple},
        odm::Exec,
        place::Place,
        plan::Statement,
    },
    derived::{
        follow::{Change, Follow, Followed, follow},
        outbox::{JobEntry, Phase, record_all},
        runner::{JobsReport, apply_deltas_of_keys, run_all},
        values::{Image, Images},
    },
    error::Result,
    graph::{Content, ExtendedReference},
    maintenance::invariant::{
        Repairing,
        copies::repair::{by_jobs, jobs},
        finding::{DriftKind, Drifted},
    },
    value::{key::JoinKey, path::overlap},
};

/// Number of documents that one transaction corrects.
const DOCUMENTS: usize = 100;

/// The result of one repair transaction.
#[derive(Debug, Default)]
struct RepairedPairs {
    repaired: u64,
    left: u64,
    /// The jobs and deltas for data that is derived from the corrected arrays.
    followed: Followed,
}

pub(super) async fn repair(side: Arc<TwoWaySide>, repairing: Repairing<'_>) -> Result<()> {
    let (odm, report, removes) = (repairing.odm, repairing.report, repairing.removes);
    let (by_job, findings) = split_by_job(&repairing.findings, removes);
    if let Some((reference, keys)) = by_job {
        let number = keys.len() as u64;
        by_jobs(reference, keys, number, odm, report).await?;
    }
    let name = &side.pair.name;
    let images = side.images();
    if !findings.is_empty() && !images.is_empty() {
        let ready = odm.ready_for(&images.references, false).await;
        let ready = report.unless_no_index(name, findings.len() as u64, ready)?;
        if ready.is_none() {
            return Ok(());
        }
    }
    let mut ids: Vec<Bson> = findings.iter().map(|item| item.id.clone()).collect();
    ids.dedup();
    for ids in ids.chunks(DOCUMENTS) {
        let exec = Exec::on(odm.clone());
        let state = (Arc::clone(&side), ids.to_vec(), removes);
        let done = exec.together(state, correct).await?;
        report.note(name, |noted| {
            noted.repaired += done.repaired;
            noted.left += done.left;
        });
        run_all(done.followed.jobs, None, odm).await?;
        for (reference, keys) in done.followed.deltas {
            apply_deltas_of_keys(&reference, &keys, None, &mut JobsReport::default(), odm).await?;
        }
    }
    Ok(())
}

/// Returns the corrections that a repair would send if neither side has changed since the verification.
pub(super) fn plan(side: &TwoWaySide, findings: &[&Drifted], grace: Duration) -> Vec<Statement> {
    let (by_job, findings) = split_by_job(findings, false);
    let jobs = by_job.map(|(reference, keys)| jobs(reference, &keys, grace));
    let note = format!(
        "{}, in a transaction that reads both sides again",
        side.pair.name
    );
    let updates = findings.into_iter().filter_map(|it| side.update(it, false));
    let updates = updates.map(|it| it.scoped(true).statement().note(note.clone()));
    jobs.into_iter().flatten().chain(updates).collect()
}

/// Separates the findings that jobs repair from the other findings. Returns the extended reference and the keys of
/// these jobs, and the other findings.
fn split_by_job<'f>(
    findings: &[&'f Drifted],
    removes: bool,
) -> (Option<ByJob<'f>>, Vec<&'f Drifted>) {
    let has_job = |item: &&Drifted| {
        repairing_job(item).is_some_and(|(reference, _)| match reference.content() {
            Content::Mirrored => !removes,
            Content::Derived | Content::Absent => true,
        })
    };
    let (by_job, others): (Vec<_>, Vec<_>) = findings.iter().copied().partition(has_job);
    let mut jobs = by_job.into_iter().filter_map(repairing_job).peekable();
    // All findings for one side have the same extended reference.
    let reference = jobs.peek().map(|(reference, _)| *reference);
    let keys: BTreeSet<JoinKey> = jobs.map(|(_, key)| key.clone()).collect();
    (reference.zip(Some(keys.into_iter().collect())), others)
}

type ByJob<'f> = (&'f Arc<ExtendedReference>, Vec<JoinKey>);

fn repairing_job(item: &Drifted) -> Option<(&Arc<ExtendedReference>, &JoinKey)> {
    let job = item.job.as_deref()?;
    Some((job.reference.as_ref()?, job.key.as_ref()?))
}

impl TwoWaySide {
    /// Lists the copies that depend on the array. In a pair of arrays, the other array is excluded, because it already
    /// lacks the reference that the repair removes.
    fn images(&self) -> Images {
        let side = self.sides().0;
        let mut images = Images::of(side.model.documents());
        let concerns = |path: &str| overlap(path, &side.path);
        images.references.retain(|it| match it.content() {
            Content::Mirrored => false,
            Content::Derived | Content::Absent => it.source_paths().any(concerns),
        });
        images
    }
}

/// Reads both sides again, corrects the arrays, and updates copies that depend on them.
async fn correct(
    (side, ids, removes): (Arc<TwoWaySide>, Vec<Bson>, bool),
    exec: Exec,
) -> Result<RepairedPairs> {
    let (images, model) = (side.images(), side.sides().0.model);
    let place = Place::of(model);
    let mut done = RepairedPairs::default();
    let (mut changes, mut jobs) = (Vec::new(), Vec::new());
    for item in side.compare_again(&ids, &exec).await? {
        let Some(update) = side.update(&item, removes) else {
            done.left += 1;
            continue;
        };
        jobs.extend(side.job_of_other(&item));
        let before = images_before(&images, &update, &exec).await?;
        let wrote = exec.send(update).await?;
        done.repaired += wrote.modified;
        // If the update matched no document, the document no longer exists.
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

impl TwoWaySide {
    /// Returns the update that removes a reference without a counterpart. `None` if the library cannot know which of
    /// the two arrays is correct.
    fn update(&self, item: &Drifted, removes: bool) -> Option<UpdateCommand> {
        let key = item
            .key
            .as_ref()
            .filter(|_| removes && self.is_removable(item))?;
        let place = Place::of(self.sides().0.model).durable();
        let filter = doc! { "_id": item.id.clone() };
        Some(UpdateCommand::many(place, filter, self.removal(key)).collation(simple()))
    }

    /// Whether a repair may remove the reference from the array. A reference to a document that does not exist has no
    /// job. Such a reference can be removed if the library maintains the array, which requires that its elements
    /// contain only keys.
    fn is_removable(&self, item: &Drifted) -> bool {
        match item.kind {
            DriftKind::Dangling => self
                .pair
                .array_reference(self.direction.opposite())
                .is_some(),
            _ => repairing_job(item).is_some(),
        }
    }

    /// Returns the job that would add the removed reference again. Because this transaction stores the job, the
    /// transaction conflicts with a runner of the same job.
    fn job_of_other(&self, item: &Drifted) -> Option<JobEntry> {
        let of_dangling = || {
            let key = item.key.as_ref()?;
            self.pair.repairing_job(self.direction, &item.id, key)
        };
        let job = item.job.as_deref().cloned().or_else(of_dangling)?;
        JobEntry::of_reference(job.reference.as_ref()?, job.key.as_ref(), Phase::Settle).pop()
    }

    /// Returns the update that removes a reference from an array because the other array does not contain the
    /// counterpart.
    fn removal(&self, key: &Bson) -> Document {
        let path = &self.sides().0.path;
        match path.split_once('.') {
            None => doc! { "$pullAll": { path: [key.clone()] } },
            Some((array, inner)) => {
                doc! { "$pull": { array: { inner: { "$in": [key.clone()] } } } }
            }
        }
    }
}

async fn images_before(images: &Images, update: &UpdateCommand, exec: &Exec) -> Result<Vec<Image>> {
    if images.is_empty() {
        return Ok(Vec::new());
    }
    let filter = update.filter.clone();
    images.read(&update.place, filter, exec).await
}
