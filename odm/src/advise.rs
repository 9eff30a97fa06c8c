//! What the rules of thumb say of a database, with figures.
//!
//! The advisor reads statistics and samples, never a whole collection, and compares them with what the models
//! declare. Each rule is a small function over what was seen; [`catalogue`] lists them all.
//!
//! | module | what it does |
//! |---|---|
//! | [`builder`] | what a program calls |
//! | [`source`] | what advice can be asked for: a connection string, a database, a handle |
//! | [`read`] | reads statistics, samples, the profile and the counters of the library |
//! | [`seen`] | what was read, and what could not be |
//! | [`need`] | what checks need, and why it could not be read |
//! | [`catalogue`] | all checks: their codes, chapters, and what they need |
//! | [`checks`] | the checks, a file for each chapter |
//! | [`finding`], [`report`] | one finding, and all of them |
//! | [`rule`] | the six rules of thumb, and how grave a finding is |
//! | [`thresholds`] | from where on something is a finding |
//! | [`subject`] | what a finding is about, by its names in models and documents |
//! | [`words`] | numbers as text |

mod builder;
mod catalogue;
mod checks;
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
