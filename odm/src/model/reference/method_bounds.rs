//! Bounds on the methods that the derive generates for a relation. The compiler checks these bounds only at callers.
//!
//! The compiler rejects a false bound without parameters at its declaration, once per method. `Held` and `Of` have a
//! lifetime that has no meaning. Therefore `for<'a> Held<'a, Vec<Part>>: Leads` is checked only where the method is
//! called. A field of a wrong type then causes only one error: the derive's assertion, which contains the remedy.
//!
//! - In such a method, only the bound determines the target. Therefore the called functions are generic over `L: Leads`
//!   (`Relation`, `Take::new`, `link`).
//! - `Leads` has the model as an associated type. It has no supertrait, because the compiler checks supertraits of a
//!   bound at its declaration.

use std::marker::PhantomData;

use super::{Keys, Reference};
use crate::{model::derive_traits::Described, value::key::Key};

/// A field of type `T` that may or may not be a reference.
#[derive(Debug)]
pub struct Held<'a, T>(PhantomData<fn(&'a ()) -> T>);

/// Documents of `M`, which may or may not be a model.
#[derive(Debug)]
pub struct Of<'a, M>(PhantomData<fn(&'a ()) -> M>);

/// A reference to documents of one model.
#[diagnostic::on_unimplemented(
    message = "this relation leads to no model",
    label = "the field is no reference",
    note = "the error at the field of the relation says what to write"
)]
pub trait Leads {
    /// The model.
    type Target: Described;
}

#[diagnostic::do_not_recommend]
impl<T: Reference<Target: Described>> Leads for Held<'_, T> {
    type Target = T::Target;
}

#[diagnostic::do_not_recommend]
impl<M: Described> Leads for Of<'_, M> {
    type Target = M;
}

/// A reference only to documents of `M`.
pub trait LeadsOnlyTo<M> {}

#[diagnostic::do_not_recommend]
impl<L: Leads> LeadsOnlyTo<L::Target> for L {}

/// A field that contains keys.
pub trait HoldsKeys {
    /// The type of one key.
    type Key: Key;

    /// The model that the keys are known to identify.
    type Knows;
}

#[diagnostic::do_not_recommend]
impl<T: Keys> HoldsKeys for Held<'_, T> {
    type Key = T::Key;
    type Knows = T::Knows;
}
