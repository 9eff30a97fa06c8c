//! Everything that there is at one moment, and how it changes.

use crate::{
    client::{Client, Next, Open},
    database::{DOCUMENTS, Database, Id, Writes},
    setup::Setup,
    transaction::Transaction,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) database: Database,
    /// Writers, then runners.
    pub(crate) clients: Vec<Client>,
    /// Transactions of crashed clients: their commits may still arrive.
    pub(crate) lost: Vec<Transaction>,
    pub(crate) crashes: u8,
}

impl State {
    /// Whether all transactions have ended that began before the last change of a job.
    pub(crate) fn is_grace_over(&self, id: Id) -> bool {
        !self.transactions().any(|it| it.is_older[id])
    }

    fn transactions(&self) -> impl Iterator<Item = &Transaction> {
        let open = self.clients.iter().filter_map(|it| it.open.as_ref());
        open.map(|open| &open.transaction).chain(&self.lost)
    }

    fn transactions_mut(&mut self) -> impl Iterator<Item = &mut Transaction> {
        let open = self.clients.iter_mut().filter_map(|it| it.open.as_mut());
        open.map(|open| &mut open.transaction).chain(&mut self.lost)
    }

    /// Applies the writes, and aborts the transactions that wrote one of the same documents.
    pub(crate) fn commit(&mut self, writes: &Writes) {
        for client in &mut self.clients {
            client
                .open
                .take_if(|open| open.transaction.loses_to(writes));
            let ended = client.claims().filter(|it| writes.ends_version(it.id));
            ended.for_each(|claim| claim.is_current = false);
        }
        self.lost.retain(|it| !it.loses_to(writes));
        for id in (0..DOCUMENTS).filter(|id| writes.has_changed(*id)) {
            self.transactions_mut()
                .for_each(|it| it.is_older[id] = true);
        }
        writes.apply(&mut self.database);
    }

    pub(crate) fn follow(&mut self, index: usize, next: Next) {
        let snapshot = self.database;
        let (after, then) = match next {
            Next::Go(step) => (snapshot, step),
            Next::Now(after, step) | Next::Begin(after, step) => (after, step),
        };
        let writes = Writes::between(&snapshot, &after);
        if matches!(next, Next::Begin(..)) && !writes.is_empty() {
            let transaction = Transaction::begin(writes);
            self.clients[index].open = Some(Open { transaction, then });
            return;
        }
        self.clients[index].step = then;
        self.commit(&writes);
    }

    /// The transaction of a client commits.
    pub(crate) fn commit_of(&mut self, index: usize) {
        if let Some(open) = self.clients[index].open.take() {
            self.clients[index].step = open.then;
            self.commit(&open.transaction.writes);
        }
    }

    pub(crate) fn crash(&mut self, index: usize) {
        self.crashes -= 1;
        let client = &mut self.clients[index];
        self.lost.extend(client.open.map(|open| open.transaction));
        *client = client.restart();
    }

    /// Writers that choose are alike, runners are, and so are lost transactions; without a job nobody waits for a grace.
    pub(crate) fn normalize(&mut self, setup: &Setup) {
        for id in 0..DOCUMENTS {
            if self.database.jobs[id].is_none() {
                self.transactions_mut()
                    .for_each(|it| it.is_older[id] = false);
            }
        }
        let (_, alike) = self.clients.split_at_mut(setup.writers.len());
        alike.sort_unstable();
        self.lost.sort_unstable();
    }
}
