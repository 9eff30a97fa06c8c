//! The traits that the derives implement: the description of a struct, its id, and the places of its fields.
//!
//! # A struct without serde
//!
//! A struct without the derives of serde must be one error, not one error per impl.
//!
//! 1. The derive emits only impls without a bound on serde: `Described`, `HoldsId`, `Projection`, `Embedded`.
//! 2. It asks for serde once, at the name of the struct. `read_model` and `registered_embedded` require `Serialized`,
//!    `read_projection` requires `Readable`.
//! 3. `Storable`, `Documents` and `Model` are blanket impls.
//! 4. The attribute `serde` belongs to our derives too. So `#[serde(..)]` is not a second error.
//!
//! # Compiler messages of calls
//!
//! A call accepts each argument through a trait with a message in `#[diagnostic::on_unimplemented]`: `Executor`,
//! `IntoFilter`, `IntoArrayFilter`, `IntoSort`, `AsId`, `Amount`, `TransactionBody`, `CustomError`.
//!
//! - A blanket impl of such a trait, like that of `AsId`, is `do_not_recommend`. Without it, the compiler prints the
//!   message of the bound instead of the message of the trait.
//! - The impls of a derive are not `do_not_recommend`. The tool `diagnostic` is not in scope in a module with
//!   `#![no_implicit_prelude]`, and there is no other path to it. So the compiler may list models with the trait.
//! - If this list makes a message too long, the derive implements a second trait (`DeclaresId`, `DeclaresReference`).
//!   The library then has a blanket impl that is `do_not_recommend`.
//! - Calls that do not exist have messages too: `skip` of a page, and `find` of an embedded struct (`EmbeddedCalls`).

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

/// What the derives say of documents that can be read: those of a model, or those of several kinds
/// ([`SingleCollection`](derive@crate::SingleCollection)). [`Documents`](crate::Documents) adds the calls.
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

    /// The model itself, of a `Box` the one in it.
    #[doc(hidden)]
    type __OdmModel;

    /// Reads what a caller sees of a document; an error names the `_id` of the whole.
    #[doc(hidden)]
    fn __odm_read_document(
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<Self>;
}

/// The documents of the model in the box: a variant of a [`SingleCollection`](derive@crate::SingleCollection) may be
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

/// What the derive says of documents that can be written too: those of one model. [`Model`](crate::Model) adds the
/// calls, and is what generic code of an application asks for.
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

/// Where a struct holds its id.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`"
)]
pub trait HoldsId<Id> {
    /// Returns the id.
    fn held_id(&self) -> &Id;
}

// The compiler lists no impls of this trait, and would list those that the derive emits.
#[diagnostic::do_not_recommend]
impl<M: DeclaresId<Id>, Id> HoldsId<Id> for M {
    fn held_id(&self) -> &Id {
        self.__odm_declared_id()
    }
}

/// The same, emitted by the derive of a model.
pub trait DeclaresId<Id> {
    /// Returns the id.
    fn __odm_declared_id(&self) -> &Id;
}

/// What serde reads documents into.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not derive `Deserialize`, by which documents are read",
    label = "add `Deserialize` to its `#[derive(..)]`"
)]
pub trait Readable: DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Readable for T {}

/// Reads a document: of a collection, what a caller sees of it, and the whole.
pub type ReadAs<V> = fn(&str, &RawDocument, &RawDocument) -> Result<V>;

/// Reads what a caller sees of a document of a model; emitted by the derive.
///
/// What serde has to derive is asked here and nowhere else: a supertrait would be asked wherever the model is named.
///
/// # Errors
///
/// If the document does not fit the struct.
pub fn read_model<M: Serialized>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<M> {
    decode_part(collection, part, whole)
}

/// The same for some of the fields.
///
/// # Errors
///
/// If the document does not fit the struct.
pub fn read_projection<V: Readable>(
    collection: &str,
    part: &RawDocument,
    whole: &RawDocument,
) -> Result<V> {
    decode_part(collection, part, whole)
}

/// What serde writes as documents and reads again: models and the structs inside them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not derive both `Serialize` and `Deserialize`, by which documents are written and read",
    label = "add `Serialize` and `Deserialize` to its `#[derive(..)]`"
)]
pub trait Serialized: Readable + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Serialized for T {}

/// The entry of a model in the list of all models. The path of a trait's constant would ask for its supertraits again.
pub const fn registered<M: Described>() -> Registered {
    Registered {
        shape: M::SHAPE,
        fits: |collection, document| {
            M::__odm_read_document(collection, document, document).map(drop)
        },
    }
}

/// The entry of an embedded struct, which serde writes and reads.
pub const fn registered_embedded<E: Embedded + Serialized>() -> RegisteredEmbedded {
    RegisteredEmbedded(E::SHAPE)
}

/// Documents among which are those of `M`: the model itself, or an enum over several kinds, of which one is `M`.
#[diagnostic::on_unimplemented(
    message = "`{M}` is none of the kinds of `{Self}`",
    label = "no variant is for `{M}`",
    note = "add a variant `{M}({M})` to `{Self}`"
)]
pub trait Holds<M> {}

/// Documents of a model are among those of the model.
impl<M: Described> Holds<M> for M {}

/// A struct that is stored inside documents; derived.
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

/// A struct with some of the fields of a model or an embedded struct; derived.
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

    /// Whether the struct refuses fields that it does not have (`deny_unknown_fields`).
    const __ODM_STRICT: bool;

    /// Whether the server sends the whole document, because this is the model itself.
    const __ODM_WHOLE: bool = false;

    /// Reads the fields of a document; an error names the `_id` of the whole.
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

/// What identifies a document of `M` in a call: its id, or a reference to it.
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
