//! The participants of a check, and the events that can occur.

use crate::{
    client::{Client, Op, Ops, Step},
    database::Database,
    fields::{CHILDREN, Child, Field, Fields, Summary},
    goal::Goal,
    rules::Rules,
};

/// How the values of a new child are added to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// By an update in the transaction of the child.
    Inline,
    /// By a delta.
    Delta,
    /// By a job.
    Job,
}

#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) goal: Goal,
    /// The fields that the parent declares.
    pub(crate) fields: Fields,
    /// The values of the children.
    pub(crate) values: [i8; CHILDREN],
    /// The children at the start.
    pub(crate) children: [bool; CHILDREN],
    /// Whether the parent exists at the start.
    pub(crate) has_parent: bool,
    /// The writes of each application, one after the other.
    pub(crate) writers: Vec<Ops>,
    /// The forms that an insert can take.
    pub(crate) forms: Vec<Form>,
    pub(crate) folders: usize,
    /// Maximum number of deltas that a fold takes.
    pub(crate) at_once: usize,
    pub(crate) runners: usize,
    /// Number of processes that can crash.
    pub(crate) crashes: u8,
}

impl Setup {
    /// The full protocol without faults: one writer, one folder, one runner, and a parent without children.
    pub(crate) fn new(fields: &[Field], values: [i8; CHILDREN], writes: Ops) -> Self {
        Self {
            rules: Rules::FULL,
            goal: Goal::All,
            fields: Fields::of(fields),
            values,
            children: [false; CHILDREN],
            has_parent: true,
            writers: vec![writes],
            forms: vec![Form::Inline, Form::Delta],
            folders: 1,
            at_once: 2 * CHILDREN,
            runners: 1,
            crashes: 0,
        }
    }

    pub(crate) fn rule(mut self, change: impl FnOnce(&mut Rules)) -> Self {
        change(&mut self.rules);
        self
    }

    /// The lean protocol, with a change to its rules.
    pub(crate) fn lean(self, change: impl FnOnce(&mut Rules)) -> Self {
        let rules = Rules::LEAN;
        Self { rules, ..self }.rule(change)
    }

    pub(crate) fn goal(self, goal: Goal) -> Self {
        Self { goal, ..self }
    }

    pub(crate) fn writer(mut self, writes: Ops) -> Self {
        self.writers.push(writes);
        self
    }

    pub(crate) fn children(mut self, children: &[Child]) -> Self {
        for child in children {
            self.children[*child] = true;
        }
        self
    }

    pub(crate) fn without_parent(self) -> Self {
        let has_parent = false;
        Self { has_parent, ..self }
    }

    pub(crate) fn form(self, form: Form) -> Self {
        let forms = vec![form];
        Self { forms, ..self }
    }

    pub(crate) fn or_form(mut self, form: Form) -> Self {
        self.forms.push(form);
        self
    }

    pub(crate) fn at_once(self, at_once: usize) -> Self {
        Self { at_once, ..self }
    }

    pub(crate) fn folders(self, folders: usize) -> Self {
        Self { folders, ..self }
    }

    pub(crate) fn runners(self, runners: usize) -> Self {
        Self { runners, ..self }
    }

    pub(crate) fn crashes(self, crashes: u8) -> Self {
        Self { crashes, ..self }
    }

    /// Maximum number of children that can exist at once.
    pub(crate) fn most(&self) -> i8 {
        let inserts = self.writers.iter().flat_map(|ops| ops.iter());
        let inserts = inserts.filter(|op| matches!(op, Op::Insert(_)));
        let at_start = self.children.iter().filter(|is_there| **is_there);
        let most = inserts.count() + at_start.count();
        i8::try_from(most).unwrap_or(i8::MAX)
    }

    /// The value that a child adds to a field.
    pub(crate) fn value(&self, field: Field, child: Child) -> i8 {
        match field {
            Field::Count => 1,
            Field::Max => self.values[child],
            Field::Newest => [1, 2, 3][child],
        }
    }

    /// Computes a field from all these children.
    pub(crate) fn anew(&self, field: Field, children: [bool; CHILDREN]) -> i8 {
        let mut summary = Summary::default();
        for child in (0..CHILDREN).filter(|child| children[*child]) {
            summary.add(field, self.value(field, child));
        }
        summary.get(field)
    }

    /// Computes all declared fields from these children.
    pub(crate) fn summary(&self, children: [bool; CHILDREN]) -> Summary {
        let mut summary = Summary::default();
        for field in self.fields.iter() {
            summary.set(field, self.anew(field, children));
        }
        summary
    }

    /// Whether the parent is missing, or equals the values computed from its children.
    pub(crate) fn is_right(&self, database: &Database) -> bool {
        let expected = self.summary(database.children);
        database.parent.is_none_or(|parent| parent == expected)
    }

    /// Writers, then folders, then runners.
    pub(crate) fn clients(&self) -> Vec<Client> {
        let writers = self.writers.iter().map(|ops| Step::Write(ops));
        let folders = std::iter::repeat_n(Step::Fold, self.folders);
        let runners = std::iter::repeat_n(Step::Idle, self.runners);
        let steps = writers.chain(folders).chain(runners);
        steps.map(Client::new).collect()
    }

    pub(crate) fn initial(&self) -> Database {
        let parent = self.has_parent.then(|| self.summary(self.children));
        Database {
            parent,
            children: self.children,
            deltas: [None; CHILDREN],
            leaves: [None; CHILDREN],
            job: None,
        }
    }
}
