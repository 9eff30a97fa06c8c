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

/// It holds in so many states, and breaks without a rule in so many steps.
fn needs(setup: Setup, rule: Rule, states: usize, steps: usize) {
    setup.clone().without(rule).breaks(Goal::Right, steps);
    setup.holds(states);
}

/// Ann names the course, and a repair is about to add the other end while Ann ends it.
pub(crate) fn ended_beside_a_repair() -> Setup {
    Setup::new(ANN_ALONE)
        .due(COURSE)
        .writer(&[Unlink(ANN, COURSE)])
}

/// Of two repairs one is about to add what is at one end, and the other one takes it away.
pub(crate) fn taken_away_beside_a_repair() -> Setup {
    Setup::new(ANN_ALONE)
        .due(COURSE)
        .writer(&[RemoveOneSided(ANN)])
}

/// Ann names a course that comes at the same moment: neither writer sees the other.
fn made_beside_an_insert() -> Setup {
    Setup::new(&[(ANN, &[])])
        .writer(&[Insert(COURSE, &[])])
        .writer(&[Link(ANN, COURSE)])
}

/// Ann names the course before the insert commits and stops naming it after that, not seeing it either time.
pub(crate) fn made_and_ended_beside_an_insert() -> Setup {
    made_beside_an_insert().writer(&[Unlink(ANN, COURSE)])
}

/// Ann names a course that comes while she ends it. The insert has seen her.
fn ended_beside_an_insert() -> Setup {
    Setup::new(&[(ANN, &[COURSE])])
        .writer(&[Insert(COURSE, &[])])
        .writer(&[Unlink(ANN, COURSE)])
}

/// The job finds that the course names Ann, and has nothing to add.
#[test]
fn when_the_other_array_is_written_by_a_job_a_link_that_is_ended_stays_at_one_end() {
    let setup = Setup::new(&[(COURSE, &[ANN]), (ANN, &[COURSE])]).writer(&[Unlink(ANN, COURSE)]);
    needs(setup, |rules| &mut rules.mirrors, 3, 12);
}

/// The batch writes the course alone, and Ann's writer Ann and the job.
#[test]
fn when_a_batch_does_not_write_its_job_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_a_repair();
    needs(setup, |rules| &mut rules.writes_job, 36, 14);
}

/// The batch writes the course and the job, and Ann's writer Ann alone.
#[test]
fn without_a_job_for_what_is_unchanged_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_a_repair();
    needs(setup, |rules| &mut rules.marks_unchanged, 36, 12);
}

/// A link is made at the end that lacks it, and nothing is to be done at the other, where it is taken away.
#[test]
fn without_a_job_for_what_is_unchanged_a_link_is_made_at_one_end() {
    let setup = taken_away_beside_a_repair().writer(&[Link(COURSE, ANN)]);
    needs(setup, |rules| &mut rules.marks_unchanged, 162, 14);
}

/// One makes whole what Ann names alone, and one ends what the course does not name: each writes the other array.
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

/// A repair is about to add the course to Ann, who ends that, and names it nowhere.
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

/// The second looks are lost with their writers.
#[test]
fn without_a_job_for_what_is_missing_a_link_stays_at_one_end() {
    let setup = made_beside_an_insert().crashes(1);
    needs(setup, |rules| &mut rules.marks_missing, 439, 6);
}

/// They meet nowhere: Ann's writer writes her, and the insert writes the course and its job.
#[test]
fn without_a_job_for_what_is_missing_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_an_insert();
    needs(setup, |rules| &mut rules.marks_missing, 98, 11);
}

/// They meet nowhere: Ann's writer writes her and the job of the course, and the insert writes the course.
#[test]
fn without_a_job_for_a_new_document_a_link_that_is_ended_comes_back_at_one_end() {
    let setup = ended_beside_an_insert();
    needs(setup, |rules| &mut rules.marks_new, 98, 11);
}

/// The job that Ann has left is long gone, and the second look is lost with its writer.
#[test]
fn without_a_look_in_its_transaction_a_new_document_does_not_name_who_named_it() {
    let setup = Setup::new(&[(ANN, &[COURSE])]).writer(&[Insert(COURSE, &[])]);
    needs(setup.crashes(1), |rules| &mut rules.looks, 42, 3);
}

/// The insert is committed when the last look has begun.
#[test]
fn without_a_grace_a_link_stays_at_one_end() {
    let setup = made_beside_an_insert().crashes(1);
    needs(setup, |rules| &mut rules.waits, 439, 11);
}

/// The insert commits last. Ann's job adds her to the course, and nobody runs it before the grace is over.
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
