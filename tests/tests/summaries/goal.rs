//! The conditions that every state must meet.

use stateright::Property;

use crate::{client::Step, fields::Field, machine::State, setup::Setup};

/// The properties to check. For a goal with a single property, a check can find a shortest counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Without a job nothing is wrong, nothing stays wrong, readers see possible counts, and all work can end.
    All,
    /// Nothing is wrong at any time. This is true for one writer with concurrent folders.
    Always,
    /// Nothing stays wrong.
    Right,
    /// A reader sees the count of some of the committed writes. If these include the delete of a child, they also
    /// include its insert.
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

/// With this property, a reader in one snapshot can distinguish pending changes from drift.
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

/// Whether the parent is correct for its children after all deltas are added to it.
fn is_right(setup: &Setup, state: &State) -> bool {
    let mut folded = state.database;
    folded.add_deltas(setup);
    setup.is_right(&folded)
}

/// With one child that is inserted and removed, these are all counts that the writes can have. Several children are
/// inserted and removed in all orders.
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
