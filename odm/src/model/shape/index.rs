//! The shapes of declared indexes.

use super::shape_setters;

/// The shape of one declared index.
#[derive(Debug)]
#[non_exhaustive]
pub struct IndexShape {
    /// The keys. The list is empty for an index that is declared on a field, because the field is the only key.
    pub keys: &'static [IndexKey],
    /// The name of the index. `None` means the server's default name, such as `name_1_manufacturer_1`.
    pub name: Option<&'static str>,
    /// Whether the server rejects a document that has the same keys as another document.
    pub unique: bool,
    /// Whether the index also contains the documents of other kinds in the collection.
    pub all_kinds: bool,
    /// Whether the index skips documents that lack the keys.
    pub sparse: bool,
    /// Number of seconds from the indexed date until the server deletes the document. `None` if the index is not
    /// a TTL index.
    pub expire_after_secs: Option<u32>,
    /// The partial filter expression, as extended JSON.
    pub partial: Option<&'static str>,
    /// The locale of the collation.
    pub locale: Option<&'static str>,
    /// The strength of the collation, from 1 to 5.
    pub strength: Option<u32>,
    /// The sort direction or the type of an index that is declared on a field.
    pub kind: IndexKind,
}

#[doc(hidden)]
impl IndexShape {
    /// Describes an index on `keys`. If the list is empty, the only key is the field that declares the index.
    pub const fn new(keys: &'static [IndexKey]) -> Self {
        Self {
            keys,
            name: None,
            unique: false,
            all_kinds: false,
            sparse: false,
            expire_after_secs: None,
            partial: None,
            locale: None,
            strength: None,
            kind: IndexKind::Ascending,
        }
    }

    shape_setters! {
        /// Sets the name of the index.
        name(name: &'static str) => name = Some(name);

        /// Declares that the server rejects a document that has the same keys as another document.
        unique() => unique = true;

        /// Includes the documents of all kinds in the collection.
        all_kinds() => all_kinds = true;

        /// Declares that the index skips documents that lack the keys.
        sparse() => sparse = true;

        /// Declares that the server deletes a document this many seconds after the date in the key.
        expire_after_secs(seconds: u32) => expire_after_secs = Some(seconds);

        /// Restricts the index to documents that match the filter. The filter is extended JSON.
        partial(filter: &'static str) => partial = Some(filter);

        /// Declares that the index compares strings by the rules of a locale.
        locale(locale: &'static str) => locale = Some(locale);

        /// Sets the strength of the collation, from 1 to 5.
        strength(strength: u32) => strength = Some(strength);

        /// Sets the order or type of the key, for an index that is declared on a field.
        kind(kind: IndexKind) => kind = kind;
    }
}

/// One key of a compound index.
#[derive(Debug)]
#[non_exhaustive]
pub struct IndexKey {
    /// The stored path of the key.
    pub path: fn() -> String,
    /// The order or type of the key.
    pub kind: IndexKind,
}

#[doc(hidden)]
impl IndexKey {
    /// Describes a key. The function `path` returns the stored path of the key's field handle.
    pub const fn new(path: fn() -> String, kind: IndexKind) -> Self {
        Self { path, kind }
    }
}

/// The order or type of one index key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexKind {
    /// Smallest values first: `1`.
    Ascending,
    /// Largest values first: `-1`.
    Descending,
    /// A text index: `"text"`.
    Text,
    /// A hashed index: `"hashed"`.
    Hashed,
    /// A flat geospatial index: `"2d"`.
    TwoD,
    /// A spherical geospatial index: `"2dsphere"`.
    TwoDSphere,
}
