//! The documents with the two arrays, their jobs, and the changes that a transaction makes to them.

use crate::{difference::Difference, setup::Setup};

/// How many documents there are at most.
pub(crate) const DOCUMENTS: usize = 3;

/// The position of a document.
pub(crate) type Id = usize;

/// Its array names students.
pub(crate) const COURSE: Id = 0;
/// Its array, and that of the other student, names the course.
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
    /// `_odm_jobs {_id: {relation, key}, version, phase, changed_at}`: the array of this document may lack something.
    pub(crate) jobs: [Option<Job>; DOCUMENTS],
}

/// A document with its array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Document {
    /// None: it is null or missing.
    pub(crate) array: Option<Ids>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Job {
    pub(crate) phase: Phase,
    /// What a transaction does to it beside that.
    pub(crate) written: Written,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Phase {
    /// It is due.
    Run,
    /// It is due after the grace.
    Settle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Written {
    Nothing,
    /// `{$set: {batch}}`: it has the same version.
    Held,
    /// `{$set: {version, changed_at: now}}`
    Changed,
}

impl Database {
    /// What a document names.
    pub(crate) fn named_by(&self, id: Id) -> Ids {
        let array = self.documents[id].and_then(|it| it.array);
        array.unwrap_or_default()
    }

    /// Who names a document.
    pub(crate) fn namers_of(&self, id: Id) -> Ids {
        std::array::from_fn(|other| self.named_by(other)[id])
    }

    /// Whether somebody names a document that is there and does not name them.
    pub(crate) fn lacks(&self, id: Id) -> bool {
        let named = self.named_by(id);
        let mut namers = each(self.namers_of(id));
        self.documents[id].is_some() && namers.any(|other| !named[other])
    }

    /// Takes the second one out of the array of the first one.
    pub(crate) fn end(&mut self, id: Id, other: Id) {
        let document = self.documents[id].as_mut();
        if let Some(array) = document.and_then(|it| it.array.as_mut()) {
            array[other] = false;
        }
    }

    /// Adds to the array of a document all that name it, as a job does.
    pub(crate) fn complete(&mut self, id: Id) {
        let namers = self.namers_of(id);
        if let Some(document) = self.documents[id].as_mut() {
            for other in each(namers) {
                document.array.get_or_insert_default()[other] = true;
            }
        }
    }

    /// Writes the job of a document, with its phase, unless a run is due already.
    pub(crate) fn record(&mut self, id: Id, phase: Phase) {
        let phase = self.jobs[id].map_or(phase, |job| job.phase.min(phase));
        let written = Written::Changed;
        self.jobs[id] = Some(Job { phase, written });
    }
}

/// What a transaction writes: all of it was decided by its snapshot, when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    documents: Difference<Option<Document>, DOCUMENTS>,
    jobs: Difference<Option<Job>, DOCUMENTS>,
}

impl Writes {
    /// What makes `after` of `snapshot`.
    pub(crate) fn between(snapshot: &Database, after: &Database) -> Self {
        Self {
            documents: Difference::between(&snapshot.documents, &after.documents),
            jobs: Difference::between(&snapshot.jobs, &after.jobs),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.jobs.is_empty()
    }

    /// Whether both write one document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        self.documents.is_conflict(&other.documents) || self.jobs.is_conflict(&other.jobs)
    }

    /// Whether the job of a document has another version then, or is gone.
    pub(crate) fn ends_version(&self, id: Id) -> bool {
        let is_other = |job: Option<Job>| job.is_none_or(|it| it.written != Written::Held);
        self.jobs.get(id).is_some_and(is_other)
    }

    /// A commit makes other transactions older than the jobs that it changes: it says that arrays may lack something.
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
