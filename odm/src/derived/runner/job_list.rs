//! Methods that list, count, retry and forget jobs.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    stale_copy_count::copies_behind,
    stored_job::{JobCounts, JobState, StoredJob},
};
use crate::{
    client::{
        command::{AggregateCommand, DeleteCommand, UpdateCommand, and},
        odm::{Exec, Odm, into_future, traced_call},
    },
    derived::{
        declaration,
        outbox::{CURSORS, JobId, age, is_held, jobs},
        values::delta::DELTAS,
    },
    error::{Error, Result},
    graph::graph,
    value::key::JoinKey,
};

impl Odm {
    /// Lists the stored jobs: their keys, their age, and their last error.
    ///
    /// # Sends
    ///
    /// One aggregation over `_odm_jobs`, in the order of the index on `due_at`. By default, it returns the 1,000 jobs
    /// that are due first ([`limit`](Jobs::limit)). With [`relation`](Jobs::relation) or [`key`](Jobs::key), it scans
    /// all jobs.
    ///
    /// # Errors
    ///
    /// Server errors.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// for job in odm.jobs().limit(20).await? {
    ///     println!("{:?} for {:?}: {} of {}", job.state, job.age, job.relation, job.key);
    /// }
    /// let counts = odm.jobs().count().await?;
    /// assert!(counts.oldest.is_none_or(|age| age.as_secs() < 600));
    /// # Ok(()) }
    /// ```
    pub fn jobs(&self) -> Jobs {
        Jobs {
            odm: self.clone(),
            relation: None,
            key: None,
            limit: 1_000,
            urgent_first: false,
        }
    }
}

/// The jobs in a database, optionally restricted to a relation or a key; returned by [`Odm::jobs`].
///
/// # Errors
///
/// Server errors.
#[derive(Clone, Debug)]
#[must_use = "jobs are listed when it is awaited"]
pub struct Jobs {
    odm: Odm,
    relation: Option<String>,
    key: Option<JoinKey>,
    limit: usize,
    /// Whether the list begins with postponed jobs, followed by late jobs.
    urgent_first: bool,
}

impl Odm {
    /// Lists the relations for which jobs are stored although no program declares them. Each relation is returned with
    /// the number of its jobs.
    ///
    /// No program can run these jobs. Start a program that declares the relation, or remove the jobs with
    /// [`Jobs::forget`].
    ///
    /// # Sends
    ///
    /// One aggregation over all jobs. If there are jobs for other programs, one `find` for the declarations follows.
    ///
    /// # Errors
    ///
    /// Server errors.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// for (relation, jobs) in odm.undeclared_jobs().await? {
    ///     println!("no program declares {relation}: {jobs} jobs wait");
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn undeclared_jobs(&self) -> Result<Vec<(String, u64)>> {
        let orphans = declaration::orphans(self).await?.into_iter();
        Ok(orphans
            .map(|it| (it.relation, it.count.unsigned_abs()))
            .collect())
    }
}

impl Jobs {
    /// Selects only jobs for one relation. Pass its stored paths: `logmsg.host <- hosts._id`.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let jobs = odm.jobs().relation("books.author <- authors._id").await?;
    /// # Ok(()) }
    /// ```
    pub fn relation(mut self, relation: impl Into<String>) -> Self {
        self.relation = Some(relation.into());
        self
    }

    /// Selects only the jobs for one key.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{bson::Bson, prelude::*};
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let jobs = odm.jobs().key(Bson::from("harbour")).await?;
    /// # Ok(()) }
    /// ```
    pub fn key(mut self, key: impl Into<JoinKey>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets the largest number of jobs to list. The default is 1,000. [`count`](Self::count) counts the stale copies
    /// for at most this number of jobs.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let jobs = odm.jobs().limit(20).await?;
    /// # Ok(()) }
    /// ```
    pub const fn limit(mut self, jobs: usize) -> Self {
        self.limit = jobs;
        self
    }

    /// Lists postponed jobs first, then late jobs. Jobs that wait for their last look are at the end. With this option,
    /// the call reads all jobs.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// for job in odm.jobs().urgent_first().limit(20).await? {
    ///     println!("{} {:?}", job.relation, job.state);
    /// }
    /// # Ok(()) }
    /// ```
    pub const fn urgent_first(mut self) -> Self {
        self.urgent_first = true;
        self
    }

    /// Counts the jobs, the deltas, and the documents whose derived data is stale because of pending jobs and deltas.
    ///
    /// [`Odm::worker`] also counts the jobs once a minute, and emits the counts as a `tracing` event of level info.
    ///
    /// # Sends
    ///
    /// One aggregation that reads all jobs and deltas. If some jobs still have copies to write, these statements
    /// follow:
    ///
    /// - One aggregation that lists [`limit`](Self::limit) jobs. Postponed jobs are listed first, then jobs that are
    ///   due.
    /// - For each extended reference, one `find` for the sources of every 10,000 keys.
    /// - For each extended reference, one aggregation for every 100 keys, over the documents that contain copies. The
    ///   aggregation uses the index on the reference, and stops after 100,000 documents with stale copies.
    ///
    /// # Limits
    ///
    /// Jobs for other programs are counted, but the stale copies that these jobs have to write are not.
    ///
    /// # Errors
    ///
    /// Server errors.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// println!("{} jobs", odm.jobs().count().await?.total());
    /// # Ok(()) }
    /// ```
    pub async fn count(self) -> Result<JobCounts> {
        traced_call("count_jobs", async move {
            let mut counts = self.count_states().await?;
            if counts.due + counts.running + counts.put_off > 0 {
                let exec = self.exec();
                counts.copies_behind += copies_behind(&self.unsettled().await?, &exec).await?;
            }
            Ok(counts)
        })
        .await
    }

    async fn unsettled(self) -> Result<Vec<JobId>> {
        let mut jobs = self.urgent_first().list().await?;
        jobs.retain(|job| job.state != JobState::Settling);
        let ids = jobs
            .into_iter()
            .map(|StoredJob { relation, key, .. }| JobId { relation, key });
        Ok(ids.collect())
    }

    async fn count_states(&self) -> Result<JobCounts> {
        let mut pipeline = self.stages(None);
        let group = doc! {
            "_id": "$state", "count": { "$sum": 1_i64 }, "oldest": { "$max": "$late" },
        };
        pipeline.push(doc! { "$group": group });
        pipeline.push(doc! { "$unionWith": { "coll": DELTAS, "pipeline": self.deltas() } });
        let mut counts = JobCounts::default();
        for group in &self.read(pipeline).await? {
            counts.add(group);
        }
        Ok(counts)
    }

    /// Makes postponed jobs due immediately. Returns their number.
    ///
    /// # Sends
    ///
    /// One `update`, which scans all jobs.
    ///
    /// # Errors
    ///
    /// Server errors.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// println!("{} jobs run again", odm.jobs().retry().await?);
    /// # Ok(()) }
    /// ```
    pub async fn retry(self) -> Result<u64> {
        traced_call("retry_jobs", async move {
            let mut put_off = self.filter();
            put_off.insert("failed.0", doc! { "$exists": true });
            // The job runs again from the first copy, and gets a new last look. Because of the new version, a runner
            // that is about to postpone the job again cannot do so.
            let again = vec![doc! { "$set": {
                "phase": "run", "due_at": "$$NOW", "version": { "$literal": ObjectId::new() },
            } }];
            let update = UpdateCommand::many(jobs(), put_off, again);
            Ok(self.exec().send(update).await?.modified)
        })
        .await
    }

    /// Removes the selected jobs. Returns their number.
    ///
    /// If you remove a job, the copies for its key can stay stale until the source changes again. [`Odm::verify`] finds
    /// such copies. If programs no longer declare the relation, use [`Odm::forget_declaration`] instead.
    ///
    /// # Sends
    ///
    /// One `delete`, which scans all jobs.
    ///
    /// # Errors
    ///
    /// - [`Error::Invalid`] if you have selected neither a relation nor a key
    /// - server errors
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let removed = odm.jobs().relation("books.author <- authors._id").forget().await?;
    /// # Ok(()) }
    /// ```
    pub async fn forget(self) -> Result<u64> {
        if self.relation.is_none() && self.key.is_none() {
            return Err(Error::invalid(
                "all jobs would be forgotten, and the copies of all of them might stay old; name a `relation` \
                 or a `key`"
                    .to_owned(),
            ));
        }
        traced_call("forget_jobs", async move {
            let delete = DeleteCommand::many(jobs(), self.filter());
            self.exec().send(delete).await
        })
        .await
    }

    /// Lists the relations for which jobs are stored, in alphabetical order.
    ///
    /// # Sends
    ///
    /// One aggregation, which reads the selected jobs.
    ///
    /// # Errors
    ///
    /// Server errors.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// for relation in odm.jobs().relations().await? {
    ///     println!("{relation} has jobs");
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn relations(self) -> Result<Vec<String>> {
        let stages = vec![
            doc! { "$match": self.filter() },
            doc! { "$group": { "_id": "$_id.relation" } },
            doc! { "$sort": { "_id": 1 } },
        ];
        let found = self.read(stages).await?;
        let names = found.iter().filter_map(|it| it.get_str("_id").ok());
        Ok(names.map(str::to_owned).collect())
    }

    fn exec(&self) -> Exec {
        Exec::on(self.odm.clone())
    }

    async fn read(&self, pipeline: Vec<Document>) -> Result<Vec<Document>> {
        self.exec()
            .documents(AggregateCommand::new(jobs(), pipeline))
            .await
    }

    async fn list(self) -> Result<Vec<StoredJob>> {
        let found = self.read(self.stages(Some(self.limit))).await?;
        Ok(found.iter().filter_map(StoredJob::read).collect())
    }

    fn filter(&self) -> Document {
        self.filter_at("_id")
    }

    /// Returns a filter for the selected relation and key. `path` is the path of the field that contains both: `_id` in
    /// a job, `of` in a delta.
    fn filter_at(&self, path: &str) -> Document {
        let mut filter = Document::new();
        if let Some(relation) = &self.relation {
            filter.insert(format!("{path}.relation"), relation);
        }
        if let Some(key) = &self.key {
            let (name, value) = key.to_id_field();
            filter.insert(
                format!("{path}.{name}"),
                // `$eq: null` without `$exists` would also match an id that stores `key_bytes` instead of `key`.
                doc! { "$eq": value, "$exists": true },
            );
        }
        filter
    }

    /// Returns the stages that count the deltas and the parents that have deltas.
    fn deltas(&self) -> Vec<Document> {
        let (one, some) = (
            doc! { "$sum": 1_i64 },
            doc! { "steps.0": { "$exists": true } },
        );
        vec![
            doc! { "$match": and(self.filter_at("of"), some) },
            doc! { "$group": { "_id": "$of", "count": &one, "oldest": { "$max": age("$at") } } },
            doc! { "$group": {
                "_id": "delta", "documents": one, "count": { "$sum": "$count" }, "oldest": { "$max": "$oldest" },
            } },
        ]
    }

    /// Returns the stages that list the jobs with their states.
    fn stages(&self, limit: Option<usize>) -> Vec<Document> {
        let mut stages = vec![doc! { "$match": self.filter() }];
        if let Some(limit) = limit.and_then(|limit| i64::try_from(limit).ok()) {
            let mut order = doc! { "due_at": 1 };
            if self.urgent_first {
                stages.push(doc! { "$set": { "urgency": urgency() } });
                order = doc! { "urgency": 1, "due_at": 1 };
            }
            stages.push(doc! { "$sort": order });
            // The server rejects a limit of 0.
            stages.push(doc! { "$limit": limit.max(1) });
        }
        // Jobs for single fields share the cursor of their relation.
        let whole = doc! { "$arrayElemAt": [{ "$split": ["$_id.relation", " ("] }, 0] };
        let cursor = doc! { "$mergeObjects": ["$_id", { "relation": whole }] };
        let is_live = doc! { "$expr": { "$and": [{ "$eq": ["$_id", "$$cursor"] }, is_held()] } };
        stages.push(doc! { "$lookup": {
            "from": CURSORS, "let": { "cursor": cursor }, "pipeline": [{ "$match": is_live }], "as": "cursor",
        } });
        let known: Vec<String> = graph().relations().collect();
        let state = doc! { "$switch": {
            "branches": [
                { "case": { "$not": { "$in": ["$_id.relation", { "$literal": known }] } }, "then": "foreign" },
                { "case": { "$ne": ["$cursor", []] }, "then": "running" },
                { "case": { "$lte": ["$due_at", "$$NOW"] }, "then": "due" },
                { "case": { "$gt": [{ "$size": { "$ifNull": ["$failed", []] } }, 0] }, "then": "put_off" },
            ],
            "default": "settling",
        } };
        stages.push(doc! { "$project": {
            "name": 1, "failed": 1, "error": 1, "state": state, "age": age("$changed_at"), "late": late(),
            "reached": { "$first": "$cursor.lo" },
        } });
        stages
    }
}

/// Returns a pipeline expression for the milliseconds that a job is late. A last look waits on purpose, so it is late
/// only from the time at which it is due.
fn late() -> Document {
    let has_failed = doc! { "$gt": [{ "$size": { "$ifNull": ["$failed", []] } }, 0] };
    let is_last_look = doc! { "$and": [{ "$eq": ["$phase", "settle"] }, { "$not": has_failed }] };
    doc! { "$cond": [is_last_look, { "$max": [age("$due_at"), 0_i64] }, age("$changed_at")] }
}

/// Returns a pipeline expression that sorts jobs by urgency: 0 for postponed jobs, 1 for late jobs, 2 for other jobs in
/// the phase `run`, and 3 for jobs that wait for their last look.
fn urgency() -> Document {
    doc! { "$switch": {
        "branches": [
            { "case": { "$gt": [{ "$size": { "$ifNull": ["$failed", []] } }, 0] }, "then": 0 },
            { "case": { "$lte": ["$due_at", "$$NOW"] }, "then": 1 },
            { "case": { "$eq": ["$phase", "run"] }, "then": 2 },
        ],
        "default": 3,
    } }
}

into_future!([] Jobs => Vec<StoredJob>, |it| traced_call("jobs", it.list()));
