//! Checks the conditions in all states.

use crate::{
    client::Step::{self, Delete, Insert, Store},
    counterexamples::{AGAIN, ARRIVAL},
    database::Value::{New, Old},
    rules::{
        Removal::{Cascade, Nullify},
        Rule,
    },
    setup::Setup,
};

/// The source is deleted and inserted twice.
const TWICE: &[Step] = &[Store(0), Delete, Insert(New), Delete, Insert(Old)];
const CHILDREN: &[Step] = &[Store(0), Store(1), Delete, Insert(New)];

#[test]
fn a_source_that_is_stored_again_has_its_copies_after_a_cascade() {
    Setup::new(Cascade, AGAIN).crashes(2).holds(29_410);
    Setup::new(Cascade, AGAIN)
        .crashes(1)
        .runners(2)
        .holds(68_662);
}

#[test]
fn a_source_that_is_stored_again_has_its_copies_after_a_nullify() {
    Setup::new(Nullify, AGAIN).crashes(2).holds(29_635);
    Setup::new(Nullify, AGAIN)
        .crashes(1)
        .runners(2)
        .holds(68_965);
}

#[test]
fn a_source_that_is_stored_twice_has_its_copies() {
    Setup::new(Cascade, TWICE).holds(42_462);
    Setup::new(Nullify, TWICE).without_source().holds(38_052);
}

#[test]
fn two_children_are_right() {
    let setup = Setup::new(Nullify, CHILDREN).without_source();
    setup.crashes(1).holds(65_803);
    let setup = Setup::new(Cascade, CHILDREN).without_source();
    setup.runners(2).holds(54_402);
}

/// Without these rules, the jobs do the same later.
#[test]
fn some_rules_only_save_time() {
    let rules: [(Rule, usize, usize); 2] = [
        (|rules| &mut rules.applies, 19_185, 492),
        (|rules| &mut rules.rechecks, 1_361, 95),
    ];
    for (rule, again, arrival) in rules {
        let setup = Setup::new(Cascade, AGAIN).crashes(1);
        setup.without(rule).holds(again);
        let setup = Setup::new(Nullify, ARRIVAL).without_source().crashes(1);
        setup.without(rule).holds(arrival);
    }
}
