//! Shows the errors that occur without each rule. `--no-capture` prints how they occur.

use crate::{
    client::Op::{Insert, InsertParent, Remove, RemoveParent},
    fields::Field::{Count, Max, Newest},
    goal::Goal,
    rules::{
        Behind, BelowNone, DeltaWrite, Fold, Mark, Order, Pending, Rebuild, Rules, Running, Settle,
    },
    setup::{Form, Setup},
};

/// One child that is inserted with a delta.
fn one_delta(change: impl FnOnce(&mut Rules)) -> Setup {
    let one = Setup::new(&[Count, Max], [1, 1, 1], &[Insert(0)]);
    one.form(Form::Delta).rule(change).crashes(1)
}

/// The folder crashes after it has added the delta, and the next folder adds the same delta again.
#[test]
fn when_folded_deltas_are_deleted_later_a_child_is_counted_twice() {
    one_delta(|rules| rules.fold = Fold::DeletesLater).breaks(Goal::Right, 8);
}

#[test]
fn when_a_delta_is_written_before_its_child_nobody_is_counted() {
    one_delta(|rules| rules.delta = DeltaWrite::Before).breaks(Goal::Right, 4);
}

#[test]
fn when_a_delta_is_written_after_its_child_the_child_is_not_counted() {
    one_delta(|rules| rules.delta = DeltaWrite::After).breaks(Goal::Right, 3);
}

/// A runner counts the child, and then the folder counts it again.
#[test]
fn when_who_computes_anew_ignores_deltas_a_child_is_counted_twice() {
    Setup::new(&[Count, Max], [2, 1, 1], &[Remove(0)])
        .children(&[0])
        .writer(&[Insert(1)])
        .rule(|rules| rules.rebuild = Rebuild::Ignores)
        .breaks(Goal::Right, 11);
}

/// The child is removed but its delta is not, and the delta is folded after the last look.
#[test]
fn when_who_computes_anew_ignores_deltas_a_child_that_is_gone_comes_back() {
    Setup::new(&[Newest], [1, 1, 1], &[Insert(0), Remove(0)])
        .writer(&[Insert(1)])
        .rule(|rules| rules.rebuild = Rebuild::Ignores)
        .crashes(1)
        .breaks(Goal::Right, 12);
}

/// A parent and a child that are inserted at the same moment.
fn child_beside_its_parent(change: impl FnOnce(&mut Rules)) -> Setup {
    Setup::new(&[Count, Max], [1, 1, 1], &[InsertParent])
        .without_parent()
        .writer(&[Insert(0)])
        .rule(change)
}

/// Both inserts commit without seeing each other. The parent's writer looks again before the child is committed, and
/// the child's writer crashes before it looks again.
#[test]
fn without_a_job_for_a_missing_parent_a_child_stays_uncounted() {
    child_beside_its_parent(|rules| rules.absent = Mark::Never)
        .form(Form::Inline)
        .crashes(1)
        .breaks(Goal::Right, 6);
}

/// The folder finds no parent, and drops the delta. The parent, which is being inserted, has not counted the child.
#[test]
fn without_a_job_for_dropped_deltas_a_child_stays_uncounted() {
    child_beside_its_parent(|rules| rules.dropped = Mark::Never)
        .form(Form::Delta)
        .crashes(1)
        .breaks(Goal::Right, 7);
}

/// The fields of the parent are computed before the last look, but the parent's insert commits after the last look.
#[test]
fn without_grace_a_child_stays_uncounted() {
    child_beside_its_parent(|rules| rules.settle = Settle::AtOnce)
        .crashes(1)
        .breaks(Goal::Right, 10);
}

/// A parent is inserted with the value of a child that is removed at the same moment, while another child is inserted.
/// The last look finds a value that is too large.
fn value_that_is_too_large(change: impl FnOnce(&mut Rules)) -> Setup {
    Setup::new(&[Max], [2, 1, 1], &[InsertParent])
        .without_parent()
        .children(&[0])
        .writer(&[Remove(0)])
        .writer(&[Insert(1)])
        .rule(change)
        .crashes(1)
}

/// The last look has found no child. The new child changes nothing in the parent, because its value is smaller than the
/// stored value.
#[test]
fn when_a_write_that_changes_nothing_leaves_no_job_a_new_child_is_lost() {
    value_that_is_too_large(|rules| rules.unchanged = Mark::Never)
        .form(Form::Inline)
        .breaks(Goal::Right, 13);
}

/// As above, but with a delta: the fold changes nothing in the parent.
#[test]
fn when_a_fold_that_changes_nothing_leaves_no_job_a_new_child_is_lost() {
    value_that_is_too_large(|rules| rules.idle_fold = Mark::Never)
        .form(Form::Delta)
        .breaks(Goal::Right, 15);
}

/// The correction of a new parent computes the same fields as the last look but from fewer children, and commits before
/// it. The grace period does not wait for a correction that began after the latest change of the job.
#[test]
fn when_a_correction_leaves_no_job_new_children_are_lost() {
    Setup::new(&[Count, Max], [2, 1, 2], &[InsertParent])
        .without_parent()
        .children(&[0])
        .writer(&[Remove(0), Insert(1), Insert(2)])
        .rule(|rules| rules.correction = Mark::Never)
        .crashes(1)
        .breaks(Goal::Right, 19);
}

/// The two newest children are removed at the same moment. The last look adds the third child to the list while it is
/// also removed. Its removal leaves the list unchanged, because the list did not contain it.
#[test]
fn when_a_field_that_stays_leaves_no_job_a_child_that_is_gone_comes_back() {
    Setup::new(&[Newest], [1, 1, 1], &[Remove(0)])
        .children(&[0, 1, 2])
        .writer(&[Remove(1)])
        .writer(&[Remove(2)])
        .rule(|rules| rules.stays = Mark::Never)
        .breaks(Goal::Right, 11);
}

/// Two children with the same value are removed, and each removal computes the value of the other child.
#[test]
fn when_a_field_computed_anew_leaves_no_job_a_value_stays_that_nobody_has() {
    Setup::new(&[Max], [1, 1, 1], &[Remove(0)])
        .children(&[0, 1])
        .writer(&[Remove(1)])
        .rule(|rules| rules.anew = Mark::Never)
        .breaks(Goal::Right, 4);
}

/// The list does not contain a child whose delta is pending, so the child's removal leaves the list unchanged. The fold
/// adds the child again, and only the last look of the job removes it.
#[test]
fn when_pending_deltas_are_ignored_a_child_that_is_gone_comes_back_until_the_last_look() {
    Setup::new(&[Newest], [1, 1, 1], &[Insert(0), Remove(0)])
        .rule(|rules| rules.pending = Pending::Ignored)
        .breaks(Goal::Always, 4);
}

/// As above, but there is no job.
#[test]
fn lean_when_pending_deltas_are_ignored_a_child_that_is_gone_comes_back() {
    Setup::new(&[Newest], [1, 1, 1], &[Insert(0), Remove(0)])
        .lean(|rules| rules.pending = Pending::Ignored)
        .breaks(Goal::Right, 6);
}

/// The last look lowers the value that the insert of a new child has left unchanged.
#[test]
fn lean_when_a_last_look_that_changes_something_is_the_last_a_new_child_is_lost() {
    value_that_is_too_large(|_| {})
        .lean(|rules| rules.look = Mark::Never)
        .breaks(Goal::Right, 13);
}

/// A correction lowers the value as the last look does in the test above.
#[test]
fn lean_when_a_correction_leaves_no_job_a_new_child_is_lost() {
    value_that_is_too_large(|_| {})
        .lean(|rules| rules.correction = Mark::Never)
        .breaks(Goal::Right, 14);
}

/// A new child leaves the parent unchanged. Before its insert commits, the child with the larger value and the parent
/// are removed. An insert of the parent has computed its fields without both children.
#[test]
fn lean_when_a_parent_comes_back_without_renewing_the_job_a_new_child_is_lost() {
    Setup::new(&[Max], [2, 1, 1], &[RemoveParent, InsertParent])
        .children(&[0])
        .writer(&[Remove(0)])
        .writer(&[Insert(1)])
        .crashes(1)
        .lean(|rules| rules.arrival = Mark::Never)
        .breaks(Goal::Right, 13);
}

/// A child is removed while a child with a smaller value is inserted, which changes nothing in the parent.
#[test]
fn lean_when_a_field_computed_anew_leaves_no_job_a_new_child_is_lost() {
    Setup::new(&[Max], [2, 1, 1], &[Remove(0)])
        .children(&[0])
        .writer(&[Insert(1)])
        .lean(|rules| rules.anew = Mark::Never)
        .breaks(Goal::Right, 4);
}

/// One child that is inserted with a delta or a job, and then removed.
fn comes_and_goes(form: Form, change: impl FnOnce(&mut Rules)) -> Setup {
    let one = Setup::new(&[Count], [1, 1, 1], &[Insert(0), Remove(0)]);
    one.form(form).rule(change)
}

/// The count does not contain the insert yet, and the delete is subtracted from it.
#[test]
fn when_a_delete_ignores_deltas_a_reader_sees_it_without_the_insert() {
    comes_and_goes(Form::Delta, |rules| {
        rules.behind = Behind::Ignored;
        rules.below_none = BelowNone::Written;
    })
    .breaks(Goal::Seen, 4);
}

#[test]
fn when_a_delete_ignores_jobs_a_reader_sees_it_without_the_insert() {
    comes_and_goes(Form::Job, |rules| {
        rules.running = Running::Ignored;
        rules.below_none = BelowNone::Written;
    })
    .breaks(Goal::Seen, 4);
}

/// The delete waits in a delta for the run of the job, but the fold does not wait.
#[test]
fn when_deltas_are_folded_beside_a_job_a_reader_sees_a_delete_without_the_insert() {
    comes_and_goes(Form::Job, |rules| {
        rules.running = Running::FoldedBeside;
        rules.below_none = BelowNone::Written;
    })
    .breaks(Goal::Seen, 6);
}

/// The first fold takes only the delta of the delete.
#[test]
fn when_deltas_are_folded_by_their_ids_a_reader_sees_a_delete_without_the_insert() {
    comes_and_goes(Form::Delta, |rules| {
        rules.order = Order::Ids;
        rules.below_none = BelowNone::Written;
    })
    .at_once(1)
    .breaks(Goal::Seen, 6);
}

/// A parent and a child are inserted at the same moment and do not see each other. The child is removed before any
/// process looks again.
#[test]
fn when_a_count_below_none_is_written_a_reader_sees_it_beside_a_new_parent() {
    Setup::new(&[Count], [1, 1, 1], &[InsertParent])
        .without_parent()
        .writer(&[Insert(0), Remove(0)])
        .rule(|rules| rules.below_none = BelowNone::Written)
        .form(Form::Inline)
        .crashes(1)
        .breaks(Goal::Seen, 7);
}
