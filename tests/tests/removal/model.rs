//! The possible next steps of a client.

pub(crate) use crate::uneventful::Event;
use crate::{
    child,
    client::{Client, Step},
    database::{COPIES, RULE},
    machine::{Next, State},
    runner,
    setup::Setup,
    source,
};

/// A runner claims this job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice(usize);

impl Setup {
    pub(crate) fn next(&self, state: &State, client: &Client) -> Option<Next> {
        let latest = &state.database;
        let or_done = |is_left, step| Next::Go(if is_left { step } else { Step::Done });
        Some(match client.step {
            Step::Done | Step::Idle => return None,
            Step::Store(at) => child::store(self, latest, at),
            Step::Recheck(at, copy) => or_done(latest.source != copy, Step::Correct(at)),
            Step::Correct(at) => child::correct(latest, at),
            Step::Delete => source::delete(self, latest),
            Step::Insert(value) => source::insert(self, latest, value),
            Step::Search => or_done(latest.has_links(), Step::Follow),
            Step::Follow => source::follow_again(latest),
            Step::Claimed(claim) => runner::pass(self, latest, claim),
            Step::Passed(claim) => runner::end(latest, claim),
        })
    }

    pub(crate) fn choices(&self, state: &State, client: &Client) -> Vec<Choice> {
        let mut jobs = vec![RULE, COPIES];
        jobs.retain(|job| client.step == Step::Idle && runner::claim(self, state, *job).is_some());
        jobs.into_iter().map(Choice).collect()
    }

    pub(crate) fn choose(&self, state: &mut State, index: usize, choice: Choice) -> Option<()> {
        state.clients[index].step = runner::claim(self, state, choice.0)?;
        Some(())
    }
}
