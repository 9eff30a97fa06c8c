//! The values of an extended reference: what its copies hold, all of them from one read of the source.

use mongodb::bson::{Bson, Document, RawBsonRef, doc};

use super::graph::{Copied, ExtendedReference};
use crate::path::value_at;

/// The values of the copied fields of a source, in the order of the extended reference; none where the source has no
/// such field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Values(pub(crate) Vec<Option<Bson>>);

impl Values {
    /// Takes the copied values out of a source.
    pub(crate) fn of(reference: &ExtendedReference, source: &Document) -> Self {
        let values = reference.fields.iter();
        Self(
            values
                .map(|copied| value_at(source, &copied.from).cloned())
                .collect(),
        )
    }
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source<'t> {
    /// A document with these values.
    Is(&'t Values),
    /// No document.
    Gone,
    /// The key is null or absent.
    NoKey,
}

/// What one copy has to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expected<'t> {
    Value(&'t Bson),
    /// The source has no such field.
    Absent,
    /// The copy has no source, and may be null or absent.
    Empty,
    /// The copy has no source, and keeps what it holds.
    Any,
}

/// Pairs the copies of an extended reference with what they have to hold.
pub(crate) fn expected<'t>(
    reference: &'t ExtendedReference,
    source: Source<'t>,
) -> impl Iterator<Item = (&'t Copied, Expected<'t>)> {
    reference
        .fields
        .iter()
        .enumerate()
        .map(move |(at, copied)| {
            let value = match source {
                Source::Is(values) => match values.0.get(at) {
                    Some(Some(value)) => Expected::Value(value),
                    _ => Expected::Absent,
                },
                Source::Gone if copied.empties => Expected::Empty,
                Source::NoKey if copied.optional => Expected::Empty,
                Source::Gone | Source::NoKey => Expected::Any,
            };
            (copied, value)
        })
}

impl<'t> Expected<'t> {
    /// Returns the value that is stored for it; none leaves the field out.
    pub(crate) const fn stored(self) -> Option<&'t Bson> {
        match self {
            Self::Value(value) => Some(value),
            Self::Empty => Some(&Bson::Null),
            Self::Absent | Self::Any => None,
        }
    }

    /// Returns conditions of which one holds where the stored value is another one.
    ///
    /// A filter on an array looks at the elements as well as at the array: where these can be the value,
    /// a condition of their own tells them apart. No array is its own element.
    pub(crate) fn differs(self, path: &str) -> Vec<Document> {
        let other = match self {
            // `$ne: null` holds for no absent field, and null is not absent.
            Self::Value(Bson::Null) => doc! { path: { "$not": { "$type": "null" } } },
            // `$ne` takes no pattern.
            Self::Value(value @ Bson::RegularExpression(_)) => {
                doc! { path: { "$not": { "$eq": value.clone() } } }
            }
            Self::Value(value) => doc! { path: { "$ne": value.clone() } },
            Self::Absent => doc! { path: { "$exists": true } },
            Self::Empty => doc! { path: { "$ne": null } },
            Self::Any => return Vec::new(),
        };
        let within = match self {
            Self::Value(value @ (Bson::Null | Bson::Array(_))) => value,
            Self::Empty => &Bson::Null,
            _ => return vec![other],
        };
        vec![
            other,
            doc! { path: { "$elemMatch": { "$eq": within.clone() } } },
        ]
    }

    /// Whether a stored value is this.
    pub(crate) fn is(self, stored: Option<RawBsonRef<'_>>) -> bool {
        match (self, stored) {
            (Self::Any, _)
            | (Self::Absent | Self::Empty, None)
            | (Self::Empty, Some(RawBsonRef::Null)) => true,
            (Self::Value(Bson::String(expected)), Some(RawBsonRef::String(stored))) => {
                expected == stored
            }
            (Self::Value(expected), Some(stored)) => {
                Bson::try_from(stored).is_ok_and(|stored| stored == *expected)
            }
            _ => false,
        }
    }
}
