//! What an operator sees of the jobs, and does to them.

use std::time::Duration;

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::stale_copy_count::copies_behind;
use crate::{
    client::{
        command::{AggregateCommand, DeleteCommand, UpdateCommand, and},
        odm::{Exec, Odm, Running, traced_call},
    },
    derived::{
        declaration,
        outbox::{CURSORS, JobId, KEPT_FAILED, age, is_held, jobs},
        values::delta::DELTAS,
    },
    error::{Error, Result},
    graph::graph,
    value::key::JoinKey,
};

impl Odm {
    /// Lists the jobs: what is stale, for how long, and why it still is.
    ///
    /// Awaiting it sends one aggregation over `_odm_jobs`, in the order of its index on `due_at`, and brings the
    /// 1,000 that are due first; a relation or a key is looked for among all jobs.
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

/// The jobs of a database, or some of them; made by [`Odm::jobs`].
///
/// # Errors
///
/// What the server reports.
#[derive(Clone, Debug)]
#[must_use = "jobs are listed when it is awaited"]
pub struct Jobs {
    odm: Odm,
    relation: Option<String>,
    key: Option<JoinKey>,
    limit: usize,
    /// Whether those that were put off come first, then those that are late.
    urgent_first: bool,
}

/// A job that is stored: the copies of one key, or the references to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoredJob {
    /// The relation, by what is stored: `logmsg.host <- hosts._id`.
    pub relation: String,
    /// The relation, as the program with the change calls it: `LogMsg.host <- Host`.
    pub name: String,
    /// The key whose copies are stale.
    pub key: JoinKey,
    /// What it waits for.
    pub state: JobState,
    /// How long ago the source was changed last, by the clock of the server.
    pub age: Duration,
    /// The last document that the present runner has written, if there is one.
    pub reached: Option<Bson>,
    /// The documents that could not take their copies, 100 of them at most, and 64 KB.
    pub failed: Vec<Bson>,
    /// Why the last run did not end well, in 1,000 letters at most; of documents that failed, why the first of them did.
    pub last_error: Option<String>,
}

/// What a job waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JobState {
    /// A runner: its time has come.
    Due,
    /// Its runner, which is at work.
    Running,
    /// The end of the grace: the copies are written, and a last look follows.
    Settling,
    /// Ten minutes to pass: some documents could not take their copies.
    PutOff,
    /// A program that declares the relation; this one does not.
    Foreign,
}

/// How many jobs and deltas there are; made by [`Jobs::count`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobCounts {
    /// How many wait for a runner.
    pub due: u64,
    /// How many are being run.
    pub running: u64,
    /// How many wait for their last look.
    pub settling: u64,
    /// How many have documents that could not take their copies.
    pub put_off: u64,
    /// How many are for other programs.
    pub foreign: u64,
    /// How long ago the source of the oldest was changed; those that only settle do not count.
    pub oldest: Option<Duration>,
    /// How many documents have copies that these jobs have yet to write, as far as they were counted
    /// ([`Jobs::count`] says how far), or fields that wait for deltas. A document with two extended references that are
    /// behind counts twice, and so does one with a job and a delta.
    pub copies_behind: u64,
    /// How many deltas wait to be folded.
    pub deltas: u64,
    /// How long ago the oldest of them was stored, by the clock of the server.
    pub oldest_delta: Option<Duration>,
}

impl Odm {
    /// Lists the relations of jobs that no program declares, with the number of their jobs. No program can run them: start
    /// one that declares the relation, or forget them ([`Jobs::forget`]).
    ///
    /// # Sends
    ///
    /// One aggregation over all jobs, and one `find` of the declarations if there are jobs of other programs.
    ///
    /// # Errors
    ///
    /// What the server reports.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// for (relation, jobs) in odm.undeclared_jobs().await? {
    ///     println!("nobody declares {relation}: {jobs} jobs wait");
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
    /// Keeps the jobs of one relation, by what is stored: `logmsg.host <- hosts._id`.
    pub fn relation(mut self, relation: impl Into<String>) -> Self {
        self.relation = Some(relation.into());
        self
    }

    /// Keeps the jobs of one key.
    pub fn key(mut self, key: impl Into<JoinKey>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Lists so many jobs at most; [`count`](Self::count) looks for the copies of so many.
    pub const fn limit(mut self, jobs: usize) -> Self {
        self.limit = jobs;
        self
    }

    /// Lists those first that were put off, then those that are late, and those that only settle last, which reads all jobs.
    pub const fn urgent_first(mut self) -> Self {
        self.urgent_first = true;
        self
    }

    /// Counts them, the deltas, and the documents that wait for either. The counts are recorded as a `tracing` event of level info,
    /// too, for an alert to be made of it; [`Odm::worker`] does so once a minute.
    ///
    /// One aggregation, which reads all jobs and deltas. Only if some have copies to write, these follow: another aggregation
    /// for [`limit`](Self::limit) jobs (1,000 unless told otherwise; those that were put off first, then those that are due
    /// first), and for each extended
    /// reference one `find` of the sources for 10,000 keys and one aggregation over the documents with copies for
    /// 100 keys, by the index of the reference. It reads the documents of these keys until it has seen 100,000 whose
    /// copies differ. Jobs of other programs are counted, the copies that wait for them are not.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn count(self) -> Result<JobCounts> {
        traced_call("count_jobs", async move {
            let mut counts = self.count_states().await?;
            if counts.due + counts.running + counts.put_off > 0 {
                let exec = self.exec();
                counts.copies_behind += copies_behind(&self.unsettled().await?, &exec).await?;
            }
            counts.record();
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
            "_id": "$state", "count": { "$sum": 1_i64 }, "oldest": { "$max": "$age" },
        };
        pipeline.push(doc! { "$group": group });
        pipeline.push(doc! { "$unionWith": { "coll": DELTAS, "pipeline": self.deltas() } });
        let mut counts = JobCounts::default();
        for group in &self.read(pipeline).await? {
            counts.add(group);
        }
        Ok(counts)
    }

    /// Makes jobs that were put off due at once; returns how many. One `update`, which reads all jobs.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn retry(self) -> Result<u64> {
        traced_call("retry_jobs", async move {
            let mut put_off = self.filter();
            put_off.insert("failed.0", doc! { "$exists": true });
            // A run from the beginning, with a last look of its own after it.
            // The new version keeps a runner from putting the job off again, if it is about to end.
            let again = vec![doc! { "$set": {
                "phase": "run", "due_at": "$$NOW", "version": { "$literal": ObjectId::new() },
            } }];
            let update = UpdateCommand::many(jobs(), put_off, again);
            Ok(self.exec().send(update).await?.modified)
        })
        .await
    }

    /// Removes jobs; returns how many. One `delete`, which reads all jobs.
    ///
    /// Their copies may stay as they are until the source changes again: [`Odm::verify`] finds them. Jobs of a
    /// relation that no program has any longer are better removed with
    /// [`Odm::forget_declaration`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if neither a relation nor a key was named, and what the server reports.
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

    /// Lists the relations of the jobs, by name.
    ///
    /// # Sends
    ///
    /// One aggregation, which reads all jobs of the relation or the key if one is given, and all jobs otherwise.
    ///
    /// # Errors
    ///
    /// What the server reports.
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

    /// Returns the filter for what names its relation and its key at a path.
    fn filter_at(&self, path: &str) -> Document {
        let mut filter = Document::new();
        if let Some(relation) = &self.relation {
            filter.insert(format!("{path}.relation"), relation);
        }
        if let Some(key) = &self.key {
            let (name, value) = key.to_id_field();
            filter.insert(
                format!("{path}.{name}"),
                // `$eq: null` alone also matches an id with `key_bytes`, which has no `key`.
                doc! { "$eq": value, "$exists": true },
            );
        }
        filter
    }

    /// Returns the stages that count the deltas, and the documents that they are about.
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

    /// Returns the stages that say of each job what it waits for.
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
        // Jobs of single fields share the cursor of their relation.
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
            "name": 1, "failed": 1, "error": 1, "state": state, "age": age("$changed_at"),
            "reached": { "$first": "$cursor.lo" },
        } });
        stages
    }
}

/// Returns an expression: 0 for a job that was put off, 1 for one that is late, then those to be run, and 3 for one that
/// only settles.
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

impl std::future::IntoFuture for Jobs {
    type Output = Result<Vec<StoredJob>>;
    type IntoFuture = Running<Vec<StoredJob>>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("jobs", self.list())
    }
}

impl StoredJob {
    /// How many documents [`failed`](Self::failed) lists at most: with so many, there may be more.
    pub const MOST_FAILED: usize = KEPT_FAILED;

    fn read(job: &Document) -> Option<Self> {
        let id = job.get_document("_id").ok()?;
        let text = |name: &str| job.get_str(name).ok().map(ToOwned::to_owned);
        Some(Self {
            relation: id.get_str("relation").unwrap_or_default().to_owned(),
            name: text("name").unwrap_or_default(),
            key: JoinKey::from_id_field(id).unwrap_or(JoinKey::NULL),
            state: JobState::read(job.get_str("state").ok()?)?,
            age: read_age(job, "age").unwrap_or_default(),
            reached: job.get("reached").cloned(),
            failed: job.get_array("failed").cloned().unwrap_or_default(),
            last_error: text("error"),
        })
    }
}

impl JobState {
    fn read(name: &str) -> Option<Self> {
        Some(match name {
            "due" => Self::Due,
            "running" => Self::Running,
            "settling" => Self::Settling,
            "put_off" => Self::PutOff,
            "foreign" => Self::Foreign,
            _ => return None,
        })
    }
}

impl JobCounts {
    /// Returns how many there are.
    pub const fn total(&self) -> u64 {
        self.due + self.running + self.settling + self.put_off + self.foreign
    }

    fn add(&mut self, group: &Document) {
        let number = |name: &str| group.get_i64(name).map_or(0, i64::unsigned_abs);
        if group.get_str("_id").is_ok_and(|of| of == "delta") {
            self.deltas = number("count");
            self.oldest_delta = read_age(group, "oldest");
            self.copies_behind += number("documents");
            return;
        }
        let state = group.get_str("_id").ok().and_then(JobState::read);
        let count = match state {
            Some(JobState::Due) => &mut self.due,
            Some(JobState::Running) => &mut self.running,
            Some(JobState::Settling) => &mut self.settling,
            Some(JobState::PutOff) => &mut self.put_off,
            Some(JobState::Foreign) => &mut self.foreign,
            None => return,
        };
        *count = number("count");
        if state != Some(JobState::Settling) {
            self.oldest = self.oldest.max(read_age(group, "oldest"));
        }
    }

    fn record(&self) {
        let oldest = self.oldest.unwrap_or_default().as_secs();
        tracing::info!(
            due = self.due,
            running = self.running,
            settling = self.settling,
            put_off = self.put_off,
            foreign = self.foreign,
            oldest_seconds = oldest,
            copies_behind = self.copies_behind,
            deltas = self.deltas,
            oldest_delta_seconds = self.oldest_delta.unwrap_or_default().as_secs(),
            "jobs"
        );
    }
}

fn read_age(document: &Document, name: &str) -> Option<Duration> {
    let millis = document.get_i64(name).ok()?;
    Some(Duration::from_millis(millis.unsigned_abs()))
}
