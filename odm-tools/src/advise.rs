//! Compares a database with the six rules of thumb, and reports findings with figures and the attribute to write.
//!
//! The advisor reads statistics and samples, never a whole collection.
//!
//! 1. `read` reads each collection into one value, `SeenCollection`. All statements have a server-side time limit and a
//!    comment. In the server's profile, the comment distinguishes them from the program's own statements.
//! 2. `catalogue` has one line for each check: its code, chapter and needs. A check is skipped if the data that it
//!    needs could not be read, and the report says so. An error in one statement never ends the other checks.
//! 3. A check is a function from `SeenCollection` and the thresholds to findings.
//! 4. An array appears in at most one finding (`checks::length`). Indexes and documents that another finding explains
//!    are not reported.
//!
//! | module | content |
//! |---|---|
//! | [`builder`] | the calls of a program |
//! | [`source`] | inputs: a connection string, a database, a handle |
//! | [`read`] | reads statistics, samples, the profile and the counters of the library |
//! | [`seen`] | the results of the reads, and the failures |
//! | [`need`] | the needs of checks, and the reasons of failed reads |
//! | [`catalogue`] | all checks: their codes, chapters and needs |
//! | [`checks`] | the checks, one file per chapter |
//! | [`derived`] | the copies and summaries that models declare |
//! | [`finding`], [`report`] | one finding, and all of them |
//! | [`rule`] | the six rules of thumb, and the severity of a finding |
//! | [`thresholds`] | the limits from which a finding is reported |
//! | [`subject`] | the field or collection of a finding, by its names |
//! | [`words`] | numbers as text |

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
mod source;
mod subject;
mod thresholds;
mod words;

pub use builder::{Advise, advise};
pub use finding::Finding;
pub use report::{Advice, NotLookedAt};
pub use rule::{RuleOfThumb, Severity};
pub use source::AdviceSource;
pub use thresholds::Thresholds;
