//! Several kinds of documents in one collection, read as one type.
//!
//! - Reading needs `Described`: the description, the key and the read function of a type. An enum over kinds implements
//!   it with a description of the whole collection. So `Find`, pages, counts, joins and loads treat it like a model.
//! - `read_kind` reads the kind from the raw document, and passes the bytes to the model of the variant. The derive
//!   only emits a table of descriptions and functions of one line.
//! - Writing needs `Storable`, which only models implement. `Documents` has `where Self: Storable` at each write, so
//!   that the compiler prints the message of this trait.
//! - The registry does not contain the enum. As a target, its `DocumentSet` is the whole collection, which meets every
//!   kind. So copies and rules follow the writes of each model without further code.
//! - A derive does not see the fields of other structs. So the attribute lists the shared fields with their types, and
//!   the compiler compares them.

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

/// An enum over several kinds of documents in one collection; derived.
///
/// The derive is documented at [`derive@crate::SingleCollection`]. The calls that read are those of
/// [`Documents`](crate::Documents); nothing is written by such an enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum over the kinds of a collection",
    label = "not an enum of kinds",
    note = "add `#[derive(SingleCollection)]` and `#[serde(tag = \"..\")]` to an enum with a variant for each model"
)]
pub trait SingleCollection: Described {
    /// The kinds, in the order of the variants.
    #[doc(hidden)]
    const __ODM_KINDS: &'static [Variant<Self>];

    /// What takes a document of a kind that no variant is for.
    #[doc(hidden)]
    const __ODM_OTHER: Option<ReadAs<Self>>;

    /// Matches the documents of one kind that a filter of its model matches:
    /// `Enrollment::of_kind(Student::fields().name.eq("Jane"))`.
    ///
    /// The kind is in it, as in every statement of the model, so that it narrows nothing of the other kinds when it
    /// is combined: `of_kind(jane) | of_kind(large)` finds both. All documents of a kind are
    /// `of_kind(Filter::<Student>::all())`. It is a pure document: nothing is sent. An index of the kind serves it,
    /// since the condition of the kind is that of the index.
    fn of_kind<M: Described>(filter: Filter<M>) -> Filter<Self>
    where
        Self: Holds<M>,
    {
        let filter = filter
            .into_document()
            .map_err(|error| error.in_model(M::SHAPE));
        Filter::new(filter.map(|filter| Place::of(M::SHAPE).scope(filter)))
    }

    /// Matches the documents of all kinds that have a variant of their own, and leaves the others out.
    ///
    /// A `find` asks for all documents of the collection otherwise, so that one of an unknown kind is seen. It is a
    /// pure document: nothing is sent. It wants an index that begins with the field of the kind.
    fn known_kinds() -> Filter<Self> {
        Filter::new(Ok(kinds_of_models(
            Self::__ODM_KINDS.iter().map(|variant| variant.model),
        )))
    }

    /// Makes an id of the enum of the id of one of its kinds, for references to documents of several kinds:
    /// `Enrollment::id_of::<Class>(&class.id)`. Nothing is sent.
    fn id_of<M>(id: &M::Id) -> crate::value::id::Id<Self, Self::Key>
    where
        M: Described<Key = Self::Key>,
        Self: Holds<M>,
    {
        crate::value::id::Id::from_key(id.as_key().clone())
    }
}

/// A kind, and how a document of it becomes a value of the enum; emitted by the derive.
#[derive(Debug)]
pub struct Variant<V> {
    pub(crate) model: &'static ModelShape,
    pub(crate) read: ReadAs<V>,
}

impl<V> Variant<V> {
    /// Describes the variant for the documents of a model.
    pub const fn new(model: &'static ModelShape, read: ReadAs<V>) -> Self {
        Self { model, read }
    }
}

/// Reads a document into the variant for its kind, straight from its bytes; emitted by the derive.
///
/// # Errors
///
/// [`Error::Decode`] for a document that does not fit the model of its kind, with the name of that model, and for one
/// of a kind that no variant is for.
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

/// Returns the field of the kind.
fn field<V: SingleCollection>() -> &'static str {
    // Any variant will do: the compiler checks that all kinds are in the field of the tag.
    let kind = V::__ODM_KINDS
        .first()
        .and_then(|variant| variant.model.kind);
    kind.map_or("", |kind| kind.field)
}

/// Returns what reads a document of its kind; none if that is unknown, and no variant takes it.
fn reader<V: SingleCollection>(whole: &RawDocument) -> Option<ReadAs<V>> {
    let stored = whole.get(field::<V>()).ok().flatten();
    let mut variants = V::__ODM_KINDS.iter();
    let variant = variants.find(|it| it.model.kind.is_some_and(|kind| is_of(&kind, stored)));
    variant.map(|variant| variant.read).or(V::__ODM_OTHER)
}

/// A document that was found among others of several kinds.
#[derive(Debug)]
pub enum FoundKind<V> {
    /// Of a kind that the enum has a variant for.
    Known(V),
    /// Of another kind, as it is stored.
    Unknown(RawDocumentBuf),
}

/// An enum over several kinds whose documents can be told apart again; derived.
pub trait Grouped: SingleCollection {
    /// The name of what its documents are linked with, as of a relation: `Enrollment.linked`.
    #[doc(hidden)]
    const __ODM_LINKED: &'static str;

    /// A struct with a list for each kind.
    type Linked: Send + 'static;

    /// Puts documents into the lists of their kinds, in their order.
    fn group(found: Vec<FoundKind<Self>>) -> Self::Linked;
}

/// Reads a document as [`read_kind`] does, and keeps one of a kind that no variant is for.
pub(crate) fn read_found<V: Grouped>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<FoundKind<V>> {
    match reader(whole) {
        Some(read) => read(collection, part, whole).map(FoundKind::Known),
        // Not an error: one document of a new kind must not hide all others that are linked.
        None => Ok(FoundKind::Unknown(part.to_owned())),
    }
}

/// Whether a document is of a kind, by what it stores as its kind.
fn is_of(kind: &KindShape, stored: Option<RawBsonRef<'_>>) -> bool {
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
    // `null` in `$in` also matches a missing field, and documents without a kind are of the default kind.
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

/// What an untagged variant holds: a document as it is stored.
#[diagnostic::on_unimplemented(
    message = "an untagged variant takes documents of all other kinds as they are, and `{Self}` does not",
    label = "not a whole document",
    note = "make it a `bson::Document` or a `bson::RawDocumentBuf`; a kind with a struct is a variant with the name of the kind"
)]
pub trait WholeDocument: DeserializeOwned {
    /// Takes a document; an error names its `_id`.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] for bytes that are no document.
    fn take(collection: &str, part: &RawDocument, whole: &RawDocument) -> Result<Self> {
        decode_part(collection, part, whole)
    }
}

impl WholeDocument for Document {}

impl WholeDocument for RawDocumentBuf {}

#[diagnostic::do_not_recommend]
impl<T: WholeDocument> WholeDocument for Box<T> {}
