//! The traits that the derives implement: the description of a struct, its id, and the places of its fields.
//!
//! # A struct without serde
//!
//! A struct that lacks serde's derives must cause one error, not one error per impl.
//!
//! 1. The derive emits only impls without a bound on serde: `Described`, `HoldsId`, `Projection`, `Embedded`.
//! 2. It requires serde once, at the name of the struct. `read_model` and `registered_embedded` require `Serialized`,
//!    `read_projection` requires `Readable`.
//! 3. `Storable`, `Documents` and `Model` are blanket impls.
//! 4. Our derives also declare the attribute `serde`, so `#[serde(..)]` is not a second error.
//!
//! # Compiler messages of calls
//!
//! A call accepts each argument through a trait that has a message in `#[diagnostic::on_unimplemented]`: `Executor`,
//! `IntoFilter`, `IntoArrayFilter`, `IntoSort`, `AsId`, `Amount`, `TransactionBody`, `CustomError`.
//!
//! - A blanket impl of such a trait, like that of `AsId`, is `do_not_recommend`. Otherwise the compiler prints the
//!   bound's message instead of the trait's.
//! - The impls of a derive are not `do_not_recommend`. The tool `diagnostic` is not in scope in a module with
//!   `#![no_implicit_prelude]`, and there is no other path to it. So the compiler may list models that implement the
//!   trait.
//! - If this list makes a message too long, the derive implements a second trait (`DeclaresId`, `DeclaresReference`).
//!   The library then has a blanket impl that is `do_not_recommend`.
//! - Calls that do not exist also have messages: `skip` on a page, and `find` on an embedded struct (`EmbeddedCalls`).

mod field_place;

use std::borrow::Borrow;

pub(crate) use field_place::field_at;
pub use field_place::{At, FieldSet, Handles, HasFields, InArray, Path, Queried, Root};

use mongodb::bson::RawDocument;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    registry::{Registered, RegisteredEmbedded},
    shape::{FieldShape, ModelShape, StructShape},
};
use crate::{
    error::Result,
    value::{codec::decode_part, id::Id, key::Key},
};

/// Documents that can be read: those of a model, or those of several kinds
/// ([`SingleCollection`](derive@crate::SingleCollection)).
///
/// The derives implement this trait. [`Documents`](crate::Documents) adds the calls.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`"
)]
pub trait Described: HasFields + Sized + Send + Sync + Unpin + 'static {
    /// The type of the stored `_id`.
    type Key: Key;

    /// The type of the id: `Id<Self, Key>`, or the key itself.
    type Id: IdOf<Self, Key = Self::Key>;

    /// The description of the model.
    const SHAPE: &'static ModelShape;

    /// The model itself, even if the implementing type is a `Box` around it.
    #[doc(hidden)]
    type __OdmModel;

    /// Reads the part of a document that the caller asked for. An error contains the `_id` of the whole document.
    #[doc(hidden)]
    fn __odm_read_document(
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<Self>;
}

/// The documents of a boxed model: a variant of a [`SingleCollection`](derive@crate::SingleCollection) may be
/// `Class(Box<Class>)`.
#[diagnostic::do_not_recommend]
impl<M: Described> Described for Box<M> {
    type Key = M::Key;
    type Id = M::Key;
    const SHAPE: &'static ModelShape = M::SHAPE;
    type __OdmModel = M::__OdmModel;

    fn __odm_read_document(
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<Self> {
        M::__odm_read_document(collection, part, whole).map(Self::new)
    }
}

/// Documents that can be written: those of one model.
///
/// [`Model`](crate::Model) adds the calls. An application's generic code uses `Model` as the bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`; an enum over several kinds is read \
            alone: insert, save, update and delete with the model of the kind, `Class::insert`"
)]
pub trait Storable: Described + Serialized {
    /// Returns the id of the document.
    fn stored_id(&self) -> &Self::Id;
}

#[diagnostic::do_not_recommend]
impl<M: Described + HoldsId<M::Id> + Serialized> Storable for M {
    fn stored_id(&self) -> &M::Id {
        self.held_id()
    }
}

/// A struct with an id.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`"
)]
pub trait HoldsId<Id> {
    /// Returns the id.
    fn held_id(&self) -> &Id;
}

// `do_not_recommend` keeps the compiler from listing impls of this trait. It would list the impls of a derive.
#[diagnostic::do_not_recommend]
impl<M: DeclaresId<Id>, Id> HoldsId<Id> for M {
    fn held_id(&self) -> &Id {
        self.__odm_declared_id()
    }
}

/// The same as `HoldsId`. A model's derive implements this trait.
pub trait DeclaresId<Id> {
    /// Returns the id.
    fn __odm_declared_id(&self) -> &Id;
}

/// A type that serde can read from a document.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not derive `Deserialize`, by which documents are read",
    label = "add `Deserialize` to its `#[derive(..)]`"
)]
pub trait Readable: DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Readable for T {}

/// A function that reads a document. Its arguments are the collection, the requested part and the whole document.
pub type ReadAs<V> = fn(&str, &RawDocument, &RawDocument) -> Result<V>;

/// Reads the requested part of a document of a model. The derive emits the call.
///
/// The bound on serde is only on this function. If it were a supertrait, the compiler would check it at every use of
/// the model.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) if the document does not fit the struct.
pub fn read_model<M: Serialized>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<M> {
    decode_part(collection, part, whole)
}

/// Reads some fields of a document into a projection. The derive emits the call.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) if the document does not fit the struct.
pub fn read_projection<V: Readable>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<V> {
    decode_part(collection, part, whole)
}

/// A type that serde can write and read: a model, or a struct inside documents.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not derive both `Serialize` and `Deserialize`, by which documents are written and read",
    label = "add `Serialize` and `Deserialize` to its `#[derive(..)]`"
)]
pub trait Serialized: Readable + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Serialized for T {}

/// Returns the entry of a model in the list of all models.
///
/// This is a function because the compiler would check the supertraits again at the path of a trait's constant.
pub const fn registered<M: Described>() -> Registered {
    Registered {
        shape: M::SHAPE,
        fits: |collection, document| {
            M::__odm_read_document(collection, document, document).map(drop)
        },
    }
}

/// Returns the entry of an embedded struct. Serde must be able to write and read the struct.
pub const fn registered_embedded<E: Embedded + Serialized>() -> RegisteredEmbedded {
    RegisteredEmbedded(E::SHAPE)
}

/// A set of documents that includes those of `M`: the model itself, or an enum with a variant for `M`.
#[diagnostic::on_unimplemented(
    message = "`{M}` is none of the kinds of `{Self}`",
    label = "no variant is for `{M}`",
    note = "add a variant `{M}({M})` to `{Self}`"
)]
pub trait Holds<M> {}

/// A model is a set that includes its own documents.
impl<M: Described> Holds<M> for M {}

/// A struct that is stored inside documents.
///
/// The derive is documented at [`derive@crate::Embedded`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an embedded struct",
    label = "not an embedded struct",
    note = "add `#[derive(Embedded)]` to `{Self}`"
)]
pub trait Embedded: HasFields + Sized + 'static {
    /// The description of the struct.
    const SHAPE: &'static StructShape;
}

#[diagnostic::do_not_recommend]
impl<E: Embedded> Embedded for Box<E> {
    const SHAPE: &'static StructShape = E::SHAPE;
}

#[diagnostic::do_not_recommend]
impl<E: HasFields> HasFields for Box<E> {
    type __OdmFields<M: 'static, P: Path> = E::__OdmFields<M, P>;
    const __ODM_NAME: &'static str = E::__ODM_NAME;
    const __ODM_FIELDS: &'static [FieldShape] = E::__ODM_FIELDS;
}

/// A struct with some of the fields of a model or an embedded struct.
///
/// The derive is documented at [`derive@crate::Projection`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of `{T}`",
    label = "not a projection of `{T}`",
    note = "add `#[derive(Projection)]` and `#[projection(of = \"{T}\")]` to `{Self}`"
)]
pub trait Projection<T>: Send + Sync + Unpin + 'static {
    /// The description of the projected fields.
    const SHAPE: &'static StructShape;

    /// Whether the struct rejects fields that it does not declare (`deny_unknown_fields`).
    const __ODM_STRICT: bool;

    /// Whether the type is the model itself. The server then sends the whole document.
    const __ODM_WHOLE: bool = false;

    /// Reads the projected fields of a document. An error contains the `_id` of the whole document.
    #[doc(hidden)]
    fn __odm_read_projected(
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<Self>
    where
        Self: Sized;
}

/// Every model is a projection of itself: the whole document.
impl<M: Storable> Projection<M> for M {
    const SHAPE: &'static StructShape = &StructShape::new("", &[]);
    const __ODM_STRICT: bool = false;
    const __ODM_WHOLE: bool = true;

    fn __odm_read_projected(
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<M> {
        M::__odm_read_document(collection, part, whole)
    }
}

/// The type of an id field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the id of `{M}`",
    label = "not an id of `{M}`",
    note = "use `Id<{M}>`, or `Id<{M}, K>` with a key: an ObjectId, a `String`, an integer, a UUID (`uuid::Uuid` with the feature `uuid`), or a newtype of your own with `impl mongo_odm::Key for K {{}}`; \
            an id is never optional, make it with `Id::new()`"
)]
pub trait IdOf<M: ?Sized>: Serialize + Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The stored key.
    type Key: Key;

    /// Returns the stored key.
    fn as_key(&self) -> &Self::Key;
}

#[diagnostic::do_not_recommend]
impl<M: 'static, K: Key> IdOf<M> for Id<M, K> {
    type Key = K;

    fn as_key(&self) -> &K {
        self.key()
    }
}

#[diagnostic::do_not_recommend]
impl<M, K: Key> IdOf<M> for K {
    type Key = K;

    fn as_key(&self) -> &K {
        self
    }
}

/// A value that identifies a document of `M` in a call: its id or a reference to it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an id of `{M}`",
    label = "expected the id of a `{M}`",
    note = "hand over the id or a reference to it, of a document its id field: `part.id`; a plain key becomes an id with `Id::from_key(key)`, a text with `text.parse()?`; \
            a filter is for `find_one(odm).filter(..)`, `update_many` and `delete_many`"
)]
pub trait AsId<M: Described> {
    /// Returns the id.
    fn as_id(&self) -> &M::Id;
}

#[diagnostic::do_not_recommend]
impl<M: Described, T: Borrow<M::Id>> AsId<M> for T {
    fn as_id(&self) -> &M::Id {
        self.borrow()
    }
}
