//! The machine that runs a protocol: processes that execute steps, transactions with snapshot isolation, and crashes.
//!
//! A transaction takes its snapshot when it begins, and this snapshot determines all its writes. If two transactions
//! write the same document, the first commit aborts the other transaction immediately. The aborted transaction then
//! begins again or disappears. Documents that a transaction only reads are not protected.
//!
//! Each abstract model of a protocol includes this file and defines the other modules:
//!
//! | module | content |
//! |---|---|
//! | `database` | `Database` with all documents, and `Writes`: the difference of two of them |
//! | `client` | `Client`, a process, and its `Step` |
//! | `state` | `World`: the rest of the state; `Age` of a transaction and its first value `age`; `State::began`, `committed`, `waits_for_majority`, `normalize` |
//! | `model` | `Choice`, `Setup::choices`, `Setup::choose`, `Setup::next`; `Event`: events outside the clients, `Setup::events`, `Setup::faults`, `Setup::happen` |
//! | `setup` | `Setup` with `initial`, `world` and `clients` |
//!
//! An abstract model without events outside the clients includes `uneventful`.

use stateright::{Model, Property};

use crate::{
    client::{Client, Step},
    database::{Database, Writes},
    model::{Choice, Event},
    setup::Setup,
    state::{Age, World, age},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) database: Database,
    pub(crate) clients: Vec<Client>,
    /// Transactions of crashed clients: their commits may still arrive.
    pub(crate) lost: Vec<Transaction>,
    pub(crate) crashes: u8,
    pub(crate) world: World,
}

/// An open transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Transaction {
    pub(crate) writes: Writes,
    /// The changes of jobs that were committed after the transaction began. The grace period of these jobs waits for
    /// the end of the transaction. This is the only representation of time.
    pub(crate) age: Age,
}

impl Transaction {
    fn loses_to(&self, writes: &Writes) -> bool {
        self.writes.is_conflict(writes)
    }
}

/// A transaction whose end the client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Open {
    /// `None` if it is committed and the majority does not have it yet.
    pub(crate) transaction: Option<Transaction>,
    pub(crate) then: Step,
}

/// The effect of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// A read, or nothing.
    Go(Step),
    /// A single statement that changes the database to this one.
    Now(Database, Step),
    /// A transaction that changes its snapshot to this database. It ends at some later time.
    Begin(Database, Step),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A client does one of several possible next steps.
    Choose(usize, Choice),
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
    /// An event outside the clients happens.
    Happen(Event),
}

impl State {
    pub(crate) fn transactions(&self) -> impl Iterator<Item = &Transaction> {
        let open = self.clients.iter().filter_map(|it| it.open.as_ref());
        open.filter_map(|open| open.transaction.as_ref())
            .chain(&self.lost)
    }

    pub(crate) fn transactions_mut(&mut self) -> impl Iterator<Item = &mut Transaction> {
        let open = self.clients.iter_mut().filter_map(|it| it.open.as_mut());
        open.filter_map(|open| open.transaction.as_mut())
            .chain(&mut self.lost)
    }

    /// Applies the writes, and aborts the transactions that wrote one of the same documents.
    fn commit(&mut self, setup: &Setup, writes: &Writes) {
        for client in &mut self.clients {
            let open = client.open.as_ref();
            let transaction = open.and_then(|open| open.transaction.as_ref());
            if transaction.is_some_and(|it| it.loses_to(writes)) {
                client.open = None;
            }
        }
        self.lost.retain(|it| !it.loses_to(writes));
        self.transactions_mut()
            .for_each(|it| writes.grow(&mut it.age, setup));
        writes.apply(&mut self.database);
        self.committed(setup, writes);
    }

    /// A client does a step.
    pub(crate) fn follow(&mut self, setup: &Setup, index: usize, next: Next) {
        let snapshot = self.database;
        let (after, then) = match next {
            Next::Go(step) => (snapshot, step),
            Next::Now(after, step) | Next::Begin(after, step) => (after, step),
        };
        let writes = Writes::between(&snapshot, &after);
        let client = &mut self.clients[index];
        if writes.is_empty() {
            client.step = then;
        } else if matches!(next, Next::Begin(..)) {
            self.began(setup, &writes);
            let age = age(then);
            let transaction = Some(Transaction { writes, age });
            self.clients[index].open = Some(Open { transaction, then });
        } else {
            client.step = then;
            self.commit(setup, &writes);
        }
    }

    /// The transaction of a client commits.
    fn commit_of(&mut self, setup: &Setup, index: usize) {
        let Some(open) = self.clients[index].open.take() else {
            return;
        };
        let Some(transaction) = open.transaction else {
            return;
        };
        let waits = self.waits_for_majority(setup);
        let client = &mut self.clients[index];
        if waits {
            client.open = Some(Open {
                transaction: None,
                ..open
            });
        } else {
            client.step = open.then;
        }
        self.commit(setup, &transaction.writes);
    }

    fn crash(&mut self, index: usize) {
        self.crashes -= 1;
        let client = &mut self.clients[index];
        self.lost
            .extend(client.open.and_then(|open| open.transaction));
        *client = client.restart();
    }
}

impl Setup {
    fn actions_of(&self, state: &State, index: usize, actions: &mut Vec<Action>) {
        let client = &state.clients[index];
        if let Some(open) = client.open {
            let is_open = open.transaction.is_some();
            actions.extend(is_open.then_some(Action::Commit(index)));
            return;
        }
        let choices = self.choices(state, client).into_iter();
        actions.extend(choices.map(|choice| Action::Choose(index, choice)));
        if self.next(state, client).is_some() {
            actions.push(Action::Next(index));
        }
    }

    /// Adds the actions that happen without faults.
    fn progress(&self, state: &State, actions: &mut Vec<Action>) {
        for index in 0..state.clients.len() {
            self.actions_of(state, index, actions);
        }
        for index in 0..state.lost.len() {
            actions.push(Action::LateCommit(index));
            actions.push(Action::LateAbort(index));
        }
        actions.extend(self.events(state).into_iter().map(Action::Happen));
    }

    /// Whether no process has any work left.
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
        vec![State {
            database: self.initial(),
            clients: self.clients(),
            lost: Vec::new(),
            crashes: self.crashes,
            world: self.world(),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.progress(state, actions);
        if state.crashes > 0 {
            let clients = 0..state.clients.len();
            let living = clients.filter(|index| state.clients[*index].can_crash());
            actions.extend(living.map(Action::Crash));
        }
        actions.extend(self.faults(state).into_iter().map(Action::Happen));
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Choose(index, choice) => self.choose(&mut state, index, choice)?,
            Action::Next(index) => {
                let next = self.next(last, &last.clients[index])?;
                state.follow(self, index, next);
            }
            Action::Commit(index) => state.commit_of(self, index),
            Action::Crash(index) => state.crash(index),
            Action::LateCommit(index) => {
                let transaction = state.lost.remove(index);
                state.commit(self, &transaction.writes);
            }
            Action::LateAbort(index) => drop(state.lost.remove(index)),
            Action::Happen(event) => self.happen(&mut state, event),
        }
        state.normalize(self);
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        self.goal.properties()
    }
}
