//! Derived data: the values of copies and summaries, the updates after a write, the jobs and their runner, and the
//! declarations of other programs.

pub(crate) mod after_commit;
pub(crate) mod declaration;
pub(crate) mod follow;
pub(crate) mod outbox;
pub(crate) mod runner;
pub(crate) mod values;

pub use outbox::{Progress, Token};
pub use runner::{JobCounts, JobState, Jobs, JobsReport, StoredJob, Wait, Worker};
pub use values::{CascadeReport, CopyReport, Form, Guarantee};
