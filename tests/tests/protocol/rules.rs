//! The rules of the protocol, and the ways to break or change each of them.

/// A protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) job: JobWrite,
    pub(crate) numbers: Numbers,
    pub(crate) cursor: CursorWrite,
    pub(crate) batch: BatchRead,
    pub(crate) settle: Settle,
    pub(crate) grace: Grace,
    pub(crate) completion: Completion,
    pub(crate) reread: Reread,
    pub(crate) concern: Concern,
    pub(crate) marks: Marks,
    pub(crate) cancelled: Cancelled,
    pub(crate) others: Others,
    pub(crate) sweep: Sweep,
}

impl Rules {
    /// The protocol of the library.
    pub(crate) const FULL: Self = Self {
        job: JobWrite::WithRename,
        numbers: Numbers::EveryPass,
        cursor: CursorWrite::CompareAndSet,
        batch: BatchRead::Job,
        settle: Settle::Sweep,
        grace: Grace::SinceCommit,
        completion: Completion::ReadsJob,
        reread: Reread::AfterCommit,
        concern: Concern::Majority,
        marks: Marks::UntilAllHaveEnded,
        cancelled: Cancelled::Whole,
        others: Others::HandedOn,
        sweep: Sweep::Anew,
    };
}

/// Where a rename writes the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobWrite {
    /// One for each relation, in its own transaction.
    WithRename,
    /// One for the source, which names its first relation.
    FirstRelation,
    Never,
}

/// Which numbers `seq` goes through. They are only ever compared for equality, so that ids do as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// A rename takes a number that no job of this source ever had, and so does the change from run to
    /// settle: every pass over the copies has a number of its own.
    EveryPass,
    /// A rename takes a number that no job ever had; its run and its settle sweep share it.
    EveryRename,
    /// `$inc`: after a job was removed, the next one starts at 1 again.
    FromOne,
}

/// How a batch writes the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CursorWrite {
    /// `updateOne({_id, seq: seen.seq, lo: seen.lo}, {$set: {seq, lo}})`; no match ends the pass.
    CompareAndSet,
    /// `updateOne({_id}, {$set: {seq, lo}, $inc: {writes: 1}}, {upsert: true})`.
    Counted,
    /// `updateOne({_id}, {$set: {seq, lo}}, {upsert: true})`.
    Unconditional,
    Never,
}

/// What a batch reads besides the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchRead {
    /// The job. A batch of another `seq` is not begun.
    Job,
    Nothing,
}

/// What comes between the last pass of a run and the completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settle {
    /// The grace period, then a sweep over all copies.
    Sweep,
    SweepWithoutGrace,
    GraceWithoutSweep,
    Nothing,
}

impl Settle {
    pub(crate) fn has_grace(self) -> bool {
        matches!(self, Self::Sweep | Self::GraceWithoutSweep)
    }

    pub(crate) fn has_sweep(self) -> bool {
        matches!(self, Self::Sweep | Self::SweepWithoutGrace)
    }
}

/// Which transactions have ended for certain when the grace period is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grace {
    /// All that began before the last rename committed. A rename writes `changed_at` before it commits,
    /// so that `changed_at + G` means this if `G` is as long as two transactions can live.
    SinceCommit,
    /// All that began before the last rename wrote `changed_at`: `G` is as long as one can live.
    SinceStamp,
    /// Those of [`Grace::SinceCommit`], except the batches of runners:
    /// `transactionLifetimeLimitSeconds` was raised beyond `G`.
    ExceptBatches,
}

/// What the transaction that removes job and cursor checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// `findOne({_id, seq})` on the job, then both deletes by `_id`.
    ReadsJob,
    /// No read; `deleteOne({_id, seq})` on the job and on the cursor.
    FilteredDeletes,
    /// As [`Completion::ReadsJob`], and the cursor must stand at the end of this very pass.
    ReadsJobAndCursor,
    /// As [`Completion::ReadsJob`]; what is deleted are jobs and cursors of all relations of the source.
    OfSource,
    Unchecked,
}

/// Whether who inserted a copy reads the source again after the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reread {
    AfterCommit,
    Never,
}

/// The write concern of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    Majority,
    /// `w: 1`
    Primary,
}

/// How long who stores copies leaves jobs, because renamers may not know of the copies yet; and how long these jobs
/// wait with the settle sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// As long as a rename may commit that began without knowing. The sweep waits for all who left a job.
    UntilAllHaveEnded,
    /// As long as a rename may begin without knowing.
    UntilAllKnow,
    /// The sweep waits for no more than the grace period.
    WithoutWait,
    Never,
}

/// What becomes of a write whose caller stops to wait, within a transaction that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancelled {
    /// It is done as a whole, since it is one task.
    Whole,
    /// It ends where it stands: the source is written, and what follows is not.
    InPart,
}

/// What the older version of a program does with copies that only the newer one knows, when it ends a job of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// It leaves a job for them.
    HandedOn,
    Forgotten,
}

/// Where a version of the program goes on with a settle sweep that the other one has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sweep {
    /// At the first copy: the settle sweep is one look at all copies.
    Anew,
    /// Where the other one stopped.
    Resumed,
}
