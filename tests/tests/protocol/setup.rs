//! Who takes part in a check, and what may happen.

use crate::{
    database::{COPIES, Value},
    goal::Goal,
    rules::Rules,
};

/// The key of a copy that is inserted. With two others it is the middle one, so that the insert may
/// land in front of a pass and behind it.
pub(crate) const INSERTED: usize = 1;

/// How a rename reaches the copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// In its own transaction.
    Small,
    /// By a run.
    Large,
}

#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) goal: Goal,
    /// The values that each renamer gives to the source, one after the other.
    pub(crate) renamers: Vec<&'static [Value]>,
    /// The forms that a rename can take.
    pub(crate) forms: Vec<Form>,
    pub(crate) runners: usize,
    /// The copies at the start.
    pub(crate) copies: usize,
    /// Whether one more is inserted.
    pub(crate) inserts: bool,
    /// How many processes may crash.
    pub(crate) crashes: u8,
    /// Whether the primary may fail once.
    pub(crate) failover: bool,
}

impl Setup {
    /// The full protocol with one renamer of all forms, one runner, one copy and another that is
    /// inserted, and nothing that fails.
    pub(crate) fn new(renames: &'static [Value]) -> Self {
        Self {
            rules: Rules::FULL,
            goal: Goal::All,
            renamers: vec![renames],
            forms: vec![Form::Small, Form::Large],
            runners: 1,
            copies: 1,
            inserts: true,
            crashes: 0,
            failover: false,
        }
    }

    pub(crate) fn rule(mut self, change: impl FnOnce(&mut Rules)) -> Self {
        change(&mut self.rules);
        self
    }

    pub(crate) fn goal(self, goal: Goal) -> Self {
        Self { goal, ..self }
    }

    pub(crate) fn another_renamer(mut self, renames: &'static [Value]) -> Self {
        self.renamers.push(renames);
        self
    }

    pub(crate) fn form(mut self, form: Form) -> Self {
        self.forms.retain(|it| *it == form);
        self
    }

    pub(crate) fn runners(self, runners: usize) -> Self {
        Self { runners, ..self }
    }

    pub(crate) fn copies(self, copies: usize) -> Self {
        Self { copies, ..self }
    }

    pub(crate) fn without_insert(self) -> Self {
        let inserts = false;
        Self { inserts, ..self }
    }

    pub(crate) fn crashes(self, crashes: u8) -> Self {
        Self { crashes, ..self }
    }

    pub(crate) fn failover(self) -> Self {
        let failover = true;
        Self { failover, ..self }
    }

    /// The number of ranges that a pass visits: there is one key in each.
    pub(crate) fn ranges(&self) -> usize {
        self.copies + usize::from(self.inserts)
    }

    /// The values of the copies at the start.
    pub(crate) fn initial_copies(&self) -> [Option<Value>; COPIES] {
        std::array::from_fn(|key| {
            let is_later = self.inserts && key == INSERTED;
            (key < self.ranges() && !is_later).then_some(Value::A)
        })
    }
}
