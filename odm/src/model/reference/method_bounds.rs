//! Bounds on the methods that the derive generates for a relation. The compiler checks these bounds only where a method
//! is called.
//!
//! If a bound does not have parameters and is false, the compiler rejects it at the declaration, once per method.
//! Therefore `Held` and `Of` have a lifetime parameter, which has no other meaning. The compiler checks
//! `for<'a> Held<'a, Vec<Part>>: Leads` only where the method is called. So a field that has a wrong type causes only
//! one error: the derive's assertion, which contains the remedy.
//!
//! - In a generated method, only the bound determines the target. Therefore the functions that the method calls are
//!   generic over `L: Leads` (`Relation`, `Take::new`, `link`).
//! - The model is an associated type of `Leads`. `Leads` does not have a supertrait, because the compiler would check
//!   the supertrait of a bound at the declaration.

use std::marker::PhantomData;

use super::{Keys, Reference};
use crate::{model::derive_traits::Described, value::key::Key};

/// Represents a field of type `T`, which may or may not be a reference.
#[derive(Debug)]
pub struct Held<'a, T>(PhantomData<fn(&'a ()) -> T>);

/// Represents the documents of `M`, which may or may not be a model.
#[derive(Debug)]
pub struct Of<'a, M>(PhantomData<fn(&'a ()) -> M>);

/// Implemented if the type represents references to documents of one model.
#[diagnostic::on_unimplemented(
    message = "this relation leads to no model",
    label = "the field is no reference",
    note = "the error at the field of the relation says what to write"
)]
pub trait Leads {
    /// The model that the relation refers to.
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

/// Implemented if the type represents references to documents of `M` only.
pub trait LeadsOnlyTo<M> {}

#[diagnostic::do_not_recommend]
impl<L: Leads> LeadsOnlyTo<L::Target> for L {}

/// Implemented if the type represents a field that contains keys.
pub trait HoldsKeys {
    /// The type of one key.
    type Key: Key;

    /// The model that the keys are known to identify. The type is `Unknown` for plain keys.
    type Knows;
}

#[diagnostic::do_not_recommend]
impl<T: Keys> HoldsKeys for Held<'_, T> {
    type Key = T::Key;
    type Knows = T::Knows;
}
