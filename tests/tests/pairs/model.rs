//! What can happen in a state, and to which state it leads.

use stateright::{Model, Property};

use crate::{
    arrival,
    client::{Client, Next, Ops, Step},
    database::{DOCUMENTS, Id},
    runner,
    setup::Setup,
    state::State,
    writer,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A writer is about to do one of the writes that it can choose.
    Choose(usize, Ops),
    /// A client does its next step.
    Next(usize),
    /// A runner takes the job of a document.
    Claim(usize, Id),
    /// The transaction of a client commits.
    Commit(usize),
    /// A client dies; its transaction, if it has one, is lost.
    Crash(usize),
    /// The commit of a lost transaction arrives.
    LateCommit(usize),
    /// A lost transaction ends without a commit.
    LateAbort(usize),
}

impl Setup {
    fn next(&self, state: &State, client: &Client) -> Option<Next> {
        let latest = &state.database;
        Some(match client.step {
            Step::Write([]) | Step::Idle => return None,
            Step::Write([op, left @ ..]) => writer::write(self, latest, *op, left),
            Step::Look(look, left) => arrival::look(latest, look, left),
            Step::Claimed(claim) => runner::add(self, latest, claim),
            Step::Added(claim) => runner::end(latest, claim),
        })
    }

    fn actions_of(&self, state: &State, index: usize, actions: &mut Vec<Action>) {
        let client = &state.clients[index];
        if client.open.is_some() {
            actions.push(Action::Commit(index));
        } else if client.step == Step::Write(&[]) && client.choices > 0 {
            let choice = self.choice.iter();
            actions.extend(choice.map(|ops| Action::Choose(index, ops)));
        } else if client.step == Step::Idle {
            let due = (0..DOCUMENTS).filter(|id| runner::claim(self, state, *id).is_some());
            actions.extend(due.map(|id| Action::Claim(index, id)));
        } else if self.next(state, client).is_some() {
            actions.push(Action::Next(index));
        }
    }

    /// What happens on its own: not crashes.
    fn progress(&self, state: &State, actions: &mut Vec<Action>) {
        for index in 0..state.clients.len() {
            self.actions_of(state, index, actions);
        }
        for index in 0..state.lost.len() {
            actions.push(Action::LateCommit(index));
            actions.push(Action::LateAbort(index));
        }
    }

    /// Whether nobody has anything left to do.
    pub(crate) fn is_at_rest(&self, state: &State) -> bool {
        let mut actions = Vec::new();
        self.progress(state, &mut actions);
        actions.is_empty()
    }
}

impl Model for Setup {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let writers = self.writers.iter().map(|ops| Client::new(Step::Write(ops)));
        let choosers = self.choosers.iter().map(|writes| Client::choosing(*writes));
        let runners = std::iter::repeat_n(Client::new(Step::Idle), self.runners);
        vec![State {
            database: self.database,
            clients: writers.chain(choosers).chain(runners).collect(),
            lost: Vec::new(),
            crashes: self.crashes,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.progress(state, actions);
        if state.crashes > 0 {
            let clients = 0..state.clients.len();
            let living = clients.filter(|index| state.clients[*index].can_crash());
            actions.extend(living.map(Action::Crash));
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Choose(index, ops) => {
                let client = &mut state.clients[index];
                (client.step, client.choices) = (Step::Write(ops), client.choices - 1);
            }
            Action::Next(index) => {
                let next = self.next(last, &last.clients[index])?;
                state.follow(index, next);
            }
            Action::Claim(index, id) => {
                state.clients[index].step = runner::claim(self, last, id)?;
            }
            Action::Commit(index) => state.commit_of(index),
            Action::Crash(index) => state.crash(index),
            Action::LateCommit(index) => {
                let transaction = state.lost.remove(index);
                state.commit(&transaction.writes);
            }
            Action::LateAbort(index) => drop(state.lost.remove(index)),
        }
        state.normalize(self);
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        self.goal.properties()
    }
}
