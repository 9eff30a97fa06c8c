//! The fields of insertable structs, encoded as the model stores them.
//!
//! The derive emits one call of [`give_field`] or [`give_struct`] for each field. The call receives the handle of the
//! model's field and the value, so the compiler checks that the field exists and that the types match. `const` checks
//! reject fields that the library sets (`model::shape::given_checks`).

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    marker::PhantomData,
    rc::Rc,
    sync::Arc,
};

use mongodb::bson::{Bson, Document};

use super::{field::FieldOf, stored_document::repeated_name};
use crate::{
    error::{Error, Result},
    model::{
        derive_traits::HasFields,
        shape::{FieldShape, stored_names_contain},
    },
};

/// A struct that contains only those fields of a model or an embedded struct that your code sets.
///
/// See [`Insertable`](crate::Insertable) for a description of such structs, and for the calls that insert them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not insertable",
    label = "not insertable",
    note = "add `#[derive(Insertable)]` and `#[insertable(of = \"Model\")]` to `{Self}`"
)]
pub trait GivesFields {
    /// The model or embedded struct.
    type Of;

    /// The function that generates an `_id`, if the library can generate ids of the model.
    #[doc(hidden)]
    const __ODM_NEW_ID: Option<NewId>;

    /// The names of the fields that the struct omits because the caller supplies their values with each call.
    #[doc(hidden)]
    const __ODM_SET: &'static [&'static str] = &[];

    /// Returns the encoded fields.
    #[doc(hidden)]
    fn __odm_given(&self) -> GivenFields<Self::Of>;
}

/// A function that returns a new `_id`.
pub type NewId = fn() -> Bson;

/// The encoded fields of an insertable struct.
#[doc(hidden)]
#[derive(Debug)]
pub struct GivenFields<M> {
    document: Result<Document>,
    of: PhantomData<fn() -> M>,
}

impl<M> Default for GivenFields<M> {
    fn default() -> Self {
        Self {
            document: Ok(Document::new()),
            of: PhantomData,
        }
    }
}

impl<M> GivenFields<M> {
    pub(crate) fn into_document(self) -> Result<Document> {
        self.document
    }
}

/// Adds a field of `M` to the document. The fields of a flattened struct or map are added in place of the field.
pub(crate) fn put<M: HasFields>(
    document: &mut Result<Document>,
    field: Option<&FieldShape>,
    value: Result<Bson>,
) {
    let (Ok(fields), Some(field)) = (&mut *document, field) else {
        return;
    };
    let added = match value {
        Ok(_) if field.unread => Err(unread(M::__ODM_NAME, field.name)),
        Ok(Bson::Document(inner)) if field.flatten => put_flattened::<M>(fields, field, inner),
        Ok(value) => {
            if !field.flatten {
                fields.insert(field.stored, value);
            }
            Ok(())
        }
        Err(error) => Err(error),
    };
    if let Err(error) = added {
        *document = Err(error);
    }
}

/// Returns the error for a field that the model would not read.
fn unread(of: &str, field: &str) -> Error {
    Error::invalid(format!(
        "serde does not read `{of}.{field}`, so the insert would store its default; remove `skip_deserializing` from the field"
    ))
}

/// Adds the fields of a flattened struct or map.
///
/// The keys of a map can come from a request. A key with the name of another field would set that field, even if the
/// insertable struct does not contain it. So the function rejects such a key.
fn put_flattened<M: HasFields>(
    fields: &mut Document,
    field: &FieldShape,
    inner: Document,
) -> Result<()> {
    let others = M::__ODM_FIELDS.iter().filter(|it| it.name != field.name);
    for (name, value) in inner {
        if fields.contains_key(&name) || stored_names_contain(others.clone(), &name) {
            return Err(repeated_name(M::__ODM_NAME, &name));
        }
        fields.insert(name, value);
    }
    Ok(())
}

/// Encodes a value of a field. Returns `None` for a value that serde leaves out of documents and cannot write, such as
/// `Presence::Missing`.
pub(crate) fn encoded<M, F: FieldOf<M>>(field: F, value: &F::Value) -> Option<Result<Bson>> {
    match field.encode(value) {
        Err(_) if field.skips(value) => None,
        encoded => Some(encoded),
    }
}

/// A type that a field of an insertable struct can have if the field of the model has the type `T`.
#[diagnostic::on_unimplemented(
    message = "the field of the model has the type `{T}`, not `{Self}`",
    label = "expected `{T}`",
    note = "a field has the type of the model's field; for an `Option<String>` in the model, `String` is also possible; for \
            some fields of an embedded struct, write `#[embed]` and an insertable struct"
)]
pub trait Gives<T> {
    /// Passes the value, as a value of type `T`, to a function.
    #[doc(hidden)]
    fn give<R>(&self, to: impl FnOnce(&T) -> R) -> R;
}

#[diagnostic::do_not_recommend]
impl<T> Gives<T> for T {
    fn give<R>(&self, to: impl FnOnce(&T) -> R) -> R {
        to(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Gives<Option<T>> for T {
    fn give<R>(&self, to: impl FnOnce(&Option<T>) -> R) -> R {
        to(&Some(self.clone()))
    }
}

/// A type that an `#[embed]` field of an insertable struct can have if the field of the model has the type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not contain insertable structs for a field of type `{T}`",
    label = "expected an insertable struct in the containers of `{T}`",
    note = "write the type of the model's field with an insertable struct in place of the embedded struct: `Vec<NewLine>` for \
            `Vec<Line>`"
)]
pub trait GivesStructs<T> {
    /// Encodes the structs.
    #[doc(hidden)]
    fn encoded(&self) -> Result<Bson>;
}

#[diagnostic::do_not_recommend]
impl<S: GivesFields<Of = T>, T> GivesStructs<T> for S {
    fn encoded(&self) -> Result<Bson> {
        self.__odm_given().document.map(Bson::Document)
    }
}

#[diagnostic::do_not_recommend]
impl<S: GivesStructs<T>, T> GivesStructs<Option<T>> for Option<S> {
    fn encoded(&self) -> Result<Bson> {
        self.as_ref().map_or(Ok(Bson::Null), S::encoded)
    }
}

macro_rules! gives_arrays {
    ($([$($generics:tt)*] $stored:ty, $given:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, V: GivesStructs<T>, $($generics)*> GivesStructs<$stored> for $given {
            fn encoded(&self) -> Result<Bson> {
                let items: Result<Vec<Bson>> = self.iter().map(V::encoded).collect();
                items.map(Bson::Array)
            }
        }
    )*};
}
gives_arrays! {
    [] Vec<T>, Vec<V>;
    [] VecDeque<T>, VecDeque<V>;
    [S, R] HashSet<T, S>, HashSet<V, R>;
    [] BTreeSet<T>, BTreeSet<V>;
    [] Box<[T]>, Box<[V]>;
    [const N: usize] [T; N], [V; N];
}
#[cfg(feature = "smallvec")]
gives_arrays! {
    [const N: usize] smallvec::SmallVec<[T; N]>, smallvec::SmallVec<[V; N]>;
}

// An impl for every `Box` would conflict with the impl for insertable structs: another crate may implement
// `GivesFields` for a `Box` of its own struct.
macro_rules! gives_behind {
    ($($pointer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, V: GivesStructs<T>> GivesStructs<$pointer<T>> for $pointer<V> {
            fn encoded(&self) -> Result<Bson> {
                V::encoded(self)
            }
        }
    )*};
}
gives_behind!(Arc Rc);

/// Returns the function that encodes the value of a field and adds it to the fields of the insertable struct.
#[doc(hidden)]
pub fn give_field<M, F, V>(field: F) -> impl FnOnce(&mut GivenFields<M>, &V)
where
    M: HasFields,
    F: FieldOf<M>,
    V: Gives<F::Value>,
{
    move |given, value| {
        if let Some(encoded) = value.give(|value| encoded(field, value)) {
            put::<M>(&mut given.document, field.shape(), encoded);
        }
    }
}

/// Returns the function that encodes embedded structs and adds them to the fields of the insertable struct.
#[doc(hidden)]
pub fn give_struct<M, F, V>(field: F) -> impl FnOnce(&mut GivenFields<M>, &V)
where
    M: HasFields,
    F: FieldOf<M>,
    V: GivesStructs<F::Value>,
{
    move |given, value| put::<M>(&mut given.document, field.shape(), value.encoded())
}
