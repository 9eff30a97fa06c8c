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

/// The effect is the same as without a job, because the job is removed at once.
#[test]
fn without_settle_a_new_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.settle = Settle::Nothing)
        .crashes(1)
        .breaks(Goal::Fresh, 9);
}

/// The effect is the same as without a job, because the job is removed after the grace period without a last look.
#[test]
fn without_settle_sweep_a_new_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.settle = Settle::GraceWithoutSweep)
        .crashes(1)
        .breaks(Goal::Fresh, 9);
}

/// The last look is over when the commit of the crashed inserter arrives.
#[test]
fn without_grace_period_a_late_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.settle = Settle::SweepWithoutGrace)
        .crashes(1)
        .breaks(Goal::Fresh, 13);
}

/// The renamer writes `changed_at`, the inserter takes its snapshot, the renamer commits. The inserter can still commit
/// when the maximum lifetime of one transaction has passed since `changed_at`.
#[test]
fn with_a_grace_period_of_one_lifetime_a_late_copy_stays_stale() {
    insert_beside_a_rename(|rules| rules.grace = Grace::SinceStamp)
        .crashes(1)
        .breaks(Goal::Fresh, 13);
}

/// A batch reads B and is delayed. The source becomes A again, and the other runner visits the copy, which is still A.
/// This visit takes no lock, because its update changes nothing. Then the batch commits B. The last look corrects the
/// copy, but until then the run seems to be done.
#[test]
fn without_cursor_write_a_run_leaves_what_a_delayed_batch_wrote() {
    there_and_back(|rules| rules.cursor = CursorWrite::Never)
        .form(Form::Large)
        .breaks(Goal::Run, 12);
}

/// As above, but the batch commits after the last look has visited the copy.
#[test]
fn without_cursor_write_a_batch_that_outlives_the_grace_period_leaves_a_stale_copy() {
    there_and_back(|rules| rules.cursor = CursorWrite::Never)
        .rule(|rules| rules.grace = Grace::ExceptBatches)
        .breaks(Goal::Fresh, 18);
}

/// The other runner has already written the same cursor. Writing an equal cursor changes nothing and takes no lock, so
/// a delayed batch does not conflict with later writes of the cursor.
#[test]
fn with_unconditional_cursor_write_a_batch_that_outlives_the_grace_period_leaves_a_stale_copy() {
    Setup::new(&[B, A])
        .runners(2)
        .crashes(1)
        .rule(|rules| rules.cursor = CursorWrite::Unconditional)
        .rule(|rules| rules.grace = Grace::ExceptBatches)
        .breaks(Goal::Fresh, 27);
}

/// The inserter reads the source again before the majority has the rename. The last look corrects the copy, but a
/// failover reverts this correction. The runner, which has finished its last look, completes the job.
#[test]
fn w1_with_failover_leaves_a_stale_copy() {
    insert_beside_a_rename(|rules| rules.concern = Concern::Primary)
        .failover()
        .breaks(Goal::Fresh, 15);
}

/// A rename during the last look asks for another run, but the runner removes the job.
#[test]
fn completion_without_seq_check_leaves_a_stale_copy() {
    there_and_back(|rules| rules.completion = Completion::Unchecked)
        .form(Form::Large)
        .runners(1)
        .breaks(Goal::Fresh, 15);
}

/// Two runners do the last look of job 1, and one of them completes it. The next rename stores a new job 1, and the
/// other runner completes this new job.
#[test]
fn with_numbers_from_one_the_completion_of_an_old_job_removes_a_new_one() {
    there_and_back(|rules| rules.numbers = Numbers::FromOne).breaks(Goal::Fresh, 14);
}

/// A runner that is still in the run moves the cursor before the grace period is over. The last look continues from
/// this cursor, and skips a copy that was committed late.
#[test]
fn with_one_number_for_run_and_settle_the_sweep_passes_over_a_late_copy() {
    Setup::new(&[B])
        .runners(2)
        .crashes(1)
        .rule(|rules| rules.numbers = Numbers::EveryRename)
        .breaks(Goal::Fresh, 23);
}

/// A runner reads the job, another runner completes the job, and the batch of the first runner inserts a cursor.
#[test]
fn without_job_read_a_batch_leaves_a_cursor_behind() {
    there_and_back(|rules| rules.batch = BatchRead::Nothing).breaks(Goal::Tidy, 15);
}

/// The copies of the other relation are stale, and no job records that.
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

/// Completing the job of one relation also removes the job of the other relation.
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

/// The renamer stores no job, because it does not know the copies.
#[test]
fn without_marks_a_copy_stays_stale_that_a_renamer_does_not_know() {
    insert_beside_an_unknowing_rename(|rules| rules.marks = Marks::Never).breaks(Goal::Fresh, 8);
}

/// The job of the insert is already done when a renamer begins that still does not know the copies.
#[test]
fn when_marks_wait_for_the_grace_period_alone_a_copy_stays_stale() {
    insert_beside_an_unknowing_rename(|rules| rules.marks = Marks::WithoutWait)
        .breaks(Goal::Fresh, 16);
}

/// A rename that began without knowing the copies commits after an insert that no longer stored a job.
#[test]
fn when_marks_end_before_the_last_unknowing_rename_a_copy_stays_stale() {
    insert_beside_an_unknowing_rename(|rules| rules.marks = Marks::UntilAllKnow)
        .breaks(Goal::Fresh, 8);
}

/// The new value of the source is committed without a job, because the caller of the rename stopped waiting between
/// these two writes.
#[test]
fn when_a_cancelled_write_is_committed_in_part_a_copy_stays_stale() {
    Setup::new(&[B])
        .without_insert()
        .cancels(1)
        .rule(|rules| rules.cancelled = Cancelled::InPart)
        .breaks(Goal::Fresh, 2);
}

/// If the caller of an insert does not wait for the second read of the source, only the job shows that there was a
/// concurrent rename.
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

/// The older version ends the job after it has updated only the copies that it knows.
#[test]
fn when_nothing_is_handed_on_the_copies_stay_stale_that_only_the_newer_version_knows() {
    two_versions(|rules| rules.others = Others::Forgotten).breaks(Goal::Fresh, 13);
}

/// The older version visits the documents, and the newer version ends the run.
#[test]
fn when_a_version_goes_on_with_the_run_of_another_the_run_leaves_a_stale_copy() {
    two_versions(|rules| rules.sweep = Sweep::LastLookAnew).breaks(Goal::Run, 9);
}

/// The older version visits the documents in the run and in the last look, and the newer version ends the job.
#[test]
fn when_a_version_goes_on_with_the_settle_sweep_of_another_a_copy_stays_stale() {
    two_versions(|rules| rules.sweep = Sweep::Resumed).breaks(Goal::Fresh, 19);
}
