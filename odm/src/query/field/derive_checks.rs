//! Compile-time checks. The derive emits them as calls with the spans of the tokens that the user wrote.

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

/// The type of a projected field: the type of the model's field, or an option of it.
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

/// The type of a field that several kinds share: the type in the models, or an option of it.
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

/// The type of a projected field that reads an embedded struct through a projection of that struct. The struct may be
/// inside an option, an array or a pointer.
///
/// `How` separates the impls, because the crate of the struct could implement traits for a box of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of the embedded `{T}`",
    label = "the model has `{T}`",
    note = "put a struct with `#[derive(Projection)]` in the place of the embedded one, inside the same `Vec` or `Option`"
)]
pub trait EmbedsView<T, How> {
    /// The description of the projection, with its containers.
    const SHAPE: EmbeddedStruct;
}

/// The struct without a container.
#[derive(Debug)]
pub struct Itself;

/// A struct in a `Box` in the model, but not in the projection.
#[derive(Debug)]
pub struct BoxedInModel;

/// A struct in a `Box` in the projection, but not in the model.
#[derive(Debug)]
pub struct BoxedInView;

/// A container of the same kind in both.
#[derive(Debug)]
pub struct Inside<How>(PhantomData<How>);

#[diagnostic::do_not_recommend]
impl<T: Embedded, V: Projection<T>> EmbedsView<T, Itself> for V {
    const SHAPE: EmbeddedStruct = EmbeddedStruct::new(V::SHAPE, Containers::NONE);
}

#[diagnostic::do_not_recommend]
impl<T: Embedded, V: Projection<T>> EmbedsView<Box<T>, BoxedInModel> for V {
    const SHAPE: EmbeddedStruct = EmbeddedStruct::new(V::SHAPE, Containers::NONE);
}

#[diagnostic::do_not_recommend]
impl<T: Embedded, V: Projection<T>> EmbedsView<T, BoxedInView> for Box<V> {
    const SHAPE: EmbeddedStruct = EmbeddedStruct::new(V::SHAPE, Containers::NONE);
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
    [const N: usize] [T; N], [V; N]: in_array;
    [] Box<T>, Box<V>: in_pointer;
    [] Arc<T>, Arc<V>: in_pointer;
    [] Rc<T>, Rc<V>: in_pointer;
}

/// The model that stores the key of a copy if the copy itself does not store it: the source.
#[diagnostic::on_unimplemented(
    message = "the key is stored in `{Self}`, and the value comes from `{Source}`",
    label = "a field of `{Self}`",
    note = "a key on the other side is stored in the source of the copy: name a field of `{Source}` that refers here, or a reference of this struct"
)]
pub trait KeepsKeys<Source> {}

#[diagnostic::do_not_recommend]
impl<M> KeepsKeys<M> for M {}

/// Returns the handles of the fields inside a field, for a path in an attribute.
pub fn inside<M: 'static, P: Path, O: HasFields + 'static, T: EmbedType, const I: usize, C, R>(
    _: Field<M, P, O, T, I, C, R>,
) -> <T::Embedded as HasFields>::__OdmFields<M, T::Place<At<P, O, I>>> {
    FieldSet::NEW
}

/// Checks in the form of method calls, so that an error points at the token that the user wrote.
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

    /// Checks that the field refers to `Target`, possibly among other kinds. The compiler infers `To`.
    pub fn __leads_to<Target, To: LeadsTo<Target>>(self)
    where
        O: Refers<To, I>,
    {
    }

    /// Checks that the field, a plain key of `Target`, can be compared with keys of `Written`.
    pub fn __is_key_of<Written, Target>(self)
    where
        Written: Keys<Key: KeyFor<T>, Knows: MayKnow<Target>>,
    {
    }

    /// Checks that the field can be copied into a field of type `Copied`.
    pub fn __copied_as<Copied: SameAs<T>>(self) {}

    /// Returns a copy of a value of the field.
    pub fn __copy<Copied: SameAs<T>>(self, value: &T) -> Copied
    where
        T: Clone,
    {
        Copied::copy_of(value)
    }

    /// Checks that a field of type `Held` can store a rollup of the kind `K` over this field. Returns the rollup over
    /// zero values.
    pub fn __rolled_up<K, Held: RollupOf<K, T>>(self) -> Bson {
        Held::of_none()
    }

    /// Checks that a projection may read the field as `View`.
    pub fn __projected_as<View: ProjectsField<T>>(self) {}

    /// Checks that the kinds of a collection share the field as `Shared`.
    pub fn __shared_as<Shared: SharedAs<T>>(self) {}

    /// Returns the description of the projection that reads the field's embedded struct.
    pub fn __view_shape<View: EmbedsView<T, How>, How>(self) -> EmbeddedStruct {
        View::SHAPE
    }

    /// Checks that the field is an array.
    pub fn __is_array(self)
    where
        T: ArrayType,
    {
    }

    /// Checks that the field belongs to documents of `Source`.
    pub fn __belongs_to<Source>(self)
    where
        M: KeepsKeys<Source>,
    {
    }

    /// Returns the stored path in the target that is compared with the keys of the field.
    pub fn __target_path(self) -> String {
        let reference = self.shape().and_then(|field| field.reference.as_ref());
        reference.map_or_else(|| "_id".to_owned(), ReferenceShape::target_path)
    }

    /// Returns the stored path of the reference: the path of the field, or of the key inside it.
    pub fn __reference_path(self) -> String
    where
        T: Keys,
    {
        let mut path = self.path();
        T::push_inner_path(&mut path);
        path
    }
}
