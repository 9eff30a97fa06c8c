//! What must hold.

use stateright::Property;

use crate::{client::Step, setup::Setup, state::State};

/// The properties that a check looks at. Of a single one it finds a shortest counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// A missing job tells the truth, nothing stays wrong, and there is an end.
    All,
    /// Nothing is wrong at any time. That is so for one writer beside folders.
    Always,
    /// Nothing stays wrong.
    Right,
}

impl Goal {
    pub(crate) fn properties(self) -> Vec<Property<Setup>> {
        match self {
            Self::All => vec![truth(), right(), end()],
            Self::Always => vec![always()],
            Self::Right => vec![right()],
        }
    }
}

/// So a reader in one snapshot knows what is right and what has drifted.
fn truth() -> Property<Setup> {
    Property::always(
        "without a job the parent and its deltas hold what the children say",
        |setup: &Setup, state: &State| state.database.job.is_some() || is_right(setup, state),
    )
}

fn always() -> Property<Setup> {
    Property::always(
        "the parent and its deltas hold what the children say",
        is_right,
    )
}

/// Whether the parent holds what its children say when the deltas are added to it.
fn is_right(setup: &Setup, state: &State) -> bool {
    let mut folded = state.database;
    folded.add_deltas(setup);
    setup.is_right(&folded)
}

fn right() -> Property<Setup> {
    Property::always(
        "at rest the parent holds what the children say, and there is neither job nor delta",
        |setup: &Setup, state: &State| {
            let database = &state.database;
            let is_done = database.job.is_none() && database.is_folded();
            (is_done && setup.is_right(database)) || !setup.is_at_rest(state)
        },
    )
}

fn end() -> Property<Setup> {
    Property::sometimes(
        "all that was to do is done",
        |setup: &Setup, state: &State| {
            let is_at_end = |step| matches!(step, Step::Write([]) | Step::Fold | Step::Idle);
            state.clients.iter().all(|client| is_at_end(client.step)) && setup.is_at_rest(state)
        },
    )
}
