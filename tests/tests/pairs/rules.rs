//! The rules of the protocol, and for each the ways to break or to change it.

/// A protocol.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule")]
pub(crate) struct Rules {
    pub(crate) mirror: Mirror,
    /// Whether who finds nothing to take away writes the array all the same.
    pub(crate) touches: bool,
    /// Whether who finds no document at the other end leaves a job for it.
    pub(crate) marks_missing: bool,
    /// Whether who finds nothing to add or to take away leaves a job.
    pub(crate) marks_unchanged: bool,
    /// Whether who takes away what one end alone names leaves a job for the other end.
    pub(crate) marks_removed: bool,
    /// Whether an insert looks in its transaction who names the new document.
    pub(crate) looks: bool,
    /// Whether who inserted a document looks once more who names it, after the commit.
    pub(crate) looks_again: bool,
    /// Whether who found no document at the other end looks for it once more, after the commit.
    pub(crate) awaits: bool,
    pub(crate) batch: Batch,
    pub(crate) grace: Grace,
}

impl Rules {
    /// The protocol of the library: two writers of one link meet at an array, which both write.
    pub(crate) const FULL: Self = Self {
        mirror: Mirror::WithWrite,
        touches: true,
        marks_missing: true,
        marks_unchanged: true,
        marks_removed: false,
        looks: true,
        looks_again: true,
        awaits: true,
        batch: Batch::Adds,
        grace: Grace::TwoLives,
    };

    /// Another one: they meet at an array or at its job. Whoever finds nothing to take away leaves the job, and who adds
    /// for the job writes it. So it does not matter what the array is, or whether it is there.
    pub(crate) const LEAN: Self = Self {
        touches: false,
        marks_removed: true,
        batch: Batch::WritesJob,
        grace: Grace::OneLife,
        ..Self::FULL
    };
}

/// When the array at the other end of a link is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mirror {
    /// In the transaction of the first one.
    WithWrite,
    /// By a job.
    ByJob,
}

/// What a batch of a job does beside adding what an array lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Batch {
    /// Nothing.
    Adds,
    /// It writes the job, and adds nothing if that is gone.
    WritesJob,
}

/// When the last look comes, after which the job is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grace {
    /// When all transactions have ended that began before the last change of the job, and those that began before one of
    /// these has ended.
    TwoLives,
    /// When all transactions have ended that began before the last change of the job.
    OneLife,
    Zero,
}
