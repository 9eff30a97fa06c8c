//! Checks a database against the six rules of thumb for schema design. Each finding contains figures and the attribute
//! to write.
//!
//! The advisor reads statistics and samples, and never scans a large collection.
//!
//! 1. `read` stores the data about each collection in one `SeenCollection`. All statements have a server-side time
//!    limit and a comment. In the server's profile, the comment distinguishes the advisor's statements from those of
//!    the program.
//! 2. `catalogue` lists the code, the chapter and the required data of each check. A check is skipped if data that it
//!    requires could not be read, and the report lists the skipped check. If one statement fails, the other checks
//!    still run.
//! 3. A check is a function that computes findings from a `SeenCollection` and the thresholds.
//! 4. An array appears in at most one finding (`checks::length`). An index or a document does not get a finding of its
//!    own if another finding already explains the problem.
//!
//! | module | content |
//! |---|---|
//! | [`builder`] | the public builder |
//! | [`source`] | the accepted inputs: a connection string, a database or a handle |
//! | [`read`] | reads statistics, samples, the profile and the counters of the library |
//! | [`seen`] | the data that was read, and the reads that failed |
//! | [`need`] | the data that checks need, and the reasons why reads failed |
//! | [`catalogue`] | all checks: their codes, chapters and required data |
//! | [`checks`] | the functions that check the data, one file per subject |
//! | [`derived`] | the derived fields that models declare |
//! | [`finding`], [`report`] | a single finding, and the report of all findings |
//! | `shard_checks` | the checks of shard keys, for the command `odm check` |
//! | [`rule`] | the six rules of thumb, and the severity of a finding |
//! | [`thresholds`] | the limits that trigger findings |
//! | [`subject`] | the field or collection to which a finding applies |
//! | [`words`] | formats numbers as text |

mod builder;
mod catalogue;
mod checks;
mod derived;
mod finding;
mod need;
mod read;
mod report;
mod rule;
mod seen;
#[cfg(feature = "cli")]
mod shard_checks;
mod source;
mod subject;
mod thresholds;
mod words;

pub use builder::{Advise, advise};
pub use finding::Finding;
pub use report::{Advice, NotLookedAt};
pub use rule::{RuleOfThumb, Severity};
#[cfg(feature = "cli")]
pub(crate) use shard_checks::ShardChecks;
pub use source::AdviceSource;
pub use thresholds::Thresholds;
