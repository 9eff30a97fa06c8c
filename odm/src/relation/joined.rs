//! The result of a join.

use std::marker::PhantomData;

use super::{
    absence::Absence,
    joined_owner::{JoinedOwners, StoredKey},
    key_number::{KeyNumber, index},
    placement::Groups,
    request::Window,
    slot::Slot,
};
use crate::value::key::JoinKey;

/// The result of a join: the related documents of many owners.
///
/// | method | returns |
/// |---|---|
/// | [`of(owner)`](Self::of) | the documents of one owner |
/// | [`one_of(owner)`](Self::one_of) | the first document of one owner, for references to a single document |
/// | [`slots_of(owner)`](Self::slots_of) | one [`Slot`] for each stored reference, even if its document is missing |
/// | [`missing()`](Self::missing) | the keys for which no document exists |
/// | [`documents()`](Self::documents) | all documents |
///
/// These methods send nothing. Each document is stored once in the result, and the methods return references to it.
///
/// `of` finds the documents by the keys in the owner, so you can pass a clone of an owner. You can also pass an owner
/// that was not part of the join. In that case, `of` returns the documents for those keys of the owner that were part
/// of the join. The calls are fastest if you pass the owners in the order in which they were joined.
///
/// Join results are typed by relation: passing the result of `Product::join_main` where the result of
/// `Product::join_parts` is expected does not compile. In signatures, write the relation with
/// [`relation!`](crate::relation!): `Joined<Product, Part, relation!(Product.parts)>`.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let products = Product::find(&odm).limit(100).await?;
/// let parts = Product::join_parts(&products, &odm).await?; // sends one `find` for all products
/// let mains = Product::join_main(&products, &odm).await?; // sends another `find` for the other relation
/// for product in &products {
///     let main = mains.one_of(product).map(|part| &part.name);
///     println!("{}, main part {main:?}:", product.name);
///     for part in parts.of(product) {
///         println!("- {}", part.name);
///     }
/// }
/// # Ok(()) }
/// ```
pub struct Joined<O, V, R> {
    pub(super) lookup: JoinedOwners<O>,
    pub(super) documents: Vec<V>,
    pub(super) groups: Groups,
    pub(super) sorted: bool,
    pub(super) window: Window,
    /// The reason that applies to all keys without a document.
    pub(super) absence: Absence,
    pub(super) relation: PhantomData<fn() -> R>,
}

impl<O, V, R> Joined<O, V, R> {
    /// Returns the documents of one owner. Sends nothing.
    ///
    /// Without a sort, the documents are in the order of the stored references, and a document that is referenced twice
    /// is returned twice. With a sort, each document is returned once, in the sort order. Dangling references are left
    /// out, but [`slots_of`](Self::slots_of) also returns their keys.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/part_models.txt")]
    /// # async fn example(odm: Odm, products: Vec<Product>) -> mongo_odm::Result<()> {
    /// let parts = Product::join_parts(&products, &odm).await?;
    /// for product in &products {
    ///     let names: Vec<&str> = parts.of(product).map(|part| part.name.as_str()).collect();
    ///     println!("{}: {}", product.name, names.join(", "));
    /// }
    /// # Ok(()) }
    /// ```
    pub fn of(&self, owner: &O) -> impl ExactSizeIterator<Item = &V> + Clone + use<'_, O, V, R> {
        let found = self.numbers_of(owner);
        let documents: Vec<&V> = found.iter().filter_map(|at| self.document(*at)).collect();
        documents.into_iter()
    }

    /// Returns the indices of the documents that belong to one owner.
    fn numbers_of(&self, owner: &O) -> Vec<u32> {
        let keys = self.lookup.numbers(owner);
        documents_of(&keys, &self.groups, self.sorted, self.window)
    }

    /// Returns the first document of one owner, or `None`. Sends nothing.
    ///
    /// For a relation to a single document (`#[refs(one)]`, `#[parent_ref]`, `has_one`), this is the only document.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/part_models.txt")]
    /// # async fn example(odm: Odm, products: Vec<Product>) -> mongo_odm::Result<()> {
    /// let mains = Product::join_main(&products, &odm).await?;
    /// for product in &products {
    ///     match mains.one_of(product) {
    ///         Some(part) => println!("{}: {}", product.name, part.name),
    ///         None => println!("{}: its main part does not exist", product.name),
    ///     }
    /// }
    /// # Ok(()) }
    /// ```
    pub fn one_of(&self, owner: &O) -> Option<&V> {
        self.of(owner).next()
    }

    /// Returns one [`Slot`] for each stored reference of an owner, in the order of the references: the document, a key
    /// without a document, or null.
    ///
    /// Sorts, skips and limits do not affect the slots, unless the server has applied a `limit_each` or a `skip_each`.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/part_models.txt")]
    /// # async fn example(odm: Odm, products: Vec<Product>) -> mongo_odm::Result<()> {
    /// use mongo_odm::relation::Slot;
    ///
    /// let parts = Product::join_parts(&products, &odm).await?;
    /// for product in &products {
    ///     for slot in parts.slots_of(product) {
    ///         if let Slot::Missing(key) = slot {
    ///             println!("{} refers to {key:?}, which does not exist", product.name);
    ///         }
    ///     }
    /// }
    /// # Ok(()) }
    /// ```
    pub fn slots_of(&self, owner: &O) -> Vec<Slot<&V>> {
        let mut slots = Vec::new();
        self.lookup.each_key(owner, &mut |held| match held {
            StoredKey::Null => slots.push(Slot::Null),
            StoredKey::NotJoined(key) => slots.push(Slot::NotAsked(key)),
            StoredKey::Key(number) => self.push_slots(number, &mut slots),
        });
        slots
    }

    fn push_slots<'a>(&'a self, key: KeyNumber, slots: &mut Vec<Slot<&'a V>>) {
        let group = self.groups.documents(key);
        if group.is_empty() {
            let key = self.lookup.index().key(key);
            slots.extend(key.map(|key| self.absence.slot(key)));
        }
        let documents = group.iter().filter_map(|at| self.document(*at));
        slots.extend(documents.map(Slot::Found));
    }

    /// Returns the keys for which no document exists, sorted and without repeats.
    ///
    /// A join cannot determine these keys if it has a filter, if its relation declares one, if the target has
    /// `#[deleted_at]`, or if the server has applied a `skip_each`. In that case, this method returns an empty list, and
    /// [`unmatched`](Self::unmatched) returns the keys without a document. To get the missing keys from the server, call
    /// `missing()` on the [`Join`](super::Join).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, books: Vec<Book>) -> mongo_odm::Result<()> {
    /// let authors = Book::join_author(&books, &odm).await?;
    /// for key in authors.missing() {
    ///     println!("no author has the key {key:?}");
    /// }
    /// # Ok(()) }
    /// ```
    pub fn missing(&self) -> Vec<JoinKey> {
        self.absent_as(Absence::Missing)
    }

    /// Returns the keys for which the result contains no document although one may exist, sorted and without repeats.
    ///
    /// There are such keys if a filter, `#[deleted_at]` of the target, or a `skip_each` that the server has applied has
    /// excluded documents from the join.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, books: Vec<Book>) -> mongo_odm::Result<()> {
    /// let authors = Book::join_author(&books, &odm).await?;
    /// println!("authors that the filter leaves out, or that are missing: {:?}", authors.unmatched());
    /// # Ok(()) }
    /// ```
    pub fn unmatched(&self) -> Vec<JoinKey> {
        self.absent_as(Absence::Unmatched)
    }

    fn absent_as(&self, absence: Absence) -> Vec<JoinKey> {
        if self.absence != absence {
            return Vec::new();
        }
        let index = self.lookup.index();
        index.keys_where(|key| self.groups.documents(*key).is_empty())
    }

    /// Returns all documents in the order of the server's replies.
    ///
    /// Each document is returned once, with two exceptions: With `limit_each`, a document that belongs to several
    /// owners is returned once for each owner. A document that contains keys from several ranges is returned once for
    /// each range.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, books: Vec<Book>) -> mongo_odm::Result<()> {
    /// let authors = Book::join_author(&books, &odm).await?;
    /// for author in authors.documents() {
    ///     println!("{}", author.name);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn documents(&self) -> &[V] {
        &self.documents
    }

    /// Returns the same documents as [`documents`](Self::documents), and drops the rest of the result.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, books: Vec<Book>) -> mongo_odm::Result<()> {
    /// let authors: Vec<Author> = Book::join_author(&books, &odm).await?.into_documents();
    /// # Ok(()) }
    /// ```
    pub fn into_documents(self) -> Vec<V> {
        self.documents
    }

    /// Returns the number of [`documents`](Self::documents).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, books: Vec<Book>) -> mongo_odm::Result<()> {
    /// let authors = Book::join_author(&books, &odm).await?;
    /// println!("{} authors", authors.len());
    /// # Ok(()) }
    /// ```
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Returns whether the join found no documents.
    ///
    /// # Examples
    ///
    /// See [`len`](Self::len).
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    fn document(&self, at: u32) -> Option<&V> {
        self.documents.get(index(at))
    }
}

/// Returns the indices of the documents that match an owner's keys.
fn documents_of(keys: &[KeyNumber], groups: &Groups, sorted: bool, window: Window) -> Vec<u32> {
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        found.extend_from_slice(groups.documents(*key));
    }
    if sorted {
        found.sort_unstable();
        found.dedup();
    }
    window.cut(&mut found);
    found
}

impl<O, V: std::fmt::Debug, R> std::fmt::Debug for Joined<O, V, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joined")
            .field("keys", &self.lookup.index().len())
            .field("documents", &self.documents)
            .finish_non_exhaustive()
    }
}
