//! One finding of a verification, and its text form.

use std::{fmt, sync::Arc};

use mongodb::bson::Bson;

use super::two_way::pair::{Direction, TwoWay};
use crate::{
    derived::values::Values,
    error::Error,
    graph::{ExtendedReference, LinkedDocuments},
    model::shape::ModelShape,
    mongosh,
    value::key::JoinKey,
};

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// A copy differs from its source.
    Stale,
    /// A copy is missing although its struct requires it, because the source lacks the field. The document cannot be
    /// decoded.
    MissingCopy,
    /// A reference that has copies or an inverse is dangling, or a copy has a value although its source does not
    /// exist.
    Dangling,
    /// A reference that has neither copies nor an inverse is dangling.
    NoTarget,
    /// A reference is null or missing, although its type is not an `Option`.
    NullReference,
    /// One side of a two-way reference refers to the other side, but the other side does not refer back.
    OneSided,
    /// A document lacks the link to itself.
    NoOwnLink,
    /// A document contains two links to the same document.
    DoubledLink,
    /// An array is longer than its `max`.
    OverBound,
    /// Jobs are waiting for a relation that no program has declared in the last seven days, or ever. No program runs
    /// these jobs.
    OrphanedJobs,
    /// A value cannot be read or compared, for example because it is text that is not UTF-8, or a key that cannot be
    /// used in a statement. [`Drifted::why`] returns the reason. All other values are still checked.
    Unreadable,
}

impl DriftKind {
    /// Returns the word that counts of findings use for this kind.
    pub(in crate::maintenance) const fn word(self) -> &'static str {
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
            Self::OrphanedJobs => "orphaned jobs",
            Self::Unreadable => "unreadable",
        }
    }
}

/// One finding: a place in a document that contradicts the declarations.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Drifted {
    /// The name of the relation. Examples: `Product.parts.id <- Part` for copies, `Person.tasks <-> Task.owner` for
    /// two-way references, `LogMsg.host -> Host` for other references, `Person.tasks` for a bound, `products.parts.id
    /// <- parts._id` for jobs.
    pub relation: String,
    /// The model of the document. For jobs, the collection that contains the jobs.
    pub model: &'static str,
    /// The collection that contains the document.
    pub collection: &'static str,
    /// The `_id` of the document. For jobs, the `_id` of the oldest job.
    pub id: Bson,
    /// The stored path, including positions in arrays: `parts.1.name`.
    pub path: String,
    /// The key of the source, or of the document on the other side.
    pub key: Option<Bson>,
    /// The stored value, or `None` if the field is missing. For an array that exceeds its bound, the length of the
    /// array. For jobs, the number of jobs.
    pub stored: Option<Bson>,
    /// The expected value. For a copy, this is the value of its source. For a two-way reference, it is the reference
    /// on the other side. For an array, it is the bound. For jobs, it is the time since which the oldest job has been
    /// waiting. `None` if the source, or the field in the source, is missing.
    pub source: Option<Bson>,
    /// The kind of the finding.
    pub kind: DriftKind,
    /// Whether an unfinished job will correct the difference. This is true only if you called
    /// [`include_pending`](crate::Verify::include_pending).
    pub pending: bool,
    pub(in crate::maintenance) cause: Cause,
}

/// Marks the findings that an unfinished job will correct, and removes them unless `include` is true. Returns the
/// number of these findings.
pub(in crate::maintenance) fn set_aside(
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

/// The cause of a finding, which decides how it is repaired.
#[derive(Clone, Debug)]
pub(in crate::maintenance) enum Cause {
    Copy(Arc<CopyCause>),
    /// A reference that has copies and is dangling or null. The repair does not change such references.
    Reference(Arc<CopyCause>),
    /// A reference on one side of a pair that the other side does not return.
    TwoWay(Arc<TwoWay>, Direction),
    Link(&'static LinkedDocuments, LinkFault),
    /// Any other reference, an array that exceeds its bound, or a copy of a field that its source lacks. The library
    /// cannot know the correct value.
    Unknown,
    /// A value that cannot be read, with the reason.
    Unreadable(Arc<str>),
}

/// The fault that was found in a link.
#[derive(Clone, Copy, Debug)]
pub(in crate::maintenance) enum LinkFault {
    /// The other document does not link back, although its model requires this.
    OneSided(&'static ModelShape),
    /// The other document does not exist.
    Dangling,
    /// The array of links itself is wrong: it contains a wrong kind, a duplicate, or a value that is not a link.
    Written,
}

impl Drifted {
    /// Returns the finding for a document that cannot be read. The finding's model is the one in the error. If the
    /// error contains no model, the first of `models` is used.
    pub(in crate::maintenance) fn unreadable(
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

    /// Returns the reason why the value cannot be read. `None` for other findings.
    pub fn why(&self) -> Option<&str> {
        match &self.cause {
            Cause::Unreadable(why) => Some(why),
            _ => None,
        }
    }
}

/// The source from which some copies differ.
#[derive(Clone, Debug)]
pub(in crate::maintenance) struct CopyCause {
    pub(in crate::maintenance) reference: Arc<ExtendedReference>,
    /// The key of the source. `None` for a null reference.
    pub(in crate::maintenance) key: Option<JoinKey>,
    /// The values of the source. `None` if the source does not exist.
    pub(in crate::maintenance) values: Option<Values>,
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
                    "{place} contains {stored}, but its source contains {source} ({relation})"
                )
            }
            DriftKind::MissingCopy => {
                write!(
                    f,
                    "{place} is required but missing, because its source does not have the field ({relation}); set it in the source, or add \
                     `#[serde(default)]` to the copy"
                )
            }
            DriftKind::Dangling => {
                write!(
                    f,
                    "{place} contains {stored}, but its source does not exist ({relation})"
                )
            }
            DriftKind::NoTarget => {
                write!(
                    f,
                    "{place} contains {stored}, but no document has this key ({relation})"
                )
            }
            DriftKind::NullReference => {
                write!(
                    f,
                    "{place} contains {stored}, but must not be null ({relation})"
                )
            }
            DriftKind::OneSided if self.source.is_none() => write!(
                f,
                "{place} refers to {stored}, which does not refer back ({relation})"
            ),
            DriftKind::OneSided => write!(
                f,
                "{place} refers to {stored}, which refers to {source} ({relation})"
            ),
            DriftKind::Unreadable => {
                let why = self.why().unwrap_or_default();
                write!(f, "{place} cannot be read: {why} ({relation})")
            }
            DriftKind::NoOwnLink => {
                write!(
                    f,
                    "{place} contains {stored}, but no link to itself ({relation})"
                )
            }
            DriftKind::DoubledLink => {
                write!(f, "{place} contains {stored} again ({relation})")
            }
            DriftKind::OverBound => write!(
                f,
                "{place} has {stored} elements, but at most {source} are allowed"
            ),
            DriftKind::OrphanedJobs => write!(
                f,
                "{stored} jobs have waited since {source} for a program that declares `{relation}`, but none \
                 does; start one, or call `forget_declaration` with this relation"
            ),
        }
    }
}
