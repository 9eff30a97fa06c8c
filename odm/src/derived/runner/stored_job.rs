//! The public description of a stored job, and the counts of jobs by state.

use std::time::Duration;

use mongodb::bson::{Bson, Document};
use serde::{Serialize, Serializer};

use crate::{derived::outbox::KEPT_FAILED, value::key::JoinKey};

/// A stored job. A job updates the copies of one key, or the references to a deleted document.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoredJob {
    /// The relation in stored paths, such as `logmsg.host <- hosts._id`.
    pub relation: String,
    /// The relation with the model names of the program that most recently wrote the job, such as
    /// `LogMsg.host <- Host`.
    pub name: String,
    /// The key of the stale copies, or of the deleted document.
    pub key: JoinKey,
    /// The current state of the job.
    pub state: JobState,
    /// Time since the latest change to the source, by the server's clock.
    pub age: Duration,
    /// The `_id` of the last document that the current runner has processed. `None` if no runner works on the job.
    pub reached: Option<Bson>,
    /// The ids of documents that the job could not update or delete. The list contains at most 100 ids and at most 64
    /// KB.
    pub failed: Vec<Bson>,
    /// The error of the latest run, at most 1,000 characters. If several documents failed, this is the error for the
    /// first of them.
    pub last_error: Option<String>,
}

/// The state of a stored job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JobState {
    /// The job is due and waits for a runner.
    Due,
    /// A runner is working on the job.
    Running,
    /// The copies have been written. The last look follows after the grace period.
    Settling,
    /// The job could not update or delete some documents. The job is retried after ten minutes. If a reference with
    /// `on_delete = "restrict"` forbids a delete, the job is retried sooner, because another job may remove the
    /// reference.
    PutOff,
    /// Only other programs declare the relation, so one of them has to run the job.
    Foreign,
}

/// Number of jobs and deltas; returned by [`Jobs::count`](super::job_list::Jobs::count).
///
/// The struct implements `Serialize`. The serialized fields `oldest_seconds` and `oldest_delta_seconds` contain the
/// ages in seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct JobCounts {
    /// Number of jobs that are due and wait for a runner.
    pub due: u64,
    /// Number of jobs on which a runner is working.
    pub running: u64,
    /// Number of jobs that wait for their last look.
    pub settling: u64,
    /// Number of jobs that are postponed because they could not update or delete some documents.
    pub put_off: u64,
    /// Number of jobs for relations that only other programs declare.
    pub foreign: u64,
    /// Age of the oldest job, measured from the latest change to its source. The age of a last look is measured from the
    /// time at which the last look is due.
    #[serde(rename = "oldest_seconds", serialize_with = "seconds")]
    pub oldest: Option<Duration>,
    /// Number of documents that contain stale copies, or computed fields with pending deltas. The limits of
    /// [`Jobs::count`](super::job_list::Jobs::count) apply.
    ///
    /// A document is counted once for each extended reference with stale copies, and once more if it has deltas.
    pub copies_behind: u64,
    /// Number of deltas that have not been applied yet.
    pub deltas: u64,
    /// The age of the oldest delta, by the server's clock.
    #[serde(rename = "oldest_delta_seconds", serialize_with = "seconds")]
    pub oldest_delta: Option<Duration>,
}

impl StoredJob {
    /// Maximum length of [`failed`](Self::failed). If the list has this length, more documents may have failed.
    pub const MOST_FAILED: usize = KEPT_FAILED;

    pub(super) fn read(job: &Document) -> Option<Self> {
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
    pub(super) fn read(name: &str) -> Option<Self> {
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
    /// Returns the total number of jobs in all states. Deltas are not counted.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let counts = odm.jobs().count().await?;
    /// println!("{} jobs, {} of them put off", counts.total(), counts.put_off);
    /// # Ok(()) }
    /// ```
    pub const fn total(&self) -> u64 {
        self.due + self.running + self.settling + self.put_off + self.foreign
    }

    pub(super) fn add(&mut self, group: &Document) {
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

    pub(super) fn record(&self) {
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

/// Writes a duration as a number of seconds.
pub(crate) fn seconds<S: Serializer>(
    duration: &(impl Copy + Into<Option<Duration>>),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let duration: Option<Duration> = (*duration).into();
    duration.map(|it| it.as_secs_f64()).serialize(serializer)
}

fn read_age(document: &Document, name: &str) -> Option<Duration> {
    let millis = document.get_i64(name).ok()?;
    Some(Duration::from_millis(millis.unsigned_abs()))
}
