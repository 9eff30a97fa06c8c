//! What can happen in a state, and to which state it leads.

use stateright::{Model, Property};

use crate::{
    client::{Client, Next, Step},
    database::{Database, Relation},
    inserter, renamer,
    rules::Cancelled,
    runner::{self, Pass},
    setup::{Form, Insert, Setup},
    state::{Declaration, State},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A client declares the copies.
    Declare(usize),
    /// Time goes on for the declaration.
    Age,
    /// A client begins a rename.
    Rename(usize, Form),
    /// A runner looks for a job of a relation.
    Claim(usize, Relation),
    /// A client does its next step.
    Next(usize),
    /// The transaction of a client commits.
    Commit(usize),
    /// The caller of a client stops to wait; its transaction may still commit.
    Cancel(usize),
    /// A client dies; its transaction, if it has one, is lost.
    Crash(usize),
    /// The commit of a lost transaction arrives.
    LateCommit(usize),
    /// A lost transaction ends without a commit.
    LateAbort(usize),
    /// The majority gets all that the primary has.
    Replicate,
    /// The primary fails; the next one has what the majority had.
    Failover,
}

impl Setup {
    fn next(&self, state: &State, client: &Client) -> Option<Next> {
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

    fn actions_of(&self, state: &State, index: usize, actions: &mut Vec<Action>) {
        let client = &state.clients[index];
        match client.step {
            _ if client.transaction().is_some() => actions.push(Action::Commit(index)),
            _ if client.open.is_some() || matches!(client.step, Step::Rename([])) => {}
            Step::Rename(_) | Step::Transact(_) => {
                let forms = self.forms_in(state);
                actions.extend(forms.map(|form| Action::Rename(index, form)));
            }
            Step::Declare => actions.push(Action::Declare(index)),
            Step::Idle => {
                let known = (0..self.known).filter(|of| self.knows(client.is_older, *of));
                let due = known.filter(|of| runner::claim(self, state, *of).is_some());
                actions.extend(due.map(|of| Action::Claim(index, of)));
            }
            _ if self.next(state, client).is_some() => actions.push(Action::Next(index)),
            _ => {}
        }
    }

    /// The forms that a rename can take: a renamer may have read the declaration as soon as it is there, and has for
    /// certain a minute later.
    fn forms_in(&self, state: &State) -> impl Iterator<Item = Form> {
        let is_there = state.declaration > Declaration::None;
        let knowing = self.forms.iter().copied().filter(move |_| is_there);
        let may_not_know = state.declaration < Declaration::Known;
        let may_be_cut = self.rules.cancelled == Cancelled::InPart && state.cancels > 0;
        let cut = may_be_cut.then_some(Form::Cut);
        knowing
            .chain(may_not_know.then_some(Form::Unknowing))
            .chain(cut)
    }

    /// What happens on its own: not crashes and failovers.
    fn progress(&self, state: &State, actions: &mut Vec<Action>) {
        for index in 0..state.clients.len() {
            self.actions_of(state, index, actions);
        }
        for index in 0..state.lost.len() {
            actions.push(Action::LateCommit(index));
            actions.push(Action::LateAbort(index));
        }
        if state.can_age() {
            actions.push(Action::Age);
        }
        if state.is_behind() {
            actions.push(Action::Replicate);
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
        let database = Database::new(self.initial_copies());
        let mut clients = Vec::new();
        for (at, to) in self.renamers.iter().enumerate() {
            // Of two versions, the newer one renames first.
            clients.push(Client::of(self.versions && at > 0, Step::Rename(to)));
        }
        let (inserter, declaration) = match self.insert {
            Insert::Never => (None, Declaration::Old),
            Insert::Known => (Some(Step::Insert), Declaration::Old),
            Insert::Declared => (Some(Step::Declare), Declaration::None),
            Insert::WithRename(to) => (Some(Step::Transact(to)), Declaration::Old),
        };
        clients.extend(inserter.map(Client::new));
        for at in 0..self.runners {
            clients.push(Client::of(self.versions && at > 0, Step::Idle));
        }
        vec![State {
            database,
            stable: self.failover.then_some(database),
            clients,
            lost: Vec::new(),
            numbers: 0,
            crashes: self.crashes,
            cancels: self.cancels,
            declaration,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.progress(state, actions);
        if state.crashes > 0 {
            let clients = 0..state.clients.len();
            let living = clients.filter(|index| state.clients[*index].can_crash());
            actions.extend(living.map(Action::Crash));
        }
        if state.cancels > 0 && self.rules.cancelled == Cancelled::Whole {
            let clients = 0..state.clients.len();
            let awaited = clients.filter(|index| state.clients[*index].has_caller());
            actions.extend(awaited.map(Action::Cancel));
        }
        if state.stable.is_some() {
            actions.push(Action::Failover);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Declare(index) => {
                state.age();
                state.clients[index].step = Step::Insert;
            }
            Action::Age => state.age(),
            Action::Rename(index, form) => {
                let client = &last.clients[index];
                let next = match client.step {
                    Step::Rename(left) => renamer::rename(self, last, client.is_older, left, form)?,
                    Step::Transact(to) => inserter::transact(self, last, to, form)?,
                    _ => return None,
                };
                state.cancels -= u8::from(form == Form::Cut);
                state.follow(self, index, next);
            }
            Action::Claim(index, of) => {
                state.follow(self, index, runner::claim(self, last, of)?);
            }
            Action::Next(index) => {
                let next = self.next(last, &last.clients[index])?;
                state.follow(self, index, next);
            }
            Action::Commit(index) => state.commit_of(self, index),
            Action::Cancel(index) => state.cancel(index),
            Action::Crash(index) => state.crash(index),
            Action::LateCommit(index) => {
                let transaction = state.lost.remove(index);
                state.commit(self, &transaction.writes);
            }
            Action::LateAbort(index) => drop(state.lost.remove(index)),
            Action::Replicate => state.replicate(),
            Action::Failover => state.fail_over(),
        }
        state.normalize(self);
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        self.goal.properties()
    }
}
