//! The participants of a check, and the events that can occur.

use std::ops::Range;

use crate::{
    client::{Client, Step},
    database::{COPIES, Database, Relation, Value},
    goal::Goal,
    rules::Rules,
    state::{Declaration, World},
};

/// The key of the inserted copy. With two other copies, it is the middle one, so the insert can be ahead of a pass or
/// behind it.
pub(crate) const INSERTED: usize = 1;

/// How a rename reaches the copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// In its own transaction.
    Small,
    /// By a run.
    Large,
    /// Not at all: the renamer does not know the copies.
    Unknowing,
    /// Not at all: the caller of the rename stopped waiting, and the transaction was committed all the same.
    Cut,
}

/// How a copy is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insert {
    Never,
    /// All renamers know the copies.
    Known,
    /// The inserter declares the copies, and renamers might not know them yet.
    Declared,
    /// In a transaction of the application that also renames the source.
    WithRename(&'static [Value]),
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
    /// Number of relations by which the source is copied. The copies are assigned to them in turn.
    pub(crate) relations: usize,
    /// Number of these relations that renamers and runners know. The others belong to programs that are not running.
    pub(crate) known: usize,
    /// Number of copies at the start.
    pub(crate) copies: usize,
    /// Whether and how one more copy is inserted.
    pub(crate) insert: Insert,
    /// Whether the second relation is one that an older version of the program does not know.
    pub(crate) versions: bool,
    /// Number of callers that can stop waiting.
    pub(crate) cancels: u8,
    /// Number of processes that can crash.
    pub(crate) crashes: u8,
    /// Whether the primary can fail once.
    pub(crate) failover: bool,
}

impl Setup {
    /// The full protocol without faults: one renamer that uses the small and the large form, one runner, one copy at
    /// the start and one inserted copy.
    pub(crate) fn new(renames: &'static [Value]) -> Self {
        Self {
            rules: Rules::FULL,
            goal: Goal::All,
            renamers: vec![renames],
            forms: vec![Form::Small, Form::Large],
            runners: 1,
            relations: 1,
            known: 1,
            copies: 1,
            insert: Insert::Known,
            versions: false,
            cancels: 0,
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

    /// Copies the source by two relations. The inserted copy belongs to the second.
    pub(crate) fn two_relations(self) -> Self {
        let (relations, known) = (2, 2);
        Self {
            relations,
            known,
            ..self
        }
    }

    /// As [`two_relations`](Self::two_relations), but no running program knows the second relation.
    pub(crate) fn one_unknown(self) -> Self {
        let known = 1;
        Self {
            known,
            ..self.two_relations()
        }
    }

    pub(crate) fn copies(self, copies: usize) -> Self {
        Self { copies, ..self }
    }

    pub(crate) fn without_insert(self) -> Self {
        let insert = Insert::Never;
        Self { insert, ..self }
    }

    /// Declares the copies while renamers run. There are no copies before.
    pub(crate) fn declared_late(self) -> Self {
        let insert = Insert::Declared;
        Self { insert, ..self }
    }

    /// Inserts the copy in a transaction that also renames the source.
    pub(crate) fn transacts(self, to: &'static [Value]) -> Self {
        let insert = Insert::WithRename(to);
        Self { insert, ..self }
    }

    /// Two versions of a program. For the newer version, the second relation is a part of the first. The older version
    /// knows the second relation only from its declaration. The first renamer and the first runner run the newer
    /// version, and the others run the older version.
    pub(crate) fn versions(self) -> Self {
        let versions = true;
        Self {
            versions,
            ..self.two_relations()
        }
    }

    pub(crate) fn cancels(self, cancels: u8) -> Self {
        Self { cancels, ..self }
    }

    pub(crate) fn crashes(self, crashes: u8) -> Self {
        Self { crashes, ..self }
    }

    pub(crate) fn failover(self) -> Self {
        let failover = true;
        Self { failover, ..self }
    }

    /// Number of copies at the end.
    fn ranges(&self) -> usize {
        self.copies + usize::from(self.insert != Insert::Never)
    }

    /// Whether programs of a version write the copies of a relation.
    pub(crate) fn knows(&self, is_older: bool, of: Relation) -> bool {
        of < self.known && !(is_older && of > 0)
    }

    /// The copies that a pass over a relation visits for one key. For the newer of two versions, each document has one
    /// copy of each relation.
    pub(crate) fn visited(&self, is_older: bool, of: Relation, key: usize) -> Range<usize> {
        let is_of_both = self.versions && !is_older && of == 0;
        key..self.ranges().min(key + 1 + usize::from(is_of_both))
    }

    /// The keys of the copies of a relation: a pass visits ranges with one key in each.
    pub(crate) fn keys(&self, of: Relation) -> impl Iterator<Item = usize> + use<> {
        (of..self.ranges()).step_by(self.relations)
    }

    /// The documents at the start.
    pub(crate) fn initial(&self) -> Database {
        Database::new(self.initial_copies())
    }

    pub(crate) fn world(&self) -> World {
        World {
            stable: self.failover.then(|| self.initial()),
            numbers: 0,
            cancels: self.cancels,
            declaration: match self.insert {
                Insert::Declared => Declaration::None,
                Insert::Never | Insert::Known | Insert::WithRename(_) => Declaration::Old,
            },
        }
    }

    /// Renamers, then the inserter, then the runners.
    pub(crate) fn clients(&self) -> Vec<Client> {
        // With two versions, the first renamer and the first runner run the newer version.
        let of_version = |at: usize, step| Client::of(self.versions && at > 0, step);
        let renamers = self.renamers.iter().enumerate();
        let renamers = renamers.map(|(at, to)| of_version(at, Step::Rename(to)));
        let inserter = match self.insert {
            Insert::Never => None,
            Insert::Known => Some(Step::Insert),
            Insert::Declared => Some(Step::Declare),
            Insert::WithRename(to) => Some(Step::Transact(to)),
        };
        let runners = (0..self.runners).map(|at| of_version(at, Step::Idle));
        let inserter = inserter.map(|step| Client::of(false, step));
        renamers.chain(inserter).chain(runners).collect()
    }

    fn initial_copies(&self) -> [Option<Value>; COPIES] {
        std::array::from_fn(|key| {
            let is_later = self.insert != Insert::Never && key == INSERTED;
            (key < self.ranges() && !is_later && self.insert != Insert::Declared)
                .then_some(Value::A)
        })
    }
}
