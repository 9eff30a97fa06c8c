//! The traits that the derives implement. The traits describe a struct, its id, and the paths of its fields.
//!
//! # A struct without serde
//!
//! If a struct lacks serde's derives, the compiler must report one error, not one error per impl.
//!
//! 1. The derive emits only impls that do not have a bound on serde: `Described`, `HoldsId`, `Projection`, `Embedded`.
//! 2. The derive requires serde once, at the name of the struct. `read_model` and `registered_embedded` require
//!    `Serialized`, and `read_projection` requires `Readable`.
//! 3. `Storable`, `Documents` and `Model` are blanket impls.
//! 4. The derives of this library also declare the attribute `serde`, so `#[serde(..)]` does not cause a second error.
//!
//! # Compiler messages of calls
//!
//! Calls accept each argument through a trait that has a message in `#[diagnostic::on_unimplemented]`: `Executor`,
//! `IntoFilter`, `IntoArrayFilter`, `IntoSort`, `AsId`, `Amount`, `TransactionBody`, `CustomError`.
//!
//! - A blanket impl of such a trait, such as the impl of `AsId`, is `do_not_recommend`. Otherwise the compiler would
//!   print the message of the impl's bound instead of the trait's message.
//! - The impls that a derive emits are not `do_not_recommend`. The attribute namespace `diagnostic` is not in scope in
//!   a module that has `#![no_implicit_prelude]`, and cannot be named by another path. So the compiler may list models
//!   that implement the trait.
//! - If this list makes a message too long, the derive implements a second trait instead (`DeclaresId`,
//!   `DeclaresReference`). The library then has a blanket impl that is `do_not_recommend`.
//! - Calls to methods that do not exist also have messages: `skip` on a page, and `find` on an embedded struct
//!   (`EmbeddedCalls`).

mod field_place;

use std::borrow::Borrow;

pub use field_place::{At, FieldSet, Handles, HasFields, InArray, Path, Queried, Root};
pub(crate) use field_place::{add_struct, field_at};

use mongodb::bson::{RawDocument, RawDocumentBuf};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    registry::{Registered, RegisteredEmbedded},
    shape::{DELETE_ID, DELETED_AT, FieldShape, ModelShape, RESTORING, StructShape},
    validation::by_stored_names,
};
use crate::{
    error::{Result, Violation},
    value::{
        bson_form::{BsonForm, HasBsonForm},
        codec::decode_part,
        id::Id,
        key::Key,
        path::without_path,
    },
};

/// A type whose documents can be read: a model, or an enum over several kinds
/// ([`SingleCollection`](derive@crate::SingleCollection)).
///
/// The derives implement this trait. [`Documents`](crate::Documents) provides the calls.
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

    /// The shape of the model.
    const SHAPE: &'static ModelShape;

    /// The model itself. For a `Box` around a model, this is the model in the box.
    #[doc(hidden)]
    type __OdmModel;

    /// Reads the requested part of a document. An error contains the `_id` of the whole document.
    #[doc(hidden)]
    fn __odm_read_document(
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<Self>;
}

/// Lets a variant of a [`SingleCollection`](derive@crate::SingleCollection) contain a boxed model, such as
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

/// A type whose documents can be written: a model.
///
/// [`Model`](crate::Model) provides the calls. Generic code in applications uses `Model` as the bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`; an enum over several kinds is read \
            alone: insert, save, update and delete with the model of the kind, `Class::insert`"
)]
pub trait Storable: Described + Serialized {
    /// Returns the id of the document.
    #[doc(hidden)]
    fn stored_id(&self) -> &Self::Id;

    /// Returns the rules of `#[model(validate)]` that the document violates. `is_new` means that the library reads the
    /// snapshots from their sources.
    #[doc(hidden)]
    fn __odm_violations(&self, is_new: bool) -> Vec<Violation>;
}

#[diagnostic::do_not_recommend]
impl<M: Described + HoldsId<M::Id> + Serialized> Storable for M {
    fn stored_id(&self) -> &M::Id {
        self.held_id()
    }

    fn __odm_violations(&self, is_new: bool) -> Vec<Violation> {
        by_stored_names(self.violations(), M::SHAPE.fields, is_new)
    }
}

/// A struct that contains an id of type `Id`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`"
)]
pub trait HoldsId<Id> {
    /// Returns the id.
    fn held_id(&self) -> &Id;

    /// Returns the violated rules.
    #[doc(hidden)]
    fn violations(&self) -> Vec<Violation>;
}

// `do_not_recommend` prevents the compiler from listing the impls that the derives emit.
#[diagnostic::do_not_recommend]
impl<M: DeclaresId<Id>, Id> HoldsId<Id> for M {
    fn held_id(&self) -> &Id {
        self.__odm_declared_id()
    }

    fn violations(&self) -> Vec<Violation> {
        self.__odm_declared_violations()
    }
}

/// Equivalent to `HoldsId`. The derive of a model implements this trait.
pub trait DeclaresId<Id> {
    /// Returns the id.
    fn __odm_declared_id(&self) -> &Id;

    /// Returns the violated rules. Only models that have the option `validate` have rules.
    fn __odm_declared_violations(&self) -> Vec<Violation> {
        Vec::new()
    }
}

/// A type that serde can read from a document.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not derive `Deserialize`, by which documents are read",
    label = "add `Deserialize` to its `#[derive(..)]`"
)]
pub trait Readable: DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Readable for T {}

/// A function that reads a document. The arguments are the name of the collection, the requested part of the document,
/// and the whole document.
pub type ReadAs<V> = fn(&str, &RawDocument, &RawDocument) -> Result<V>;

/// Reads the requested part of a model's document. The derive emits calls to this function.
///
/// The bound on serde is placed only on this function. If the bound were a supertrait, the compiler would check it
/// wherever the model is used.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) if the document does not match the struct.
pub fn read_model<M: Serialized>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<M> {
    decode_part(collection, part, whole)
}

/// Reads a whole document into a model that keeps deleted documents, without the fields in which the library records a
/// delete. The derive emits calls to this function if the struct rejects unknown fields or collects them in a map.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) if the document does not match the struct.
pub fn read_unmarked_model<M: Serialized>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<M> {
    let mut unmarked: Option<RawDocumentBuf> = None;
    for mark in [DELETE_ID, DELETED_AT, RESTORING] {
        let document = unmarked.as_deref().unwrap_or(part);
        if matches!(document.get(mark), Ok(Some(_))) {
            unmarked = without_path(document, mark);
        }
    }
    decode_part(collection, unmarked.as_deref().unwrap_or(part), whole)
}

/// Reads the given fields of a document into a projection. The derive emits calls to this function.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) if the document does not match the struct.
pub fn read_projection<V: Readable>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<V> {
    decode_part(collection, part, whole)
}

/// A type that serde can both write and read: a model, or a struct inside documents.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not derive both `Serialize` and `Deserialize`, by which documents are written and read",
    label = "add `Serialize` and `Deserialize` to its `#[derive(..)]`"
)]
pub trait Serialized: Readable + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Serialized for T {}

/// Returns a model's entry in the list of all models that are linked into the program.
///
/// The entry is not an associated constant, because the compiler would check the supertraits again wherever the
/// constant is used.
pub const fn registered<M: Described>() -> Registered {
    Registered {
        shape: M::SHAPE,
        fits: |collection, document| {
            M::__odm_read_document(collection, document, document).map(drop)
        },
    }
}

/// Returns an embedded struct's entry in the list of all embedded structs that are linked into the program. Serde must
/// be able to write and read the struct.
pub const fn registered_embedded<E: Embedded + Serialized>() -> RegisteredEmbedded {
    RegisteredEmbedded(E::SHAPE)
}

/// A set of documents that includes the documents of `M`: the model itself, or an enum that has a variant for `M`.
#[diagnostic::on_unimplemented(
    message = "`{M}` is none of the kinds of `{Self}`",
    label = "no variant is for `{M}`",
    note = "add a variant `{M}({M})` to `{Self}`"
)]
pub trait Holds<M> {}

/// Every model is a set that contains its own documents.
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
    /// The shape of the struct.
    const SHAPE: &'static StructShape;
}

#[diagnostic::do_not_recommend]
impl<E: Embedded> HasBsonForm for E {
    fn bson_form() -> BsonForm {
        // An enum of references can be stored in several forms.
        if E::SHAPE.is_polymorphic() {
            BsonForm::Any
        } else {
            BsonForm::Document
        }
    }
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

/// A struct that contains some of the fields of a model or an embedded struct.
///
/// The derive is documented at [`derive@crate::Projection`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of `{T}`",
    label = "not a projection of `{T}`",
    note = "add `#[derive(Projection)]` and `#[projection(of = \"{T}\")]` to `{Self}`"
)]
pub trait Projection<T>: Send + Sync + Unpin + 'static {
    /// The shape of the projected fields.
    const SHAPE: &'static StructShape;

    /// Whether the struct rejects fields that it does not declare, because it has `deny_unknown_fields`.
    const __ODM_STRICT: bool;

    /// Whether the type is the model itself. If so, the server sends documents in full.
    const __ODM_WHOLE: bool = false;

    /// The shape together with its type, by which the library finds a projection that embeds itself.
    #[doc(hidden)]
    const __ODM_TYPED: &'static StructShape =
        &StructShape::new(Self::SHAPE.name, Self::SHAPE.fields).of::<Self>();

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

/// Every model is a projection of itself that reads documents in full.
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

/// A type that the id field of a model can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the id of `{M}`",
    label = "not an id of `{M}`",
    note = "use `Id<{M}>`, or `Id<{M}, K>` with a key: an ObjectId, a `String`, an integer, a UUID (`uuid::Uuid` with the feature `uuid`), or a newtype of your own with `impl mongo_odm::Key for K {{}}`; \
            an id is never optional, make it with `Id::new()`"
)]
pub trait IdOf<M: ?Sized>: Serialize + Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The type of the stored key.
    type Key: Key;

    /// Returns the key that is stored for this id.
    #[doc(hidden)]
    fn as_key(&self) -> &Self::Key;

    /// Converts a stored key to an id.
    #[doc(hidden)]
    fn from_key(key: Self::Key) -> Self;
}

#[diagnostic::do_not_recommend]
impl<M: 'static, K: Key> IdOf<M> for Id<M, K> {
    type Key = K;

    fn as_key(&self) -> &K {
        self.key()
    }

    fn from_key(key: K) -> Self {
        Self::from_key(key)
    }
}

#[diagnostic::do_not_recommend]
impl<M, K: Key> IdOf<M> for K {
    type Key = K;

    fn as_key(&self) -> &K {
        self
    }

    fn from_key(key: K) -> Self {
        key
    }
}

/// A value that identifies a document of `M` in a call: the document's id, or a borrowed id (`&id`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an id of `{M}`",
    label = "expected the id of a `{M}`",
    note = "pass an id or a reference to an id, such as the field of a document: `part.id`; `Id::from_key(key)` makes an id of a plain key, and `text.parse()` of a text; \
            if the `_id` of the model is a plain key, write `.into_key()` after the id in a reference; \
            a filter is for `find_one(odm).filter(..)`, `update_many` and `delete_many`"
)]
pub trait AsId<M: Described> {
    /// Returns the id.
    #[doc(hidden)]
    fn as_id(&self) -> &M::Id;
}

#[diagnostic::do_not_recommend]
impl<M: Described, T: Borrow<M::Id>> AsId<M> for T {
    fn as_id(&self) -> &M::Id {
        self.borrow()
    }
}
