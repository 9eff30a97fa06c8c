//! What breaks without a rule, and what breaks with all of them. `--no-capture` shows how.

use crate::{
    client::Op::{Insert, Link, RemoveOneSided, Unlink},
    database::{ANN, COURSE},
    goal::Goal,
    rules::{Batch, Grace, Mirror, Rules},
    setup::Setup,
};

/// Ann names the course, and a repair is about to add the other end while Ann ends it.
fn ended_beside_a_repair() -> Setup {
    Setup::new(&[(COURSE, &[]), (ANN, &[COURSE])])
        .due(COURSE)
        .writer(&[Unlink(ANN, COURSE)])
}

/// The repair writes the course alone, and Ann's writer Ann alone.
#[test]
fn without_a_touch_a_link_that_is_ended_comes_back_at_one_end() {
    ended_beside_a_repair()
        .rule(|rules| rules.touches = false)
        .breaks(Goal::Right, 14);
}

/// The job finds that the course names Ann, and has nothing to add.
#[test]
fn when_the_other_array_is_written_by_a_job_a_link_that_is_ended_stays_at_one_end() {
    Setup::new(&[(COURSE, &[ANN]), (ANN, &[COURSE])])
        .writer(&[Unlink(ANN, COURSE)])
        .rule(|rules| rules.mirror = Mirror::ByJob)
        .breaks(Goal::Right, 10);
}

/// Ann names a course that comes at the same moment: neither writer sees the other.
fn link_beside_an_insert(change: impl FnOnce(&mut Rules)) -> Setup {
    Setup::new(&[(ANN, &[])])
        .writer(&[Insert(COURSE, &[])])
        .writer(&[Link(ANN, COURSE)])
        .rule(change)
}

/// The insert commits last. Ann's job adds her to the course, and nobody runs it before the grace is over.
#[test]
fn without_a_second_look_of_an_insert_a_link_is_at_one_end_until_the_grace_is_over() {
    link_beside_an_insert(|rules| rules.looks_again = false).breaks(Goal::Soon, 5);
}

/// Ann's link commits last.
#[test]
fn without_a_second_look_of_a_link_it_is_at_one_end_until_the_grace_is_over() {
    link_beside_an_insert(|rules| rules.awaits = false).breaks(Goal::Soon, 5);
}

#[test]
fn without_a_second_look_of_an_insert_a_link_that_has_left_no_job_stays_at_one_end() {
    let change = |rules: &mut Rules| {
        rules.looks_again = false;
        rules.marks_missing = false;
    };
    link_beside_an_insert(change).breaks(Goal::Right, 5);
}

/// The second looks are lost with their writers.
#[test]
fn without_a_job_for_what_is_missing_a_link_stays_at_one_end() {
    link_beside_an_insert(|rules| rules.marks_missing = false)
        .crashes(1)
        .breaks(Goal::Right, 6);
}

/// Ann names a course that comes while she ends it.
fn ended_beside_an_insert(change: impl FnOnce(&mut Rules)) -> Setup {
    Setup::new(&[(ANN, &[COURSE])])
        .writer(&[Insert(COURSE, &[])])
        .rule(change)
}

/// The insert has seen Ann, and they meet nowhere: she writes herself, and it writes the course.
#[test]
fn without_a_job_for_what_is_missing_a_link_that_is_ended_comes_back_at_one_end() {
    ended_beside_an_insert(|rules| rules.marks_missing = false)
        .writer(&[Unlink(ANN, COURSE)])
        .breaks(Goal::Right, 10);
}

/// The job that Ann has left is long gone, and the second look is lost with its writer.
#[test]
fn without_a_look_in_its_transaction_a_new_document_does_not_name_who_named_it() {
    ended_beside_an_insert(|rules| rules.looks = false)
        .crashes(1)
        .breaks(Goal::Right, 3);
}

/// A link is made at the end that lacks it, and nothing is to be done at the other, where it is taken away.
#[test]
fn without_a_job_for_what_is_unchanged_a_link_is_made_at_one_end() {
    Setup::new(&[(COURSE, &[]), (ANN, &[COURSE])])
        .writer(&[Link(COURSE, ANN)])
        .writer(&[RemoveOneSided(ANN)])
        .rule(|rules| rules.marks_unchanged = false)
        .breaks(Goal::Right, 4);
}

/// Ann names the course before the insert commits and stops naming it after that, not seeing it either time.
fn made_and_ended_beside_an_insert() -> Setup {
    link_beside_an_insert(|_| {}).writer(&[Unlink(ANN, COURSE)])
}

/// Who ends the link began after Ann's job was written and before the insert was committed, which the job has waited for.
#[test]
fn when_the_grace_is_one_life_of_a_transaction_a_link_that_is_ended_comes_back() {
    made_and_ended_beside_an_insert()
        .rule(|rules| rules.grace = Grace::OneLife)
        .crashes(1)
        .breaks(Goal::Right, 17);
}

/// The first of three cases that all rules of the library together do not cover: there is no array to touch.
#[test]
fn gap_a_link_that_is_ended_where_the_other_array_is_null_comes_back_at_one_end() {
    ended_beside_a_repair()
        .without_array(COURSE)
        .breaks(Goal::Right, 14);
}

/// The second one: there is no document to touch. A job of the course is due that was deleted, and comes back.
#[test]
fn gap_a_link_that_is_ended_where_the_other_document_is_missing_comes_back_at_one_end() {
    made_and_ended_beside_an_insert()
        .due(COURSE)
        .breaks(Goal::Right, 21);
}

/// The third one: nobody touches it. Of two repairs one adds what is at one end, and the other one takes it away.
#[test]
fn gap_what_is_taken_away_at_one_end_comes_back_at_the_other() {
    Setup::new(&[(COURSE, &[]), (ANN, &[COURSE])])
        .due(COURSE)
        .writer(&[RemoveOneSided(ANN)])
        .breaks(Goal::Right, 11);
}

#[test]
fn lean_when_a_batch_does_not_write_its_job_a_link_that_is_ended_comes_back_at_one_end() {
    ended_beside_a_repair()
        .lean(|rules| rules.batch = Batch::Adds)
        .breaks(Goal::Right, 14);
}

#[test]
fn lean_without_a_job_for_what_is_unchanged_a_link_that_is_ended_comes_back_at_one_end() {
    ended_beside_a_repair()
        .lean(|rules| rules.marks_unchanged = false)
        .breaks(Goal::Right, 12);
}

#[test]
fn lean_without_a_job_of_what_is_taken_away_it_comes_back_at_the_other_end() {
    Setup::new(&[(COURSE, &[]), (ANN, &[COURSE])])
        .due(COURSE)
        .writer(&[RemoveOneSided(ANN)])
        .lean(|rules| rules.marks_removed = false)
        .breaks(Goal::Right, 12);
}

/// The insert is committed when the last look has begun.
#[test]
fn lean_without_grace_a_link_stays_at_one_end() {
    link_beside_an_insert(|_| {})
        .lean(|rules| rules.grace = Grace::Zero)
        .crashes(1)
        .breaks(Goal::Right, 11);
}
