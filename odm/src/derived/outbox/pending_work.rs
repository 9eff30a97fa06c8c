//! Finds the jobs and deltas that are pending for some keys.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use mongodb::bson::{Bson, Document, doc};

use super::{
    job::{JobId, Phase},
    job_store::{JOBS, jobs},
    pending_age::{age, is_older_than},
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{AggregateCommand, FindCommand, and},
        odm::Exec,
        place::Place,
    },
    derived::values::{
        delta::{DELTAS, deltas},
        key_condition,
    },
    error::{Pending, Result},
    graph::{ExtendedReference, Sources, graph},
    mongosh,
    value::key::JoinKey,
};

/// Largest number of pairs of relation and key in one aggregation.
const AT_ONCE: usize = 1_000;

/// The pending job or the pending deltas for one relation and one key.
#[derive(Clone, Debug)]
pub(crate) struct PendingWork {
    pub(crate) id: JobId,
    /// Whether the work consists of deltas. If this field is false, the work is a job.
    pub(crate) is_delta: bool,
    /// Time since the first change that the copies do not reflect yet, by the server's clock.
    age: Option<Duration>,
    state: State,
    failed: Vec<Bson>,
    error: Option<String>,
}

/// The state of pending work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The copies are stale.
    Pending,
    /// The copies were written, and the last look follows.
    Settling,
    /// The job is postponed because it could not update or delete some documents.
    PutOff,
}

/// Which jobs a caller requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListedJobs {
    /// Jobs that have to run, and postponed jobs.
    Pending,
    /// Also jobs that wait for their last look, whatever their age. Their age is the time since the latest change, but
    /// an earlier change might have missed a copy.
    AlsoSettling,
}

/// Finds the pending work for the given relations and keys, if it is older than a given age.
///
/// Sends one `aggregate` for every 1,000 keys, which uses the indexes on deltas and jobs. The deltas are read before
/// the jobs. In the opposite order, the call could miss the work of a concurrent fold, which removes deltas and stores
/// jobs.
pub(crate) async fn pending_work(
    names: &[JobId],
    older_than: Duration,
    wanted: ListedJobs,
    exec: &Exec,
) -> Result<Vec<PendingWork>> {
    let size = |id: &JobId| size_of(&id.to_bson());
    let mut owed = Vec::new();
    for names in parts(names, AT_ONCE, size) {
        let found = exec.documents(asking(names, older_than, wanted)).await?;
        owed.extend(found.iter().filter_map(PendingWork::read));
    }
    Ok(owed)
}

fn asking(names: &[JobId], older_than: Duration, wanted: ListedJobs) -> AggregateCommand {
    let of_jobs = of_jobs(names, wanted);
    let mut command = match with_deltas(names) {
        Some(filter) => {
            let mut pipeline = of_deltas(filter);
            pipeline.push(doc! { "$unionWith": { "coll": JOBS, "pipeline": of_jobs } });
            AggregateCommand::new(deltas(), pipeline)
        }
        None => AggregateCommand::new(jobs(), of_jobs),
    };
    if let Some(is_old) = is_older_than(older_than) {
        let any_age = doc! { "phase": Phase::Settle.name(), "failed.0": { "$exists": false } };
        let is_wanted = doc! { "$or": [is_old, any_age] };
        command.pipeline.push(doc! { "$match": is_wanted });
    }
    command
}

/// The keys that have pending deltas or jobs.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// The keys that have pending deltas.
    pub(crate) deltas: Vec<JobId>,
    /// The jobs in the phase `run`. Postponed jobs are not included.
    pub(crate) jobs: Vec<JobId>,
}

/// Reads the pending work inside a transaction, with one `aggregate` for every 1,000 keys. Transactions allow
/// `$lookup`, but not `$unionWith`, which [`pending_work`] uses.
pub(crate) async fn waiting(names: &[JobId], exec: &Exec) -> Result<Waiting> {
    let size = |id: &JobId| size_of(&id.to_bson());
    let mut waiting = Waiting::default();
    for names in parts(names, AT_ONCE, size) {
        let ids: Vec<Bson> = names.iter().map(JobId::to_bson).collect();
        let running = doc! { "_id": key_condition(&ids), "phase": Phase::Run.name() };
        let mut pipeline = vec![doc! { "$documents": [{}] }];
        pipeline.push(look_up(JOBS, "jobs", running, "$_id"));
        let deltas = with_deltas(names);
        pipeline.extend(deltas.map(|filter| look_up(DELTAS, "deltas", filter, "$of")));
        let found = AggregateCommand::new(Place::database(), pipeline);
        for found in exec.documents(found).await? {
            waiting.deltas.extend(ids_in(&found, "deltas"));
            waiting.jobs.extend(ids_in(&found, "jobs"));
        }
    }
    Ok(waiting)
}

fn look_up(from: &str, to: &str, filter: Document, id: &str) -> Document {
    // The result of a `$lookup` is limited to 16 MB. The deltas of a parent with many writers could exceed this limit,
    // so only the ids are read.
    let each = vec![doc! { "$match": filter }, doc! { "$group": { "_id": id } }];
    doc! { "$lookup": { "from": from, "pipeline": each, "as": to } }
}

fn ids_in<'d>(found: &'d Document, field: &str) -> impl Iterator<Item = JobId> + use<'d> {
    let ids = found.get_array(field).into_iter().flatten();
    ids.filter_map(|it| JobId::read(it.as_document()?.get("_id")?))
}

fn of_jobs(names: &[JobId], wanted: ListedJobs) -> Vec<Document> {
    let ids: Vec<Bson> = names.iter().map(JobId::to_bson).collect();
    let mut filter = doc! { "_id": key_condition(&ids) };
    if wanted == ListedJobs::Pending {
        filter.insert("$and", vec![is_waiting()]);
    }
    vec![
        doc! { "$match": filter },
        doc! { "$project": { "phase": 1, "failed": 1, "error": 1, "age": age("$stale_since") } },
    ]
}

/// Returns a filter for jobs that are in the phase `run` or have been postponed.
fn is_waiting() -> Document {
    doc! { "$or": [{ "phase": Phase::Run.name() }, { "failed.0": { "$exists": true } }] }
}

fn of_deltas(filter: Document) -> Vec<Document> {
    vec![
        doc! { "$match": filter },
        doc! { "$group": { "_id": "$of", "at": { "$min": "$at" } } },
        doc! { "$project": { "age": age("$at") } },
    ]
}

/// Lists the pending jobs and deltas of the given relations, whatever their keys. A job for a single field is listed as
/// a job for all fields.
///
/// Sends one transaction of two statements. The statements use the indexes on the ids of jobs and on the keys of
/// deltas.
pub(crate) async fn pending_of_relations(
    relations: &BTreeSet<String>,
    exec: &Exec,
) -> Result<BTreeSet<JobId>> {
    let of_relations = |path: &str| {
        let known = relations.iter().flat_map(|relation| {
            let references = graph().references_of(relation);
            let fields = references.flat_map(|it| it.relations_of_fields());
            fields.chain([relation.clone()])
        });
        let ranges = known.map(|relation| {
            let above = doc! { "relation": &relation, "key": Bson::MaxKey };
            doc! { path: { "$gte": { "relation": relation }, "$lt": above } }
        });
        doc! { "$or": ranges.collect::<Vec<_>>() }
    };
    let filters = (of_relations("_id"), of_relations("of"));
    exec.together(filters, |(of_jobs, of_deltas), exec| async move {
        let find = FindCommand::new(jobs(), and(of_jobs, is_waiting())).select(doc! { "_id": 1 });
        let mut found = exec.documents(find.all()).await?;
        let pipeline = vec![
            doc! { "$match": and(of_deltas, doc! { "steps.0": { "$exists": true } }) },
            doc! { "$group": { "_id": "$of" } },
        ];
        found.extend(
            exec.documents(AggregateCommand::new(deltas(), pipeline))
                .await?,
        );
        let ids = found.iter().filter_map(|it| JobId::read(it.get("_id")?));
        Ok(ids.map(JobId::of_all_fields).collect())
    })
    .await
}

/// Returns a filter for the deltas of the given keys. Returns `None` if these keys cannot have deltas. For a relation
/// that this program declares, the filter selects only deltas of fields that this program computes.
fn with_deltas(names: &[JobId]) -> Option<Document> {
    let mut by_relation: BTreeMap<&str, Vec<Bson>> = BTreeMap::new();
    for id in names {
        let of_relation = by_relation.entry(&id.relation).or_default();
        of_relation.push(id.to_bson());
    }
    let mut any = Vec::new();
    for (relation, ids) in by_relation {
        let of = key_condition(&ids);
        if !graph().knows(relation) {
            any.push(doc! { "of": of, "steps.0": { "$exists": true } });
            continue;
        }
        let mut fields = Vec::new();
        for reference in graph().references_of(relation) {
            match reference.sources() {
                Sources::All => fields.extend(reference.copy_paths()),
                Sources::OneById | Sources::FirstByKey => {}
            }
        }
        // Deltas never belong to the relation of a single field. The relation of the whole extended reference covers
        // that field's deltas.
        if ExtendedReference::field_of(relation).1.is_none() && !fields.is_empty() {
            any.push(doc! { "of": of, "steps.field": { "$in": fields } });
        }
    }
    (!any.is_empty()).then(|| doc! { "$or": any })
}

impl PendingWork {
    fn read(found: &Document) -> Option<Self> {
        let phase = found.get_str("phase").ok();
        let failed = found.get_array("failed").cloned().unwrap_or_default();
        let age = found.get_i64("age").ok();
        Some(Self {
            id: JobId::read(found.get("_id")?)?,
            is_delta: phase.is_none(),
            age: age.map(|age| Duration::from_millis(u64::try_from(age).unwrap_or(0))),
            state: match phase {
                Some(phase) if phase == Phase::Run.name() => State::Pending,
                Some(_) if failed.is_empty() => State::Settling,
                Some(_) => State::PutOff,
                None => State::Pending,
            },
            failed,
            error: found.get_str("error").ok().map(ToOwned::to_owned),
        })
    }

    /// Whether the job is postponed. Running such a job now would fail again.
    pub(crate) fn is_put_off(&self) -> bool {
        self.state == State::PutOff
    }

    /// Whether the job waits for its last look.
    pub(crate) fn is_settling(&self) -> bool {
        self.state == State::Settling
    }

    /// Whether the work affects a given document. A postponed job lists only some of the failed documents, so the
    /// result is true for every document if this list is full.
    pub(crate) fn concerns(&self, document: &JoinKey) -> bool {
        let mut failed = self.failed.iter().cloned().map(JoinKey::from);
        !self.is_put_off()
            || failed.any(|id| id == *document)
            || self.failed.len() >= super::job_store::KEPT_FAILED
    }
}

impl From<&PendingWork> for Pending {
    fn from(owed: &PendingWork) -> Self {
        let cannot = owed.failed.first().filter(|_| owed.is_put_off());
        let cannot = cannot.map(|first| {
            let (of, first) = (owed.failed.len(), mongosh::value(first));
            format!("{of} documents cannot take their copies, {first} for one")
        });
        Self {
            age: owed.age,
            why: cannot.or_else(|| owed.error.clone()),
            ..Self::from(&owed.id)
        }
    }
}

impl From<&JobId> for Pending {
    fn from(id: &JobId) -> Self {
        Self {
            relation: id.relation.clone(),
            key: id.key.to_bson(),
            age: None,
            why: None,
        }
    }
}
