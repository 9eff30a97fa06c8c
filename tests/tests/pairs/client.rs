//! A process: its current state and its next step.

use crate::{
    database::{Id, Ids, Phase},
    machine::Open,
};

/// A process. What it knows is in its step; what it asked the server for, in its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// Where it stands, and goes back to when its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
    /// How many writes of its choice it has left.
    pub(crate) choices: u8,
}

/// A write of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Op {
    /// Adds the second one to the array of the first one.
    Link(Id, Id),
    /// Takes the second one out of the array of the first one.
    Unlink(Id, Id),
    /// Makes both name each other, also where the first one names the second one already: `link`.
    Make(Id, Id),
    /// Makes neither name the other, also where the first one does not name the second one: `unlink`.
    End(Id, Id),
    /// Inserts a document that names these.
    Insert(Id, &'static [Id]),
    Delete(Id),
    /// Takes out of the array of a document those that do not name it.
    RemoveOneSided(Id),
}

/// The writes that an application has left.
pub(crate) type Ops = &'static [Op];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A writer is about to do the first of these.
    Write(Ops),
    /// It has committed, and looks once more.
    Look(Look, Ops),

    /// A runner looks for a job.
    Idle,
    Claimed(Claim),
    /// It has added what the array lacked.
    Added(Claim),
}

/// What is looked for after a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Look {
    /// Documents that were not there.
    pub(crate) awaited: Ids,
    /// A new document, and those of whom is known that they name it or are named by it.
    pub(crate) arrived: Option<(Id, Ids)>,
}

/// A job that a runner has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Claim {
    pub(crate) id: Id,
    pub(crate) phase: Phase,
    /// Whether the job still has the version that was read.
    pub(crate) is_current: bool,
}

impl Client {
    pub(crate) fn new(step: Step) -> Self {
        let (open, choices) = (None, 0);
        Self {
            step,
            open,
            choices,
        }
    }

    /// A writer that does so many writes of its choice.
    pub(crate) fn choosing(choices: u8) -> Self {
        let step = Step::Write(&[]);
        Self {
            choices,
            ..Self::new(step)
        }
    }

    /// Whether a crash now loses something that the others could miss.
    pub(crate) fn can_crash(&self) -> bool {
        self.open.is_some() || !matches!(self.step, Step::Write(_) | Step::Idle)
    }

    /// What another process stands at in its place: nobody does a write a second time, or what comes after a commit.
    pub(crate) fn restart(&self) -> Self {
        let step = match self.step {
            Step::Write(ops) => Step::Write(ops.get(1..).unwrap_or_default()),
            Step::Look(_, ops) => Step::Write(ops),
            Step::Idle | Step::Claimed(_) | Step::Added(_) => Step::Idle,
        };
        Self {
            choices: self.choices,
            ..Self::new(step)
        }
    }

    /// The claims that it knows.
    pub(crate) fn claims(&mut self) -> impl Iterator<Item = &mut Claim> {
        let then = self.open.as_mut().map(|open| &mut open.then);
        then.into_iter()
            .chain([&mut self.step])
            .filter_map(|step| match step {
                Step::Claimed(claim) | Step::Added(claim) => Some(claim),
                _ => None,
            })
    }
}
