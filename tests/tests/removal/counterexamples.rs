//! Shows the errors that occur without each rule. `--no-capture` prints how they occur.

use crate::{
    client::Step::{self, Delete, Insert, Store},
    database::{
        COPIES, RULE,
        Value::{New, Old},
    },
    goal::Goal,
    rules::{
        Removal::{Cascade, Nullify},
        Rule,
    },
    setup::Setup,
};

/// A child is stored while its source is deleted and stored again.
pub(crate) const AGAIN: &[Step] = &[Store(0), Delete, Insert(New)];
/// A child is stored while its missing source is stored.
pub(crate) const ARRIVAL: &[Step] = &[Store(0), Insert(Old)];

fn breaks(setup: Setup, rule: Rule, steps: usize) {
    setup.crashes(1).without(rule).breaks(Goal::Right, steps);
}

/// The child's transaction ends after the insert of the source, and its writer crashes. No job covers the copy.
#[test]
fn without_a_job_for_the_copies_a_child_keeps_the_value_of_the_deleted_source() {
    breaks(Setup::new(Cascade, AGAIN), |rules| &mut rules.records, 12);
    breaks(Setup::new(Nullify, AGAIN), |rules| &mut rules.records, 12);
}

/// The last look does not see the child, whose transaction began before the delete.
#[test]
fn without_a_grace_of_the_rule_a_reference_dangles() {
    let waits: Rule = |rules| &mut rules.waits[RULE];
    breaks(Setup::new(Cascade, &[Store(0), Delete]), waits, 9);
    breaks(Setup::new(Nullify, &[Store(0), Delete]), waits, 9);
}

/// The child's writer and the insert of the source do not see each other.
#[test]
fn without_a_grace_of_the_copies_a_child_has_no_value() {
    let arrival = Setup::new(Cascade, ARRIVAL).without_source();
    breaks(arrival, |rules| &mut rules.waits[COPIES], 10);
}

#[test]
fn without_a_job_for_a_missing_source_a_child_has_no_value() {
    let arrival = Setup::new(Cascade, ARRIVAL).without_source();
    breaks(arrival, |rules| &mut rules.expects, 6);
}

/// The job for the missing source has ended before the source is inserted. The inserter crashes after its commit.
#[test]
fn without_a_search_of_the_insert_a_child_has_no_value() {
    let arrival = Setup::new(Cascade, ARRIVAL).without_source();
    breaks(arrival, |rules| &mut rules.searches, 10);
}
