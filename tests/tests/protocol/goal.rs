//! What must hold.

use stateright::Property;

use crate::{client::Step, setup::Setup, state::State};

/// The properties that a check looks at. Of a single one it finds a shortest counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// A missing job tells the truth, nothing stays stale or behind, and there is an end.
    All,
    /// Copies do not stay stale.
    Fresh,
    /// No document stays behind.
    Tidy,
    /// A run that has ended left no stale copy, without a settle sweep. That is so if no copies are
    /// inserted and no rename takes the small form.
    Run,
}

impl Goal {
    pub(crate) fn properties(self) -> Vec<Property<Setup>> {
        match self {
            Self::All => vec![truth(), fresh(), tidy(), end()],
            Self::Fresh => vec![fresh()],
            Self::Tidy => vec![tidy()],
            Self::Run => vec![run()],
        }
    }
}

fn truth() -> Property<Setup> {
    Property::always(
        "without a job all copies equal the source",
        |_, state: &State| has_job(state) || state.database.is_equal(),
    )
}

fn fresh() -> Property<Setup> {
    Property::always(
        "at rest there is no job, and all copies equal",
        |setup: &Setup, state: &State| {
            (!has_job(state) && state.database.is_equal()) || !setup.is_at_rest(state)
        },
    )
}

fn tidy() -> Property<Setup> {
    Property::always(
        "at rest there is no cursor",
        |setup: &Setup, state: &State| state.database.cursor.is_none() || !setup.is_at_rest(state),
    )
}

fn run() -> Property<Setup> {
    Property::always(
        "after a run all copies equal the source",
        |_, state: &State| {
            state.database.job.is_some_and(|job| job.needs_run) || state.database.is_equal()
        },
    )
}

fn end() -> Property<Setup> {
    Property::sometimes(
        "all that was to do is done",
        |setup: &Setup, state: &State| {
            let is_at_end = |step| matches!(step, Step::Rename([]) | Step::Inserted | Step::Idle);
            state.numbers > 0
                && state.clients.iter().all(|client| is_at_end(client.step))
                && setup.is_at_rest(state)
        },
    )
}

fn has_job(state: &State) -> bool {
    state.database.job.is_some()
}
