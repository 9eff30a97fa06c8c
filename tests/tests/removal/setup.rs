//! The participants of a check, and the events that can occur.

use crate::{
    client::{Client, Step},
    database::{CHILDREN, Child, Database, Value},
    goal::Goal,
    rules::{Removal, Rule, Rules},
};

#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) removal: Removal,
    pub(crate) goal: Goal,
    /// The source at the start.
    source: Option<Value>,
    /// The first step of each writer. The writers run concurrently.
    writers: Vec<Step>,
    runners: usize,
    /// Number of processes that can crash.
    pub(crate) crashes: u8,
}

impl Setup {
    /// The protocol of the library without faults, with an old source, no children, and one runner.
    pub(crate) fn new(removal: Removal, writers: &[Step]) -> Self {
        Self {
            rules: Rules::FULL,
            removal,
            goal: Goal::All,
            source: Some(Value::Old),
            writers: writers.to_vec(),
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

    pub(crate) fn without_source(self) -> Self {
        let source = None;
        Self { source, ..self }
    }

    pub(crate) fn runners(self, runners: usize) -> Self {
        Self { runners, ..self }
    }

    pub(crate) fn crashes(self, crashes: u8) -> Self {
        Self { crashes, ..self }
    }

    pub(crate) fn initial(&self) -> Database {
        Database {
            source: self.source,
            children: [Child::Missing; CHILDREN],
            jobs: [None; 2],
        }
    }

    pub(crate) fn clients(&self) -> Vec<Client> {
        let writers = self.writers.iter().map(|step| Client::new(*step));
        let runners = std::iter::repeat_n(Client::new(Step::Idle), self.runners);
        writers.chain(runners).collect()
    }
}
