//! Repairs copies by jobs of their keys.

use std::collections::{BTreeMap, BTreeSet};

use mongodb::bson::{Bson, doc};

use super::report::RepairReport;
use crate::{
    command::{Find, Update},
    copy::{Source, Tie, key_condition, resolve, simple, update_of},
    effects::{self, Written, recheck},
    error::Result,
    key::JoinKey,
    odm::{Exec, Odm},
    outbox::{JobEntry, JobId, Phase, record_all},
    runner::run_all,
    verify::finding::{Cause, Drifted},
};

/// How many documents without a source are emptied in one transaction.
const DOCUMENTS: i64 = 1_000;

/// The keys of one tie whose copies differ.
#[derive(Debug)]
struct Stale {
    tie: &'static Tie,
    keys: BTreeSet<JoinKey>,
    /// Whether copies beside a null reference are among them.
    no_key: bool,
}

pub(super) async fn repair(items: &[Drifted], odm: &Odm, report: &mut RepairReport) -> Result<()> {
    for stale in by_tie(items).into_values() {
        let tie = stale.tie;
        odm.ready_for(&[tie], false).await?;
        let (jobs, gone) = store(tie, stale.keys.into_iter().collect(), odm).await?;
        let ran = run_all(&jobs, odm).await?;
        for copies in ran.into_iter().flat_map(|ran| ran.reports) {
            if copies.modified == 0 && copies.failed.is_empty() {
                continue;
            }
            report.note(&copies.relation, |noted| {
                noted.repaired += copies.modified;
                noted.failed.extend(copies.failed);
            });
        }
        let mut emptied = 0;
        if stale.no_key {
            emptied += empty(tie, None, odm).await?;
        }
        for key in gone {
            emptied += empty(tie, Some(key), odm).await?;
        }
        report.note(&tie.name, |noted| noted.repaired += emptied);
    }
    Ok(())
}

fn by_tie(items: &[Drifted]) -> BTreeMap<&str, Stale> {
    let mut ties: BTreeMap<&str, Stale> = BTreeMap::new();
    for item in items {
        let Cause::Copy(cause) = &item.cause else {
            continue;
        };
        let stale = ties.entry(&cause.tie.name).or_insert_with(|| Stale {
            tie: cause.tie,
            keys: BTreeSet::new(),
            no_key: false,
        });
        match &cause.key {
            Some(key) => _ = stale.keys.insert(key.clone()),
            None => stale.no_key = true,
        }
    }
    ties
}

/// Stores the jobs of keys that have a source; returns them, and the keys that have none.
async fn store(
    tie: &'static Tie,
    keys: Vec<JoinKey>,
    odm: &Odm,
) -> Result<(Vec<JobId>, Vec<JoinKey>)> {
    let exec = Exec::on(odm.clone());
    exec.together((tie, keys), |(tie, keys), exec| async move {
        let resolved = resolve(tie, keys.iter().cloned(), &exec).await?;
        let (here, gone): (Vec<_>, Vec<_>) =
            keys.into_iter().partition(|key| resolved.contains_key(key));
        let entries = here
            .iter()
            .map(|key| JobEntry::of_tie(tie, key, Phase::Run));
        let entries: Vec<JobEntry> = entries.collect();
        record_all(&entries, &exec).await?;
        Ok((entries.into_iter().map(|entry| entry.id).collect(), gone))
    })
    .await
}

/// Empties the copies of a key that has no source, or of null references; returns how many documents
/// were changed.
async fn empty(tie: &'static Tie, key: Option<JoinKey>, odm: &Odm) -> Result<u64> {
    let mut changed = 0;
    loop {
        let exec = Exec::on(odm.clone());
        let (modified, written) = exec.together((tie, key.clone()), empty_some).await?;
        // A source that has come meanwhile did not see these documents, and they did not see it.
        let jobs = recheck(written.into_iter().collect(), &exec).await?;
        run_all(&jobs, odm).await?;
        changed += modified;
        if modified == 0 {
            return Ok(changed);
        }
    }
}

async fn empty_some(
    (tie, key): (&'static Tie, Option<JoinKey>),
    exec: Exec,
) -> Result<(u64, Option<Written>)> {
    let resolved = resolve(tie, key.clone(), &exec).await?;
    let (source, value) = match &key {
        Some(key) if resolved.contains_key(key) => return Ok((0, None)),
        Some(key) => (Source::Gone, key.to_bson()),
        None => (Source::NoKey, Bson::Null),
    };
    let Some(update) = update_of(tie, &[value], source) else {
        return Ok((0, None));
    };
    let ids = ids(&update, &exec).await?;
    if ids.is_empty() {
        return Ok((0, None));
    }
    let update = update.and(doc! { "_id": key_condition(&ids) });
    let wrote = effects::write(tie, update, &exec).await?;
    let written = Written::new(tie, ids, key.into_iter().collect(), resolved);
    Ok((wrote.modified, Some(written)))
}

async fn ids(update: &Update, exec: &Exec) -> Result<Vec<Bson>> {
    let mut find = Find::new(update.place.clone(), update.filter.clone());
    find.options.limit = Some(DOCUMENTS);
    exec.ids(find.collation(simple())).await
}
