//! What the generated methods of a relation ask about its target, at the place where they are called.
//!
//! A bound without a parameter is refused where it stands, each time that it stands there. These two types take a
//! lifetime and no value: a bound `for<'a> Held<'a, Vec<Part>>: Leads` is asked of a caller alone, so that the one error
//! about a field of a wrong type is the one that says what to write.

use std::marker::PhantomData;

use super::{Keys, Reference};
use crate::{model::described::Described, value::key::Key};

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
