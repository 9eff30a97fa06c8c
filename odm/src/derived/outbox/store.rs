//! The documents of jobs.

use std::{borrow::Cow, time::Duration};

use mongodb::bson::{Bson, DateTime, Document, doc, oid::ObjectId};

use crate::{
    batches::{parts_of, size_of},
    client::{
        command::{
            CreateIndexesCommand, DeleteCommand, FindAndUpdateCommand, FindCommand, Index,
            UpdateCommand,
        },
        odm::{Exec, Odm},
        place::Place,
    },
    derived::values::{deltas::deltas, key_condition},
    error::{Error, Result},
    graph::{ExtendedReference, Rule, graph},
    value::key::JoinKey,
};

pub(crate) const JOBS: &str = "_odm_jobs";
pub(crate) const CURSORS: &str = "_odm_cursors";

/// What a job is about: the copies, or the references to a deleted document, of one key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct JobId {
    /// `products.parts.id <- parts._id`, as [`ExtendedReference::relation`] and [`Rule::relation`].
    pub(crate) relation: String,
    pub(crate) key: JoinKey,
}

impl JobId {
    /// Returns the ids of the jobs for all fields of an extended reference; its deltas name the same.
    pub(crate) fn of_keys<'k>(
        reference: &ExtendedReference,
        keys: &'k [JoinKey],
    ) -> impl Iterator<Item = Self> + use<'k> {
        let relation = reference.relation.clone();
        keys.iter().map(move |key| Self {
            relation: relation.clone(),
            key: key.clone(),
        })
    }

    pub(crate) fn to_bson(&self) -> Bson {
        self.id_of(&self.relation)
    }

    fn id_of(&self, relation: &str) -> Bson {
        let mut id = doc! { "relation": relation };
        id.extend([self.key.to_id_field()]);
        id.into()
    }

    /// Reads the id of a job; none for what is no job.
    pub(crate) fn read(id: &Bson) -> Option<Self> {
        let id = id.as_document()?;
        Some(Self {
            relation: id.get_str("relation").ok()?.to_owned(),
            key: JoinKey::from_id_field(id)?,
        })
    }

    /// Returns the id of the cursor. Jobs of the parts of an extended reference write the same copies, and share it.
    pub(crate) fn cursor(&self) -> Bson {
        self.id_of(ExtendedReference::field_of(&self.relation).0)
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
    pub(super) const fn name(self) -> &'static str {
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
    pub(crate) phase: Phase,
    /// What reports and messages call the relation.
    name: Cow<'static, str>,
    /// The copies that the writer declares.
    fields: Vec<String>,
    /// The job does not end before.
    not_before: Option<DateTime>,
    /// Whether the job only causes write conflicts with deletes of the document, see [`JobEntry::that_holds`].
    holds: bool,
}

impl JobEntry {
    /// Returns the job for the copies of a key.
    pub(crate) fn of_reference(
        reference: &'static ExtendedReference,
        key: &JoinKey,
        phase: Phase,
    ) -> Self {
        Self {
            fields: reference.copy_paths().collect(),
            ..Self::new(&reference.relation, &reference.name, key, phase)
        }
    }

    /// Returns the job for one of the copies that a job is about.
    pub(crate) fn of_field(job: &Job, reference: &'static ExtendedReference, field: &str) -> Self {
        let relation = ExtendedReference::name_of_field(&job.id.relation, field);
        let name = ExtendedReference::name_of_field(&reference.name, field);
        Self {
            fields: vec![field.to_owned()],
            ..Self::new(&relation, name, &job.id.key, Phase::Run)
        }
    }

    /// Returns the job for the references to a key whose document was deleted.
    pub(crate) fn of_rule(rule: &'static Rule, key: &JoinKey, phase: Phase) -> Self {
        Self::new(&rule.relation, &rule.name, key, phase)
    }

    /// Returns the job for a new reference with `exists`.
    ///
    /// Inserting the reference and deleting its target both write this job, so the server aborts one of two concurrent
    /// transactions. The runner does not carry out the delete rule for it: if the target is missing later, its key may
    /// have changed. A delete removes the mark `holds`.
    pub(crate) fn that_holds(rule: &'static Rule, key: &JoinKey) -> Self {
        Self {
            holds: true,
            ..Self::of_rule(rule, key, Phase::Settle)
        }
    }

    fn new(
        relation: &str,
        name: impl Into<Cow<'static, str>>,
        key: &JoinKey,
        phase: Phase,
    ) -> Self {
        let (relation, key) = (relation.to_owned(), key.clone());
        let id = JobId { relation, key };
        Self {
            id,
            phase,
            name: name.into(),
            fields: Vec::new(),
            not_before: None,
            holds: false,
        }
    }

    /// Adds the fields of another entry for the same job.
    pub(crate) fn add_fields(&mut self, other: Self) {
        self.fields.extend(other.fields);
        self.fields.sort_unstable();
        self.fields.dedup();
    }

    /// Makes it a job that takes its last look not before a time.
    ///
    /// Where the stored job waits as long, nothing is written: many who store copies of one key do not conflict.
    pub(crate) fn not_before(mut self, time: DateTime) -> Self {
        self.not_before = Some(time);
        self
    }

    /// Returns the update of the stored job: a later one coalesces with those before it.
    ///
    /// A pipeline, because its dates come from the clock of the server, which all programs share.
    fn update(&self, grace: i64) -> Vec<Document> {
        let running = match self.phase {
            Phase::Run => Bson::Boolean(true),
            // A job that has to run stays so: the copies of earlier changes may still be stale.
            Phase::Settle => Bson::Document(is_run()),
        };
        let end = match self.not_before {
            Some(time) => Bson::DateTime(time),
            None => "$not_before".into(),
        };
        let settled = latest([doc! { "$add": ["$$NOW", longest(grace)] }.into(), end]);
        let mut set = doc! {
            "version": { "$literal": ObjectId::new() },
            "changed_at": "$$NOW",
            "stale_since": { "$cond": [is_run(), "$stale_since", "$$NOW"] },
            "due_at": { "$cond": [running.clone(), "$$NOW", settled] },
            "name": { "$literal": &*self.name },
        };
        let (known, fields) = (
            doc! { "$ifNull": ["$fields", []] },
            doc! { "$literal": &self.fields },
        );
        if self.fields.is_empty() {
            set.insert("holds", self.holds_now());
        } else {
            set.insert(
                "fields",
                doc! { "$setUnion": [known.clone(), fields.clone()] },
            );
        }
        if let Some(time) = self.not_before {
            let waits = doc! { "$and": [
                { "$gte": ["$not_before", time] }, { "$setIsSubset": [fields, known] },
            ] };
            for (field, new) in set.iter_mut() {
                let new_if = vec![
                    waits.clone().into(),
                    format!("${field}").into(),
                    new.clone(),
                ];
                *new = doc! { "$cond": new_if }.into();
            }
            set.insert("not_before", latest(["$not_before".into(), time.into()]));
        }
        set.insert("grace", longest(grace));
        set.insert(
            "phase",
            doc! { "$cond": [running, Phase::Run.name(), Phase::Settle.name()] },
        );
        vec![doc! { "$set": set }]
    }

    /// Returns the expression for `holds`: it stays true as long as no delete has written the job.
    fn holds_now(&self) -> Bson {
        if !self.holds {
            return "$$REMOVE".into();
        }
        // If the stored job lacks `holds`, a delete has written it. Its rule has to be carried out.
        let is_new = doc! { "$eq": [{ "$type": "$version" }, "missing"] };
        doc! { "$cond": [is_new, true, "$holds"] }.into()
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
    /// The copies that its writers declare; a program that runs it may know other ones of the relation.
    pub(crate) fields: Vec<String>,
    /// Whether no delete has written the job.
    pub(crate) holds: bool,
}

impl Job {
    /// Returns a filter for the job as it was read.
    fn filter_of_version(&self) -> Document {
        doc! { "_id": self.id.to_bson(), "version": self.version }
    }

    fn read(document: &Document) -> Option<Self> {
        Some(Self {
            id: JobId::read(document.get("_id")?)?,
            version: document.get_object_id("version").ok()?,
            due: document.get_bool("due").unwrap_or(false),
            holds: document.get_bool("holds").unwrap_or(false),
            fields: document.get_array("fields").map_or(Vec::new(), |fields| {
                let texts = fields.iter().filter_map(Bson::as_str);
                texts.map(ToOwned::to_owned).collect()
            }),
            phase: match document.get_str("phase").ok()? {
                "run" => Phase::Run,
                _ => Phase::Settle,
            },
        })
    }
}

/// Writes a job and returns whether somebody is to run it already.
pub(crate) async fn record(entry: &JobEntry, exec: &Exec) -> Result<Phase> {
    let by_id = doc! { "_id": entry.id.to_bson() };
    let write = FindAndUpdateCommand::new(jobs(), by_id, entry.update(grace(exec)));
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
pub(crate) async fn record_all(entries: &[JobEntry], exec: &Exec) -> Result<()> {
    exec.send_all(&recording(entries, exec.settings().grace))
        .await?;
    Ok(())
}

/// Returns the updates that write many jobs.
pub(crate) fn recording(entries: &[JobEntry], grace: Duration) -> Vec<UpdateCommand> {
    let grace = millis(grace);
    let updates = entries.iter().map(|entry| {
        let by_id = doc! { "_id": entry.id.to_bson() };
        UpdateCommand::one(jobs(), by_id, entry.update(grace)).upsert()
    });
    updates.collect()
}

/// Returns an expression: whether the stored job is still to be run.
fn is_run() -> Document {
    doc! { "$eq": ["$phase", Phase::Run.name()] }
}

/// The longest grace of all who have changed the source: what one waits for, another must not end.
fn longest(grace: i64) -> Document {
    doc! { "$max": ["$grace", grace] }
}

/// The later of two times; one that is missing does not count.
fn latest<const N: usize>(times: [Bson; N]) -> Document {
    doc! { "$max": Vec::from(times) }
}

fn grace(exec: &Exec) -> i64 {
    millis(exec.settings().grace)
}

#[allow(clippy::cast_possible_truncation, reason = "no grace is that long")]
const fn millis(grace: Duration) -> i64 {
    grace.as_millis() as i64
}

/// The collection of jobs; outside a transaction, a majority has to have what is written.
pub(crate) fn jobs() -> Place {
    Place::whole_collection(JOBS).durable()
}

pub(crate) fn cursors() -> Place {
    Place::whole_collection(CURSORS).durable()
}

/// Reads jobs, and whether their time has come by the clock of the server.
pub(super) async fn read(ids: &[JobId], exec: &Exec) -> Result<Vec<Job>> {
    let ids: Vec<Bson> = ids.iter().map(JobId::to_bson).collect();
    let find = FindCommand::new(jobs(), doc! { "_id": key_condition(&ids) }).select(doc! {
        "version": 1, "phase": 1, "fields": 1, "holds": 1, "due": { "$lte": ["$due_at", "$$NOW"] },
    });
    let found = exec.documents(find.all()).await?;
    Ok(found.iter().filter_map(Job::read).collect())
}

/// Writes the jobs of some keys, so that whoever records one of them at the same time has a conflict: a `find` and an
/// `update`. Returns the keys whose jobs are still there.
pub(crate) async fn hold(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    let ids: Vec<JobId> = JobId::of_keys(reference, keys).collect();
    let here = read(&ids, exec).await?;
    let ids: Vec<Bson> = here.iter().map(|job| job.id.to_bson()).collect();
    // No upsert: a batch whose job is gone has nothing to add, and a new job would have no change to follow.
    let by_ids = doc! { "_id": key_condition(&ids) };
    // A new value each time, because an update that changes nothing causes no conflict. `version` stays, so that the
    // runner can still end the job.
    let set = doc! { "$set": { "batch": ObjectId::new() } };
    exec.send(UpdateCommand::many(jobs(), by_ids, set)).await?;
    Ok(here.into_iter().map(|job| job.id.key).collect())
}

/// Lists jobs whose time has come and whose relations this program declares, each with its state, the oldest first,
/// without those that cannot be run now. A document that is no job is passed over.
pub(crate) async fn due(limit: usize, stuck: &[Bson], odm: &Odm) -> Result<Vec<(JobId, ObjectId)>> {
    let exec = Exec::on(odm.clone());
    let known: Vec<String> = graph().relations().collect();
    let filter = doc! {
        "_id": { "$nin": stuck.to_vec() },
        // Documents that are no jobs take no place within the limit.
        "version": { "$type": "objectId" },
        "$expr": { "$lte": ["$due_at", "$$NOW"] },
        "_id.relation": { "$in": known },
    };
    let mut find = FindCommand::new(jobs(), filter).select(doc! { "version": 1 });
    find.options.limit = i64::try_from(limit).ok();
    let found = exec.documents(find.sort(doc! { "due_at": 1 })).await?;
    let due = found.iter().filter_map(|job| {
        Some((
            JobId::read(job.get("_id")?)?,
            job.get_object_id("version").ok()?,
        ))
    });
    Ok(due.collect())
}

/// Puts jobs that have run into their last phase, each if nobody has changed the source since.
pub(crate) async fn to_settle(jobs_run: &[&Job], exec: &Exec) -> Result<()> {
    let updates = jobs_run.iter().map(|job| {
        let update = vec![doc! { "$set": {
            "phase": Phase::Settle.name(),
            // New for the phase too. Otherwise a runner that is still in the run moves the cursor past a late copy.
            "version": { "$literal": ObjectId::new() },
            "error": "$$REMOVE",
            "failed": "$$REMOVE",
            // From the last change, not from now: the grace covers transactions that began before its commit.
            "due_at": latest([
                doc! { "$add": ["$changed_at", longest(grace(exec))] }.into(),
                "$not_before".into(),
            ]),
        } }];
        UpdateCommand::one(jobs(), job.filter_of_version(), update)
    });
    exec.send_all(&updates.collect::<Vec<_>>()).await?;
    Ok(())
}

/// Puts a job off, because documents could not take their copies, the first of them for the reason given.
pub(crate) async fn put_off(job: &Job, failed: &[Bson], why: &str, exec: &Exec) -> Result<()> {
    const AGAIN_AFTER: i64 = 10 * 60 * 1_000;
    let update = vec![doc! { "$set": {
        // Not `Run`: writers would leave their copies to a run on its way, for ten minutes.
        "phase": Phase::Settle.name(),
        "version": { "$literal": ObjectId::new() },
        "failed": { "$literal": some_of(failed) },
        "error": { "$literal": short(why) },
        // Not before the last look that it owes.
        "due_at": latest([
            doc! { "$add": ["$$NOW", AGAIN_AFTER] }.into(),
            doc! { "$add": ["$changed_at", longest(grace(exec))] }.into(),
            "$not_before".into(),
        ]),
    } }];
    exec.send(UpdateCommand::one(jobs(), job.filter_of_version(), update))
        .await?;
    Ok(())
}

/// How many ids of documents that cannot take their copies a job keeps.
pub const KEPT_FAILED: usize = 100;

/// Returns what is kept of the ids of documents that cannot take their copies: 100 of them, and 64 KB if one is not
/// larger. A job has to be written however many they are, and however large.
pub(crate) fn some_of(failed: &[Bson]) -> Vec<Bson> {
    let mut parts = parts_of(failed, KEPT_FAILED, 64 << 10, size_of);
    parts.next().unwrap_or_default().to_vec()
}

/// Cuts the reason that a job keeps: the server can quote what is stored.
fn short(why: &str) -> String {
    why.chars().take(1_000).collect()
}

/// Writes beside jobs why they could not be run.
pub(crate) async fn note_error(ids: &[JobId], error: &Error, exec: &Exec) -> Result<()> {
    let set = doc! { "$set": { "error": short(&error.to_string()) } };
    let updates = ids
        .iter()
        .map(|id| UpdateCommand::one(jobs(), doc! { "_id": id.to_bson() }, set.clone()));
    exec.send_all(&updates.collect::<Vec<_>>()).await?;
    Ok(())
}

/// Removes jobs that are done, each if nobody has changed the source since; returns how many are gone.
pub(crate) async fn remove(done: &[&Job], exec: &Exec) -> Result<u64> {
    let same: Vec<Document> = done.iter().map(|job| job.filter_of_version()).collect();
    // The server rejects an empty `$or`.
    if same.is_empty() {
        return Ok(0);
    }
    let same = doc! { "$or": same };
    exec.send(DeleteCommand::many(jobs(), same)).await
}

/// Creates the collections of jobs, which a transaction cannot always do: three `createIndexes`.
pub(crate) async fn prepare(odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    // Of jobs that were removed because nobody declares them, and of backfills.
    let expire = doc! { "expireAfterSeconds": 86_400 };
    let of_jobs = index("due_at", doc! {});
    let of_cursors = index("until", expire);
    let of_deltas = index("of", doc! {});
    for (place, index) in [
        (jobs(), of_jobs),
        (cursors(), of_cursors),
        (deltas(), of_deltas),
    ] {
        let indexes = vec![index];
        exec.send(CreateIndexesCommand { place, indexes }).await?;
    }
    Ok(())
}

/// Returns an ascending index with the name that the driver would give it.
fn index(path: &str, mut options: Document) -> Index {
    options.insert("name", format!("{path}_1"));
    let keys = doc! { path: 1 };
    Index { keys, options }
}
