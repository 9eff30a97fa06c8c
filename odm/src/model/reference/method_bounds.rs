//! Bounds of the generated methods of a relation, which the compiler checks only at callers.
//!
//! The compiler rejects a false bound without parameters at its declaration, once per method. `Held` and `Of` have a
//! lifetime without a meaning. So `for<'a> Held<'a, Vec<Part>>: Leads` is checked only at a call of the method. The
//! only error about a field of a wrong type is then the assertion of the derive, which contains the remedy.
//!
//! - In such a method, the target is known only by the bound. So the functions that it calls are generic over
//!   `L: Leads` (`Relation`, `Take::new`, `link`).
//! - `Leads` has the model as an associated type. It has no supertrait, because the compiler checks supertraits of a
//!   bound at its declaration.

use std::marker::PhantomData;

use super::{Keys, Reference};
use crate::{model::derive_traits::Described, value::key::Key};

/// A field of type `T`, of which it is not known yet whether it is a reference.
#[derive(Debug)]
pub struct Held<'a, T>(PhantomData<fn(&'a ()) -> T>);

/// Documents of `M`, of which it is not known yet whether it is a model.
#[derive(Debug)]
pub struct Of<'a, M>(PhantomData<fn(&'a ()) -> M>);

/// What leads to documents of one model.
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

/// What leads to documents of `M`, and to no others.
pub trait LeadsOnlyTo<M> {}

#[diagnostic::do_not_recommend]
impl<L: Leads> LeadsOnlyTo<L::Target> for L {}

/// A field that holds keys.
pub trait HoldsKeys {
    /// The type of one key.
    type Key: Key;

    /// What the keys are known to identify.
    type Knows;
}

#[diagnostic::do_not_recommend]
impl<T: Keys> HoldsKeys for Held<'_, T> {
    type Key = T::Key;
    type Knows = T::Knows;
}
