//! One finding of a verification, and its text form.

use std::{fmt, sync::Arc};

use mongodb::bson::Bson;

use super::Invariant;
use crate::{
    derived::values::Values, error::Error, graph::ExtendedReference, model::shape::ModelShape,
    mongosh, value::key::JoinKey,
};

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// A copy differs from its source.
    Stale,
    /// A copy that its struct requires is missing, because the source lacks the field. The document cannot be decoded.
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
    /// A document contains a link or a reference to a document of another tenant.
    OtherTenant,
    /// An array is longer than its `max`.
    OverBound,
    /// Jobs are stored for a relation that no program has declared in the last seven days, or ever. No program runs
    /// these jobs.
    OrphanedJobs,
    /// A value cannot be read or compared, for example because it is a string that is not valid UTF-8, or a key that
    /// cannot be used in a statement. [`Drifted::why`] returns the reason. All other values are still checked.
    Unreadable,
}

impl DriftKind {
    /// Returns the word for findings of this kind in the text form of a report, such as `stale`.
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
            Self::OtherTenant => "to another tenant",
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
    /// The key of the source, or of the document on the other side of a two-way reference.
    pub key: Option<Bson>,
    /// The stored value, or `None` if the field is missing. For an array that exceeds its bound, the length of the
    /// array. For jobs, the number of jobs.
    pub stored: Option<Bson>,
    /// The expected value. For a copy, this is the value of its source. For a two-way reference, it is the reference on
    /// the other side. For an array, it is the bound. For jobs, it is the time at which the oldest job began to wait.
    /// `None` if the source, or the field in the source, is missing.
    pub source: Option<Bson>,
    /// The kind of the finding.
    pub kind: DriftKind,
    /// Whether an unfinished job will correct the difference. The field is true only if you called
    /// [`include_pending`](crate::Verify::include_pending).
    pub pending: bool,
    /// The job that corrects the finding. Findings for the same key can share a job.
    pub(super) job: Option<Arc<RepairingJob>>,
    /// The invariant that repairs the finding. `None` if the library cannot know the correct value.
    pub(in crate::maintenance) repaired_by: Option<Arc<dyn Invariant>>,
    /// The reason why the value cannot be read.
    pub(super) why: Option<Arc<str>>,
}

/// A job that corrects a finding.
#[derive(Clone, Debug, Default)]
pub(in crate::maintenance) struct RepairingJob {
    /// The extended reference whose fields are wrong, if a job updates them.
    pub(super) reference: Option<Arc<ExtendedReference>>,
    /// The relation of the delete rule that removes the reference.
    pub(super) rule: Option<String>,
    /// The key of the job. `None` for a null reference, which no job corrects.
    pub(super) key: Option<JoinKey>,
    /// The source's values, or `None` if the source does not exist.
    pub(super) values: Option<Values>,
}

impl Drifted {
    /// Returns a finding without a path or values.
    pub(super) fn new(
        relation: &str,
        model: &'static str,
        collection: &'static str,
        id: Bson,
        kind: DriftKind,
    ) -> Self {
        Self {
            relation: relation.to_owned(),
            model,
            collection,
            id,
            path: String::new(),
            key: None,
            stored: None,
            source: None,
            kind,
            pending: false,
            job: None,
            repaired_by: None,
            why: None,
        }
    }

    /// Returns the finding for a document that cannot be read. The error determines the finding's model. If the error
    /// contains no model, the finding contains the first of `models`.
    pub(super) fn unreadable(
        relation: &str,
        models: &[&'static ModelShape],
        error: &Error,
        document: Option<Bson>,
    ) -> Option<Self> {
        let (collection, id, path) = match error {
            Error::Decode {
                collection,
                id,
                path,
                ..
            } => (Some(collection.as_str()), id, path.as_str()),
            Error::Overflow {
                collection,
                id,
                field,
                ..
            } => (Some(collection.as_str()), id, field.as_str()),
            _ => (None, &None, ""),
        };
        let path = path.to_owned();
        let id = id.as_deref().cloned().or(document);
        let at = collection.and_then(|name| models.iter().find(|model| model.collection == name));
        let model = at.or_else(|| models.first())?;
        let id = id.unwrap_or(Bson::Null);
        let kind = DriftKind::Unreadable;
        Some(Self {
            path,
            why: Some(error.to_string().into()),
            ..Self::new(relation, model.name, model.collection, id, kind)
        })
    }

    /// Returns the reason why the value cannot be read. Returns `None` if the value can be read.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// for drifted in &odm.verify().await?.items {
    ///     println!("{}: {}", drifted.path, drifted.why().unwrap_or("the value differs"));
    /// }
    /// # Ok(()) }
    /// ```
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }
}

impl fmt::Display for Drifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |value: &Option<Bson>| value.as_ref().map_or("nothing".to_owned(), mongosh::value);
        let (stored, source) = (shown(&self.stored), shown(&self.source));
        let (relation, id) = (&self.relation, mongosh::value(&self.id));
        let dot = if self.path.is_empty() { "" } else { "." };
        let place = format!("{}{dot}{} of {id}", self.collection, self.path);
        let mut remedy = "";
        let difference = match self.kind {
            DriftKind::Stale => format!("contains {stored}, but its source contains {source}"),
            DriftKind::MissingCopy => {
                remedy = "; set it in the source, or add `#[serde(default)]` to the copy";
                "is required but missing, because its source does not have the field".to_owned()
            }
            DriftKind::Dangling => format!("contains {stored}, but its source does not exist"),
            DriftKind::NoTarget => format!("contains {stored}, but no document has this key"),
            DriftKind::NullReference => format!("contains {stored}, but must not be null"),
            DriftKind::OneSided if self.source.is_none() => {
                format!("refers to {stored}, which does not refer back")
            }
            DriftKind::OneSided => format!("refers to {stored}, which refers to {source}"),
            DriftKind::Unreadable => format!("cannot be read: {}", self.why().unwrap_or_default()),
            DriftKind::NoOwnLink => format!("contains {stored}, but no link to itself"),
            DriftKind::DoubledLink => format!("contains {stored} again"),
            DriftKind::OtherTenant => {
                format!("contains {stored}, which belongs to another tenant")
            }
            DriftKind::OverBound => {
                let text = "elements, but at most";
                return write!(f, "{place} has {stored} {text} {source} are allowed");
            }
            DriftKind::OrphanedJobs => {
                return write!(
                    f,
                    "{stored} jobs have waited since {source} for a program that declares `{relation}`, but none \
                     does; start one, or call `forget_declaration` with this relation"
                );
            }
        };
        let pending = if self.pending { " (pending)" } else { "" };
        write!(f, "{place} {difference} ({relation}){remedy}{pending}")
    }
}
