//! Checks the conditions in all states.

use crate::{
    client::{
        Op::{Delete, End, Insert, Link, Make, RemoveOneSided, Unlink},
        Ops,
    },
    counterexamples::{
        ANN_ALONE, COURSE_ALONE, ended_beside_a_repair, made_and_ended_beside_an_insert,
        taken_away_beside_a_repair,
    },
    database::{ANN, BOB, COURSE, Id},
    goal::Goal,
    setup::Setup,
};

const NONE: &[(Id, &[Id])] = &[(COURSE, &[]), (ANN, &[])];
const BOTH: &[(Id, &[Id])] = &[(COURSE, &[ANN]), (ANN, &[COURSE])];
/// There is no course.
const NOWHERE: &[(Id, &[Id])] = &[(ANN, &[COURSE])];

/// The writes that writers of arrays choose from.
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

/// The writes to choose from if some writers create and end links, and check both ends.
const LINKS: &[Ops] = &[
    &[Make(ANN, COURSE)],
    &[Make(COURSE, ANN)],
    &[End(ANN, COURSE)],
    &[End(COURSE, ANN)],
    &[Link(ANN, COURSE)],
    &[Unlink(COURSE, ANN)],
    &[Delete(COURSE)],
    &[Insert(COURSE, &[])],
    &[Insert(COURSE, &[ANN])],
    &[RemoveOneSided(ANN)],
];

/// The writes that writers of a course and two students choose from.
const STUDENTS: &[Ops] = &[
    &[Link(ANN, COURSE)],
    &[Link(COURSE, BOB)],
    &[Unlink(COURSE, ANN)],
    &[Unlink(BOB, COURSE)],
    &[Delete(BOB)],
    &[Insert(BOB, &[COURSE])],
    &[RemoveOneSided(COURSE)],
];

/// Two writers with two writes each.
fn two(documents: &[(Id, &[Id])], choice: &'static [Ops]) -> Setup {
    Setup::new(documents).choosers(choice, &[2, 2]).crashes(1)
}

/// Three writers with one write each.
fn three(documents: &[(Id, &[Id])], choice: &'static [Ops]) -> Setup {
    Setup::new(documents)
        .choosers(choice, &[1, 1, 1])
        .crashes(1)
}

#[test]
fn holds_with_two_arrays() {
    for documents in [NONE, BOTH] {
        two(documents, ALL).holds(20_903);
        three(documents, ALL).holds(2_871);
    }
}

/// A repair is under way.
#[test]
fn holds_with_a_link_at_one_end() {
    three(ANN_ALONE, ALL).due(COURSE).holds(68_555);
    three(COURSE_ALONE, ALL).due(ANN).holds(67_816);
}

#[test]
fn holds_with_a_link_to_what_is_missing() {
    three(NOWHERE, ALL).due(COURSE).holds(114_945);
    two(NOWHERE, ALL).crashes(0).holds(24_066);
}

#[test]
fn holds_with_a_null_array() {
    two(NONE, ALL).without_array(COURSE).holds(31_934);
    let named = three(ANN_ALONE, ALL).without_array(COURSE);
    named.due(COURSE).holds(72_458);
}

#[test]
fn holds_with_links_that_are_made_and_ended_at_both_ends() {
    two(NONE, LINKS).holds(140_728);
    three(BOTH, LINKS).holds(25_602);
    three(ANN_ALONE, LINKS).due(COURSE).holds(130_442);
    three(COURSE_ALONE, LINKS).due(ANN).holds(128_706);
    three(NOWHERE, LINKS).due(COURSE).holds(237_980);
}

/// This is true whatever a concurrent repair adds again.
#[test]
fn a_link_at_one_end_is_ended_whole() {
    let ended = |setup: Setup| {
        let ended = setup
            .writer(&[End(ANN, COURSE)])
            .writer(&[End(COURSE, ANN)]);
        ended.goal(Goal::Ended)
    };
    ended(Setup::new(ANN_ALONE).due(COURSE)).holds(140);
    ended(Setup::new(COURSE_ALONE).due(ANN)).holds(140);
}

#[test]
fn holds_with_two_students() {
    let students: &[(Id, &[Id])] = &[(COURSE, &[ANN]), (ANN, &[COURSE]), (BOB, &[COURSE])];
    three(students, STUDENTS).due(COURSE).holds(57_395);
}

#[test]
fn holds_with_two_runners() {
    let two_runners = |documents| {
        let writers = Setup::new(documents).choosers(ALL, &[1, 1]).crashes(1);
        writers.due(COURSE).runners(2)
    };
    two_runners(ANN_ALONE).holds(47_815);
    two_runners(NOWHERE).holds(86_902);
}

/// The reason is that in all states a link at one end has a job.
#[test]
fn a_batch_whose_job_is_gone_has_nothing_to_add() {
    let setup = Setup::new(ANN_ALONE).choosers(ALL, &[1, 1]).due(COURSE);
    let setup = setup.without(|rules| &mut rules.needs_job);
    setup.runners(2).holds(11_535);
}

/// This is true whatever a repair and a second look add again.
#[test]
fn a_link_that_is_ended_where_it_is_named_is_at_neither_end() {
    let documents: &[(Id, &[Id])] = &[(COURSE, &[]), (ANN, &[COURSE]), (BOB, &[COURSE])];
    let ann = Setup::new(documents)
        .due(COURSE)
        .writer(&[Unlink(ANN, COURSE)]);
    let both = ann.writer(&[Unlink(BOB, COURSE)]);
    both.goal(Goal::Ended).holds(126);
}

#[test]
fn a_link_that_is_ended_where_the_other_array_is_null_is_at_neither_end() {
    let ended = ended_beside_a_repair().without_array(COURSE);
    ended.goal(Goal::Ended).holds(44);
}

/// The course was deleted while its job is due, and is inserted again.
#[test]
fn a_link_that_is_ended_where_the_other_document_is_missing_is_not_at_one_end() {
    made_and_ended_beside_an_insert().due(COURSE).holds(1_460);
}

#[test]
fn what_is_taken_away_at_one_end_does_not_come_back_at_the_other() {
    taken_away_beside_a_repair().holds(36);
}

/// As with `deferred()`, or if a run is already pending.
#[test]
fn an_insert_may_leave_to_the_job_who_names_the_new_document() {
    let deferred = three(NOWHERE, ALL).without(|rules| &mut rules.completes);
    deferred.holds(39_570);
}

#[test]
fn second_looks_only_save_time() {
    let without = |setup: Setup| {
        let setup = setup.without(|rules| &mut rules.looks_again);
        setup.without(|rules| &mut rules.awaits)
    };
    without(two(BOTH, ALL)).holds(7_799);
    without(three(NOWHERE, ALL)).holds(9_869);
}

/// This is true if no process crashes.
#[test]
fn nobody_waits_for_the_grace() {
    let writers: &[Ops] = &[
        &[Link(ANN, COURSE)],
        &[Insert(COURSE, &[])],
        &[Delete(COURSE)],
    ];
    let soon = two(&[(ANN, &[])], writers).crashes(0);
    soon.goal(Goal::Soon).holds(2_765);
}
