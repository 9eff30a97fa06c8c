//! The conditions that every state must meet.

use stateright::Property;

use crate::{client::Step, fields::Field, machine::State, setup::Setup};

/// The properties that a check looks at. Of a single one it finds a shortest counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// A missing job tells the truth, nothing stays wrong, and there is an end.
    All,
    /// Nothing is wrong at any time. That is so for one writer beside folders.
    Always,
    /// Nothing stays wrong.
    Right,
    /// A reader sees the count of some of the committed writes, with the insert of each child that they delete.
    Seen,
}

impl Goal {
    pub(crate) fn properties(self) -> Vec<Property<Setup>> {
        match self {
            Self::All => vec![truth(), right(), seen(), end()],
            Self::Always => vec![always()],
            Self::Right => vec![right()],
            Self::Seen => vec![seen()],
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

/// Of one child that comes and goes, these are all the counts that the writes can have; more children come and go in
/// all orders.
fn seen() -> Property<Setup> {
    Property::always(
        "a reader sees the count of some of the writes",
        |setup: &Setup, state: &State| {
            let seen = state.database.parent;
            let counts = 0..=setup.most();
            seen.is_none_or(|parent| counts.contains(&parent.get(Field::Count)))
        },
    )
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
