//! The kinds of derived data. Every decision about derived data is a `match` over [`Derivation`], so that the compiler
//! lists the places to extend when a kind is added.

/// The way in which the fields of an extended reference follow from their sources.
///
/// The variants contain no data: the ends, the key and the fields are the same for all kinds, and therefore fields of
/// [`ExtendedReference`](super::ExtendedReference). Delete rules of this program are [`Rule`](super::Rule)s, because
/// they have a policy instead of fields. Snapshots are copies in a list of their own (`Graph::snapshots`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derivation {
    /// Copies of one document. The key is stored beside the copies: `Product.parts[].name` by `parts.id`.
    Copy,
    /// Copies of one document, which stores the key itself: `Part.product_name` by `Product.parts.id`.
    ReferrerCopy,
    /// Summaries, recent lists and two-way arrays, which are computed from all documents that store the key.
    Fold,
    /// One of two arrays that refer to each other. A change of either array changes the other.
    Mirror,
    /// A delete rule, without fields: one that only other programs declare, or one of this program that other programs
    /// may not know yet.
    DeleteRule,
}

/// The document that stores the key of an extended reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOwner {
    /// The document with the derived fields, beside these fields.
    Target,
    /// The source.
    Source,
}

/// The sources of the derived fields that have one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sources {
    /// The document whose `_id` is the key. A read uses the index that always exists.
    OneById,
    /// The document with the lowest `_id` among those that have the key.
    FirstByKey,
    /// All documents that have the key.
    All,
}

/// The documents whose derived fields have one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Targets {
    /// The document whose `_id` is the key.
    OneById,
    /// All documents that have the key.
    All,
}

/// The time at which derived fields follow a write of their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// Together with the write, even without a transaction, and no matter how many documents are affected. A later job
    /// could not tell whether an element was added to one of two mirrored arrays or removed from the other.
    WithTheWrite,
    /// In the transaction of the write, if there is one, no matter how many documents are affected. A later job could
    /// not reject elements that exceed the bound of an array.
    InTransaction,
    /// In the transaction if the budget allows it, otherwise by a delta or a job.
    ByBudget,
}

/// The effect of a missing source on a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orphan {
    /// The copy keeps its value.
    Kept,
    /// The copy becomes null.
    Emptied,
}

/// The effect of a missing copy on its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// The document can be decoded.
    Allowed,
    /// Decoding the document fails.
    Undecodable,
}

/// The programs that write the fields of an extended reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredBy {
    /// This program, and possibly others.
    ThisProgram,
    /// Only other programs. This program leaves the fields to them.
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
