//! What repair has done.

use std::fmt;

use mongodb::bson::Bson;

/// What was repaired, and what is left.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RepairReport {
    /// One for each relation with findings, and for each whose copies were written on the way.
    pub relations: Vec<Repaired>,
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

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} repaired, {} left", self.repaired(), self.left())?;
        for it in &self.relations {
            let (relation, failed) = (&it.relation, it.failed.len());
            let (repaired, left) = (it.repaired, it.left);
            write!(f, "\n  {relation}: {repaired} repaired, {left} left")?;
            if failed > 0 {
                write!(f, ", {failed} failed")?;
            }
        }
        Ok(())
    }
}
