//! Everything that there is at one moment, and how it changes.

use crate::{
    client::{Client, Next, Open},
    database::{Database, NEW, Version, Writes},
    setup::Setup,
    transaction::Transaction,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) database: Database,
    /// Writers, then folders, then runners.
    pub(crate) clients: Vec<Client>,
    /// Transactions of crashed clients: their commits may still arrive.
    pub(crate) lost: Vec<Transaction>,
    pub(crate) crashes: u8,
}

impl State {
    pub(crate) fn is_grace_over(&self) -> bool {
        let open = self.clients.iter().filter_map(Client::transaction);
        !open.chain(&self.lost).any(|it| it.is_old)
    }

    fn transactions(&mut self) -> impl Iterator<Item = &mut Transaction> {
        let open = self.clients.iter_mut().filter_map(Client::transaction_mut);
        open.chain(&mut self.lost)
    }

    /// Applies the writes, and aborts the transactions that wrote one of the same documents.
    pub(crate) fn commit(&mut self, writes: &Writes) {
        for client in &mut self.clients {
            client
                .open
                .take_if(|open| open.transaction.loses_to(writes));
        }
        self.lost.retain(|it| !it.loses_to(writes));
        if writes.has_job() {
            self.transactions().for_each(|it| it.is_old = true);
        }
        writes.apply(&mut self.database);
        let version = self
            .versions()
            .into_iter()
            .map(|it| *it)
            .max()
            .unwrap_or(NEW)
            + 1;
        let job = self.database.job.as_mut();
        if let Some(job) = job.filter(|job| job.version == NEW) {
            job.version = version;
        }
    }

    pub(crate) fn follow(&mut self, index: usize, next: Next) {
        let snapshot = self.database;
        let client = &mut self.clients[index];
        match next {
            Next::Go(step) => client.step = step,
            Next::Now(after, step) => {
                client.step = step;
                self.commit(&Writes::between(&snapshot, &after));
            }
            Next::Begin(after, then) => {
                let writes = Writes::between(&snapshot, &after);
                if writes.is_empty(&snapshot) {
                    client.step = then;
                } else {
                    let transaction = Transaction::new(writes);
                    client.open = Some(Open { transaction, then });
                }
            }
        }
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
        self.lost.extend(client.transaction().copied());
        *client = client.restart();
    }

    /// The versions that somebody knows.
    fn versions(&mut self) -> Vec<&mut Version> {
        let job = self.database.job.iter_mut();
        let mut known: Vec<&mut Version> = job.map(|job| &mut job.version).collect();
        for client in &mut self.clients {
            known.extend(client.versions());
        }
        known
    }

    /// Folders are alike, and so are runners, lost transactions, and the names of versions.
    pub(crate) fn normalize(&mut self, setup: &Setup) {
        let mut known: Vec<Version> = self.versions().into_iter().map(|it| *it).collect();
        known.sort_unstable();
        known.dedup();
        for version in self.versions() {
            let rank = known.iter().filter(|it| **it <= *version).count();
            *version = rank;
        }
        let (folders, runners) = self.clients[setup.writers.len()..].split_at_mut(setup.folders);
        folders.sort_unstable();
        runners.sort_unstable();
        self.lost.sort_unstable();
    }
}
