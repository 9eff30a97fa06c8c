//! Compares the copies for a key with their source. The rules for equality are the same as for writes
//! (`values::expected`).

use std::sync::Arc;

use mongodb::bson::{Bson, RawBsonRef};

use crate::{
    derived::values::{Expected, SourceValues, expected},
    graph::{ExtendedReference, KeyOwner, Nulls},
    maintenance::invariant::finding::DriftKind,
    value::key::JoinKey,
};

/// The copies of one extended reference that a verification checks.
#[derive(Clone, Debug)]
pub(super) struct Copies {
    pub(super) reference: Arc<ExtendedReference>,
    /// Whether null references are allowed. If not, each null reference counts as a finding.
    pub(super) nulls: Nulls,
}

/// One difference between a copy and its source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// The path of the copy within the struct that contains it.
    pub(super) path: String,
    pub(super) stored: Option<Bson>,
    pub(super) source: Option<Bson>,
    pub(super) kind: DriftKind,
    /// Whether the reference itself is wrong, rather than one of its copies.
    pub(super) is_reference: bool,
}

/// Lists the differences between the source and the copies for one key.
///
/// A dangling reference counts as a difference, unless the source stores the keys. A null reference counts as a
/// difference if nulls are not allowed.
pub(super) fn compare<'d>(
    copies: &Copies,
    source: SourceValues<'_>,
    key: Option<&JoinKey>,
    copy: impl Fn(usize) -> Option<RawBsonRef<'d>>,
) -> Vec<Difference> {
    let Copies { reference, nulls } = copies;
    let gone = source == SourceValues::Missing;
    let dangling = match reference.key_owner() {
        KeyOwner::Target => gone,
        KeyOwner::Source => false,
    };
    let mut found = Vec::new();
    for (at, (copied, value)) in expected(reference, source).enumerate() {
        if value.is_any() {
            continue;
        }
        let stored = copy(at);
        if copied.is_missed(value, stored.is_some()) {
            found.push(Difference {
                path: reference.place.relative(&copied.to),
                stored: None,
                source: None,
                kind: DriftKind::MissingCopy,
                is_reference: false,
            });
        } else if !value.equals(stored) {
            found.push(Difference {
                path: reference.place.relative(&copied.to),
                stored: stored.and_then(|stored| Bson::try_from(stored).ok()),
                source: match value {
                    Expected::Value(value) | Expected::Near(value) | Expected::Set(value, _) => {
                        Some(value.clone())
                    }
                    _ => None,
                },
                kind: if gone {
                    DriftKind::Dangling
                } else {
                    DriftKind::Stale
                },
                is_reference: false,
            });
        }
    }
    let is_null = *nulls == Nulls::Forbidden && source == SourceValues::NoKey;
    if dangling || is_null {
        found.push(Difference {
            path: reference.place.relative(&reference.key),
            stored: key.map(JoinKey::to_bson),
            source: None,
            kind: if is_null {
                DriftKind::NullReference
            } else {
                DriftKind::Dangling
            },
            is_reference: true,
        });
    }
    found
}
