//! Derived data that was not updated in time.

use std::{fmt, time::Duration};

use mongodb::bson::Bson;

use crate::mongosh;

/// A relation and a key whose copies, lists or summaries are still stale. [`Error::Pending`] contains
/// these entries.
///
/// [`Error::Pending`]: super::Error::Pending
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pending {
    /// The relation as stored paths: `logmsg.host <- hosts._id`.
    pub relation: String,
    /// The key of the source or parent.
    pub key: Bson,
    /// How long the copies, lists or summaries have been stale, by the server's clock. `None` if the server has not
    /// replied yet.
    pub age: Option<Duration>,
    /// The error of the job's last run, if that run failed.
    pub why: Option<String>,
}

impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {}", self.relation, mongosh::value(&self.key))?;
        if let Some(age) = self.age {
            write!(f, ", {:.1} s old", age.as_secs_f64())?;
        }
        self.why.as_ref().map_or(Ok(()), |why| write!(f, ": {why}"))
    }
}

/// Formats the first few entries, and the number of remaining entries.
pub(super) struct ListedPending<'a>(pub(super) &'a [Pending]);

impl fmt::Display for ListedPending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        for (at, pending) in self.0.iter().take(SHOWN).enumerate() {
            f.write_str(if at == 0 { "" } else { "; " })?;
            pending.fmt(f)?;
        }
        if self.0.len() > SHOWN {
            write!(f, "; and {} more", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}
