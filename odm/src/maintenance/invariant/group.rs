//! Reads groups of equal references, which the server returns as `{_id: {k, ..}, n}`. Here, `k` is the key, `..` stands
//! for further values, and `n` is the number of references.

use mongodb::bson::{Bson, RawBsonRef, RawDocument};

use crate::value::key::JoinKey;

/// One group of references with the same key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<'d> {
    values: Option<&'d RawDocument>,
    /// Number of references in the group.
    pub(super) count: u64,
}

impl<'d> Group<'d> {
    /// Reads a group. Returns `None` if its key cannot be read. A missing key counts as readable.
    pub(super) fn read(document: &'d RawDocument) -> Option<Self> {
        let count = match document.get("n") {
            Ok(Some(RawBsonRef::Int32(n))) => u64::try_from(n).unwrap_or(0),
            Ok(Some(RawBsonRef::Int64(n))) => u64::try_from(n).unwrap_or(0),
            _ => 1,
        };
        let values = document.get_document("_id").ok();
        let key = values.map_or(Ok(None), |values| values.get("k")).ok()?;
        let is_readable = key.is_none_or(|key| Bson::try_from(key).is_ok());
        is_readable.then_some(Self { values, count })
    }

    /// Returns the key of the group. Returns `None` if the key is null or missing.
    pub(super) fn key(&self) -> Option<JoinKey> {
        let key = self.value("k").map(JoinKey::from_raw)?;
        (!key.is_null()).then_some(key)
    }

    /// Returns a value that all references in the group share.
    pub(super) fn value(&self, name: &str) -> Option<RawBsonRef<'d>> {
        self.values?.get(name).ok()?
    }
}
