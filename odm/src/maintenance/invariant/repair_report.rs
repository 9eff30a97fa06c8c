//! The report that a repair returns.

use std::fmt;

use mongodb::bson::Bson;

use crate::{
    error::{Error, Result},
    mongosh::{self, several},
};

/// The result of a repair.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RepairReport {
    /// One entry for each relation that has findings. If jobs have updated copies of further relations, these relations
    /// also have entries.
    pub relations: Vec<Repaired>,
    /// Number of findings that the repair left to unfinished jobs.
    pub pending: u64,
}

/// The result of a repair for one relation.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The relation, with the same name as in the findings.
    pub relation: String,
    /// Number of documents that the repair changed.
    pub repaired: u64,
    /// Number of findings that were not repaired: dangling or null references, arrays that exceed their bound, and
    /// two-way references for which the library cannot know which side is correct.
    pub left: u64,
    /// The ids of documents that the repair could not update.
    pub failed: Vec<Bson>,
    /// The reason why the first failed document could not be changed, or the name of the missing index that is required
    /// to repair the remaining findings.
    pub why: Option<String>,
}

impl RepairReport {
    /// Returns the number of documents that the repair changed, over all relations.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = odm.verify().repair().await?;
    /// println!("{} documents repaired", report.repaired());
    /// # Ok(()) }
    /// ```
    pub fn repaired(&self) -> u64 {
        self.relations.iter().map(|it| it.repaired).sum()
    }

    /// Returns the number of findings that were not repaired, over all relations.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = odm.verify().repair().await?;
    /// println!("{} findings need a decision", report.left());
    /// # Ok(()) }
    /// ```
    pub fn left(&self) -> u64 {
        self.relations.iter().map(|it| it.left).sum()
    }

    /// Returns the number of documents that the repair could not update, over all relations.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = odm.verify().repair().await?;
    /// assert_eq!(report.failed(), 0, "{report}");
    /// # Ok(()) }
    /// ```
    pub fn failed(&self) -> usize {
        self.relations.iter().map(|it| it.failed.len()).sum()
    }

    /// Counts findings as not repaired if an index is missing, so that the repair of other findings continues. Every
    /// other error ends the repair.
    pub(in crate::maintenance) fn unless_no_index<T>(
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
            "the index {keys} on `{collection}` is missing, which is needed to find the copies; `odm indexes --apply` or \
             `odm.sync_indexes()` creates it"
        );
        self.note(relation, |noted| {
            noted.left += findings;
            noted.why.get_or_insert(why);
        });
        Ok(None)
    }

    /// Updates the entry for a relation. If the report does not contain such an entry, adds it.
    pub(in crate::maintenance) fn note(
        &mut self,
        relation: &str,
        note: impl FnOnce(&mut Repaired),
    ) {
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

/// Shows the totals, and then for each relation its first failed documents with the reason.
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
