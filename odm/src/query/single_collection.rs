//! Several kinds of documents in one collection, which queries return as one enum.
//!
//! - Reading requires `Described`, which provides the description, the key and the read function of a type. For an enum
//!   over kinds, the impl of `Described` describes the whole collection. Therefore `Find`, pages, counts, joins and
//!   loads treat the enum like a model.
//! - `read_kind` reads the kind from the raw document, and passes the bytes to the model of the variant. The derive
//!   only emits a table of descriptions and one-line functions.
//! - Writing requires `Storable`, which only models implement. Each write in `Documents` has `where Self: Storable`, so
//!   that the compiler prints the message of this trait.
//! - The registry does not contain the enum. If a reference refers to the enum, the enum's `DocumentSet` is the whole
//!   collection, which overlaps with every kind. Therefore writes to each model also update copies and apply delete
//!   rules, without further code.
//! - A derive cannot see the fields of other structs. Therefore the attribute lists the shared fields with their types,
//!   and the compiler compares these types with those in the models.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc};
use serde::de::DeserializeOwned;

use super::filter::Filter;
use crate::{
    client::place::Place,
    error::{Error, Result},
    model::{
        derive_traits::{Described, Holds, IdOf, ReadAs},
        shape::{KindShape, ModelShape},
    },
    mongosh,
    value::codec::decode_part,
};

/// An enum over several kinds of documents in one collection. The derive macro implements this trait.
///
/// The derive is documented at [`derive@crate::SingleCollection`]. [`Documents`](crate::Documents) provides the calls
/// that read. The enum has no calls that write. To write a document, use the model in the corresponding variant.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum over the kinds of a collection",
    label = "not an enum of kinds",
    note = "add `#[derive(SingleCollection)]` and `#[serde(tag = \"..\")]` to an enum with a variant for each model"
)]
pub trait SingleCollection: Described {
    /// The kinds, in the order in which the enum declares its variants.
    #[doc(hidden)]
    const __ODM_KINDS: &'static [Variant<Self>];

    /// The read function of the variant that receives all other kinds, if the enum has such a variant.
    #[doc(hidden)]
    const __ODM_OTHER: Option<ReadAs<Self>>;

    /// Converts a filter on one kind to a filter on the enum: `Enrollment::of_kind(Student::fields().name.eq("Jane"))`.
    ///
    /// The result matches only documents of this kind. You can combine it with filters for other kinds: `of_kind(jane)
    /// | of_kind(large)` matches documents of both kinds. To match all documents of a kind, use
    /// `of_kind(Filter::<Student>::all())`.
    ///
    /// # Sends
    ///
    /// Nothing. The filter is sent by the call that uses it.
    ///
    /// # Index
    ///
    /// The server can use an index that the kind's model declares, because the filter includes that index's condition.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/enrollment_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let large = Enrollment::of_kind(Class::fields().seats.gt(30));
    /// let jane = Enrollment::of_kind(Student::fields().name.eq("Jane"));
    /// let found = Enrollment::find(&odm).filter(large | jane).await?;
    /// # Ok(()) }
    /// ```
    fn of_kind<M: Described>(filter: Filter<M>) -> Filter<Self>
    where
        Self: Holds<M>,
    {
        let filter = filter
            .into_document()
            .map_err(|error| error.in_model(M::SHAPE));
        Filter::new(filter.map(|filter| Place::of(M::SHAPE).scope(filter)))
    }

    /// Returns a filter that matches the documents of all kinds that have their own variant.
    ///
    /// Without this filter, a `find` reads all documents in the collection. Such a `find` does not silently skip a
    /// document of an unknown kind: the catch-all variant receives the document, or the call fails.
    ///
    /// # Sends
    ///
    /// Nothing. The filter is sent by the call that uses it.
    ///
    /// # Index
    ///
    /// The server can use an index that begins with the field that contains the kind.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/enrollment_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let all = Enrollment::find(&odm).filter(Enrollment::known_kinds()).await?;
    /// # Ok(()) }
    /// ```
    fn known_kinds() -> Filter<Self> {
        Filter::new(Ok(kinds_of_models(
            Self::__ODM_KINDS.iter().map(|variant| variant.model),
        )))
    }

    /// Converts the id of a document of one kind to an id of the enum: `Enrollment::id_of::<Class>(&class.id)`.
    ///
    /// Use this function for references to documents of several kinds. The function sends nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/enrollment_models.txt")]
    /// # async fn example(odm: Odm, class: Class) -> mongo_odm::Result<()> {
    /// let id: Id<Enrollment> = Enrollment::id_of::<Class>(&class.id);
    /// let found = Enrollment::get(&odm, &id).await?;
    /// # Ok(()) }
    /// ```
    fn id_of<M>(id: &M::Id) -> crate::value::id::Id<Self, Self::Key>
    where
        M: Described<Key = Self::Key>,
        Self: Holds<M>,
    {
        crate::value::id::Id::from_key(id.as_key().clone())
    }
}

/// A kind, and the function that reads its documents as values of the enum. The derive emits one `Variant` for each
/// kind.
#[derive(Debug)]
pub struct Variant<V> {
    pub(crate) model: &'static ModelShape,
    pub(crate) read: ReadAs<V>,
}

impl<V> Variant<V> {
    /// Returns the variant for the documents of a model.
    pub const fn new(model: &'static ModelShape, read: ReadAs<V>) -> Self {
        Self { model, read }
    }
}

/// Reads the bytes of a document into the variant for its kind. The derive emits calls to this function.
///
/// # Errors
///
/// [`Error::Decode`] if the document does not match the model of its kind, or if no variant accepts its kind. The
/// message contains the name of the model.
pub fn read_kind<V: SingleCollection>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<V> {
    match reader(whole) {
        Some(read) => read(collection, part, whole),
        None => Err(unknown(V::SHAPE.name, collection, whole, field::<V>())),
    }
}

/// Returns the name of the field that contains the kind.
fn field<V: SingleCollection>() -> &'static str {
    // The first variant is enough, because the compiler checks that all kinds are stored in the field that the enum's
    // tag names.
    let kind = V::__ODM_KINDS
        .first()
        .and_then(|variant| variant.model.kind);
    kind.map_or("", |kind| kind.field)
}

/// Returns the read function for the kind of a document, or `None` if no variant accepts the kind.
fn reader<V: SingleCollection>(whole: &RawDocument) -> Option<ReadAs<V>> {
    let stored = whole.get(field::<V>()).ok().flatten();
    let mut variants = V::__ODM_KINDS.iter();
    let variant = variants.find(|it| it.model.kind.is_some_and(|kind| is_of(&kind, stored)));
    variant.map(|variant| variant.read).or(V::__ODM_OTHER)
}

/// A document that a query over several kinds returned.
#[derive(Debug)]
pub enum FoundKind<V> {
    /// A document whose kind has a variant in the enum.
    Known(V),
    /// The stored bytes of a document of any other kind.
    Unknown(RawDocumentBuf),
}

/// An enum over several kinds whose documents can be grouped into one list for each kind. The derive macro
/// `SingleCollection` implements this trait.
pub trait Grouped: SingleCollection {
    /// The name of the links, for messages. This text has the form of a relation's name: `Enrollment.linked`.
    #[doc(hidden)]
    const __ODM_LINKED: &'static str;

    /// The struct that contains one list of documents per kind.
    type Linked: Send + 'static;

    /// Distributes documents to the lists for their kinds. Within each list, the documents keep their order.
    fn group(found: Vec<FoundKind<Self>>) -> Self::Linked;
}

/// Reads a document like [`read_kind`], but returns the bytes of a document if no variant accepts its kind.
pub(crate) fn read_found<V: Grouped>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<FoundKind<V>> {
    match reader(whole) {
        Some(read) => read(collection, part, whole).map(FoundKind::Known),
        // An unknown kind is not an error here, because one document of a new kind must not hide all other linked
        // documents.
        None => Ok(FoundKind::Unknown(part.to_owned())),
    }
}

/// Returns whether a stored value is the discriminator of this kind.
fn is_of(kind: &KindShape<'_>, stored: Option<RawBsonRef<'_>>) -> bool {
    match stored {
        None | Some(RawBsonRef::Null) => kind.is_default,
        Some(RawBsonRef::String(value)) => value == kind.value,
        Some(_) => false,
    }
}

fn kinds_of_models(models: impl Iterator<Item = &'static ModelShape>) -> Document {
    let kinds: Vec<_> = models.filter_map(|model| model.kind).collect();
    let Some(field) = kinds.first().map(|kind| kind.field) else {
        return Document::new();
    };
    let values = kinds.iter().map(|kind| Bson::from(kind.value));
    // A document without a kind belongs to the default kind. `null` in `$in` also matches a missing field.
    let missing = kinds.iter().filter(|kind| kind.is_default);
    let values: Vec<_> = values.chain(missing.map(|_| Bson::Null)).collect();
    doc! { field: { "$in": values } }
}

#[cold]
fn unknown(name: &'static str, collection: &str, document: &RawDocument, field: &str) -> Error {
    let id = document.get("_id").ok().flatten();
    let id = id.and_then(|id| Bson::try_from(id).ok());
    let kind = shown_kind(document.get(field).ok().flatten());
    Error::Decode {
        type_name: name,
        collection: collection.to_owned(),
        id: id.map(Box::new),
        path: field.to_owned(),
        message: format!(
            "the kind is {kind}, and `{name}` has no variant for it; add one for its model, or \
             `#[serde(untagged)] Other(Document)` for all other kinds, or leave them out with \
             `.filter({name}::known_kinds())`"
        ),
    }
}

fn shown_kind(stored: Option<RawBsonRef<'_>>) -> String {
    match stored {
        None => "missing".to_owned(),
        Some(RawBsonRef::Document(_)) => "a document".to_owned(),
        Some(RawBsonRef::Array(_)) => "an array".to_owned(),
        Some(value) => Bson::try_from(value).map_or_else(
            |_| "a value that cannot be read".to_owned(),
            |value| mongosh::value(&value),
        ),
    }
}

/// The content of an untagged variant: a document in its stored form.
#[diagnostic::on_unimplemented(
    message = "an untagged variant takes documents of all other kinds as they are, and `{Self}` does not",
    label = "not a whole document",
    note = "make it a `bson::Document` or a `bson::RawDocumentBuf`; a kind with a struct is a variant with the name of the kind"
)]
pub trait WholeDocument: DeserializeOwned {
    /// Reads a document. An error contains the `_id` of the whole document.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] if the bytes are not a document.
    fn take(collection: &str, part: &RawDocument, whole: &RawDocument) -> Result<Self> {
        decode_part(collection, part, whole)
    }
}

impl WholeDocument for Document {}

impl WholeDocument for RawDocumentBuf {}

#[diagnostic::do_not_recommend]
impl<T: WholeDocument> WholeDocument for Box<T> {}
