//! The conditions that every state must meet.

use stateright::Property;

use crate::{client::Step, machine::State, setup::Setup};

/// The properties to check. For a goal with a single property, a check can find a shortest counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Without a job no reference dangles and no copy is stale, nothing stays wrong, and all work can end.
    All,
    /// No reference stays dangling, and no copy stays stale.
    Right,
}

impl Goal {
    pub(crate) fn properties(self) -> Vec<Property<Setup>> {
        match self {
            Self::All => vec![truth(), right(), end()],
            Self::Right => vec![right()],
        }
    }
}

fn truth() -> Property<Setup> {
    Property::always(
        "without a job no reference dangles, and no copy is stale",
        |_, state: &State| {
            let has_job = state.database.jobs.iter().any(Option::is_some);
            has_job || state.database.is_right()
        },
    )
}

fn right() -> Property<Setup> {
    Property::always(
        "at rest no reference dangles, no copy is stale, and there is no job",
        |setup: &Setup, state: &State| {
            let has_job = state.database.jobs.iter().any(Option::is_some);
            (!has_job && state.database.is_right()) || !setup.is_at_rest(state)
        },
    )
}

fn end() -> Property<Setup> {
    Property::sometimes(
        "all that was to do is done",
        |setup: &Setup, state: &State| {
            let is_at_end = |step| matches!(step, Step::Done | Step::Idle);
            state.clients.iter().all(|client| is_at_end(client.step)) && setup.is_at_rest(state)
        },
    )
}
