//! The result for one stored reference.
//!
//! A key without a document is `Missing` only if the library knows that the document does not exist. If a filter, or a
//! skip on the server, was applied, the key is `Unmatched`. To find out whether the document exists, call `missing()`
//! on the load or the join, which sends one more `find` for the keys, without the filter. A key that was not part of
//! the request is `NotAsked`.

use crate::value::key::JoinKey;

/// The result for one stored reference: its document, or the reason why the slot contains no document.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
/// use mongo_odm::relation::Slot;
///
/// for slot in product.load_parts(&odm).slots().await? {
///     match slot {
///         Slot::Found(part) => println!("{}", part.name),
///         Slot::Missing(key) => println!("no part has the key {key:?}"),
///         other => println!("{other:?}"),
///     }
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slot<V> {
    /// The document.
    Found(V),
    /// No document has this key.
    Missing(JoinKey),
    /// No document was found for this key, but one may exist. The filter of the call or of the relation, `#[deleted_at]`
    /// of the target, or a `skip_each` on the server may have excluded the document. To check this, call `missing()` on
    /// the load or the join.
    Unmatched(JoinKey),
    /// This key was not sent to the server, because its owner was not part of the join or `limit_each` was 0.
    NotAsked(JoinKey),
    /// The stored reference is null.
    Null,
    /// The polymorphic reference is a variant that has neither a key nor a model, for example a kind that only other
    /// programs declare. Only [`LoadAll`](super::LoadAll) returns this variant.
    NoModel,
}

impl<V> Slot<V> {
    /// Returns the document, or `None` if the slot does not contain one.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::relation::Slot;
    ///
    /// assert_eq!(Slot::Found(3).found(), Some(3));
    /// assert_eq!(Slot::<i32>::Null.found(), None);
    /// ```
    pub fn found(self) -> Option<V> {
        match self {
            Self::Found(document) => Some(document),
            _ => None,
        }
    }

    /// Converts the document in a `Found` slot, and returns any other slot unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::relation::Slot;
    ///
    /// assert_eq!(Slot::Found("bolt").map(str::len), Slot::Found(4));
    /// ```
    pub fn map<W>(self, document: impl FnOnce(V) -> W) -> Slot<W> {
        match self {
            Self::Found(found) => Slot::Found(document(found)),
            Self::Missing(key) => Slot::Missing(key),
            Self::Unmatched(key) => Slot::Unmatched(key),
            Self::NotAsked(key) => Slot::NotAsked(key),
            Self::Null => Slot::Null,
            Self::NoModel => Slot::NoModel,
        }
    }

    /// Returns whether the slot is `Missing`: no document has the key of this reference.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::relation::Slot;
    ///
    /// let slot: Slot<i32> = Slot::Found(1);
    /// assert!(!slot.is_missing());
    /// ```
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing(_))
    }
}
