//! The conditions that every state must meet.

use stateright::Property;

use crate::{
    client::Step,
    database::{Job, Relation},
    machine::State,
    setup::Setup,
};

/// The properties to check. For a goal with a single property, a check can find a shortest counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Without a job no copy is stale, nothing stays stale or is left behind, and all work can end.
    All,
    /// Copies do not stay stale.
    Fresh,
    /// No cursor is left behind.
    Tidy,
    /// A run that has ended has left no stale copy to the last look. This is true if no copies are inserted and no
    /// rename takes the small form.
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
        "without a job all copies of a relation equal the source",
        |setup: &Setup, state: &State| {
            (0..setup.relations).all(|of| has_job(state, of) || is_equal(setup, state, of))
        },
    )
}

fn fresh() -> Property<Setup> {
    Property::always(
        "at rest a relation that runners know has no job, and all its copies equal",
        |setup: &Setup, state: &State| {
            (0..setup.known).all(|of| !has_job(state, of) && is_equal(setup, state, of))
                || !setup.is_at_rest(state)
        },
    )
}

fn tidy() -> Property<Setup> {
    Property::always(
        "at rest there is no cursor",
        |setup: &Setup, state: &State| {
            state.database.cursors.iter().all(Option::is_none) || !setup.is_at_rest(state)
        },
    )
}

fn run() -> Property<Setup> {
    Property::always(
        "after a run all copies equal the source",
        |setup: &Setup, state: &State| {
            let needs_run = |of: Relation| jobs(state, of).any(|job| job.needs_run);
            (0..setup.relations).all(|of| needs_run(of) || is_equal(setup, state, of))
        },
    )
}

fn end() -> Property<Setup> {
    Property::sometimes(
        "all that was to do is done",
        |setup: &Setup, state: &State| {
            let is_at_end = |step| matches!(step, Step::Rename([]) | Step::Inserted | Step::Idle);
            state.world.numbers > 0
                && state.clients.iter().all(|client| is_at_end(client.step))
                && setup.is_at_rest(state)
        },
    )
}

fn has_job(state: &State, of: Relation) -> bool {
    jobs(state, of).next().is_some()
}

/// The jobs that cover a relation. A newer writer stores one job for all copies that it declares.
fn jobs(state: &State, of: Relation) -> impl Iterator<Item = Job> {
    let of_newer = state.database.jobs[0].filter(|job| job.is_of_newer);
    state.database.jobs[of].into_iter().chain(of_newer)
}

fn is_equal(setup: &Setup, state: &State, of: Relation) -> bool {
    state.database.is_equal(setup.keys(of))
}
