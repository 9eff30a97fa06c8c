//! Repairs the links in a single collection. The repair depends on the fault:
//!
//! - A missing link at the other end is added by a job. This job maintains the links in documents that have the kind of
//!   the other end.
//! - A link to a deleted document is removed by the job of the delete rule.
//! - Any other fault in an array is corrected by a transaction that reads the array again and writes it.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};

use mongodb::bson::{Bson, Document, doc};

use super::{compare, links_of, may_lead};
use crate::{
    client::{
        command::{BulkWriteCommand, Command, UpdateCommand, unknown},
        odm::{Exec, Odm},
        place::Place,
        plan::Statement,
    },
    derived::{
        follow::{Change, Follow, Followed, follow},
        outbox::{JobEntry, Phase, record_all, recording},
        runner::run_all,
        values::{Images, key_condition},
    },
    error::Result,
    graph::{ExtendedReference, LinkedDocuments, graph},
    maintenance::invariant::{
        Repairing,
        copies::repair::{by_jobs, jobs},
        finding::{DriftKind, Drifted},
    },
    value::{key::JoinKey, path::projection},
};

/// Number of documents that one transaction corrects.
const DOCUMENTS: usize = 100;

/// The findings in one collection, grouped by the way in which they are repaired.
#[derive(Clone, Debug)]
struct Faults {
    linked: &'static LinkedDocuments,
    /// The documents that do not link back, grouped by the extended reference that maintains their links.
    one_sided: BTreeMap<String, (Arc<ExtendedReference>, Vec<JoinKey>)>,
    /// The keys of linked documents that do not exist.
    dangling: Vec<JoinKey>,
    /// The ids of documents whose arrays have other faults.
    written: Vec<Bson>,
    /// Whether to remove links that exist at only one end.
    removes: bool,
}

/// The result of one correcting transaction.
#[derive(Debug, Default)]
struct Corrected {
    repaired: u64,
    followed: Followed,
    /// The ids of documents that lack the link to themselves because their array is full.
    full: Vec<Bson>,
}

pub(super) async fn repair(
    linked: &'static LinkedDocuments,
    repairing: Repairing<'_>,
) -> Result<()> {
    let (odm, report, name) = (repairing.odm, repairing.report, linked.name());
    let faults = Faults::new(linked, &repairing.findings, repairing.removes);
    let corrected = faults.correct_all(odm).await;
    let written = faults.written.len() as u64;
    let corrected = report.unless_no_index(&name, written, corrected)?;
    let (corrected, full) = corrected.unwrap_or_default();
    let taken = faults.take_dangling(odm).await?;
    report.note(&name, |noted| {
        noted.repaired += corrected + taken;
        noted.failed.extend(full);
    });
    for (keeper, keys) in faults.one_sided.into_values() {
        let number = keys.len() as u64;
        by_jobs(&keeper, keys, number, odm, report).await?;
    }
    Ok(())
}

/// Returns the statements that a repair would send if no document has changed since the verification.
pub(super) fn plan(
    linked: &'static LinkedDocuments,
    findings: &[&Drifted],
    grace: Duration,
) -> Vec<Statement> {
    let (faults, name) = (Faults::new(linked, findings, false), linked.name());
    let mut statements = Vec::new();
    for id in &faults.written {
        let note = format!("{name}, in a transaction that reads it again");
        let links = unknown(&format!("{} as they are to be", linked.form.array));
        let set = faults.set(id, links);
        statements.push(set.scoped(true).statement().note(note));
    }
    let pulls = recording(&faults.jobs_of_dangling(), grace, None);
    let pulls = BulkWriteCommand::of_updates(&pulls).into_iter();
    statements.extend(pulls.map(|update| {
        let note = format!("{name}, by jobs of the ids");
        update.scoped(true).statement().note(note)
    }));
    for (keeper, keys) in faults.one_sided.values() {
        statements.extend(jobs(keeper, keys, grace));
    }
    statements
}

impl Faults {
    fn new(linked: &'static LinkedDocuments, findings: &[&Drifted], removes: bool) -> Self {
        let mut faults = Self {
            linked,
            one_sided: BTreeMap::new(),
            dangling: Vec::new(),
            written: Vec::new(),
            removes,
        };
        for item in findings {
            faults.add(item);
        }
        faults
    }

    fn add(&mut self, item: &Drifted) {
        let job = item.job.as_deref();
        let job = job.and_then(|job| Some((job.reference.clone(), job.key.clone()?)));
        match job {
            Some((Some(keeper), key)) if !self.removes => {
                let known = self.one_sided.entry(keeper.relation.clone());
                known.or_insert((keeper, Vec::new())).1.push(key);
            }
            Some((None, key)) => self.dangling.push(key),
            _ if self.written.last() != Some(&item.id) => self.written.push(item.id.clone()),
            _ => {}
        }
    }

    fn jobs_of_dangling(&self) -> Vec<JobEntry> {
        let rule = graph().rule_of_links(self.linked);
        rule.map_or(Vec::new(), |rule| {
            JobEntry::of_rule(rule, &self.dangling, Phase::Run)
        })
    }

    /// Removes links to missing documents by running the jobs that a delete of these documents would have stored.
    /// Returns the number of changed documents.
    async fn take_dangling(&self, odm: &Odm) -> Result<u64> {
        let jobs = self.jobs_of_dangling();
        if jobs.is_empty() {
            return Ok(0);
        }
        let exec = Exec::on(odm.clone());
        exec.together(jobs.clone(), |jobs, exec| async move {
            record_all(&jobs, &exec).await
        })
        .await?;
        let ran = run_all(jobs.into_iter().map(|job| job.id).collect(), None, odm).await?;
        let cascaded = ran.into_iter().flat_map(|ran| ran.cascaded);
        Ok(cascaded.map(|it| it.changed).sum())
    }

    /// Corrects all faulty arrays. Returns the number of changed documents, and the ids of documents with full
    /// arrays.
    async fn correct_all(&self, odm: &Odm) -> Result<(u64, Vec<Bson>)> {
        let (mut repaired, mut full) = (0, Vec::new());
        if self.written.is_empty() {
            return Ok((repaired, full));
        }
        odm.ready_for(&self.images().references, false).await?;
        for ids in self.written.chunks(DOCUMENTS) {
            let some = Self {
                written: ids.to_vec(),
                ..self.clone()
            };
            let exec = Exec::on(odm.clone());
            let done = exec.together(some, Self::correct).await?;
            repaired += done.repaired;
            full.extend(done.full);
            run_all(done.followed.jobs, None, odm).await?;
        }
        Ok((repaired, full))
    }

    fn images(&self) -> Images {
        Images::of(self.linked.all.documents())
    }

    /// Reads documents again, writes their corrected links, and updates data that is derived from these links.
    async fn correct(self, exec: Exec) -> Result<Corrected> {
        let (linked, images) = (self.linked, self.images());
        let place = Place::of(linked.all).durable();
        let references = images.references.iter();
        let paths = references.flat_map(|it| it.source_paths());
        let paths = paths.chain([linked.form.array, linked.form.kind.field]);
        let paths = paths.chain(linked.all.tenant());
        let filter = doc! { "_id": key_condition(&self.written) };
        let find =
            crate::client::command::FindCommand::new(place, filter).select(projection(paths));
        let before = exec.documents(find).await?;
        // The documents are checked again in this transaction, because other writes may have repaired them since
        // the verification.
        let found = compare(linked, &before, &exec).await?;
        let (mut corrected, mut after) = (Corrected::default(), Vec::new());
        for document in &before {
            let Some((links, is_full)) = self.corrected(document, &found) else {
                after.push(document.clone());
                continue;
            };
            let id = document.get("_id").cloned().unwrap_or(Bson::Null);
            if is_full {
                corrected.full.push(id.clone());
            }
            corrected.repaired += exec
                .send(self.set(&id, links.clone().into()))
                .await?
                .modified;
            let mut now = document.clone();
            now.insert(linked.form.array, links);
            after.push(now);
        }
        let changes = Change::between(linked.all.documents(), &images, before, &after);
        corrected.followed = follow(changes, Follow::Deferred, &exec).await?;
        Ok(corrected)
    }

    fn set(&self, id: &Bson, links: Bson) -> UpdateCommand {
        let place = Place::of(self.linked.all).durable();
        let set = doc! { "$set": { self.linked.form.array: links } };
        UpdateCommand::one(place, doc! { "_id": id }, set)
    }

    /// Returns the corrected links if the array is faulty, and whether the array is too full for the document's
    /// link to itself.
    fn corrected(&self, document: &Document, found: &[Drifted]) -> Option<(Vec<Bson>, bool)> {
        let form = &self.linked.form;
        let (_, own) = self.linked.model_of(document)?;
        let id = document.get("_id")?;
        let mut faults = found.iter().filter(|item| item.id == *id).peekable();
        faults.peek()?;
        let faults: Vec<&Drifted> = faults.collect();
        let kind_at = |at: usize| {
            let path = format!("{}.{at}.{}", form.array, form.shape.kind?);
            let stale = faults.iter().find(|item| item.path == path)?;
            stale.source.clone()
        };
        let is_taken = |key: &JoinKey| {
            let one_sided = |item: &&&Drifted| item.kind == DriftKind::OneSided;
            let mut keys = faults
                .iter()
                .filter(one_sided)
                .filter_map(|item| item.key.clone());
            self.removes && keys.any(|it| JoinKey::from(it) == *key)
        };
        let is_foreign = |key: &JoinKey| {
            let mut foreign = faults.iter().filter(|it| it.kind == DriftKind::OtherTenant);
            foreign.any(|it| it.key.clone().map(JoinKey::from).as_ref() == Some(key))
        };
        let mut seen = HashSet::new();
        let mut links = Vec::new();
        for (at, link) in links_of(self.linked, document).iter().enumerate() {
            let key = JoinKey::from(form.target_of(link).cloned().unwrap_or(Bson::Null));
            let is_removed = is_taken(&key) || is_foreign(&key) || !may_lead(&key);
            if is_removed || !seen.insert(key) {
                continue;
            }
            let mut link = link.clone();
            if let (Some(kind), Bson::Document(link), Some(value)) =
                (form.shape.kind, &mut link, kind_at(at))
            {
                link.insert(kind, value);
            }
            links.push(link);
        }
        let lacks = !seen.contains(&JoinKey::from(id.clone()));
        let is_full = lacks && own.max.is_some_and(|max| links.len() >= max as usize);
        if lacks && !is_full {
            links.insert(0, own.link_to(id));
        }
        Some((links, is_full))
    }
}
