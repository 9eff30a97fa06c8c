//! The documents of jobs.

use std::time::Duration;

use mongodb::{
    IndexModel,
    bson::{Bson, Document, doc, oid::ObjectId},
    options::IndexOptions,
};

use crate::{
    command::{CreateIndexes, Delete, Find, FindAndUpdate, Update, UpdateAll},
    copy::graph,
    error::Result,
    key::JoinKey,
    odm::{Exec, Odm},
    place::Place,
};

pub(crate) const JOBS: &str = "_odm_jobs";
pub(crate) const CURSORS: &str = "_odm_cursors";

/// The source that a job is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JobId {
    pub(crate) source: String,
    pub(crate) key: Bson,
}

impl JobId {
    pub(crate) fn new(source: &str, key: Bson) -> Self {
        Self {
            source: source.to_owned(),
            key,
        }
    }

    pub(crate) fn to_bson(&self) -> Bson {
        Bson::Document(doc! { "source": &self.source, "key": self.key.clone() })
    }

    pub(crate) fn read(id: &Bson) -> Option<Self> {
        let id = id.as_document()?;
        Some(Self::new(
            id.get_str("source").ok()?,
            id.get("key")?.clone(),
        ))
    }
}

/// What a job still has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The copies are not written yet.
    Run,
    /// The copies were written; a last look follows when no writer with an older view is left.
    Settle,
}

impl Phase {
    const fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Settle => "settle",
        }
    }
}

/// A job to be written.
#[derive(Clone, Debug)]
pub(crate) struct JobEntry {
    pub(crate) id: JobId,
    /// Keys that the source had and has no longer.
    pub(crate) lost: Vec<(&'static str, Vec<JoinKey>)>,
    /// The names of the ties and rules that the change concerns.
    pub(crate) ties: Vec<&'static str>,
}

impl JobEntry {
    /// Returns the update of the stored job: a later one coalesces with those before it.
    ///
    /// A pipeline, because its dates come from the clock of the server, which all programs share.
    fn update(&self, phase: Phase, grace: i64) -> Vec<Document> {
        let keys: Vec<Bson> = self
            .lost
            .iter()
            .flat_map(|(name, keys)| {
                keys.iter()
                    .map(move |key| Bson::Document(doc! { "tie": *name, "key": key.to_bson() }))
            })
            .collect();
        let running = match phase {
            Phase::Run => Bson::Boolean(true),
            Phase::Settle => Bson::Document(doc! { "$eq": ["$phase", Phase::Run.name()] }),
        };
        let union = |field: &str, new: Bson| {
            doc! { "$setUnion": [{ "$ifNull": [field, []] }, { "$literal": new }] }
        };
        let mut set = doc! {
            "version": { "$literal": ObjectId::new() },
            "changed_at": "$$NOW",
            "grace": longest(grace),
            "due_at": { "$cond": [running.clone(), "$$NOW", { "$add": ["$$NOW", longest(grace)] }] },
            "phase": { "$cond": [running, Phase::Run.name(), Phase::Settle.name()] },
            "ties": union("$ties", self.ties.clone().into()),
        };
        if !keys.is_empty() {
            set.insert("keys", union("$keys", keys.into()));
        }
        vec![doc! { "$set": set }]
    }
}

/// A stored job.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: JobId,
    /// The state of the job: a value that was never used before for each change of its source and of
    /// its phase. A number counted up would begin anew when a job is finished and made again, and a
    /// runner of the first one could finish the second.
    pub(crate) version: ObjectId,
    pub(crate) phase: Phase,
    pub(crate) due: bool,
    /// Keys that the source had, by the name of the tie.
    pub(crate) lost: Vec<(String, JoinKey)>,
    pub(crate) ties: Vec<String>,
}

impl Job {
    fn read(document: &Document) -> Option<Self> {
        let lost = document.get_array("keys").into_iter().flatten();
        let lost = lost.filter_map(|entry| {
            let entry = entry.as_document()?;
            let key = JoinKey::from(entry.get("key")?.clone());
            Some((entry.get_str("tie").ok()?.to_owned(), key))
        });
        let ties = document.get_array("ties").into_iter().flatten();
        Some(Self {
            lost: lost.collect(),
            ties: ties
                .filter_map(|tie| tie.as_str().map(ToOwned::to_owned))
                .collect(),
            id: JobId::read(document.get("_id")?)?,
            version: document.get_object_id("version").ok()?,
            due: document.get_bool("due").unwrap_or(false),
            phase: match document.get_str("phase").ok()? {
                "run" => Phase::Run,
                _ => Phase::Settle,
            },
        })
    }
}

/// Writes a job and returns whether somebody is to run it already.
pub(crate) async fn record(entry: &JobEntry, phase: Phase, exec: &Exec) -> Result<Phase> {
    let by_id = doc! { "_id": entry.id.to_bson() };
    let write = FindAndUpdate::new(jobs(), by_id, entry.update(phase, grace(exec)));
    let written = exec.send(write.upsert().select(doc! { "phase": 1 }).return_new());
    let written = written.await?;
    let phase = written.as_ref().and_then(|job| job.get_str("phase").ok());
    Ok(if phase == Some(Phase::Run.name()) {
        Phase::Run
    } else {
        Phase::Settle
    })
}

/// Writes many jobs: one `update` for each 1,000.
pub(crate) async fn record_all(entries: &[JobEntry], phase: Phase, exec: &Exec) -> Result<()> {
    let grace = grace(exec);
    let updates = entries.iter().map(|entry| {
        doc! { "q": { "_id": entry.id.to_bson() }, "u": entry.update(phase, grace), "upsert": true }
    });
    for command in UpdateAll::of(&jobs(), updates.collect()) {
        exec.send(command).await?;
    }
    Ok(())
}

/// The longest grace of all who have changed the source: what one waits for, another must not end.
fn longest(grace: i64) -> Document {
    doc! { "$max": ["$grace", grace] }
}

#[allow(clippy::cast_possible_truncation, reason = "no grace is that long")]
fn grace(exec: &Exec) -> i64 {
    exec.settings().grace.as_millis() as i64
}

/// The collection of jobs; outside a transaction, a majority has to have what is written.
pub(crate) fn jobs() -> Place {
    Place::whole(JOBS).durable()
}

pub(crate) fn cursors() -> Place {
    Place::whole(CURSORS).durable()
}

/// Reads a job, and whether its time has come by the clock of the server.
pub(crate) async fn read(id: &JobId, exec: &Exec) -> Result<Option<Job>> {
    let find = Find::new(jobs(), doc! { "_id": id.to_bson() }).select(projection());
    let found = exec.documents(find.first()).await?.pop();
    Ok(found.as_ref().and_then(Job::read))
}

fn projection() -> Document {
    doc! {
        "version": 1, "phase": 1, "keys": 1, "ties": 1,
        "due": { "$lte": ["$due_at", "$$NOW"] },
    }
}

/// Lists jobs whose time has come, the oldest first, each with its state; without those that cannot be
/// run now.
pub(crate) async fn due(limit: i64, stuck: &[JobId], odm: &Odm) -> Result<Vec<(JobId, ObjectId)>> {
    let exec = Exec::on(odm.clone());
    let stuck: Vec<Bson> = stuck.iter().map(JobId::to_bson).collect();
    let known: Vec<String> = graph().names().collect();
    let filter = doc! {
        "_id": { "$nin": stuck },
        "$expr": { "$lte": ["$due_at", "$$NOW"] },
        // Others are left to the programs that declare all of their ties.
        "ties": { "$not": { "$elemMatch": { "$nin": known } } },
    };
    let mut find = Find::new(jobs(), filter).select(doc! { "version": 1 });
    find.options.limit = Some(limit);
    let found = exec.documents(find.sort(doc! { "due_at": 1 }));
    let ids = found.await?.into_iter();
    let read = |job: Document| {
        let id = JobId::read(job.get("_id")?)?;
        Some((id, job.get_object_id("version").ok()?))
    };
    Ok(ids.filter_map(read).collect())
}

/// Puts a job that has run into its last phase, if nobody has changed the source since.
pub(crate) async fn to_settle(id: &JobId, version: ObjectId, exec: &Exec) -> Result<bool> {
    let id = id.to_bson();
    let update = vec![doc! { "$set": {
        "phase": Phase::Settle.name(),
        "version": { "$literal": ObjectId::new() },
        "due_at": { "$add": ["$changed_at", longest(grace(exec))] },
    } }];
    let same = doc! { "_id": id, "version": version };
    let updated = exec.send(Update::one(jobs(), same, update));
    Ok(updated.await?.matched == 1)
}

/// Puts a job off, because documents could not take their copies.
pub(crate) async fn put_off(
    id: &JobId,
    version: ObjectId,
    failed: &[Bson],
    exec: &Exec,
) -> Result<()> {
    const AGAIN_AFTER: i64 = 10 * 60 * 1_000;
    const KEPT: usize = 100;
    let id = id.to_bson();
    let failed: Vec<Bson> = failed.iter().take(KEPT).cloned().collect();
    let update = vec![doc! { "$set": {
        "phase": Phase::Settle.name(),
        "version": { "$literal": ObjectId::new() },
        "failed": { "$literal": failed },
        "due_at": { "$add": ["$$NOW", AGAIN_AFTER] },
    } }];
    let same = doc! { "_id": id, "version": version };
    exec.send(Update::one(jobs(), same, update)).await?;
    Ok(())
}

/// Removes a job that is done, if nobody has changed the source since.
pub(crate) async fn remove(id: &JobId, version: ObjectId, exec: &Exec) -> Result<bool> {
    let id = id.to_bson();
    let same = doc! { "_id": id, "version": version };
    Ok(exec.send(Delete::one(jobs(), same)).await? == 1)
}

/// Creates the collections of jobs, which a transaction cannot always do: two `createIndexes`.
pub(crate) async fn prepare(odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    // A runner can die between taking a cursor and learning that its job is gone.
    let expire = IndexOptions::builder().expire_after(Duration::from_secs(86_400));
    let of_jobs = index("due_at", IndexOptions::default());
    let of_cursors = index("until", expire.build());
    for (place, index) in [(jobs(), of_jobs), (cursors(), of_cursors)] {
        let indexes = vec![index];
        exec.send(CreateIndexes { place, indexes }).await?;
    }
    Ok(())
}

fn index(path: &str, options: IndexOptions) -> IndexModel {
    let keys = doc! { path: 1 };
    IndexModel::builder().keys(keys).options(options).build()
}
