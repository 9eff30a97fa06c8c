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

/// Which jobs a rename writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobWrite {
    /// One job for each relation, in the transaction of the rename.
    WithRename,
    /// One job for the source, which contains only the first relation.
    FirstRelation,
    Never,
}

/// The numbers that `seq` can have. They are only compared for equality, so ids are also suitable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// A rename takes a number that no job of this source ever had, and so does the change from run to settle. So every
    /// pass over the copies has its own number.
    EveryPass,
    /// A rename takes a number that no job ever had. Its run and its last look share this number.
    EveryRename,
    /// `$inc`: after a job was removed, the next job starts at 1 again.
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
    /// The job. A batch does not begin if the job has a different `seq`.
    Job,
    Nothing,
}

/// The steps between the last pass of a run and the completion of its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settle {
    /// The grace period, then a sweep over all copies (the last look).
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

/// The transactions that have certainly ended when the grace period is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grace {
    /// All that began before the latest rename committed. A rename writes `changed_at` before it commits. So all of
    /// them have ended at `changed_at + G` if `G` is twice as long as a transaction can last.
    SinceCommit,
    /// All that began before the latest rename wrote `changed_at`: `G` is as long as one transaction can last.
    SinceStamp,
    /// Those of [`Grace::SinceCommit`], except the batches of runners:
    /// `transactionLifetimeLimitSeconds` was raised beyond `G`.
    ExceptBatches,
}

/// The conditions that the transaction checks before it removes the job and the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// `findOne({_id, seq})` on the job, then both deletes by `_id`.
    ReadsJob,
    /// No read; `deleteOne({_id, seq})` on the job and on the cursor.
    FilteredDeletes,
    /// As [`Completion::ReadsJob`], and the cursor must be at the end of the same pass.
    ReadsJobAndCursor,
    /// As [`Completion::ReadsJob`], but deletes the jobs and cursors of all relations of the source.
    OfSource,
    Unchecked,
}

/// Whether the inserter of a copy reads the source again after the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reread {
    AfterCommit,
    Never,
}

/// The write concern of all writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    Majority,
    /// `w: 1`
    Primary,
}

/// How long an insert of a copy also stores a job, because renamers might not know the copies yet, and how long these
/// jobs wait before their last look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// As long as a rename that began without knowing the copies can commit. The last look waits for all inserts that
    /// stored a job.
    UntilAllHaveEnded,
    /// As long as a rename that does not know the copies can begin.
    UntilAllKnow,
    /// As long as with `UntilAllHaveEnded`, but the last look waits only for the grace period.
    WithoutWait,
    Never,
}

/// The effect on a write when its caller stops waiting and the write's transaction continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancelled {
    /// The write is done completely, because it is one task.
    Whole,
    /// The write is interrupted: the source is written, but the job and the copies are not.
    InPart,
}

/// How the older version of a program, when it ends a job of the newer version, treats copies that only the newer
/// version knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// It stores a job for them.
    HandedOn,
    Forgotten,
}

/// Where a version of the program continues a run or a last look that the other version has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sweep {
    /// At the first copy, so that one version visits all copies.
    Anew,
    /// A last look at the first copy, and a run where the other one stopped.
    LastLookAnew,
    /// Where the other one stopped.
    Resumed,
}
