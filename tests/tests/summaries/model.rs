//! What can happen in a state, and to which state it leads.

use stateright::{Model, Property};

use crate::{
    child,
    client::{Client, Next, Op, Step},
    folder, parent, runner,
    setup::{Form, Setup},
    state::State,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A client inserts a child.
    Insert(usize, Form),
    /// A client does its next step.
    Next(usize),
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
            Step::Write([]) => return None,
            Step::Write([op, left @ ..]) => match *op {
                Op::Insert(_) => return None,
                Op::Remove(child) => child::remove(self, latest, child, left),
                Op::Change(child, to) => child::change(self, latest, child, to, left),
                Op::InsertParent => parent::insert(self, latest, left),
                Op::RemoveParent => parent::remove(latest, left),
            },
            Step::Look(left) => child::look(latest, left),
            Step::Reread(counted, left) => parent::reread(latest, counted, left),
            Step::Correct(left) => parent::correct(self, latest, left),
            Step::WriteChild(child, left) => child::write_child(latest, child, Step::Write(left)),
            Step::WriteDelta(child, left) => {
                child::write_delta(self, latest, child, Step::Write(left))
            }
            Step::Fold if folder::waits(self, latest) => return None,
            Step::Fold => folder::fold(self, latest),
            Step::Forget(children, leaves) => folder::forget(latest, children, leaves),
            Step::Idle => return runner::claim(self, state),
            Step::Claimed(job) => runner::visit(self, latest, job),
            Step::Visited(job) => runner::end(latest, job),
        })
    }

    fn actions_of(&self, state: &State, index: usize, actions: &mut Vec<Action>) {
        let client = &state.clients[index];
        match client.step {
            _ if client.open.is_some() => actions.push(Action::Commit(index)),
            Step::Write([Op::Insert(_), ..]) => {
                actions.extend(self.forms.iter().map(|form| Action::Insert(index, *form)));
            }
            _ if self.next(state, client).is_some() => actions.push(Action::Next(index)),
            _ => {}
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
        let writers = self.writers.iter().map(|ops| Step::Write(ops));
        let folders = std::iter::repeat_n(Step::Fold, self.folders);
        let runners = std::iter::repeat_n(Step::Idle, self.runners);
        let steps = writers.chain(folders).chain(runners);
        vec![State {
            database: self.initial(),
            clients: steps.map(Client::new).collect(),
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
            Action::Insert(index, form) => {
                let Step::Write([Op::Insert(child), left @ ..]) = last.clients[index].step else {
                    return None;
                };
                let next = child::insert(self, &last.database, *child, form, left);
                state.follow(index, next);
            }
            Action::Next(index) => {
                let next = self.next(last, &last.clients[index])?;
                state.follow(index, next);
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
