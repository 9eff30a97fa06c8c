//! The conditions that every state must meet.

use stateright::Property;

use crate::{
    client::Step,
    database::{DOCUMENTS, Database, Phase, each},
    machine::State,
    setup::Setup,
};

/// The properties to check. For a goal with a single property, a check can find a shortest counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Without a job no array lacks ids, no link stays at one end, and all work can end.
    All,
    /// As `All`, and no link remains at all. This is true if all writers only end links.
    Ended,
    /// No link stays at one end.
    Right,
    /// When all writers are done, each link at one end has a job that is due, and no link waits for the grace period.
    Soon,
}

impl Goal {
    pub(crate) fn properties(self) -> Vec<Property<Setup>> {
        match self {
            Self::All => vec![truth(), right(), end()],
            Self::Ended => vec![truth(), ended(), right(), end()],
            Self::Right => vec![right()],
            Self::Soon => vec![soon()],
        }
    }
}

/// With this property, a reader in one snapshot can distinguish pending changes from drift.
fn truth() -> Property<Setup> {
    Property::always(
        "without a job both name each other, or neither",
        |_, state: &State| {
            let database = &state.database;
            (0..DOCUMENTS).all(|id| database.jobs[id].is_some() || !database.lacks(id))
        },
    )
}

/// A reference to a missing document is allowed, because its owner waits for the document.
fn right() -> Property<Setup> {
    Property::always(
        "at rest both name each other, or neither, and there is no job",
        |setup: &Setup, state: &State| {
            let database = &state.database;
            let is_done = |id: usize| database.jobs[id].is_none() && !database.lacks(id);
            (0..DOCUMENTS).all(is_done) || !setup.is_at_rest(state)
        },
    )
}

fn ended() -> Property<Setup> {
    Property::always(
        "at rest nobody names anybody",
        |setup: &Setup, state: &State| {
            let names = |database: &Database, id| each(database.named_by(id)).next().is_some();
            let mut all = 0..DOCUMENTS;
            !all.any(|id| names(&state.database, id)) || !setup.is_at_rest(state)
        },
    )
}

fn soon() -> Property<Setup> {
    Property::always(
        "when all writers are done, what is at one end has a job that is due",
        |_, state: &State| {
            let mut writers = state.clients.iter();
            let is_due = |id: usize| {
                let job = state.database.jobs[id];
                job.is_some_and(|job| job.phase == Phase::Run) || !state.database.lacks(id)
            };
            writers.any(|it| matches!(it.step, Step::Write([_, ..]) | Step::Look(..)))
                || (0..DOCUMENTS).all(is_due)
        },
    )
}

fn end() -> Property<Setup> {
    Property::sometimes(
        "all that was to do is done",
        |setup: &Setup, state: &State| {
            let is_at_end = |step| matches!(step, Step::Write([]) | Step::Idle);
            state.clients.iter().all(|client| is_at_end(client.step)) && setup.is_at_rest(state)
        },
    )
}
