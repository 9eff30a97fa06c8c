//! Everything that there is at one moment, and how it changes.

use crate::{
    client::{Client, Next, Open},
    database::{Database, Relation, Writes},
    rules::{Concern, Numbers, Rules},
    setup::Setup,
    transaction::Transaction,
};

/// How far the declaration of the copies has come, `_odm_schema`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Declaration {
    None,
    /// It is written. Renamers may or may not have read it.
    New,
    /// Every rename that begins knows: who has not read for a minute, reads first.
    Known,
    /// Every rename that began without knowing has ended.
    Old,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// What the primary has.
    pub(crate) database: Database,
    /// What the majority has, as long as the primary may fail; then both are one.
    pub(crate) stable: Option<Database>,
    /// Renamers, then the inserter, then the runners.
    pub(crate) clients: Vec<Client>,
    /// Transactions of crashed clients: their commits may still arrive.
    pub(crate) lost: Vec<Transaction>,
    /// The largest `seq` that a job ever had. It stands for any source of new numbers, as time or
    /// random ids.
    pub(crate) numbers: u8,
    pub(crate) crashes: u8,
    pub(crate) cancels: u8,
    pub(crate) declaration: Declaration,
}

impl State {
    /// What a read with read concern majority sees.
    pub(crate) fn majority(&self) -> &Database {
        self.stable.as_ref().unwrap_or(&self.database)
    }

    pub(crate) fn next_seq(&self, rules: &Rules, of: Relation) -> u8 {
        let last = match rules.numbers {
            Numbers::EveryPass | Numbers::EveryRename => self.numbers,
            Numbers::FromOne => self.database.jobs[of].map_or(0, |job| job.seq),
        };
        last + 1
    }

    pub(crate) fn is_grace_over(&self) -> bool {
        let open = self.clients.iter().filter_map(Client::transaction);
        !open.chain(&self.lost).any(Transaction::is_old)
    }

    /// Whether the next stage of the declaration can begin.
    pub(crate) fn can_age(&self) -> bool {
        match self.declaration {
            Declaration::New => true,
            Declaration::Known => self.is_grace_over(),
            Declaration::None | Declaration::Old => false,
        }
    }

    /// The next stage of the declaration. The grace period counts for all who have begun before.
    pub(crate) fn age(&mut self) {
        self.declaration = match self.declaration {
            Declaration::None => Declaration::New,
            Declaration::New => Declaration::Known,
            Declaration::Known | Declaration::Old => Declaration::Old,
        };
        if self.declaration >= Declaration::Known {
            self.transactions().for_each(Transaction::grow_old);
        }
    }

    fn transactions(&mut self) -> impl Iterator<Item = &mut Transaction> {
        let open = self.clients.iter_mut().filter_map(Client::transaction_mut);
        open.chain(&mut self.lost)
    }

    /// Applies the writes, and aborts the transactions that wrote one of the same documents.
    pub(crate) fn commit(&mut self, setup: &Setup, writes: &Writes) {
        for client in &mut self.clients {
            if client.transaction().is_some_and(|it| it.loses_to(writes)) {
                client.open = None;
            }
        }
        self.lost.retain(|it| !it.loses_to(writes));
        if writes.is_rename() {
            self.transactions()
                .for_each(|it| it.on_rename(setup.rules.grace));
        }
        writes.apply(&mut self.database);
        if setup.rules.numbers != Numbers::FromOne {
            self.numbers = self.numbers.max(writes.seq().unwrap_or(0));
        }
    }

    pub(crate) fn follow(&mut self, setup: &Setup, index: usize, next: Next) {
        let snapshot = self.database;
        let client = &mut self.clients[index];
        match next {
            Next::Go(step) => client.step = step,
            Next::Now(after, step) => {
                client.step = step;
                self.commit(setup, &Writes::between(&snapshot, &after));
            }
            Next::Begin(after, _, step) if after == snapshot => client.step = step,
            Next::Begin(after, kind, then) => {
                let writes = Writes::between(&snapshot, &after);
                if writes.is_rename() {
                    self.transactions()
                        .for_each(|it| it.on_stamp(setup.rules.grace));
                }
                let transaction = Some(Transaction::new(writes, kind));
                self.clients[index].open = Some(Open { transaction, then });
            }
        }
    }

    /// The transaction of a client commits. With `w: "majority"` the client waits for the majority.
    pub(crate) fn commit_of(&mut self, setup: &Setup, index: usize) {
        let Some(open) = self.clients[index].open.take() else {
            return;
        };
        let Some(transaction) = open.transaction else {
            return;
        };
        self.commit(setup, &transaction.writes);
        let waits = self.stable.is_some() && setup.rules.concern == Concern::Majority;
        if waits {
            let transaction = None;
            let then = open.then;
            self.clients[index].open = Some(Open { transaction, then });
        } else {
            self.clients[index].step = open.then;
        }
    }

    /// The caller of a client stops to wait, and does what comes next. What it sent may still arrive; what was to
    /// come after the commit is lost.
    pub(crate) fn cancel(&mut self, index: usize) {
        self.cancels -= 1;
        let client = &mut self.clients[index];
        self.lost.extend(client.transaction().copied());
        *client = client.abandon();
    }

    pub(crate) fn crash(&mut self, index: usize) {
        self.crashes -= 1;
        let client = &mut self.clients[index];
        self.lost.extend(client.transaction().copied());
        *client = client.restart();
    }

    pub(crate) fn replicate(&mut self) {
        self.stable = Some(self.database);
        for client in &mut self.clients {
            if let Some(open) = client.open.take_if(|open| open.transaction.is_none()) {
                client.step = open.then;
            }
        }
    }

    pub(crate) fn fail_over(&mut self) {
        if let Some(stable) = self.stable.take() {
            self.database = stable;
        }
        self.lost.clear();
        for client in &mut self.clients {
            client.open = None;
        }
    }

    /// Runners are alike, and so are lost transactions.
    pub(crate) fn normalize(&mut self, setup: &Setup) {
        let runners = self.clients.len() - setup.runners;
        self.clients[runners..].sort_unstable();
        self.lost.sort_unstable();
    }

    /// Whether the majority lacks something that the primary has, or that a client waits for.
    pub(crate) fn is_behind(&self) -> bool {
        let waits = |client: &Client| client.open.is_some_and(|open| open.transaction.is_none());
        self.stable.is_some_and(|stable| stable != self.database) || self.clients.iter().any(waits)
    }
}
