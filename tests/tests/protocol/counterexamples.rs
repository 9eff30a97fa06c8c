//! Shows the errors that occur without each rule. `--no-capture` prints how they occur.

use crate::{
    database::Value::{A, B},
    goal::Goal,
    rules::{
        BatchRead, Cancelled, Completion, Concern, CursorWrite, Grace, JobWrite, Marks, Numbers,
        Others, Rules, Settle, Sweep,
    },
    setup::{Form, Setup},
};

/// One small rename and one insert. Both commit: the renamer does not see the new copy, and the inserter
/// only reads the source.
fn insert_beside_a_rename(change: impl FnOnce(&mut Rules)) -> Setup {
    Setup::new(&[B]).form(Form::Small).rule(change)
}

/// From A to B and back to A, with two runners and no insert.
fn there_and_back(change: impl FnOnce(&mut Rules)) -> Setup {
    Setup::new(&[B, A]).without_insert().runners(2).rule(change)
}

/// The inserter crashes before it reads again, and there is no other trace of the rename.
#[test]
fn without_job_write_a_new_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.job = JobWrite::Never)
        .crashes(1)
        .breaks(Goal::Fresh, 5);
}

/// As without a job: it is removed at once.
#[test]
fn without_settle_a_new_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.settle = Settle::Nothing)
        .crashes(1)
        .breaks(Goal::Fresh, 9);
}

/// As without a job: it is removed later.
#[test]
fn without_settle_sweep_a_new_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.settle = Settle::GraceWithoutSweep)
        .crashes(1)
        .breaks(Goal::Fresh, 9);
}

/// The sweep is over when the commit of the crashed inserter arrives.
#[test]
fn without_grace_period_a_late_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.settle = Settle::SweepWithoutGrace)
        .crashes(1)
        .breaks(Goal::Fresh, 13);
}

/// The renamer writes `changed_at`, the inserter takes its snapshot, the renamer commits. The inserter
/// may still commit when one lifetime of a transaction has passed since `changed_at`.
#[test]
fn with_a_grace_period_of_one_lifetime_a_late_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.grace = Grace::SinceStamp)
        .crashes(1)
        .breaks(Goal::Fresh, 13);
}

/// A batch reads B and is delayed. The source is A again, and the other runner visits the copy, which
/// still is A: an update that changes nothing takes no lock. Then the batch commits. The settle sweep
/// corrects that, after a time in which the run seems to be done.
#[test]
fn without_cursor_write_a_run_leaves_what_a_delayed_batch_wrote() {
    there_and_back(|rules| rules.cursor = CursorWrite::Never)
        .form(Form::Large)
        .breaks(Goal::Run, 12);
}

/// The same, and the batch commits after the settle sweep visited the copy.
#[test]
fn without_cursor_write_a_batch_that_outlives_the_grace_period_leaves_a_stale_copy() {
    there_and_back(|rules| rules.cursor = CursorWrite::Never)
        .rule(|rules| rules.grace = Grace::ExceptBatches)
        .breaks(Goal::Fresh, 18);
}

/// The other runner wrote this very cursor: that is no change either, so that the batch which writes it
/// again has no lock to lose when it is delayed.
#[test]
fn with_unconditional_cursor_write_a_batch_that_outlives_the_grace_period_leaves_a_stale_copy() {
    Setup::new(&[B, A])
        .runners(2)
        .crashes(1)
        .rule(|rules| rules.cursor = CursorWrite::Unconditional)
        .rule(|rules| rules.grace = Grace::ExceptBatches)
        .breaks(Goal::Fresh, 27);
}

/// The inserter reads again before the majority has the rename. The settle sweep corrects the copy, the
/// primary fails, and the sweep is gone. The runner, which saw it through, completes.
#[test]
fn w1_with_failover_leaves_a_stale_copy() {
    insert_beside_a_rename(|rules| rules.concern = Concern::Primary)
        .failover()
        .breaks(Goal::Fresh, 15);
}

/// There is a rename during the settle sweep: the job that asks for another run is removed.
#[test]
fn completion_without_seq_check_leaves_a_stale_copy() {
    there_and_back(|rules| rules.completion = Completion::Unchecked)
        .form(Form::Large)
        .runners(1)
        .breaks(Goal::Fresh, 15);
}

/// Two runners sweep for job 1, and one completes it. The next rename makes another job 1, and the other
/// runner completes that.
#[test]
fn with_numbers_from_one_the_completion_of_an_old_job_removes_a_new_one() {
    there_and_back(|rules| rules.numbers = Numbers::FromOne).breaks(Goal::Fresh, 14);
}

/// A runner that still is in the run moves the cursor before the grace period is over, and the settle
/// sweep goes on from there, past a copy that came late.
#[test]
fn with_one_number_for_run_and_settle_the_sweep_passes_over_a_late_copy() {
    Setup::new(&[B])
        .runners(2)
        .crashes(1)
        .rule(|rules| rules.numbers = Numbers::EveryRename)
        .breaks(Goal::Fresh, 23);
}

/// A runner reads the job, the completion of another one arrives, and the batch inserts a cursor.
#[test]
fn without_job_read_a_batch_leaves_a_cursor_behind() {
    there_and_back(|rules| rules.batch = BatchRead::Nothing).breaks(Goal::Tidy, 15);
}

/// The copies of the other relation are old, and nothing says so.
#[test]
fn with_one_job_for_a_source_the_copies_of_another_relation_stay_stale() {
    Setup::new(&[B])
        .without_insert()
        .copies(2)
        .two_relations()
        .form(Form::Large)
        .rule(|rules| rules.job = JobWrite::FirstRelation)
        .breaks(Goal::Fresh, 13);
}

/// The relation that is done takes the job of the other one with it.
#[test]
fn when_one_relation_completes_the_source_the_copies_of_the_other_stay_stale() {
    Setup::new(&[B])
        .without_insert()
        .copies(2)
        .two_relations()
        .form(Form::Large)
        .rule(|rules| rules.completion = Completion::OfSource)
        .breaks(Goal::Fresh, 13);
}

/// One insert of a declared copy, and one rename by a program that has not read the declaration.
fn insert_beside_an_unknowing_rename(change: impl FnOnce(&mut Rules)) -> Setup {
    Setup::new(&[B]).declared_late().rule(change)
}

/// The renamer leaves no job, because it knows of no copies.
#[test]
fn without_marks_a_copy_stays_stale_that_a_renamer_does_not_know() {
    insert_beside_an_unknowing_rename(|rules| rules.marks = Marks::Never).breaks(Goal::Fresh, 8);
}

/// The job of the insert is done when the renamer begins, which still does not know.
#[test]
fn when_marks_wait_for_the_grace_period_alone_a_copy_stays_stale() {
    insert_beside_an_unknowing_rename(|rules| rules.marks = Marks::WithoutWait)
        .breaks(Goal::Fresh, 16);
}

/// A rename that began without knowing commits after an insert that left no job any more.
#[test]
fn when_marks_end_before_the_last_unknowing_rename_a_copy_stays_stale() {
    insert_beside_an_unknowing_rename(|rules| rules.marks = Marks::UntilAllKnow)
        .breaks(Goal::Fresh, 8);
}

/// The source is written and committed, and its job is not: the caller of the rename stopped to wait in between.
#[test]
fn when_a_cancelled_write_is_committed_in_part_a_copy_stays_stale() {
    Setup::new(&[B])
        .without_insert()
        .cancels(1)
        .rule(|rules| rules.cancelled = Cancelled::InPart)
        .breaks(Goal::Fresh, 2);
}

/// Nothing but the job tells of the rename beside which a copy was inserted, when the caller of the insert does
/// not wait for its second look at the source.
#[test]
fn without_settle_a_copy_stays_stale_whose_inserter_is_cancelled() {
    insert_beside_a_rename(|rules| rules.settle = Settle::Nothing)
        .cancels(1)
        .breaks(Goal::Fresh, 9);
}

/// One rename by a newer program, and a runner of each version.
fn two_versions(change: impl FnOnce(&mut Rules)) -> Setup {
    let two = Setup::new(&[B]).without_insert().copies(2).versions();
    two.runners(2).form(Form::Large).rule(change)
}

/// The older version ends the job with all copies that it knows.
#[test]
fn when_nothing_is_handed_on_the_copies_stay_stale_that_only_the_newer_version_knows() {
    two_versions(|rules| rules.others = Others::Forgotten).breaks(Goal::Fresh, 13);
}

/// In the run and in the settle sweep the older version visits the documents, and the newer one says that it is done.
#[test]
fn when_a_version_goes_on_with_the_settle_sweep_of_another_a_copy_stays_stale() {
    two_versions(|rules| rules.sweep = Sweep::Resumed).breaks(Goal::Fresh, 19);
}
