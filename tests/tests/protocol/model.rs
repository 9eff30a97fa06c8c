//! The possible next steps of a client, and the events outside the clients.

#![allow(clippy::unused_self, reason = "the machine calls these of all models")]

use crate::{
    client::{Client, Step},
    database::Relation,
    inserter,
    machine::{Next, State},
    renamer,
    rules::Cancelled,
    runner::{self, Pass},
    setup::{Form, Setup},
    state::Declaration,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// A client declares the copies.
    Declare,
    /// A client begins a rename.
    Rename(Form),
    /// A runner looks for a job of a relation.
    Claim(Relation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The next stage of the declaration begins.
    Age,
    /// The majority receives all writes of the primary.
    Replicate,
    /// The caller of a client stops waiting. The client's transaction may still commit.
    Cancel(usize),
    /// The primary fails. The next primary has the database of the majority.
    Failover,
}

impl Setup {
    pub(crate) fn next(&self, state: &State, client: &Client) -> Option<Next> {
        let is_older = client.is_older;
        match client.step {
            Step::Rename(_) | Step::Transact(_) | Step::Declare | Step::Inserted | Step::Idle => {
                None
            }
            Step::Insert => Some(inserter::insert(self, state)),
            Step::Reread(wrote) => Some(inserter::reread(state, wrote)),
            Step::Fix => Some(inserter::fix(state)),
            Step::Claimed(of, job) => Some(runner::resume(self, state, is_older, of, job)),
            Step::Pass(of, job, seen) => {
                let pass = Pass {
                    setup: self,
                    is_older,
                    of,
                    job,
                };
                Some(pass.next(state, seen))
            }
        }
    }

    pub(crate) fn choices(&self, state: &State, client: &Client) -> Vec<Choice> {
        match client.step {
            Step::Declare => vec![Choice::Declare],
            Step::Rename([_, ..]) | Step::Transact(_) => {
                self.forms_in(state).map(Choice::Rename).collect()
            }
            Step::Idle => {
                let known = (0..self.known).filter(|of| self.knows(client.is_older, *of));
                let due = known.filter(|of| runner::claim(self, state, *of).is_some());
                due.map(Choice::Claim).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn choose(&self, state: &mut State, index: usize, choice: Choice) -> Option<()> {
        let client = state.clients[index];
        let next = match (choice, client.step) {
            (Choice::Declare, _) => {
                state.age();
                Next::Go(Step::Insert)
            }
            (Choice::Rename(form), Step::Rename(left)) => {
                renamer::rename(self, state, client.is_older, left, form)?
            }
            (Choice::Rename(form), Step::Transact(to)) => {
                inserter::transact(self, state, to, form)?
            }
            (Choice::Rename(_), _) => return None,
            (Choice::Claim(of), _) => runner::claim(self, state, of)?,
        };
        state.world.cancels -= u8::from(choice == Choice::Rename(Form::Cut));
        state.follow(self, index, next);
        Some(())
    }

    /// The forms that a rename can take. A renamer may have read the declaration as soon as it is stored, and has
    /// certainly read it a minute later.
    fn forms_in(&self, state: &State) -> impl Iterator<Item = Form> {
        let is_there = state.world.declaration > Declaration::None;
        let knowing = self.forms.iter().copied().filter(move |_| is_there);
        let may_not_know = state.world.declaration < Declaration::Known;
        let may_be_cut = self.rules.cancelled == Cancelled::InPart && state.world.cancels > 0;
        let cut = may_be_cut.then_some(Form::Cut);
        knowing
            .chain(may_not_know.then_some(Form::Unknowing))
            .chain(cut)
    }

    /// The events that happen without a fault.
    pub(crate) fn events(&self, state: &State) -> Vec<Event> {
        let age = state.can_age().then_some(Event::Age);
        let replicate = state.is_behind().then_some(Event::Replicate);
        age.into_iter().chain(replicate).collect()
    }

    /// The faults that can occur.
    pub(crate) fn faults(&self, state: &State) -> Vec<Event> {
        let mut faults = Vec::new();
        if state.world.cancels > 0 && self.rules.cancelled == Cancelled::Whole {
            let clients = 0..state.clients.len();
            let awaited = clients.filter(|index| state.clients[*index].has_caller());
            faults.extend(awaited.map(Event::Cancel));
        }
        if state.world.stable.is_some() {
            faults.push(Event::Failover);
        }
        faults
    }

    pub(crate) fn happen(&self, state: &mut State, event: Event) {
        match event {
            Event::Age => state.age(),
            Event::Replicate => state.replicate(),
            Event::Cancel(index) => state.cancel(index),
            Event::Failover => state.fail_over(),
        }
    }
}
