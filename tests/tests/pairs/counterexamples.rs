//! Shows the errors that occur without each rule. `--no-capture` prints how they occur.

use crate::{
    client::Op::{End, Insert, Link, Make, RemoveOneSided, Unlink},
    database::{ANN, COURSE, Id},
    goal::Goal,
    rules::Rule,
    setup::Setup,
};

pub(crate) const ANN_ALONE: &[(Id, &[Id])] = &[(COURSE, &[]), (ANN, &[COURSE])];
pub(crate) const COURSE_ALONE: &[(Id, &[Id])] = &[(COURSE, &[ANN]), (ANN, &[])];

/// Asserts that the setup holds in `states` states, and that it breaks in `steps` steps without the rule.
fn needs(setup: Setup, rule: Rule, states: usize, steps: usize) {
    setup.clone().without(rule).breaks(Goal::Right, steps);
    setup.holds(states);
}

/// Ann refers to the course, and a repair is about to add Ann to the course while Ann ends the link.
pub(crate) fn ended_beside_a_repair() -> Setup {
    Setup::new(ANN_ALONE)
        .due(COURSE)
        .writer(&[Unlink(ANN, COURSE)])
}

/// Two repairs of a link at one end: one is about to add the other end, and the other removes the link.
pub(crate) fn taken_away_beside_a_repair() -> Setup {
    Setup::new(ANN_ALONE)
        .due(COURSE)
        .writer(&[RemoveOneSided(ANN)])
}

/// Ann adds a course that is inserted at the same moment. Neither writer sees the other's write.
fn made_beside_an_insert() -> Setup {
    Setup::new(&[(ANN, &[])])
        .writer(&[Insert(COURSE, &[])])
        .writer(&[Link(ANN, COURSE)])
}

/// Ann adds the course before the insert commits and removes it afterwards. Neither of these writes sees the course.
pub(crate) fn made_and_ended_beside_an_insert() -> Setup {
    made_beside_an_insert().writer(&[Unlink(ANN, COURSE)])
}

/// Ann refers to a course that is inserted while she ends this link. The insert has seen her array.
fn ended_beside_an_insert() -> Setup {
    Setup::new(&[(ANN, &[COURSE])])
        .writer(&[Insert(COURSE, &[])])
        .writer(&[Unlink(ANN, COURSE)])
}

/// The job only adds ids. It finds that the course refers to Ann, and has nothing to add.
#[test]
fn when_the_other_array_is_written_by_a_job_a_link_that_is_ended_stays_at_one_end() {
    let setup = Setup::new(&[(COURSE, &[ANN]), (ANN, &[COURSE])]).writer(&[Unlink(ANN, COURSE)]);
    needs(setup, |rules| &mut rules.mirrors, 3, 12);
}

/// The batch writes only the course, and Ann's writer writes Ann and the job.
#[test]
fn when_a_batch_does_not_write_its_job_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_a_repair();
    needs(setup, |rules| &mut rules.writes_job, 36, 14);
}

/// The batch writes the course and the job, and Ann's writer writes only Ann.
#[test]
fn without_a_job_for_what_is_unchanged_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_a_repair();
    needs(setup, |rules| &mut rules.marks_unchanged, 36, 12);
}

/// A writer adds a link at the end that lacks it, and finds nothing to add at the other end, from which a repair
/// removes it.
#[test]
fn without_a_job_for_what_is_unchanged_a_link_is_made_at_one_end() {
    let setup = taken_away_beside_a_repair().writer(&[Link(COURSE, ANN)]);
    needs(setup, |rules| &mut rules.marks_unchanged, 162, 14);
}

/// Only Ann refers to the course. One writer creates the link from Ann, and another ends it from the course. Each
/// writer only has to write the array at the other end.
fn made_and_ended_at_one_end() -> Setup {
    Setup::new(ANN_ALONE)
        .due(COURSE)
        .writer(&[Make(ANN, COURSE)])
        .writer(&[End(COURSE, ANN)])
}

#[test]
fn without_a_look_at_the_other_end_a_link_that_is_made_again_stays_at_one_end() {
    let setup = Setup::new(ANN_ALONE).writer(&[Make(ANN, COURSE)]);
    let setup = setup.goal(Goal::Right);
    needs(setup, |rules| &mut rules.settles, 8, 1);
}

#[test]
fn without_the_job_of_the_own_array_a_link_that_is_made_and_ended_is_at_one_end() {
    needs(
        made_and_ended_at_one_end(),
        |rules| &mut rules.marks_settled,
        259,
        14,
    );
}

/// A repair is about to add the course to Ann, while Ann ends this link although her array does not contain the course.
#[test]
fn without_the_job_of_the_own_array_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = Setup::new(COURSE_ALONE)
        .due(ANN)
        .writer(&[End(ANN, COURSE)]);
    needs(setup, |rules| &mut rules.marks_settled, 36, 12);
}

#[test]
fn without_a_job_of_what_is_taken_away_it_comes_back_at_the_other_end() {
    let setup = taken_away_beside_a_repair();
    needs(setup, |rules| &mut rules.marks_removed, 36, 12);
}

/// A second look is lost if its writer crashes.
#[test]
fn without_a_job_for_what_is_missing_a_link_stays_at_one_end() {
    let setup = made_beside_an_insert().crashes(1);
    needs(setup, |rules| &mut rules.marks_missing, 439, 6);
}

/// The transactions do not conflict: Ann's writer writes Ann, and the insert writes the course and its job.
#[test]
fn without_a_job_for_what_is_missing_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_an_insert();
    needs(setup, |rules| &mut rules.marks_missing, 98, 11);
}

/// The transactions do not conflict: Ann's writer writes Ann and the job of the course, and the insert writes the
/// course.
#[test]
fn without_a_job_for_a_new_document_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_an_insert();
    needs(setup, |rules| &mut rules.marks_new, 98, 11);
}

/// The job that Ann's writer stored was removed long ago, and the second look is lost because its writer crashes.
#[test]
fn without_a_look_in_its_transaction_a_new_document_does_not_name_who_named_it() {
    let setup = Setup::new(&[(ANN, &[COURSE])]).writer(&[Insert(COURSE, &[])]);
    needs(setup.crashes(1), |rules| &mut rules.looks, 42, 3);
}

/// The insert commits after the last look has begun.
#[test]
fn without_a_grace_a_link_stays_at_one_end() {
    let setup = made_beside_an_insert().crashes(1);
    needs(setup, |rules| &mut rules.waits, 439, 11);
}

/// The insert commits last. The job that Ann's writer stored adds her to the course, but no runner runs it before the
/// grace period is over.
#[test]
fn without_a_second_look_of_an_insert_a_link_is_at_one_end_until_the_grace_is_over() {
    let setup = made_beside_an_insert().without(|rules| &mut rules.looks_again);
    setup.breaks(Goal::Soon, 5);
}

/// Ann's link commits last.
#[test]
fn without_a_second_look_of_a_link_it_is_at_one_end_until_the_grace_is_over() {
    let setup = made_beside_an_insert().without(|rules| &mut rules.awaits);
    setup.breaks(Goal::Soon, 5);
}
