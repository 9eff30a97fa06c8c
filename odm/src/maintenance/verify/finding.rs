//! One finding of a verification.

use std::{fmt, sync::Arc};

use mongodb::bson::Bson;

use super::two_way_pair::{Direction, TwoWay};
use crate::{
    derived::values::Values,
    error::Error,
    graph::{ExtendedReference, LinkedDocuments},
    model::shape::ModelShape,
    mongosh,
    value::key::JoinKey,
};

/// What is wrong with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// A copy differs from its source.
    Stale,
    /// A copy is missing that its struct requires, because the source lacks the field: the document cannot be read.
    MissingCopy,
    /// A reference with copies, or with an inverse, leads to no document; or a copy is set and has no
    /// source.
    Dangling,
    /// Any other reference leads to no document.
    NoTarget,
    /// A reference is null or missing, and its type is no `Option`.
    NullReference,
    /// One side of a two-way reference names the other, and not vice versa.
    OneSided,
    /// A document has no link to itself.
    NoOwnLink,
    /// A document has two links to another one.
    DoubledLink,
    /// An array is longer than its `max`.
    OverBound,
    /// Jobs wait whose relation no program has declared for seven days, or any more: nobody runs them.
    OrphanedJobs,
    /// What stands there cannot be read or compared, [`Drifted::why`] tells for what reason: text that is
    /// no text, keys that no statement can hold. All others are looked at.
    Unreadable,
}

impl DriftKind {
    /// Returns the word for it in a count.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Stale => "stale",
            Self::MissingCopy => "missing copies",
            Self::Dangling => "dangling",
            Self::NoTarget => "without a target",
            Self::NullReference => "null",
            Self::OneSided => "one-sided",
            Self::NoOwnLink => "without a link to itself",
            Self::DoubledLink => "doubled links",
            Self::OverBound => "over a bound",
            Self::OrphanedJobs => "jobs of nobody",
            Self::Unreadable => "unreadable",
        }
    }
}

/// One finding: a place in a document that is not as the models say.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Drifted {
    /// What was checked: `Product.parts.id <- Part` for copies, `Person.tasks <-> Task.owner` for
    /// two-way references, `LogMsg.host -> Host` for others, `Person.tasks` for a bound,
    /// `products.parts.id <- parts._id` for jobs.
    pub relation: String,
    /// The model of the document; of jobs, their collection.
    pub model: &'static str,
    /// The collection of the document.
    pub collection: &'static str,
    /// The `_id` of the document; of jobs, that of the oldest.
    pub id: Bson,
    /// The stored path, with the positions of elements: `parts.1.name`.
    pub path: String,
    /// The key of the source, or of the other side.
    pub key: Option<Bson>,
    /// What is stored; none if the field is missing. The length of an array over its bound, the
    /// number of jobs.
    pub stored: Option<Bson>,
    /// What the source says: the value of a copy, the reference of the other side, the bound of an
    /// array, the time since which the oldest job waits. None if the source, or the field in it, is missing.
    pub source: Option<Bson>,
    /// What is wrong.
    pub kind: DriftKind,
    /// Whether an unfinished job will put it right; only with
    /// [`include_pending`](crate::Verify::include_pending).
    pub pending: bool,
    pub(super) cause: Cause,
}

/// Sets those findings aside that an unfinished job will put right: marks them if they are asked for, and drops them
/// otherwise. Returns how many they are.
pub(super) fn set_aside(
    found: &mut Vec<Drifted>,
    include: bool,
    is_pending: impl Fn(&Drifted) -> bool,
) -> u64 {
    for item in found.iter_mut() {
        item.pending = is_pending(item);
    }
    let pending = found.iter().filter(|item| item.pending).count();
    found.retain(|item| include || !item.pending);
    pending as u64
}

/// What repair goes by.
#[derive(Clone, Debug)]
pub(super) enum Cause {
    Copy(Arc<CopyCause>),
    /// A reference with copies that leads nowhere, or is null; which is left as it is.
    Reference(Arc<CopyCause>),
    /// A reference from one side of a pair that the other does not return.
    TwoWay(Arc<TwoWay>, Direction),
    Link(&'static LinkedDocuments, LinkFault),
    /// Another reference, an array over its bound, or a copy whose source lacks the field: only somebody who knows what it means can say
    /// what is right.
    Unknown,
    /// What cannot be read, and why.
    Unreadable(Arc<str>),
}

/// What is wrong with a link.
#[derive(Clone, Copy, Debug)]
pub(super) enum LinkFault {
    /// The other document does not link back, and its model says that it does.
    OneSided(&'static ModelShape),
    /// There is no other document.
    Dangling,
    /// What the array says is wrong by itself.
    Written,
}

impl Drifted {
    /// Returns the finding that a document of one of some models, the first if nothing is known, cannot be
    /// dealt with.
    pub(super) fn unreadable(
        relation: &str,
        models: &[&'static ModelShape],
        error: &Error,
        document: Option<Bson>,
    ) -> Option<Self> {
        let (at, id, path) = match error {
            Error::Decode {
                collection,
                id,
                path,
                ..
            } => {
                let at = models.iter().find(|model| model.collection == collection);
                (at, id.as_deref().cloned().or(document), path.clone())
            }
            _ => (None, document, String::new()),
        };
        let model = at.or_else(|| models.first())?;
        Some(Self {
            relation: relation.to_owned(),
            model: model.name,
            collection: model.collection,
            id: id.unwrap_or(Bson::Null),
            path,
            key: None,
            stored: None,
            source: None,
            kind: DriftKind::Unreadable,
            pending: false,
            cause: Cause::Unreadable(error.to_string().into()),
        })
    }

    /// Returns why something cannot be read.
    pub fn why(&self) -> Option<&str> {
        match &self.cause {
            Cause::Unreadable(why) => Some(why),
            _ => None,
        }
    }
}

/// The source of copies that differ.
#[derive(Clone, Debug)]
pub(super) struct CopyCause {
    pub(super) reference: &'static ExtendedReference,
    /// None where the reference is null.
    pub(super) key: Option<JoinKey>,
    /// What the source held; none if there is none.
    pub(super) values: Option<Values>,
}

impl fmt::Display for Drifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_sentence(f)?;
        f.write_str(if self.pending { " (pending)" } else { "" })
    }
}

impl Drifted {
    fn write_sentence(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |value: &Option<Bson>| value.as_ref().map_or("nothing".to_owned(), mongosh::value);
        let (stored, source) = (shown(&self.stored), shown(&self.source));
        let dot = if self.path.is_empty() { "" } else { "." };
        let place = format!(
            "{}{dot}{} of {}",
            self.collection,
            self.path,
            mongosh::value(&self.id)
        );
        let relation = &self.relation;
        match self.kind {
            DriftKind::Stale => {
                write!(
                    f,
                    "{place} holds {stored}, and its source {source} ({relation})"
                )
            }
            DriftKind::MissingCopy => {
                write!(
                    f,
                    "{place} is required and missing, and its source lacks the field ({relation}); set it in the source, or add \
                     `#[serde(default)]` to the copy"
                )
            }
            DriftKind::Dangling => {
                write!(f, "{place} holds {stored}, and has no source ({relation})")
            }
            DriftKind::NoTarget => {
                write!(
                    f,
                    "{place} holds {stored}, which leads nowhere ({relation})"
                )
            }
            DriftKind::NullReference => {
                write!(
                    f,
                    "{place} holds {stored}, and must not be null ({relation})"
                )
            }
            DriftKind::OneSided if self.source.is_none() => write!(
                f,
                "{place} names {stored}, which does not name it back ({relation})"
            ),
            DriftKind::OneSided => write!(
                f,
                "{place} names {stored}, which names {source} ({relation})"
            ),
            DriftKind::Unreadable => {
                let why = self.why().unwrap_or_default();
                write!(f, "{place} cannot be dealt with: {why} ({relation})")
            }
            DriftKind::NoOwnLink => {
                write!(
                    f,
                    "{place} holds {stored}, and no link to itself ({relation})"
                )
            }
            DriftKind::DoubledLink => {
                write!(f, "{place} holds {stored} once more ({relation})")
            }
            DriftKind::OverBound => write!(f, "{place} has {stored} elements of {source}"),
            DriftKind::OrphanedJobs => write!(
                f,
                "{stored} jobs wait since {source} for a program that declares `{relation}`, and none \
                 does; start one, or call `forget_declaration` with it"
            ),
        }
    }
}
