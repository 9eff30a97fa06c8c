//! The documents with the two arrays, their jobs, and the changes that a transaction makes to them.

use crate::{difference::Difference, setup::Setup};

/// Maximum number of documents.
pub(crate) const DOCUMENTS: usize = 3;

/// The position of a document.
pub(crate) type Id = usize;

/// The course, whose array contains students.
pub(crate) const COURSE: Id = 0;
/// A student, whose array contains the course. `BOB` is the other student.
pub(crate) const ANN: Id = 1;
pub(crate) const BOB: Id = 2;

/// A set of documents.
pub(crate) type Ids = [bool; DOCUMENTS];

pub(crate) fn ids(of: &[Id]) -> Ids {
    std::array::from_fn(|id| of.contains(&id))
}

pub(crate) fn each(of: Ids) -> impl Iterator<Item = Id> {
    (0..DOCUMENTS).filter(move |id| of[*id])
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Database {
    pub(crate) documents: [Option<Document>; DOCUMENTS],
    /// `_odm_jobs {_id: {relation, key}, version, phase, changed_at}`: the array of this document may lack ids.
    pub(crate) jobs: [Option<Job>; DOCUMENTS],
}

/// A document with its array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Document {
    /// `None` if the array is null or missing.
    pub(crate) array: Option<Ids>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Job {
    pub(crate) phase: Phase,
    /// The changes of a transaction to the other fields of the job.
    pub(crate) written: Written,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Phase {
    /// The job is due.
    Run,
    /// The job is due after the grace period.
    Settle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Written {
    Nothing,
    /// `{$set: {batch}}`: the job keeps its version.
    Held,
    /// `{$set: {version, changed_at: now}}`
    Changed,
}

impl Database {
    /// The documents in the array of a document.
    pub(crate) fn named_by(&self, id: Id) -> Ids {
        let array = self.documents[id].and_then(|it| it.array);
        array.unwrap_or_default()
    }

    /// The documents that refer to a document.
    pub(crate) fn namers_of(&self, id: Id) -> Ids {
        std::array::from_fn(|other| self.named_by(other)[id])
    }

    /// Whether a document exists and its array lacks a document that refers to it.
    pub(crate) fn lacks(&self, id: Id) -> bool {
        let named = self.named_by(id);
        let mut namers = each(self.namers_of(id));
        self.documents[id].is_some() && namers.any(|other| !named[other])
    }

    /// Removes the document `other` from the array of the document `id`.
    pub(crate) fn end(&mut self, id: Id, other: Id) {
        let document = self.documents[id].as_mut();
        if let Some(array) = document.and_then(|it| it.array.as_mut()) {
            array[other] = false;
        }
    }

    /// Adds to the array of a document all documents that refer to it, as a job does.
    pub(crate) fn complete(&mut self, id: Id) {
        let namers = self.namers_of(id);
        if let Some(document) = self.documents[id].as_mut() {
            for other in each(namers) {
                document.array.get_or_insert_default()[other] = true;
            }
        }
    }

    /// Writes the job of a document with this phase. If a run is already due, the phase does not change.
    pub(crate) fn record(&mut self, id: Id, phase: Phase) {
        let phase = self.jobs[id].map_or(phase, |job| job.phase.min(phase));
        let written = Written::Changed;
        self.jobs[id] = Some(Job { phase, written });
    }
}

/// The writes of a transaction. Its snapshot determined all of them when the transaction began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    documents: Difference<Option<Document>, DOCUMENTS>,
    jobs: Difference<Option<Job>, DOCUMENTS>,
}

impl Writes {
    /// The writes that change `snapshot` to `after`.
    pub(crate) fn between(snapshot: &Database, after: &Database) -> Self {
        Self {
            documents: Difference::between(&snapshot.documents, &after.documents),
            jobs: Difference::between(&snapshot.jobs, &after.jobs),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.jobs.is_empty()
    }

    /// Whether both write the same document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        self.documents.is_conflict(&other.documents) || self.jobs.is_conflict(&other.jobs)
    }

    /// Whether these writes give the job of a document a different version, or remove it.
    pub(crate) fn ends_version(&self, id: Id) -> bool {
        let is_other = |job: Option<Job>| job.is_none_or(|it| it.written != Written::Held);
        self.jobs.get(id).is_some_and(is_other)
    }

    /// Marks another transaction as older than the jobs that this commit changes, because such a job records that an
    /// array may lack ids.
    pub(crate) fn grow(&self, is_older: &mut Ids, _: &Setup) {
        for (id, is_older) in is_older.iter_mut().enumerate() {
            let job = self.jobs.get(id).flatten();
            *is_older |= job.is_some_and(|job| job.written == Written::Changed);
        }
    }

    pub(crate) fn apply(&self, database: &mut Database) {
        self.documents.apply(&mut database.documents);
        self.jobs.apply(&mut database.jobs);
        for job in database.jobs.iter_mut().flatten() {
            job.written = Written::Nothing;
        }
    }
}
