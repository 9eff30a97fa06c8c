//! The rules of the protocol. [`counterexamples`](crate::counterexamples) omits each necessary rule in turn, and
//! [`proofs`](crate::proofs) omits the rules that only save time.

/// Which rules there are.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule")]
pub(crate) struct Rules {
    /// Who writes one array writes the other in the same transaction, and does not leave it to a job.
    pub(crate) mirrors: bool,
    /// Who finds no document at the other end leaves a job for it.
    pub(crate) marks_missing: bool,
    /// Who finds nothing to add or to take away leaves a job.
    pub(crate) marks_unchanged: bool,
    /// Who takes away what one end alone names leaves the job of the other end.
    pub(crate) marks_removed: bool,
    /// Who makes or ends a link looks at the other end, also where the own array says so already.
    pub(crate) settles: bool,
    /// Who does so leaves the job of the own array.
    pub(crate) marks_settled: bool,
    /// An insert looks in its transaction who names the new document.
    pub(crate) looks: bool,
    /// An insert that finds somebody leaves a job for the new document.
    pub(crate) marks_new: bool,
    /// An insert that finds somebody adds them to the new document, and does not leave that to the job.
    pub(crate) completes: bool,
    /// Who inserted a document looks once more who names it, after the commit.
    pub(crate) looks_again: bool,
    /// Who found no document at the other end looks for it once more, after the commit.
    pub(crate) awaits: bool,
    /// A batch of a job writes the job.
    pub(crate) writes_job: bool,
    /// A batch of a job adds nothing if the job is gone.
    pub(crate) needs_job: bool,
    /// The last look comes when all transactions have ended that began before the last change of the job was committed.
    pub(crate) waits: bool,
}

/// One of the rules.
pub(crate) type Rule = fn(&mut Rules) -> &mut bool;

impl Rules {
    /// The protocol of the library: who makes a link, who ends it and who adds its other end for a job meet at an array
    /// or at its job. So it does not matter what the array is, or whether it is there.
    pub(crate) const FULL: Self = Self {
        mirrors: true,
        marks_missing: true,
        marks_unchanged: true,
        marks_removed: true,
        settles: true,
        marks_settled: true,
        looks: true,
        marks_new: true,
        completes: true,
        looks_again: true,
        awaits: true,
        writes_job: true,
        needs_job: true,
        waits: true,
    };
}
