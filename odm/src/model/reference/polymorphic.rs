//! Polymorphic references: enums that have one variant for each target model.

use super::{KeySlot, Keys};
use crate::{
    containers::{for_arrays, for_pointers},
    value::presence::Presence,
};

/// A polymorphic reference: an enum with `#[derive(Embedded)]` whose variants are references, or an `Option` or a
/// `Vec` of such an enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a polymorphic reference",
    label = "not an enum of references",
    note = "derive `Embedded` on an enum with a variant for each model, `Product(Id<Product>)`; a reference to one model needs no `polymorphic`"
)]
pub trait Polymorphic: Keys {}

macro_rules! polymorphic_nullable {
    ($nullable:ident) => {
        #[diagnostic::do_not_recommend]
        impl<R: Polymorphic> Polymorphic for $nullable<R> {}

        #[diagnostic::do_not_recommend]
        impl<M, R: PolymorphicTo<M>> PolymorphicTo<M> for $nullable<R> {
            fn each_key_to(&self, found: &mut dyn FnMut(KeySlot)) {
                if let Some(reference) = self.as_ref() {
                    reference.each_key_to(found);
                }
            }

            fn target_path() -> String {
                R::target_path()
            }
        }
    };
}
polymorphic_nullable!(Option);
polymorphic_nullable!(Presence);

macro_rules! polymorphic_array {
    ([$($generics:tt)*] $array:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: Polymorphic, $($generics)*> Polymorphic for $array {}

        #[diagnostic::do_not_recommend]
        impl<M, T: PolymorphicTo<M>, $($generics)*> PolymorphicTo<M> for $array {
            fn each_key_to(&self, found: &mut dyn FnMut(KeySlot)) {
                for reference in self {
                    reference.each_key_to(found);
                }
            }

            fn target_path() -> String {
                T::target_path()
            }
        }
    };
}
for_arrays!(polymorphic_array);

macro_rules! polymorphic_behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: Polymorphic> Polymorphic for $pointer {}

        #[diagnostic::do_not_recommend]
        impl<M, T: PolymorphicTo<M>> PolymorphicTo<M> for $pointer {
            fn each_key_to(&self, found: &mut dyn FnMut(KeySlot)) {
                T::each_key_to(self, found);
            }

            fn target_path() -> String {
                T::target_path()
            }
        }
    };
}
for_pointers!(polymorphic_behind);

/// A polymorphic reference that has a variant for documents of `M`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` never refers to `{M}`",
    label = "no variant leads to `{M}`",
    note = "name a model that a variant of the enum refers to, or add a variant `{M}(Id<{M}>)`"
)]
pub trait PolymorphicTo<M> {
    /// Calls a function for every key that refers to a document of `M`, in stored order. The keys of other models are
    /// skipped.
    #[doc(hidden)]
    fn each_key_to(&self, found: &mut dyn FnMut(KeySlot));

    /// Returns the stored path of the field of `M` with which the keys are compared.
    #[doc(hidden)]
    fn target_path() -> String;
}

/// Marker type for keys that identify documents of several models.
#[derive(Debug)]
pub struct Several;
