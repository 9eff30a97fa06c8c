//! The rules of the protocol, and the ways to break or change each of them.

/// A protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) delta: DeltaWrite,
    pub(crate) fold: Fold,
    pub(crate) rebuild: Rebuild,
    pub(crate) pending: Pending,
    pub(crate) behind: Behind,
    pub(crate) running: Running,
    pub(crate) order: Order,
    pub(crate) below_none: BelowNone,
    /// A child is written without a parent.
    pub(crate) absent: Mark,
    /// A child is inserted, and changes nothing in the parent.
    pub(crate) unchanged: Mark,
    /// A child is removed, and a field stays as it is.
    pub(crate) stays: Mark,
    /// A child is removed, and a field is computed anew.
    pub(crate) anew: Mark,
    /// Deltas are folded, and change nothing in the parent.
    pub(crate) idle_fold: Mark,
    /// Deltas are removed without a parent.
    pub(crate) dropped: Mark,
    /// A parent is inserted.
    pub(crate) arrival: Mark,
    /// A new parent is corrected after its commit.
    pub(crate) correction: Mark,
    /// The last look of a runner changes the parent.
    pub(crate) look: Mark,
    pub(crate) second_look: SecondLook,
    pub(crate) settle: Settle,
}

impl Rules {
    /// The full protocol: who has decided by what others do not see leaves a job.
    pub(crate) const FULL: Self = Self {
        delta: DeltaWrite::WithChild,
        fold: Fold::Deletes,
        rebuild: Rebuild::TakesOut,
        pending: Pending::Anew,
        behind: Behind::Waits,
        running: Running::WaitedFor,
        order: Order::Server,
        below_none: BelowNone::Anew,
        absent: Mark::Job,
        unchanged: Mark::Job,
        stays: Mark::Job,
        anew: Mark::Job,
        idle_fold: Mark::Job,
        dropped: Mark::Job,
        arrival: Mark::Never,
        correction: Mark::Job,
        look: Mark::Never,
        second_look: SecondLook::AfterCommit,
        settle: Settle::AfterGrace,
    };

    /// Another one, with fewer jobs. Who computes anew leaves one, and the last look of a runner is the last when it
    /// has changed nothing. So nobody needs one who only adds, or leaves the parent as it is.
    pub(crate) const LEAN: Self = Self {
        unchanged: Mark::Never,
        stays: Mark::Never,
        idle_fold: Mark::Never,
        arrival: Mark::IfThere,
        look: Mark::Job,
        ..Self::FULL
    };
}

/// Whether a transaction leaves a job, which is due after the grace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Job,
    /// It renews one that is there.
    IfThere,
    Never,
}

/// Where the delta of a child is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeltaWrite {
    /// In the transaction of the child.
    WithChild,
    Before,
    After,
}

/// What becomes of deltas that were folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// They are deleted in the same transaction.
    Deletes,
    /// They are deleted after it.
    DeletesLater,
}

/// What becomes of deltas whose children were counted anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rebuild {
    /// The computed fields are taken out of them.
    TakesOut,
    Ignores,
}

/// What a child that leaves does to a field that has a delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// The field is computed anew, because the child may be in the delta.
    Anew,
    /// As if there were none.
    Ignored,
}

/// What a write of a child that is already there does to a count of its parent, while something waits for the parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// It leaves a delta, because the insert of the child may be in what waits.
    Waits,
    /// It folds the deltas in its transaction, or computes the count of a parent that has a job to run
    /// (`atomic()`).
    Folds,
    /// As if nothing waited.
    Ignored,
}

/// What a job that is to be run means to others, because it may be due to the insert of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Running {
    /// Deltas are not folded before it, and what depends on others waits as it does behind a delta.
    WaitedFor,
    /// Deltas are folded beside it.
    FoldedBeside,
    /// As if there were no job.
    Ignored,
}

/// The order in which a fold takes deltas, if there are more than it can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By the logical clock of the server: what depends on another one comes after it.
    Server,
    /// By ids, which the clocks of programs determine: in the worst case the last one comes first.
    Ids,
}

/// What an addition does that would make a count negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BelowNone {
    /// The condition of the update does not match, and the parent is computed again.
    Anew,
    Written,
}

/// Whether who wrote a child without a parent, or a parent, looks once more after the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecondLook {
    AfterCommit,
    Never,
}

/// When the last look at the parent comes, after which the job is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settle {
    /// When all transactions have ended that began before the last change of the job.
    AfterGrace,
    AtOnce,
}
