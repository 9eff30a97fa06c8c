//! What holds, in all states.

use crate::{
    client::{
        Op::{Delete, Insert, Link, RemoveOneSided, Unlink},
        Ops,
    },
    database::{ANN, BOB, COURSE, Id},
    goal::Goal,
    setup::Setup,
};

const NONE: &[(Id, &[Id])] = &[(COURSE, &[]), (ANN, &[])];
const BOTH: &[(Id, &[Id])] = &[(COURSE, &[ANN]), (ANN, &[COURSE])];
const ANN_ALONE: &[(Id, &[Id])] = &[(COURSE, &[]), (ANN, &[COURSE])];
const COURSE_ALONE: &[(Id, &[Id])] = &[(COURSE, &[ANN]), (ANN, &[])];
/// There is no course.
const NOWHERE: &[(Id, &[Id])] = &[(ANN, &[COURSE])];

/// What writers of documents that are there do.
const THERE: &[Ops] = &[
    &[Link(ANN, COURSE)],
    &[Link(COURSE, ANN)],
    &[Unlink(ANN, COURSE)],
    &[Unlink(COURSE, ANN)],
    &[Delete(COURSE)],
];

/// What writers do where the course comes and goes.
const ANY: &[Ops] = &[
    &[Link(ANN, COURSE)],
    &[Link(COURSE, ANN)],
    &[Unlink(ANN, COURSE)],
    &[Unlink(COURSE, ANN)],
    &[Delete(COURSE)],
    &[Insert(COURSE, &[])],
    &[Insert(COURSE, &[ANN])],
];

/// All that writers do.
const ALL: &[Ops] = &[
    &[Link(ANN, COURSE)],
    &[Link(COURSE, ANN)],
    &[Unlink(ANN, COURSE)],
    &[Unlink(COURSE, ANN)],
    &[Delete(COURSE)],
    &[Insert(COURSE, &[])],
    &[Insert(COURSE, &[ANN])],
    &[RemoveOneSided(ANN)],
    &[RemoveOneSided(COURSE)],
];

/// What writers of a course and two students do.
const STUDENTS: &[Ops] = &[
    &[Link(ANN, COURSE)],
    &[Link(COURSE, BOB)],
    &[Unlink(COURSE, ANN)],
    &[Unlink(BOB, COURSE)],
    &[Delete(BOB)],
    &[Insert(BOB, &[COURSE])],
];

/// Two writers of two writes each.
fn two(documents: &[(Id, &[Id])], choice: &'static [Ops]) -> Setup {
    Setup::new(documents).choosers(choice, &[2, 2]).crashes(1)
}

/// Three writers of a write each.
fn three(documents: &[(Id, &[Id])], choice: &'static [Ops]) -> Setup {
    Setup::new(documents)
        .choosers(choice, &[1, 1, 1])
        .crashes(1)
}

#[test]
fn full_protocol_holds_with_two_arrays() {
    for documents in [NONE, BOTH] {
        two(documents, THERE).holds(2_816);
        two(documents, ANY).holds(14_406);
    }
}

/// A repair is under way.
#[test]
fn full_protocol_holds_with_a_link_at_one_end() {
    three(ANN_ALONE, THERE).due(COURSE).holds(21_083);
    three(COURSE_ALONE, THERE).due(ANN).holds(21_633);
    three(ANN_ALONE, ANY).due(COURSE).holds(36_779);
    three(COURSE_ALONE, ANY).due(ANN).holds(36_865);
}

#[test]
fn full_protocol_holds_with_a_link_to_what_is_missing() {
    three(NOWHERE, ANY).holds(21_565);
    two(NOWHERE, THERE).holds(4_068);
}

#[test]
fn full_protocol_holds_with_a_null_array_that_nobody_repairs() {
    let null = |setup: Setup| setup.without_array(COURSE);
    null(two(NONE, ANY)).holds(21_195);
    null(three(NONE, ANY)).holds(3_755);
}

#[test]
fn full_protocol_holds_with_two_students() {
    let students: &[(Id, &[Id])] = &[(COURSE, &[ANN]), (ANN, &[COURSE]), (BOB, &[COURSE])];
    three(students, STUDENTS).due(COURSE).holds(35_664);
}

#[test]
fn full_protocol_holds_with_two_runners() {
    let ended = two(ANN_ALONE, &[&[Unlink(ANN, COURSE)], &[Link(COURSE, ANN)]]);
    ended.due(COURSE).runners(2).holds(39_178);
}

/// Whatever a repair and a second look bring back.
#[test]
fn a_link_that_is_ended_where_it_is_named_is_at_neither_end() {
    let documents: &[(Id, &[Id])] = &[(COURSE, &[]), (ANN, &[COURSE]), (BOB, &[COURSE])];
    Setup::new(documents)
        .due(COURSE)
        .writer(&[Unlink(ANN, COURSE)])
        .writer(&[Unlink(BOB, COURSE)])
        .goal(Goal::Ended)
        .holds(111);
}

#[test]
fn second_looks_only_save_time() {
    let without = |setup: Setup| {
        setup.rule(|rules| {
            rules.looks_again = false;
            rules.awaits = false;
        })
    };
    without(two(BOTH, ANY)).holds(5_219);
    without(three(NOWHERE, ANY)).holds(9_036);
}

/// If nobody crashes.
#[test]
fn nobody_waits_for_the_grace() {
    let writers: &[Ops] = &[
        &[Link(ANN, COURSE)],
        &[Insert(COURSE, &[])],
        &[Delete(COURSE)],
    ];
    let soon = two(&[(ANN, &[])], writers).crashes(0);
    soon.goal(Goal::Soon).holds(2_388);
}

fn lean(setup: Setup) -> Setup {
    setup.lean(|_| {})
}

#[test]
fn lean_protocol_holds_with_two_arrays() {
    lean(two(NONE, ALL)).holds(21_110);
    lean(two(BOTH, ANY)).holds(18_045);
}

#[test]
fn lean_protocol_holds_with_a_link_at_one_end() {
    lean(three(ANN_ALONE, ALL)).due(COURSE).holds(69_488);
    lean(three(COURSE_ALONE, ANY)).due(ANN).holds(52_713);
}

#[test]
fn lean_protocol_holds_with_a_link_to_what_is_missing() {
    lean(three(NOWHERE, ALL))
        .crashes(0)
        .due(COURSE)
        .holds(24_654);
    lean(two(NOWHERE, ANY)).crashes(0).due(COURSE).holds(37_149);
}

#[test]
fn lean_protocol_holds_with_a_null_array() {
    lean(two(NONE, ALL)).without_array(COURSE).holds(32_111);
    let named = three(ANN_ALONE, ANY).without_array(COURSE);
    lean(named).due(COURSE).holds(53_315);
}
