//! The participants of a check, and the events that can occur.

use crate::{
    client::{Client, Ops, Step},
    database::{Database, Document, Id, Job, Phase, Written, ids},
    goal::Goal,
    rules::{Rule, Rules},
};

#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) goal: Goal,
    /// The database at the start.
    pub(crate) database: Database,
    /// The writes of each application, one after the other.
    pub(crate) writers: Vec<Ops>,
    /// For each other application, the number of writes that it chooses.
    pub(crate) choosers: Vec<u8>,
    /// The writes that these applications can choose.
    pub(crate) choice: &'static [Ops],
    pub(crate) runners: usize,
    /// Number of processes that can crash.
    pub(crate) crashes: u8,
}

impl Setup {
    /// The protocol of the library without faults, with these documents and one runner.
    pub(crate) fn new(documents: &[(Id, &[Id])]) -> Self {
        let mut database = Database::default();
        for (id, names) in documents {
            let array = Some(ids(names));
            database.documents[*id] = Some(Document { array });
        }
        Self {
            rules: Rules::FULL,
            goal: Goal::All,
            database,
            writers: Vec::new(),
            choosers: Vec::new(),
            choice: &[],
            runners: 1,
            crashes: 0,
        }
    }

    /// The protocol without a rule.
    pub(crate) fn without(mut self, rule: Rule) -> Self {
        *rule(&mut self.rules) = false;
        self
    }

    pub(crate) fn goal(self, goal: Goal) -> Self {
        Self { goal, ..self }
    }

    /// A document whose array is null or missing.
    pub(crate) fn without_array(mut self, id: Id) -> Self {
        self.database.documents[id] = Some(Document { array: None });
        self
    }

    /// The job of a document is due, because a repair or a second look has stored it.
    pub(crate) fn due(mut self, id: Id) -> Self {
        let (phase, written) = (Phase::Run, Written::Nothing);
        self.database.jobs[id] = Some(Job { phase, written });
        self
    }

    pub(crate) fn writer(mut self, writes: Ops) -> Self {
        self.writers.push(writes);
        self
    }

    /// Writers that each do this number of writes, and choose each write from `choice`.
    pub(crate) fn choosers(self, choice: &'static [Ops], writes: &[u8]) -> Self {
        let choosers = writes.to_vec();
        Self {
            choosers,
            choice,
            ..self
        }
    }

    pub(crate) fn runners(self, runners: usize) -> Self {
        Self { runners, ..self }
    }

    pub(crate) fn crashes(self, crashes: u8) -> Self {
        Self { crashes, ..self }
    }

    pub(crate) fn initial(&self) -> Database {
        self.database
    }

    /// Writers, then those that choose, then runners.
    pub(crate) fn clients(&self) -> Vec<Client> {
        let writers = self.writers.iter().map(|ops| Client::new(Step::Write(ops)));
        let choosers = self.choosers.iter().map(|writes| Client::choosing(*writes));
        let runners = std::iter::repeat_n(Client::new(Step::Idle), self.runners);
        writers.chain(choosers).chain(runners).collect()
    }
}
