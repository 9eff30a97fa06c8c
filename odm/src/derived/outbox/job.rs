//! Jobs: their ids, their phases, the entries that writes store, and the stored documents.

use std::borrow::Cow;

use mongodb::bson::{Bson, DateTime, Document, doc, oid::ObjectId};

use crate::{
    graph::{ExtendedReference, StoredReference},
    value::key::JoinKey,
};

/// The id of a job, which consists of a relation and a key. The key identifies the stale copies or the deleted
/// document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct JobId {
    /// The relation of an [`ExtendedReference`] or of a delete rule: `products.parts.id <- parts._id`.
    pub(crate) relation: String,
    pub(crate) key: JoinKey,
}

impl JobId {
    /// Returns the ids of the jobs that cover all fields of a relation, one for each given key. Deltas use the same ids.
    pub(crate) fn of_keys<'k>(
        relation: &str,
        keys: &'k [JoinKey],
    ) -> impl Iterator<Item = Self> + use<'k> {
        let relation = relation.to_owned();
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

    /// Reads the id of a job. Returns `None` if the value is not such an id.
    pub(crate) fn read(id: &Bson) -> Option<Self> {
        let id = id.as_document()?;
        Some(Self {
            relation: id.get_str("relation").ok()?.to_owned(),
            key: JoinKey::from_id_field(id)?,
        })
    }

    /// Converts the id of a job for a single field to the id of the job for all fields. Other ids stay unchanged.
    pub(crate) fn of_all_fields(self) -> Self {
        Self {
            relation: ExtendedReference::field_of(&self.relation).0.to_owned(),
            key: self.key,
        }
    }

    /// Returns the id of the job's cursor. Jobs for single fields of an extended reference write the same documents,
    /// so they share the cursor of the relation.
    pub(crate) fn cursor(&self) -> Bson {
        self.id_of(ExtendedReference::field_of(&self.relation).0)
    }
}

/// The next step that a runner has to perform for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Some copies still have to be written.
    Run,
    /// The copies have been written. The last look follows after the grace period.
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

/// Whether the transaction that stores an entry writes the copies itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copies {
    /// The copies are left as they are.
    Left,
    /// The transaction writes all copies in `fields`, so earlier failures of these copies no longer count.
    Written,
    /// An earlier entry of the same transaction was [`Written`](Self::Written), but there are too many copies.
    LeftLater,
}

/// The values that a write stores for a job.
#[derive(Clone, Debug)]
pub(crate) struct JobEntry {
    pub(crate) id: JobId,
    pub(crate) phase: Phase,
    /// The relation's name in reports and messages.
    name: Cow<'static, str>,
    /// The paths of the copies that the writer declares.
    fields: Vec<String>,
    /// The earliest time for the last look, if the last look has to be later than usual.
    not_before: Option<DateTime>,
    /// Whether the only purpose of the job is to conflict with deletes of the target. See
    /// [`JobEntry::of_new_reference`].
    holds: bool,
    copies: Copies,
}

impl JobEntry {
    /// Returns the jobs that update the copies for the given keys.
    pub(crate) fn of_reference<'k>(
        reference: &ExtendedReference,
        keys: impl IntoIterator<Item = &'k JoinKey>,
        phase: Phase,
    ) -> Vec<Self> {
        let of_key = |key| Self {
            fields: reference.copy_paths().collect(),
            ..Self::new(&reference.relation, reference.name.clone(), key, phase)
        };
        keys.into_iter().map(of_key).collect()
    }

    /// Returns a job that covers only one field of another job.
    pub(crate) fn of_field(job: &Job, reference: &ExtendedReference, field: &str) -> Self {
        let relation = ExtendedReference::name_of_field(&job.id.relation, field);
        let name = ExtendedReference::name_of_field(&reference.name, field);
        Self {
            fields: vec![field.to_owned()],
            ..Self::new(&relation, name, &job.id.key, Phase::Run)
        }
    }

    /// Returns the jobs that apply a delete rule to the references to deleted documents.
    pub(crate) fn of_rule<'k>(
        rule: &'static StoredReference,
        keys: impl IntoIterator<Item = &'k JoinKey>,
        phase: Phase,
    ) -> Vec<Self> {
        let keys = keys.into_iter();
        let jobs = keys.map(|key| Self::new(&rule.relation, &rule.title, key, phase));
        jobs.collect()
    }

    /// Returns the jobs that a write stores for new references with `exists`.
    ///
    /// Inserting the reference and deleting its target both write this job. So if they run concurrently, the server
    /// aborts one of the two transactions. The runner does not apply the delete rule for this job. A missing target has
    /// not necessarily been deleted: its key may have been changed instead. A delete of the target removes the field
    /// `holds` from the job.
    pub(crate) fn of_new_reference<'k>(
        rule: &'static StoredReference,
        keys: impl IntoIterator<Item = &'k JoinKey>,
    ) -> Vec<Self> {
        let mut jobs = Self::of_rule(rule, keys, Phase::Settle);
        for job in &mut jobs {
            job.holds = true;
        }
        jobs
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
            copies: Copies::Left,
        }
    }

    /// Groups entries that have the same update, because they differ only in their keys.
    pub(super) fn by_update(entries: &[Self]) -> Vec<Vec<&Self>> {
        let mut groups: Vec<Vec<&Self>> = Vec::new();
        for entry in entries {
            let has_same_update = |group: &&mut Vec<&Self>| {
                let mut first = group.iter().take(1);
                first.any(|it| it.has_same_update(entry))
            };
            match groups.iter_mut().find(has_same_update) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        groups
    }

    fn has_same_update(&self, other: &Self) -> bool {
        let Self {
            id,
            phase,
            name,
            fields,
            not_before,
            holds,
            copies,
        } = self;
        id.relation == other.id.relation
            && (phase, name, fields) == (&other.phase, &other.name, &other.fields)
            && (not_before, holds, copies) == (&other.not_before, &other.holds, &other.copies)
    }

    /// Adds the fields of another entry for the same job.
    pub(crate) fn add_fields(&mut self, other: Self) {
        self.fields.extend(other.fields);
        self.fields.sort_unstable();
        self.fields.dedup();
    }

    /// States that the transaction is about to write all copies, if this program writes them.
    pub(crate) fn written(mut self) -> Self {
        if self.phase == Phase::Settle {
            self.copies = Copies::Written;
        }
        self
    }

    /// States that the transaction leaves copies that it has announced as [`written`](Self::written).
    pub(crate) fn left_later(mut self) -> Self {
        self.copies = Copies::LeftLater;
        self
    }

    /// Sets the earliest time for the last look.
    ///
    /// If the stored job already has this time or a later time, the update changes nothing. So concurrent writers that
    /// store copies for the same key do not conflict.
    pub(crate) fn not_before(mut self, time: DateTime) -> Self {
        self.not_before = Some(time);
        self
    }

    /// Returns the update that stores the job. The stored job then also covers all earlier changes for the same key.
    ///
    /// The update is a pipeline, because its dates come from the server's clock, which all programs share.
    pub(super) fn update(&self, grace: i64, trace: Option<&str>) -> Vec<Document> {
        let running = match self.phase {
            Phase::Run => Bson::Boolean(true),
            // A job in the phase `run` keeps this phase, because the copies may still be stale from earlier changes.
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
            "stale_since": self.stale_since(),
            "due_at": { "$cond": [running.clone(), "$$NOW", settled] },
            "name": { "$literal": &*self.name },
        };
        let (known, fields) = (known_fields(), doc! { "$literal": &self.fields });
        if self.fields.is_empty() {
            set.insert("holds", self.holds_now());
        } else {
            set.insert(
                "fields",
                doc! { "$setUnion": [known.clone(), fields.clone()] },
            );
        }
        if self.copies == Copies::Written {
            for field in ["failed", "error"] {
                set.insert(field, self.unless_written(field));
            }
        }
        if let Some(trace) = trace {
            set.insert("trace", doc! { "$literal": trace });
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

    /// Returns a pipeline expression for the time of the first change that the copies lack.
    fn stale_since(&self) -> Bson {
        match self.copies {
            Copies::Left | Copies::Written => {
                // The documents in `failed` are stale, although a postponed job is not in the phase `run`.
                let is_stale = doc! { "$or": [is_run(), { "$isArray": "$failed" }] };
                doc! { "$cond": [is_stale, "$stale_since", "$$NOW"] }.into()
            }
            // The earlier entry has set the time, and may have removed `failed`.
            Copies::LeftLater => "$stale_since".into(),
        }
    }

    /// Returns a pipeline expression that removes a field, unless the job also covers copies that this transaction does
    /// not write.
    fn unless_written(&self, field: &str) -> Document {
        let fields = doc! { "$literal": &self.fields };
        let are_all = doc! { "$setIsSubset": [known_fields(), fields] };
        doc! { "$cond": [are_all, "$$REMOVE", format!("${field}")] }
    }

    /// Returns a pipeline expression for `holds`. The stored value stays true until a delete writes the job.
    fn holds_now(&self) -> Bson {
        if !self.holds {
            return "$$REMOVE".into();
        }
        // If the stored job lacks `holds`, a delete has written it, and the runner has to apply the delete rule.
        let is_new = doc! { "$eq": [{ "$type": "$version" }, "missing"] };
        doc! { "$cond": [is_new, true, "$holds"] }.into()
    }
}

/// A job as it was read from the database.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: JobId,
    /// An id that is replaced whenever the source changes or a phase begins. A counter would restart if the job was
    /// removed and stored again. A runner that was still working on the old job could then end the new job.
    pub(crate) version: ObjectId,
    pub(crate) phase: Phase,
    pub(crate) due: bool,
    /// The server's time when the job was read.
    pub(super) read_at: DateTime,
    /// The paths of the copies that the writers declare. The runner may know other fields of the relation.
    pub(crate) fields: Vec<String>,
    /// Whether the job was written only by inserts and updates of references, and never by a delete.
    pub(crate) holds: bool,
    /// The trace context of the latest write that had a trace context.
    pub(crate) trace: Option<String>,
}

impl Job {
    /// Returns a filter that matches the job only if its version has not changed.
    pub(super) fn filter_of_version(&self) -> Document {
        doc! { "_id": self.id.to_bson(), "version": self.version }
    }

    pub(super) fn read(document: &Document) -> Option<Self> {
        Some(Self {
            id: JobId::read(document.get("_id")?)?,
            version: document.get_object_id("version").ok()?,
            due: document.get_bool("due").unwrap_or(false),
            read_at: *document.get_datetime("now").ok()?,
            holds: document.get_bool("holds").unwrap_or(false),
            trace: document.get_str("trace").ok().map(ToOwned::to_owned),
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

/// Returns a pipeline expression for the copies that earlier writers of the job declare.
fn known_fields() -> Document {
    doc! { "$ifNull": ["$fields", []] }
}

/// Returns a pipeline expression that tests whether the stored job is in the phase `run`.
pub(super) fn is_run() -> Document {
    doc! { "$eq": ["$phase", Phase::Run.name()] }
}

/// Returns a pipeline expression for the longest grace period of all writers of the job. No runner may end the job
/// earlier.
pub(super) fn longest(grace: i64) -> Document {
    doc! { "$max": ["$grace", grace] }
}

/// Returns a pipeline expression for the latest of the given times. Missing times are ignored.
pub(super) fn latest<const N: usize>(times: [Bson; N]) -> Document {
    doc! { "$max": Vec::from(times) }
}
