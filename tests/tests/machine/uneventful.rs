//! The part of an abstract model that has no events outside the clients, and in which every commit reaches the majority
//! at once.

#![allow(clippy::unused_self, reason = "other models need it")]

use crate::{client::Step, database::Writes, machine::State, setup::Setup, state::Age};

/// Nothing else belongs to the state.
pub(crate) type World = ();

/// No event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {}

/// The age of a transaction that begins.
pub(crate) fn age(_: Step) -> Age {
    Age::default()
}

impl State {
    pub(crate) fn began(&mut self, _: &Setup, _: &Writes) {}

    pub(crate) fn waits_for_majority(&self, _: &Setup) -> bool {
        false
    }
}

impl Setup {
    pub(crate) fn world(&self) -> World {}

    pub(crate) fn events(&self, _: &State) -> Vec<Event> {
        Vec::new()
    }

    pub(crate) fn faults(&self, _: &State) -> Vec<Event> {
        Vec::new()
    }

    pub(crate) fn happen(&self, _: &mut State, event: Event) {
        match event {}
    }
}
