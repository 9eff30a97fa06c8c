//! Checks the conditions in all states.

use crate::{
    client::Op::{Change, Insert, InsertParent, Remove, RemoveParent},
    fields::Field::{self, Count, Max, Newest},
    goal::Goal,
    rules::{Behind, BelowNone, Mark, Pending, SecondLook},
    setup::{Form, Setup},
};

/// Every child changes a count, but not every child changes a maximum or a list. So without a count, fewer writers
/// conflict.
const MODELS: [&[Field]; 3] = [&[Count, Max], &[Max], &[Newest]];

fn each(setup: impl Fn(&[Field]) -> Setup, states: [usize; 3]) {
    for (fields, states) in MODELS.into_iter().zip(states) {
        setup(fields).holds(states);
    }
}

/// Two children that are inserted and removed.
fn two_children(fields: &[Field]) -> Setup {
    Setup::new(fields, [1, 2, 1], &[Insert(0), Remove(0)]).writer(&[Insert(1), Remove(1)])
}

/// The child with the larger value is removed, and the child with the smaller value is inserted and removed.
fn holder_leaves(fields: &[Field]) -> Setup {
    let one = Setup::new(fields, [1, 2, 1], &[Remove(1)]);
    one.children(&[1]).writer(&[Insert(0), Remove(0)])
}

/// Three children that are inserted and removed.
fn three_children(fields: &[Field]) -> Setup {
    two_children(fields).writer(&[Insert(2), Remove(2)])
}

/// A parent is inserted while one child is removed and another child is inserted.
fn late_parent(fields: &[Field]) -> Setup {
    Setup::new(fields, [1, 2, 1], &[InsertParent])
        .without_parent()
        .children(&[1])
        .writer(&[Remove(1)])
        .writer(&[Insert(0)])
}

/// A parent is removed and inserted again while one child is removed and another child is inserted.
fn parent_again(fields: &[Field]) -> Setup {
    Setup::new(fields, [1, 2, 1], &[RemoveParent, InsertParent])
        .children(&[1])
        .writer(&[Remove(1)])
        .writer(&[Insert(0)])
}

/// A parent is removed and inserted again while a child is inserted and removed.
fn parent_again_with_one_child(fields: &[Field]) -> Setup {
    Setup::new(fields, [1, 2, 1], &[RemoveParent, InsertParent]).writer(&[Insert(0), Remove(0)])
}

#[test]
fn full_protocol_holds_with_two_children() {
    each(
        |fields| two_children(fields).crashes(2),
        [13_769, 8_807, 8_807],
    );
    each(
        |fields| holder_leaves(fields).crashes(2),
        [3_779, 2_106, 2_106],
    );
}

#[test]
fn full_protocol_holds_with_three_children() {
    each(
        |fields| three_children(fields).crashes(1),
        [174_983, 102_200, 102_380],
    );
}

/// One child whose value increases or decreases, and another child that is inserted and removed.
fn changing() -> [Setup; 4] {
    let models: [(&[Field], _); 4] = [
        (&[Count, Max], [1, 2, 1]),
        (&[Count, Max], [2, 1, 1]),
        (&[Max], [1, 2, 1]),
        (&[Max], [2, 1, 1]),
    ];
    models.map(|(fields, values)| {
        let changed = Setup::new(fields, values, &[Insert(0), Change(0, 1), Remove(1)]);
        changed.writer(&[Insert(2), Remove(2)]).crashes(1)
    })
}

#[test]
fn full_protocol_holds_with_a_child_whose_value_changes() {
    for (setup, states) in changing().into_iter().zip([11_420, 14_088, 8_833, 8_354]) {
        setup.holds(states);
    }
}

#[test]
fn full_protocol_holds_with_two_folders_and_two_runners() {
    let two = |setup: Setup| setup.folders(2).runners(2).crashes(1);
    each(|fields| two(two_children(fields)), [21_307, 12_343, 12_343]);
    each(|fields| two(holder_leaves(fields)), [5_963, 2_854, 2_854]);
}

#[test]
fn full_protocol_holds_with_a_late_parent() {
    each(
        |fields| late_parent(fields).crashes(1),
        [12_690, 10_123, 10_123],
    );
    each(
        |fields| late_parent(fields).runners(2),
        [10_758, 9_076, 9_076],
    );
}

#[test]
fn full_protocol_holds_with_a_parent_that_goes_and_comes_back() {
    each(
        |fields| parent_again(fields).crashes(1),
        [13_804, 11_031, 11_031],
    );
    each(
        |fields| parent_again_with_one_child(fields).crashes(2),
        [11_512, 8_236, 8_236],
    );
}

/// A writer that the other writer does not see has stored a job.
#[test]
fn second_looks_only_save_time() {
    let without = |setup: Setup| setup.rule(|rules| rules.second_look = SecondLook::Never);
    each(
        |fields| without(late_parent(fields)).crashes(1),
        [1_679, 1_188, 1_188],
    );
    each(
        |fields| without(parent_again_with_one_child(fields)).crashes(2),
        [3_696, 2_762, 2_762],
    );
}

/// The later of the two second looks sees the other writer's document.
#[test]
fn second_looks_find_a_child_that_has_left_no_job_if_nobody_crashes() {
    let without = |fields: &[Field]| {
        let late = late_parent(fields).form(Form::Inline);
        late.rule(|rules| rules.absent = Mark::Never)
            .goal(Goal::Right)
    };
    each(without, [1_103, 873, 873]);
}

/// A removal that leaves a field unchanged stores a job, and this job causes the last look.
#[test]
fn last_look_removes_a_child_from_a_list_that_a_pending_delta_has_brought_back() {
    let ignored = |setup: Setup| setup.rule(|rules| rules.pending = Pending::Ignored);
    each(
        |fields| ignored(two_children(fields)).crashes(1),
        [4_984, 3_098, 5_006],
    );
    each(
        |fields| ignored(three_children(fields)),
        [28_800, 15_100, 24_707],
    );
}

/// These writes can be wrong only while a different process recomputes fields, and then there is a job.
#[test]
fn folds_stays_and_corrections_may_renew_a_job_instead_of_making_one() {
    let renewing = |setup: Setup| {
        setup.rule(|rules| {
            rules.idle_fold = Mark::IfThere;
            rules.stays = Mark::IfThere;
            rules.correction = Mark::IfThere;
        })
    };
    each(
        |fields| renewing(three_children(fields)),
        [26_180, 15_625, 15_797],
    );
    each(
        |fields| renewing(late_parent(fields)).crashes(1),
        [12_533, 10_270, 10_270],
    );
    each(
        |fields| renewing(parent_again(fields)).crashes(1),
        [13_647, 11_279, 11_279],
    );
}

/// Writers that are not concurrent need no job.
#[test]
fn one_writer_beside_folders_is_right_at_any_time() {
    let one = |fields: &[Field]| {
        Setup::new(
            fields,
            [1, 2, 1],
            &[Insert(0), Insert(1), Remove(0), Remove(1)],
        )
    };
    let alone = |setup: Setup| setup.folders(2).goal(Goal::Always);
    each(|fields| alone(one(fields)), [380, 250, 250]);
    each(|fields| alone(lean(one(fields))), [454, 238, 238]);
}

fn lean(setup: Setup) -> Setup {
    setup.lean(|_| {})
}

#[test]
fn lean_protocol_holds_with_children_that_come_and_go() {
    each(
        |fields| lean(two_children(fields)).crashes(2),
        [14_295, 8_507, 8_542],
    );
    each(
        |fields| lean(holder_leaves(fields)).crashes(2),
        [4_084, 2_013, 2_048],
    );
    each(
        |fields| lean(three_children(fields)).crashes(1),
        [202_741, 103_710, 105_048],
    );
}

#[test]
fn lean_protocol_holds_with_a_child_whose_value_changes() {
    for (setup, states) in changing().into_iter().zip([12_484, 14_464, 8_080, 8_322]) {
        lean(setup).holds(states);
    }
}

#[test]
fn lean_protocol_holds_with_two_folders_and_two_runners() {
    let two = |setup: Setup| lean(setup).folders(2).runners(2).crashes(1);
    each(|fields| two(two_children(fields)), [22_725, 12_860, 12_922]);
    each(|fields| two(holder_leaves(fields)), [6_850, 2_987, 3_049]);
}

#[test]
fn lean_protocol_holds_with_parents_that_come_and_go() {
    each(
        |fields| lean(late_parent(fields)).crashes(1),
        [11_778, 10_287, 10_287],
    );
    each(
        |fields| lean(late_parent(fields)).runners(2),
        [10_639, 9_456, 9_456],
    );
    each(
        |fields| lean(parent_again(fields)).crashes(1),
        [13_092, 11_345, 11_345],
    );
    each(
        |fields| lean(parent_again_with_one_child(fields)).crashes(2),
        [11_020, 7_546, 7_834],
    );
}

#[test]
fn lean_protocol_needs_no_second_looks() {
    let without = |setup: Setup| lean(setup).rule(|rules| rules.second_look = SecondLook::Never);
    each(
        |fields| without(late_parent(fields)).crashes(1),
        [1_702, 1_284, 1_284],
    );
    each(
        |fields| without(parent_again(fields)).crashes(1),
        [2_983, 2_235, 2_235],
    );
}

/// Inserts can also use deltas or jobs, and a fold takes only some of the deltas.
#[test]
fn readers_see_the_count_of_some_of_the_writes() {
    let parts = |setup: Setup| setup.or_form(Form::Job).at_once(1).folders(2);
    each(|fields| parts(two_children(fields)), [4_489, 2_300, 2_323]);
    each(
        |fields| parts(holder_leaves(fields)).crashes(1),
        [3_666, 1_287, 1_287],
    );
    for (setup, states) in changing().into_iter().zip([44_954, 32_322, 29_274, 16_024]) {
        setup.or_form(Form::Job).at_once(1).holds(states);
    }
}

/// No count is negative if the parent exists before its children.
#[test]
fn no_count_is_below_none_beside_a_parent_that_stays() {
    let written = |setup: Setup| {
        let setup = setup.or_form(Form::Job).at_once(1);
        setup.rule(|rules| rules.below_none = BelowNone::Written)
    };
    each(
        |fields| written(two_children(fields)).crashes(1),
        [17_404, 9_325, 9_449],
    );
}

/// Writes with `atomic()` do this.
#[test]
fn a_delete_may_fold_what_waits_instead_of_waiting() {
    let folds = |setup: Setup| {
        let setup = setup.or_form(Form::Job).at_once(1);
        setup.rule(|rules| rules.behind = Behind::Folds)
    };
    each(
        |fields| folds(two_children(fields)).crashes(1),
        [7_559, 9_325, 9_449],
    );
    each(|fields| folds(late_parent(fields)), [2_999, 2_672, 2_672]);
}
