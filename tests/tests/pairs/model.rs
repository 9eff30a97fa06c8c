//! The possible next steps of a client.

pub(crate) use crate::uneventful::Event;
use crate::{
    arrival,
    client::{Client, Ops, Step},
    database::{DOCUMENTS, Id},
    machine::{Next, State},
    runner,
    setup::Setup,
    writer,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// A writer is about to do one of the writes that it can choose.
    Write(Ops),
    /// A runner claims the job of a document.
    Claim(Id),
}

impl Setup {
    pub(crate) fn next(&self, state: &State, client: &Client) -> Option<Next> {
        let latest = &state.database;
        Some(match client.step {
            Step::Write([]) | Step::Idle => return None,
            Step::Write([op, left @ ..]) => writer::write(self, latest, *op, left),
            Step::Look(look, left) => arrival::look(latest, look, left),
            Step::Claimed(claim) => runner::add(self, latest, claim),
            Step::Added(claim) => runner::end(latest, claim),
        })
    }

    pub(crate) fn choices(&self, state: &State, client: &Client) -> Vec<Choice> {
        match client.step {
            Step::Write([]) if client.choices > 0 => {
                self.choice.iter().map(|ops| Choice::Write(ops)).collect()
            }
            Step::Idle => {
                let due = (0..DOCUMENTS).filter(|id| runner::claim(self, state, *id).is_some());
                due.map(Choice::Claim).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn choose(&self, state: &mut State, index: usize, choice: Choice) -> Option<()> {
        let step = match choice {
            Choice::Write(ops) => Step::Write(ops),
            Choice::Claim(id) => runner::claim(self, state, id)?,
        };
        let client = &mut state.clients[index];
        client.choices -= u8::from(matches!(choice, Choice::Write(_)));
        client.step = step;
        Some(())
    }
}
