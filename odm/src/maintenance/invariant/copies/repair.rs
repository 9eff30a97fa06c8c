//! Repairs copies by running jobs for their keys.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use mongodb::bson::{Bson, doc};

use crate::{
    client::{
        command::{BulkWriteCommand, Command, FindCommand, UpdateCommand, simple},
        odm::{Exec, Odm},
        plan::Statement,
    },
    derived::{
        follow::{self, Candidates, WrittenCopies, recheck},
        outbox::{JobEntry, JobId, Phase, record_keys, recording},
        runner::{run_all, run_each},
        values::{SourceValues, Values, key_condition, read_sources, update_of},
    },
    error::{Error, Result},
    graph::{ExtendedReference, Sources, graph},
    maintenance::invariant::{Repairing, finding::Drifted, repair_report::RepairReport},
    value::key::JoinKey,
};

/// Number of documents that one transaction changes if the source of their copies does not exist.
const DOCUMENTS: i64 = 1_000;

/// The keys for which copies of one extended reference are stale.
#[derive(Debug, Default)]
struct StaleKeys {
    /// Each key, with the values that its source had during the verification. `None` if the source did not exist.
    keys: BTreeMap<JoinKey, Option<Values>>,
    /// Whether to include copies whose reference is null.
    no_key: bool,
}

pub(super) async fn repair(
    reference: &Arc<ExtendedReference>,
    repairing: Repairing<'_>,
) -> Result<()> {
    let (odm, report) = (repairing.odm, repairing.report);
    let (stale, number) = (StaleKeys::of(&repairing.findings), repairing.findings.len());
    let keys = stale.keys.into_keys().collect();
    let Some(gone) = by_jobs(reference, keys, number as u64, odm, report).await? else {
        return Ok(());
    };
    let no_key = stale.no_key.then_some(None);
    let mut emptied = 0;
    for key in no_key.into_iter().chain(gone.into_iter().map(Some)) {
        emptied += empty(reference, key, odm).await?;
    }
    report.note(&reference.name, |noted| noted.repaired += emptied);
    Ok(())
}

/// Stores and runs the jobs for keys that have a source. Returns the keys without a source. Returns `None` if the index
/// for the copies is missing, in which case the findings are not repaired.
pub(in crate::maintenance::invariant) async fn by_jobs(
    reference: &Arc<ExtendedReference>,
    keys: Vec<JoinKey>,
    findings: u64,
    odm: &Odm,
    report: &mut RepairReport,
) -> Result<Option<Vec<JoinKey>>> {
    let ready = odm.ready_for(&[Arc::clone(reference)], false).await;
    let ready = report.unless_no_index(&reference.name, findings, ready)?;
    if ready.is_none() {
        return Ok(None);
    }
    let (jobs, gone) = store(reference, keys, odm).await?;
    let mut refused = Vec::new();
    let ran = run_each(jobs, None, odm, |ids, error| {
        // The jobs remain stored, so they can be run again later.
        if error.is_from_server() {
            refused.push((ids, error));
            return Ok(());
        }
        Err(error)
    });
    let ran = ran.await?;
    for (ids, error) in refused {
        left_for(&ids, &error, odm, report).await?;
    }
    for copies in ran.into_iter().flat_map(|ran| ran.reports) {
        if copies.modified == 0 && copies.failed.is_empty() {
            continue;
        }
        report.note(&copies.relation, |noted| {
            noted.repaired += copies.modified;
            noted.failed.extend(copies.failed);
            noted.why = noted.why.take().or(copies.why);
        });
    }
    Ok(Some(gone))
}

/// Counts findings as not repaired if their jobs cannot run now, because an index is missing or because the server
/// rejects the jobs for another reason.
async fn left_for(
    jobs: &[JobId],
    error: &Error,
    odm: &Odm,
    report: &mut RepairReport,
) -> Result<()> {
    let keys = jobs.len() as u64;
    let relation = jobs.first().map_or("", |job| job.relation.as_str());
    for reference in graph().references_of(relation) {
        let ready = odm.ready_for(&[Arc::clone(reference)], false).await;
        let ready = report.unless_no_index(&reference.name, keys, ready)?;
        if ready.is_some() {
            report.note(&reference.name, |noted| {
                noted.left += keys;
                noted.why.get_or_insert_with(|| error.to_string());
            });
        }
    }
    Ok(())
}

/// Returns the statements that store the jobs, and the updates that these jobs would send in batches if the sources
/// have not changed.
pub(super) fn plan(
    reference: &Arc<ExtendedReference>,
    findings: &[&Drifted],
    grace: Duration,
) -> Vec<Statement> {
    let stale = StaleKeys::of(findings);
    let here = stale.keys.iter().filter(|(_, values)| values.is_some());
    let here: Vec<JoinKey> = here.map(|(key, _)| key.clone()).collect();
    let jobs = jobs(reference, &here, grace);
    let of_keys = stale.keys.iter().map(|(key, values)| {
        let source = SourceValues::of(values.as_ref());
        update_of(reference, &[key.to_bson()], source)
    });
    let no_key = stale
        .no_key
        .then(|| update_of(reference, &[Bson::Null], SourceValues::NoKey));
    let updates = of_keys.chain(no_key).flatten().map(|update| {
        let filter = update.filter.clone();
        update.scoped(true).statement().counted_by(filter)
    });
    jobs.into_iter().chain(updates).collect()
}

/// Returns the statements that store jobs for the given keys.
pub(in crate::maintenance::invariant) fn jobs(
    reference: &Arc<ExtendedReference>,
    keys: &[JoinKey],
    grace: Duration,
) -> Vec<Statement> {
    let jobs = JobEntry::of_reference(reference, keys, Phase::Run);
    let jobs = recording(&jobs, grace, None);
    let statement = |updates: BulkWriteCommand| {
        let note = format!("{}, by jobs of their keys", reference.name);
        updates.scoped(true).statement().note(note)
    };
    BulkWriteCommand::of_updates(&jobs)
        .into_iter()
        .map(statement)
        .collect()
}

impl StaleKeys {
    fn of(findings: &[&Drifted]) -> Self {
        let mut stale = Self::default();
        for job in findings.iter().filter_map(|item| item.job.as_deref()) {
            match &job.key {
                Some(key) => _ = stale.keys.insert(key.clone(), job.values.clone()),
                None => stale.no_key = true,
            }
        }
        stale
    }
}

/// Stores jobs for the keys that have a source. Returns these jobs, and the keys without a source.
async fn store(
    reference: &Arc<ExtendedReference>,
    keys: Vec<JoinKey>,
    odm: &Odm,
) -> Result<(Vec<JobId>, Vec<JoinKey>)> {
    let exec = Exec::on(odm.clone());
    let state = (Arc::clone(reference), keys);
    exec.together(state, |(reference, keys), exec| async move {
        let (here, gone): (Vec<_>, Vec<_>) = match reference.sources() {
            // A summary has a value even without children, so its key never lacks a source.
            Sources::All => (keys, Vec::new()),
            Sources::OneById | Sources::FirstByKey => {
                let resolved = read_sources(&reference, keys.iter().cloned(), &exec).await?;
                keys.into_iter().partition(|key| resolved.contains_key(key))
            }
        };
        Ok((record_keys(&reference, &here, &exec).await?, gone))
    })
    .await
}

/// Sets copies to null if their source does not exist or if their reference is null. Returns the number of changed
/// documents.
async fn empty(reference: &Arc<ExtendedReference>, key: Option<JoinKey>, odm: &Odm) -> Result<u64> {
    let mut changed = 0;
    loop {
        let exec = Exec::on(odm.clone());
        let state = (Arc::clone(reference), key.clone());
        let (modified, written, made) = exec.together(state, empty_some).await?;
        // A source may have been inserted concurrently. That insert did not see these documents, and this transaction
        // did not see the source, so the keys are checked again.
        let mut jobs = recheck(written.into_iter().collect(), &exec).await?;
        jobs.extend(made);
        run_all(jobs, None, odm).await?;
        changed += modified;
        if modified == 0 {
            return Ok(changed);
        }
    }
}

async fn empty_some(
    (reference, key): (Arc<ExtendedReference>, Option<JoinKey>),
    exec: Exec,
) -> Result<(u64, Option<WrittenCopies>, Vec<JobId>)> {
    let nothing = || Ok((0, None, Vec::new()));
    let resolved = read_sources(&reference, key.clone(), &exec).await?;
    let (source, value) = match &key {
        Some(key) if resolved.contains_key(key) => return nothing(),
        Some(key) => (SourceValues::Missing, key.to_bson()),
        None => (SourceValues::NoKey, Bson::Null),
    };
    let Some(update) = update_of(&reference, &[value], source) else {
        return nothing();
    };
    let ids = ids(&update, &exec).await?;
    if ids.is_empty() {
        return nothing();
    }
    let update = update.and(doc! { "_id": key_condition(&ids) });
    let (modified, made) =
        follow::write(&reference, Candidates::Ids(&ids), &[update], &exec).await?;
    let written = WrittenCopies::new(&reference, ids, key.into_iter().collect(), resolved);
    Ok((modified, written, made))
}

async fn ids(update: &UpdateCommand, exec: &Exec) -> Result<Vec<Bson>> {
    let mut find = FindCommand::new(update.place.clone(), update.filter.clone());
    find.options.limit = Some(DOCUMENTS);
    exec.ids(find.collation(simple())).await
}
