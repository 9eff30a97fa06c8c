//! Updates the copies to the value of the source: passes of batches, and then the completion of the job.
//!
//! Any number of runners can work on one job, and on the jobs of several relations. The result does not depend on a
//! lease.

use crate::{
    client::Step,
    database::{Cursor, Database, Job, Relation},
    machine::{Next, State},
    rules::{BatchRead, Completion, CursorWrite, Marks, Numbers, Others, Sweep},
    setup::Setup,
    state::Declaration,
};

/// `_odm_jobs.findOne({_id})`, with read concern majority. A last look has to wait:
/// `{$or: [{needs_run: true}, {changed_at: {$lte: now - G}, not_before: {$lte: now}}]}`.
pub(crate) fn claim(setup: &Setup, state: &State, of: Relation) -> Option<Next> {
    let job = state.majority().jobs[of]?;
    let is_awaited = job.waits && setup.rules.marks != Marks::WithoutWait;
    let is_known = !is_awaited || state.world.declaration == Declaration::Old;
    let is_over = !setup.rules.settle.has_grace() || state.is_grace_over();
    let is_due = job.needs_run || (is_known && is_over);
    is_due.then_some(Next::Go(Step::Claimed(of, job)))
}

/// `_odm_cursors.findOne({_id})`, with read concern majority: where an earlier runner stopped.
pub(crate) fn resume(setup: &Setup, state: &State, is_older: bool, of: Relation, job: Job) -> Next {
    let pass = Pass {
        setup,
        is_older,
        of,
        job,
    };
    let is_swept = !job.needs_run && !setup.rules.settle.has_sweep();
    let seen = if is_swept {
        Some(pass.end())
    } else if setup.rules.cursor == CursorWrite::Never {
        None
    } else {
        state.majority().cursors[of]
    };
    Next::Go(Step::Pass(of, job, seen))
}

/// A pass over the copies of a job, by one version of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass<'s> {
    pub(crate) setup: &'s Setup,
    pub(crate) is_older: bool,
    pub(crate) of: Relation,
    pub(crate) job: Job,
}

impl Pass<'_> {
    /// The next batch, or the step after the last batch.
    pub(crate) fn next(self, state: &State, seen: Option<Cursor>) -> Next {
        let lo = seen.filter(|it| self.is_own(*it)).map_or(0, |it| it.lo);
        if let Some(key) = self.setup.keys(self.of).nth(lo) {
            self.batch(state, seen, key, lo + 1)
        } else if self.job.needs_run {
            self.end_run(state)
        } else {
            self.complete(state)
        }
    }

    /// Whether the pass continues after this cursor. A version of the program has not visited the copies that only the
    /// other version knows.
    fn is_own(self, cursor: Cursor) -> bool {
        let is_resumed = match self.setup.rules.sweep {
            Sweep::Anew => false,
            Sweep::LastLookAnew => self.job.needs_run,
            Sweep::Resumed => true,
        };
        cursor.seq == self.job.seq && (is_resumed || cursor.is_older == self.is_older)
    }

    /// Visits the copies of one range, in one transaction:
    ///
    /// ```js
    /// _odm_cursors.updateOne({_id, seq: seen.seq, lo: seen.lo}, {$set: {seq: job.seq, lo: hi}})
    /// _odm_jobs.findOne({_id, seq: job.seq})
    /// source.findOne({_id})
    /// copies.updateMany({source, _id: {$gte: lo, $lt: hi}, value: {$ne: source.value}},
    ///                   {$set: {value: source.value}})
    /// ```
    ///
    /// If the cursor or the job has changed, the runner looks for a job again, because another runner is at work or
    /// there was a rename.
    fn batch(self, state: &State, seen: Option<Cursor>, key: usize, lo: usize) -> Next {
        let (snapshot, rules, of) = (&state.database, &self.setup.rules, self.of);
        let hi = Cursor {
            seq: self.job.seq,
            lo,
            is_older: self.is_older,
            is_counted: false,
        };
        let is_superseded = snapshot.jobs[of].is_none_or(|found| found.seq != self.job.seq);
        if rules.batch == BatchRead::Job && is_superseded {
            return Next::Go(Step::Idle);
        }
        let mut after = *snapshot;
        match rules.cursor {
            CursorWrite::CompareAndSet if snapshot.cursors[of] != seen => {
                return Next::Go(Step::Idle);
            }
            CursorWrite::CompareAndSet | CursorWrite::Unconditional => {
                after.cursors[of] = Some(hi);
            }
            CursorWrite::Counted => {
                let is_counted = true;
                after.cursors[of] = Some(Cursor { is_counted, ..hi });
            }
            CursorWrite::Never => {}
        }
        let visited = self.setup.visited(self.is_older, of, key);
        for key in visited.filter(|key| snapshot.is_stale(*key)) {
            after.copies[key] = Some(snapshot.source);
        }
        Next::Begin(after, Step::Pass(of, self.job, Some(hi)))
    }

    /// `_odm_jobs.updateOne({_id, seq: job.seq}, {$set: {seq: next, needs_run: false}})`. If no job matches, there was
    /// a rename during the run, and the job needs another run.
    fn end_run(self, state: &State) -> Next {
        let (latest, rules, of) = (&state.database, &self.setup.rules, self.of);
        let mut after = *latest;
        if latest.jobs[of] == Some(self.job) {
            let seq = match rules.numbers {
                Numbers::EveryPass | Numbers::FromOne => state.next_seq(rules, of),
                Numbers::EveryRename => self.job.seq,
            };
            let job = Job {
                seq,
                needs_run: false,
                ..self.job
            };
            after.jobs[of] = Some(job);
            if rules.numbers == Numbers::EveryRename {
                after.cursors[of] = None;
            }
            self.hand_on(state, &mut after);
        }
        Next::Now(after, Step::Idle)
    }

    /// Stores a job for the copies that the writers of this job declare and this version does not. The same transaction
    /// records that the pass is over.
    fn hand_on(self, state: &State, after: &mut Database) {
        let is_told = self.setup.rules.others == Others::HandedOn;
        if !(self.is_older && self.job.is_of_newer && is_told) {
            return;
        }
        let found = state.database.jobs[1];
        let job = Job {
            seq: state.next_seq(&self.setup.rules, 1),
            needs_run: true,
            waits: found.is_some_and(|job| job.waits),
            is_of_newer: false,
        };
        after.jobs[1] = Some(job);
    }

    /// Removes the job and its cursor after the last look, in one transaction:
    ///
    /// ```js
    /// _odm_jobs.findOne({_id, seq: job.seq})                                  // none: leave it
    /// _odm_jobs.deleteOne({_id})
    /// _odm_cursors.deleteOne({_id})
    /// ```
    fn complete(self, state: &State) -> Next {
        let (snapshot, of) = (&state.database, self.of);
        let completion = self.setup.rules.completion;
        let is_job = snapshot.jobs[of].is_some_and(|found| found.seq == self.job.seq);
        let (is_job, is_cursor) = match completion {
            Completion::ReadsJob | Completion::OfSource => (is_job, is_job),
            Completion::FilteredDeletes => {
                let is_cursor = snapshot.cursors[of].is_some_and(|it| it.seq == self.job.seq);
                (is_job, is_cursor)
            }
            Completion::ReadsJobAndCursor => {
                let is_both = is_job && snapshot.cursors[of] == Some(self.end());
                (is_both, is_both)
            }
            Completion::Unchecked => (true, true),
        };
        let removed = match completion {
            Completion::OfSource => 0..self.setup.relations,
            _ => of..of + 1,
        };
        let mut after = *snapshot;
        for of in removed {
            if is_job {
                after.jobs[of] = None;
            }
            if is_cursor {
                after.cursors[of] = None;
            }
        }
        if is_job {
            self.hand_on(state, &mut after);
        }
        Next::Begin(after, Step::Idle)
    }

    fn end(self) -> Cursor {
        Cursor {
            seq: self.job.seq,
            lo: self.setup.keys(self.of).count(),
            is_older: self.is_older,
            is_counted: false,
        }
    }
}
