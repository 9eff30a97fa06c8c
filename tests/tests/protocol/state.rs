//! The rest of the state: the majority, the declaration, and numbers of jobs.

pub(crate) use crate::age::{Age, age};
use crate::{
    client::Client,
    database::{Database, Relation, Writes},
    machine::State,
    rules::{Concern, Numbers, Rules},
    setup::Setup,
};

/// The stage of the declaration of the copies in `_odm_schema`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Declaration {
    None,
    /// It is written. Renamers may or may not have read it.
    New,
    /// Every rename that begins knows the copies, because a renamer that has not read the declarations for a minute
    /// reads them first.
    Known,
    /// Every rename that began without knowing the copies has ended.
    Old,
}

/// The state besides the database of the primary and the clients.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    /// The database of the majority, as long as the primary can fail. `None` if it equals the database of the primary.
    pub(crate) stable: Option<Database>,
    /// The largest `seq` that a job ever had. It represents any source of new numbers, such as time or random ids.
    pub(crate) numbers: u8,
    pub(crate) cancels: u8,
    pub(crate) declaration: Declaration,
}

impl State {
    /// The database that a read with read concern majority sees.
    pub(crate) fn majority(&self) -> &Database {
        self.world.stable.as_ref().unwrap_or(&self.database)
    }

    pub(crate) fn next_seq(&self, rules: &Rules, of: Relation) -> u8 {
        let last = match rules.numbers {
            Numbers::EveryPass | Numbers::EveryRename => self.world.numbers,
            Numbers::FromOne => self.database.jobs[of].map_or(0, |job| job.seq),
        };
        last + 1
    }

    pub(crate) fn is_grace_over(&self) -> bool {
        !self.transactions().any(|it| it.age.is_old())
    }

    /// Whether the next stage of the declaration can begin.
    pub(crate) fn can_age(&self) -> bool {
        match self.world.declaration {
            Declaration::New => true,
            Declaration::Known => self.is_grace_over(),
            Declaration::None | Declaration::Old => false,
        }
    }

    /// Begins the next stage of the declaration. From `Known` on, the grace period waits for all transactions that
    /// began before the stage.
    pub(crate) fn age(&mut self) {
        self.world.declaration = match self.world.declaration {
            Declaration::None => Declaration::New,
            Declaration::New => Declaration::Known,
            Declaration::Known | Declaration::Old => Declaration::Old,
        };
        if self.world.declaration >= Declaration::Known {
            self.transactions_mut().for_each(|it| it.age.grow_old());
        }
    }

    /// A transaction begins. The transaction of a rename reads the clock for `changed_at`.
    pub(crate) fn began(&mut self, setup: &Setup, writes: &Writes) {
        if writes.is_rename() {
            self.transactions_mut()
                .for_each(|it| it.age.on_stamp(setup.rules.grace));
        }
    }

    pub(crate) fn committed(&mut self, setup: &Setup, writes: &Writes) {
        if setup.rules.numbers != Numbers::FromOne {
            self.world.numbers = self.world.numbers.max(writes.seq().unwrap_or(0));
        }
    }

    /// Whether a client waits for the majority: with `w: "majority"`.
    pub(crate) fn waits_for_majority(&self, setup: &Setup) -> bool {
        self.world.stable.is_some() && setup.rules.concern == Concern::Majority
    }

    /// The caller of a client stops waiting, and continues. The transaction that it has sent may still arrive, but the
    /// steps after the commit are lost.
    pub(crate) fn cancel(&mut self, index: usize) {
        self.world.cancels -= 1;
        let client = &mut self.clients[index];
        self.lost.extend(client.transaction().copied());
        *client = client.abandon();
    }

    pub(crate) fn replicate(&mut self) {
        self.world.stable = Some(self.database);
        for client in &mut self.clients {
            if let Some(open) = client.open.take_if(|open| open.transaction.is_none()) {
                client.step = open.then;
            }
        }
    }

    pub(crate) fn fail_over(&mut self) {
        if let Some(stable) = self.world.stable.take() {
            self.database = stable;
        }
        self.lost.clear();
        for client in &mut self.clients {
            client.open = None;
        }
    }

    /// Sorts the runners and the lost transactions, because their order does not matter.
    pub(crate) fn normalize(&mut self, setup: &Setup) {
        let runners = self.clients.len() - setup.runners;
        self.clients[runners..].sort_unstable();
        self.lost.sort_unstable();
    }

    /// Whether the majority lacks a write of the primary, or a client waits for the majority.
    pub(crate) fn is_behind(&self) -> bool {
        let waits = |client: &Client| client.open.is_some_and(|open| open.transaction.is_none());
        self.world
            .stable
            .is_some_and(|stable| stable != self.database)
            || self.clients.iter().any(waits)
    }
}
