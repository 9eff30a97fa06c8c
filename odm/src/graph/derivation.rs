//! The kinds of derived data. Every decision about derived data is a `match` over [`Derivation`], so that the compiler
//! lists the places to extend when a kind is added.

/// How the fields of an extended reference are derived from their sources.
///
/// The variants contain no data. All kinds have two ends, a key and fields, which are therefore stored in
/// [`ExtendedReference`](super::ExtendedReference). Delete rules of this program are [`Rule`](super::Rule)s, because
/// they have a policy instead of fields. Snapshots are copies, but they have a list of their own (`Graph::snapshots`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derivation {
    /// Copies from one document. The key is stored beside the copies. For example, `Product.parts[].name` is copied
    /// through `parts.id`.
    Copy,
    /// Copies from one document, which itself stores the key. For example, `Part.product_name` is copied through
    /// `Product.parts.id`.
    ReferrerCopy,
    /// Summaries, recent lists and two-way arrays, which are computed from all documents that store the key.
    Fold,
    /// One of two arrays that refer to each other. A change to either array also changes the other.
    Mirror,
    /// A delete rule, which does not have fields. Either only other programs declare the rule, or this program
    /// declares it and other programs may not know it yet.
    DeleteRule,
}

/// Which document stores the key of an extended reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOwner {
    /// The document that contains the derived fields. The key is beside them.
    Target,
    /// The source document.
    Source,
}

/// Which sources determine the derived fields for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sources {
    /// The document that has the key as its `_id`. A read uses the index on `_id`, which always exists.
    OneById,
    /// Of all documents that contain the key, the one with the lowest `_id`.
    FirstByKey,
    /// All documents that contain the key.
    All,
}

/// Which documents contain the derived fields for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Targets {
    /// The document that has the key as its `_id`.
    OneById,
    /// All documents that contain the key.
    All,
}

/// When derived fields are updated after a write of their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// Together with the write, even without a transaction, no matter how many documents are affected. A later job
    /// could not tell whether an element was added to one of two mirrored arrays or removed from the other.
    WithTheWrite,
    /// In the transaction of the write, if there is one, no matter how many documents are affected. A later job could
    /// not reject elements that exceed the bound of an array.
    InTransaction,
    /// In the transaction of the write, if the budget allows this. Otherwise, a delta or a job updates the fields.
    ByBudget,
}

/// What happens to a copy if its source does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orphan {
    /// The copy keeps its value.
    Kept,
    /// The copy becomes null.
    Emptied,
}

/// Whether a document can be decoded if the copy is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// The document can be decoded without the copy.
    Allowed,
    /// Decoding the document fails without the copy.
    Undecodable,
}

/// The form in which a field stores keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyForm {
    /// One key, which may be null.
    Single,
    /// An array of keys.
    Array,
}

/// The stored form of a field that becomes null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullForm {
    Stored,
    /// serde does not store a null value of this field.
    LeftOut,
}

/// Whether a key may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    Allowed,
    Forbidden,
}

/// Which programs declare the fields of an extended reference and write them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredBy {
    /// This program, and possibly other programs.
    ThisProgram,
    /// Only other programs. This program leaves the updates of the fields to those programs.
    OtherPrograms,
}

impl Derivation {
    pub(crate) const fn key_owner(self) -> KeyOwner {
        match self {
            Self::Copy | Self::DeleteRule => KeyOwner::Target,
            Self::ReferrerCopy | Self::Fold | Self::Mirror => KeyOwner::Source,
        }
    }
}
