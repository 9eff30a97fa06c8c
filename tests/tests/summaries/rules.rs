//! The rules of the protocol, and for each the ways to break or to change it.

/// A protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) delta: DeltaWrite,
    pub(crate) fold: Fold,
    pub(crate) rebuild: Rebuild,
    pub(crate) pending: Pending,
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
