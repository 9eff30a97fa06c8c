//! The rules of the protocol. [`counterexamples`](crate::counterexamples) omits each necessary rule in turn, and
//! [`proofs`](crate::proofs) omits the rules that only save time.

/// The rules that processes follow.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule")]
pub(crate) struct Rules {
    /// A writer of one array also writes the other in the same transaction, and does not leave this to a job.
    pub(crate) mirrors: bool,
    /// A writer that finds no document at the other end stores a job for this document.
    pub(crate) marks_missing: bool,
    /// A writer that finds nothing to add or remove at the other end stores a job.
    pub(crate) marks_unchanged: bool,
    /// A writer that removes a link which exists only at one end stores the job of the other end.
    pub(crate) marks_removed: bool,
    /// A writer that creates or ends a link checks the other end, even if its own array already has the right content.
    pub(crate) settles: bool,
    /// In this case, the writer stores the job of its own array.
    pub(crate) marks_settled: bool,
    /// An insert looks in its transaction for documents that refer to the new document.
    pub(crate) looks: bool,
    /// An insert that finds such documents stores a job for the new document.
    pub(crate) marks_new: bool,
    /// An insert that finds such documents adds them to the new document, and does not leave this to the job.
    pub(crate) completes: bool,
    /// After its commit, an insert looks again for documents that refer to the new document.
    pub(crate) looks_again: bool,
    /// After its commit, a writer that found no document at the other end looks for it again.
    pub(crate) awaits: bool,
    /// A batch of a job writes the job.
    pub(crate) writes_job: bool,
    /// A batch of a job adds nothing if the job is gone.
    pub(crate) needs_job: bool,
    /// The last look begins when all transactions have ended that began before the latest change of the job was
    /// committed.
    pub(crate) waits: bool,
}

/// One of the rules.
pub(crate) type Rule = fn(&mut Rules) -> &mut bool;

impl Rules {
    /// The protocol of the library. Writers that create a link, writers that end it, and batches that add its other end
    /// for a job conflict, because all write the same array or its job. So the content of the array does not matter,
    /// nor whether it exists.
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
