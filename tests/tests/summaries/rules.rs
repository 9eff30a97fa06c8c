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
    /// The job of a write of a child without a parent.
    pub(crate) absent: Mark,
    /// The job of an insert of a child that changes nothing in the parent.
    pub(crate) unchanged: Mark,
    /// The job of a removal of a child that leaves a field unchanged.
    pub(crate) stays: Mark,
    /// The job of a removal of a child that recomputes a field.
    pub(crate) anew: Mark,
    /// The job of a fold that changes nothing in the parent.
    pub(crate) idle_fold: Mark,
    /// The job of a fold that removes deltas without a parent.
    pub(crate) dropped: Mark,
    /// The job of an insert of a parent.
    pub(crate) arrival: Mark,
    /// The job of the correction of a new parent after its commit.
    pub(crate) correction: Mark,
    /// The job of a last look that changes the parent.
    pub(crate) look: Mark,
    pub(crate) second_look: SecondLook,
    pub(crate) settle: Settle,
}

impl Rules {
    /// The full protocol: a transaction stores a job if its decision depends on data that other transactions cannot
    /// see.
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

    /// A different protocol with fewer jobs. A recomputation stores a job, and the last look of a runner is only the
    /// last if it has changed nothing. So a transaction that only adds, or leaves the parent unchanged, needs no job.
    pub(crate) const LEAN: Self = Self {
        unchanged: Mark::Never,
        stays: Mark::Never,
        idle_fold: Mark::Never,
        arrival: Mark::IfThere,
        look: Mark::Job,
        ..Self::FULL
    };
}

/// Whether a transaction stores a job that is due after the grace period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Job,
    /// The transaction renews an existing job.
    IfThere,
    Never,
}

/// When the delta of a child is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeltaWrite {
    /// In the transaction of the child.
    WithChild,
    Before,
    After,
}

/// What happens to folded deltas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// They are deleted in the same transaction.
    Deletes,
    /// They are deleted after this transaction.
    DeletesLater,
}

/// What happens to deltas whose children a recomputation has counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rebuild {
    /// The computed fields are removed from the deltas.
    TakesOut,
    Ignores,
}

/// The effect of the removal of a child on a field with a pending delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// The field is recomputed, because the delta may contain the child.
    Anew,
    /// As if there were no delta.
    Ignored,
}

/// The effect of a write of an existing child on the count of its parent, while a delta or a job is pending for the
/// parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// It stores a delta, because the pending delta or job may contain the insert of the child.
    Waits,
    /// It folds the deltas in its transaction, or recomputes the count if the parent has a job to run (`atomic()`).
    Folds,
    /// As if nothing were pending.
    Ignored,
}

/// The effect of a job that still has to run on other transactions. The insert of a child may have stored this job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Running {
    /// Deltas are not folded before the run, and writes that depend on earlier writes wait as they wait for a delta.
    WaitedFor,
    /// Deltas are folded before the run.
    FoldedBeside,
    /// As if there were no job.
    Ignored,
}

/// The order in which a fold takes deltas, if there are more than it can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By the logical clock of the server: a delta that depends on an earlier delta comes after it.
    Server,
    /// By ids, which the clocks of programs determine: in the worst case, the latest delta comes first.
    Ids,
}

/// What happens if an addition would make a count negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BelowNone {
    /// The condition of the update does not match, and the parent is recomputed.
    Anew,
    Written,
}

/// Whether the writer of a parent, or of a child without a parent, looks again after the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecondLook {
    AfterCommit,
    Never,
}

/// When the last look at the parent begins. The job is removed after the last look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settle {
    /// When all transactions have ended that began before the latest change of the job.
    AfterGrace,
    AtOnce,
}
