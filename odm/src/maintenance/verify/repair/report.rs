//! What repair has done.

use std::fmt;

use mongodb::bson::Bson;

use crate::{
    error::{Error, Result},
    mongosh::{self, several},
};

/// What was repaired, and what is left.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RepairReport {
    /// One for each relation with findings, and for each whose copies were written on the way.
    pub relations: Vec<Repaired>,
    /// Number of places that were left to unfinished jobs.
    pub pending: u64,
}

/// What was done about one relation.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The relation, as findings name it.
    pub relation: String,
    /// How many documents were changed.
    pub repaired: u64,
    /// How many findings are left as they are: references that lead nowhere or are
    /// null, arrays over their bound, two-way references without one side that decides.
    pub left: u64,
    /// The ids of documents that could not take their copies.
    pub failed: Vec<Bson>,
    /// Why the first of these could not, or why findings are left that could have been repaired: the index is missing by
    /// which the copies are found.
    pub why: Option<String>,
}

impl RepairReport {
    /// Returns how many documents were changed.
    pub fn repaired(&self) -> u64 {
        self.relations.iter().map(|it| it.repaired).sum()
    }

    /// Returns how many findings are left.
    pub fn left(&self) -> u64 {
        self.relations.iter().map(|it| it.left).sum()
    }

    /// Returns how many documents could not take their copies.
    pub fn failed(&self) -> usize {
        self.relations.iter().map(|it| it.failed.len()).sum()
    }

    /// Notes that findings of a relation are left for want of an index, so that others are repaired; every other error
    /// ends the repair.
    pub(super) fn unless_no_index<T>(
        &mut self,
        relation: &str,
        findings: u64,
        done: Result<T>,
    ) -> Result<Option<T>> {
        let error = match done {
            Ok(done) => return Ok(Some(done)),
            Err(error) => error,
        };
        let Error::NoIndex {
            collection, keys, ..
        } = &error
        else {
            return Err(error);
        };
        let why = format!(
            "there is no index {keys} on `{collection}`, by which the copies are found; `odm indexes --apply` or \
             `odm.sync_indexes()` creates it"
        );
        self.note(relation, |noted| {
            noted.left += findings;
            noted.why.get_or_insert(why);
        });
        Ok(None)
    }

    /// Notes what was done about a relation.
    pub(super) fn note(&mut self, relation: &str, note: impl FnOnce(&mut Repaired)) {
        let mut known = self.relations.iter_mut();
        if let Some(known) = known.find(|it| it.relation == relation) {
            return note(known);
        }
        let mut new = Repaired {
            relation: relation.to_owned(),
            ..Repaired::default()
        };
        note(&mut new);
        self.relations.push(new);
    }
}

/// The sums, then each relation, with the first documents that failed and the reason.
impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repaired = several(self.repaired(), "document");
        let left = several(self.left(), "finding");
        write!(f, "{repaired} repaired, {left} left")?;
        if self.failed() > 0 {
            let failed = several(self.failed() as u64, "document");
            write!(f, ", {failed} failed")?;
        }
        if self.pending > 0 {
            write!(f, ", {} pending", self.pending)?;
        }
        for it in &self.relations {
            write!(f, "\n  {it}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (relation, failed) = (&self.relation, self.failed.len());
        let (repaired, left) = (self.repaired, self.left);
        write!(f, "{relation}: {repaired} repaired, {left} left")?;
        if failed > 0 {
            write!(
                f,
                ", {failed} failed (`_id` {})",
                mongosh::first_few(&self.failed)
            )?;
        }
        self.why
            .as_ref()
            .map_or(Ok(()), |why| write!(f, "\n    {why}"))
    }
}
