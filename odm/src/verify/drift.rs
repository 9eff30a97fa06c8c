//! What a verification finds.

use std::{collections::BTreeMap, fmt, sync::Arc};

use mongodb::bson::Bson;

use super::{events::Event, plan, repair::Repair, two_way::TwoWay};
use crate::{
    copy::{Tie, Tuple},
    key::JoinKey,
    odm::Odm,
    shell,
    statement::Plan,
};

/// What is wrong with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// A copy differs from its source.
    Stale,
    /// A reference with copies leads to no document; or a copy is set and has no source.
    Dangling,
    /// One side of a two-way reference names the other, and not vice versa.
    OneSided,
    /// An array is longer than its `max`.
    OverBound,
}

/// One finding: a place in a document that is not as the models say.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Drifted {
    /// What was checked: `Product.parts.id <- Part` for copies, `Person.tasks <-> Task.owner` for
    /// two-way references, `Person.tasks` for a bound.
    pub relation: String,
    /// The model of the document.
    pub model: &'static str,
    /// The collection of the document.
    pub collection: &'static str,
    /// The `_id` of the document.
    pub id: Bson,
    /// The stored path, with the positions of elements: `parts.1.name`.
    pub path: String,
    /// The key of the source, or of the other side.
    pub key: Option<Bson>,
    /// What is stored; none if the field is missing. The length of an array over its bound.
    pub stored: Option<Bson>,
    /// What the source says: the value of a copy, the reference of the other side, the bound of an
    /// array. None if the source, or the field in it, is missing.
    pub source: Option<Bson>,
    /// What is wrong.
    pub kind: DriftKind,
    pub(super) cause: Cause,
}

/// What repair goes by.
#[derive(Clone, Debug)]
pub(super) enum Cause {
    Copy(Arc<CopyCause>),
    /// A reference with copies that leads nowhere; which is left as it is.
    Reference(Arc<CopyCause>),
    /// A reference from one side of a pair that the other does not return.
    TwoWay(Arc<TwoWay>, Direction),
    Bound,
}

/// The source of copies that differ.
#[derive(Clone, Debug)]
pub(super) struct CopyCause {
    pub(super) tie: &'static Tie,
    /// None where the reference is null.
    pub(super) key: Option<JoinKey>,
    /// What the source held; none if there is none.
    pub(super) tuple: Option<Tuple>,
}

/// Which side of a pair names the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The array names a document that does not name its owner.
    LeftNamesRight,
    /// A document names an owner whose array lacks it.
    RightNamesLeft,
}

impl fmt::Display for Drifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |value: &Option<Bson>| value.as_ref().map_or("nothing".to_owned(), shell::value);
        let (stored, source) = (shown(&self.stored), shown(&self.source));
        let place = format!(
            "{}.{} of {}",
            self.collection,
            self.path,
            shell::value(&self.id)
        );
        let relation = &self.relation;
        match self.kind {
            DriftKind::Stale => {
                write!(
                    f,
                    "{place} holds {stored}, and its source {source} ({relation})"
                )
            }
            DriftKind::Dangling => {
                write!(f, "{place} holds {stored}, and has no source ({relation})")
            }
            DriftKind::OneSided => write!(
                f,
                "{place} names {stored}, which names {source} ({relation})"
            ),
            DriftKind::OverBound => write!(f, "{place} has {stored} elements of {source}"),
        }
    }
}

/// What a verification has found.
#[must_use = "drift is there until it is repaired"]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Drift {
    /// The findings, relation by relation.
    pub items: Vec<Drifted>,
    /// How many copies, references and arrays were looked at.
    pub checked: u64,
    /// How many copies differ and are left out, because a job will correct them.
    pub pending: u64,
}

impl Drift {
    /// Whether everything is as the models say.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns how many findings there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Counts the findings by relation.
    pub fn by_relation(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for item in &self.items {
            *counts.entry(item.relation.as_str()).or_insert(0) += 1;
        }
        counts
    }

    /// Returns what [`repair`](Self::repair) would do, as mongosh text: the jobs that it writes, and
    /// the updates by which these bring the copies that were found to what their sources held then.
    ///
    /// Sends nothing to the server. What is left as it is does not appear.
    pub fn plan(&self) -> Plan {
        plan::of(&self.items)
    }

    /// Returns a builder that puts the findings right.
    pub fn repair(&self, odm: &Odm) -> Repair {
        Repair::of_items(self.items.clone(), odm.clone())
    }

    pub(super) fn add(&mut self, event: Event) {
        match event {
            Event::Found(page) => self.items.extend(page),
            Event::Checked(count) => self.checked += count,
            Event::Pending(count) => self.pending += count,
        }
    }
}

/// The counts by relation, then the first findings of all.
impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        write!(f, "{} findings in {} checked", self.len(), self.checked)?;
        for (relation, count) in self.by_relation() {
            write!(f, "\n  {relation}: {count}")?;
        }
        for item in self.items.iter().take(SHOWN) {
            write!(f, "\n{item}")?;
        }
        match self.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n.. and {more} more"),
        }
    }
}
