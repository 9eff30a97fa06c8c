//! The kinds of derived data. `ExtendedReference` matches on [`Derivation`] to return the key's owner, the sources, the
//! targets, the timing, the content and the use of deltas. If you add a kind, the compiler lists these matches.
//!
//! `Derivation` and the enums that describe a kind do not implement `PartialEq`, because the compiler does not list
//! comparisons when you add a variant. So all code must match on these types.

/// How the fields of an extended reference are derived from their sources.
///
/// The variants contain no data. All kinds have a source, a target, a key and fields, so
/// [`ExtendedReference`](super::ExtendedReference) contains these. This program's own delete rules are
/// [`StoredReference`](super::StoredReference)s, because they have a policy instead of fields. Snapshots are copies, but
/// they are in a separate list (`Graph::snapshots`).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Derivation {
    /// Copies from one document. The key is stored beside the copies. For example, `Product.parts[].name` is copied
    /// through `parts.id`.
    Copy,
    /// Copies from one source document that itself stores the key. For example, `Part.product_name` is copied through
    /// `Product.parts.id`.
    ReferrerCopy,
    /// Summaries, recent lists and two-way arrays, which are computed from all documents that store the key.
    Fold,
    /// One of two arrays that refer to each other. A change to either array also changes the other.
    Mirror,
    /// A delete rule, which has no fields. The rule is declared either only by other programs, or by this program so
    /// recently that other programs might not have read the declaration yet.
    DeleteRule,
}

/// Which document stores the key of an extended reference.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyOwner {
    /// The document that contains the derived fields. The key is stored beside these fields.
    Target,
    /// The source document.
    Source,
}

/// Which source documents determine the derived fields for a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sources {
    /// The document that has the key as its `_id`. Reads of this document use the index on `_id`, which always exists.
    OneById,
    /// The document with the lowest `_id` among all documents that contain the key.
    FirstByKey,
    /// All documents that contain the key.
    All,
}

/// Which documents contain the derived fields for a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Targets {
    /// The document that has the key as its `_id`.
    OneById,
    /// All documents that contain the key.
    All,
}

/// When derived fields are updated after a write to their sources.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Timing {
    /// Together with the write, even without a transaction, no matter how many documents are affected. If two mirrored
    /// arrays differ, a later job could not tell whether an element was added to one array or removed from the other.
    WithTheWrite,
    /// In the write's transaction, if there is one, no matter how many documents are affected. A later job could not
    /// reject elements that exceed the bound of an array.
    InTransaction,
    /// In the write's transaction, if the budget allows it. Otherwise, a delta or a job updates the fields.
    ByBudget,
}

/// Which fields an extended reference has, and whether your code may write them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// Copies or computed fields. The library overwrites values that your code writes.
    Derived,
    /// A mirrored array. Your code may also write this array.
    Mirrored,
    /// No fields, because the extended reference is a delete rule. Only deleting a source has an effect.
    Absent,
}

/// Whether changes to individual sources can be stored as deltas.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deltas {
    Possible,
    Never,
}

/// The effect on a copy if its source does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Orphan {
    /// The copy keeps its value.
    #[default]
    Kept,
    /// The copy becomes null.
    Emptied,
}

/// Whether a document can be decoded although a copy is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Absence {
    /// The document can be decoded without the copy.
    #[default]
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

/// How a field is stored when it becomes null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullForm {
    Stored,
    /// The field is left out, because serde omits its null values.
    LeftOut,
}

/// Whether a key may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    Allowed,
    Forbidden,
}

/// Whether writes accept keys whose targets do not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DanglingKeys {
    Allowed,
    Rejected,
}

/// Which programs declare the fields of an extended reference and write them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredBy {
    /// This program, and possibly other programs.
    ThisProgram,
    /// Only other programs. This program does not write the fields, but stores jobs for those programs.
    OtherPrograms,
}

impl Derivation {
    pub(crate) const fn key_owner(self) -> KeyOwner {
        match self {
            Self::Copy | Self::DeleteRule => KeyOwner::Target,
            Self::ReferrerCopy | Self::Fold | Self::Mirror => KeyOwner::Source,
        }
    }

    pub(super) const fn content(self) -> Content {
        match self {
            Self::Copy | Self::ReferrerCopy | Self::Fold => Content::Derived,
            Self::Mirror => Content::Mirrored,
            Self::DeleteRule => Content::Absent,
        }
    }

    pub(super) const fn deltas(self) -> Deltas {
        match self {
            Self::Fold => Deltas::Possible,
            // The library adds an element to a mirrored array together with the write, or computes the whole array
            // again.
            Self::Mirror | Self::Copy | Self::ReferrerCopy | Self::DeleteRule => Deltas::Never,
        }
    }
}
