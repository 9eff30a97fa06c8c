//! Compile-time checks. The derive emits calls to these checks. Each call has the span of the token that it checks, so
//! the compiler reports an error at this token.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    marker::PhantomData,
    rc::Rc,
    sync::Arc,
};

use mongodb::bson::Bson;

use super::{ArrayType, EmbedType, Field, RollupOf, SameAs};
use crate::{
    model::{
        derive_traits::{At, Embedded, FieldSet, HasFields, Path, Projection},
        reference::{KeyFor, Keys, LeadsTo, MayKnow, Refers},
        shape::{Containers, EmbeddedStruct, ReferenceShape},
    },
    value::presence::Presence,
};

/// Implemented by the types that a projection may use for a field: the type of the model's field, or an option of
/// that type.
#[diagnostic::on_unimplemented(
    message = "the model stores `{T}` here, and the projection reads `{Self}`",
    label = "the model has `{T}`",
    note = "use the type of the model's field, or a `Projection` of the struct that it embeds"
)]
pub trait ProjectsField<T> {}

#[diagnostic::do_not_recommend]
impl<T> ProjectsField<T> for T {}
#[diagnostic::do_not_recommend]
impl<T> ProjectsField<T> for Option<T> {}
#[diagnostic::do_not_recommend]
impl<T> ProjectsField<T> for Presence<T> {}

/// Implemented by the types that an enum may use for a shared field of its kinds: the type in the models, or an option
/// of that type.
#[diagnostic::on_unimplemented(
    message = "the model stores `{T}` here, and the enum of its kinds says `{Self}`",
    label = "the model has `{T}`",
    note = "a shared field has the type that all kinds have, or an option of it; filter a field of one kind with `of_kind`"
)]
pub trait SharedAs<T> {}

#[diagnostic::do_not_recommend]
impl<T> SharedAs<T> for T {}
#[diagnostic::do_not_recommend]
impl<T> SharedAs<T> for Option<T> {}
#[diagnostic::do_not_recommend]
impl<T> SharedAs<T> for Presence<T> {}

/// Implemented by the types that a projection may use for an embedded struct: a projection of that struct. The
/// projection may be inside an option, an array or a pointer.
///
/// Without the parameter `How`, the compiler would reject the impls as overlapping, because the struct's crate could
/// implement traits for a `Box` of the struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of the embedded `{T}`",
    label = "the model has `{T}`",
    note = "put a struct with `#[derive(Projection)]` in the place of the embedded one, inside the same `Vec` or `Option`"
)]
pub trait EmbedsView<T, How> {
    /// The shape of the projection and the containers around it.
    const SHAPE: EmbeddedStruct;
}

/// Marks an embedded struct that is not inside a container.
#[derive(Debug)]
pub struct Itself;

/// Marks a struct that is in a `Box` in the model, but not in the projection.
#[derive(Debug)]
pub struct BoxedInModel;

/// Marks a struct that is in a `Box` in the projection, but not in the model.
#[derive(Debug)]
pub struct BoxedInView;

/// Marks a struct that is inside the same kind of container in the model and in the projection.
#[derive(Debug)]
pub struct Inside<How>(PhantomData<How>);

#[diagnostic::do_not_recommend]
impl<T: Embedded, V: Projection<T>> EmbedsView<T, Itself> for V {
    const SHAPE: EmbeddedStruct = EmbeddedStruct::new(V::__ODM_TYPED, Containers::NONE);
}

#[diagnostic::do_not_recommend]
impl<T: Embedded, V: Projection<T>> EmbedsView<Box<T>, BoxedInModel> for V {
    const SHAPE: EmbeddedStruct = EmbeddedStruct::new(V::__ODM_TYPED, Containers::NONE);
}

#[diagnostic::do_not_recommend]
impl<T: Embedded, V: Projection<T>> EmbedsView<T, BoxedInView> for Box<V> {
    const SHAPE: EmbeddedStruct = EmbeddedStruct::new(V::__ODM_TYPED, Containers::NONE);
}

macro_rules! view_in {
    ($([$($generics:tt)*] $stored:ty, $view:ty: $within:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, How, V: EmbedsView<T, How>, $($generics)*> EmbedsView<$stored, Inside<How>> for $view {
            const SHAPE: EmbeddedStruct =
                EmbeddedStruct::new(V::SHAPE.shape, V::SHAPE.containers.$within());
        }
    )*};
}
view_in! {
    [] Option<T>, Option<V>: in_option;
    [] Presence<T>, Presence<V>: in_presence;
    [] Vec<T>, Vec<V>: in_array;
    [] VecDeque<T>, VecDeque<V>: in_array;
    [S, R] HashSet<T, S>, HashSet<V, R>: in_array;
    [] BTreeSet<T>, BTreeSet<V>: in_array;
    [] Box<[T]>, Box<[V]>: in_array;
    [const N: usize] [T; N], [V; N]: in_array;
    [] Box<T>, Box<V>: in_pointer;
    [] Arc<T>, Arc<V>: in_pointer;
    [] Rc<T>, Rc<V>: in_pointer;
}
#[cfg(feature = "smallvec")]
view_in! {
    [const N: usize] smallvec::SmallVec<[T; N]>, smallvec::SmallVec<[V; N]>: in_array;
}

/// Implemented only for `Source` itself. For a copy declared with `via = "Model.field"`, the bound therefore rejects
/// every `Model` other than the source of the copy.
#[diagnostic::on_unimplemented(
    message = "the key is stored in `{Self}`, and the value comes from `{Source}`",
    label = "a field of `{Self}`",
    note = "a key on the other side is stored in the source of the copy: name a field of `{Source}` that refers here, or a reference of this struct"
)]
pub trait KeepsKeys<Source> {}

#[diagnostic::do_not_recommend]
impl<M> KeepsKeys<M> for M {}

/// Returns the handles of the fields of an embedded struct, so that a path in an attribute can continue inside the
/// struct.
pub fn inside<M: 'static, P: Path, O: HasFields + 'static, T: EmbedType, const I: usize, C, R>(
    _: Field<M, P, O, T, I, C, R>,
) -> <T::Embedded as HasFields>::__OdmFields<M, T::Place<At<P, O, I>>> {
    FieldSet::NEW
}

/// Compile-time checks in the form of method calls, so that the compiler reports each error at the token that you
/// wrote.
#[doc(hidden)]
impl<M, P: Path, O: HasFields + 'static, T: 'static, const I: usize, C, R>
    Field<M, P, O, T, I, C, R>
{
    /// Checks that the field refers to `Target`.
    pub fn __refers_to<Target>(self)
    where
        O: Refers<Target, I>,
    {
    }

    /// Checks that the field refers to `Target`, or to several kinds that include `Target`. The compiler infers `To`.
    pub fn __leads_to<Target, To: LeadsTo<Target>>(self)
    where
        O: Refers<To, I>,
    {
    }

    /// Checks that a reference of type `Written` to `Target` can use this plain field as its key.
    pub fn __is_key_of<Written, Target>(self)
    where
        Written: Keys<Key: KeyFor<T>, Knows: MayKnow<Target>>,
    {
    }

    /// Checks that a copy of the field can have the type `Copied`.
    pub fn __copied_as<Copied: SameAs<T>>(self) {}

    /// Copies a value of the field into a value of type `Copied`.
    pub fn __copy<Copied: SameAs<T>>(self, value: &T) -> Copied
    where
        T: Clone,
    {
        Copied::copy_of(value)
    }

    /// Checks that a field of type `Held` can store a summary of the type `K` over this field. Returns the value of the
    /// summary for a document without children.
    pub fn __rolled_up<K, Held: RollupOf<K, T>>(self) -> Bson {
        Held::of_none()
    }

    /// Checks that a projection may read the field as a value of type `View`.
    pub fn __projected_as<View: ProjectsField<T>>(self) {}

    /// Checks that an enum over several kinds may read this shared field as a value of type `Shared`.
    pub fn __shared_as<Shared: SharedAs<T>>(self) {}

    /// Returns the shape of `View`, the projection that reads the field's embedded struct.
    pub fn __view_shape<View: EmbedsView<T, How>, How>(self) -> EmbeddedStruct {
        View::SHAPE
    }

    /// Checks that the field is an array.
    pub fn __is_array(self)
    where
        T: ArrayType,
    {
    }

    /// Checks that the field belongs to documents of the model `Source`.
    pub fn __belongs_to<Source>(self)
    where
        M: KeepsKeys<Source>,
    {
    }

    /// Returns the stored path of the target's field with which the keys are compared.
    pub fn __target_path(self) -> String {
        let reference = self.shape().and_then(|field| field.reference.as_ref());
        reference.map_or_else(|| "_id".to_owned(), ReferenceShape::target_path)
    }

    /// Returns the stored path of the reference's key: the path of the field itself, or of the key inside the field's
    /// value.
    pub fn __reference_path(self) -> String
    where
        T: Keys,
    {
        let mut path = self.path();
        T::push_inner_path(&mut path);
        path
    }
}
