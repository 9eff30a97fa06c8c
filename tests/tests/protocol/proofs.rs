//! Checks the conditions in all states.

use crate::{
    database::Value::{A, B, C},
    goal::Goal,
    rules::{Completion, Concern, CursorWrite, Grace, Reread},
    setup::{Form, Setup},
};

/// Renames from A to B and back to A, because an update that changes nothing takes no lock.
fn there_and_back() -> Setup {
    Setup::new(&[B, A]).crashes(1)
}

#[test]
fn full_protocol_holds_with_two_crashes() {
    there_and_back().crashes(2).holds(25_457);
    Setup::new(&[B, C]).crashes(2).holds(30_718);
}

#[test]
fn full_protocol_holds_with_three_copies() {
    there_and_back().copies(2).holds(14_872);
}

#[test]
fn full_protocol_holds_with_three_renames() {
    Setup::new(&[B, C, A]).crashes(1).holds(73_327);
}

#[test]
fn full_protocol_holds_with_two_renamers() {
    let to_b = || Setup::new(&[B]).crashes(2);
    to_b().another_renamer(&[A]).holds(26_779);
    to_b().another_renamer(&[C]).holds(61_090);
}

#[test]
fn full_protocol_holds_with_two_runners() {
    there_and_back().runners(2).crashes(2).holds(213_405);
    Setup::new(&[B, C]).runners(2).crashes(1).holds(105_730);
}

#[test]
fn full_protocol_holds_through_a_failover() {
    there_and_back().failover().holds(60_623);
}

#[test]
fn run_leaves_no_stale_copy_to_the_settle_sweep() {
    there_and_back()
        .form(Form::Large)
        .without_insert()
        .copies(2)
        .runners(2)
        .crashes(2)
        .goal(Goal::Run)
        .holds(10_404);
}

/// A newer renamer, and a runner of each version.
#[test]
fn run_of_two_versions_leaves_no_stale_copy_to_the_settle_sweep() {
    Setup::new(&[B])
        .form(Form::Large)
        .without_insert()
        .copies(2)
        .versions()
        .runners(2)
        .crashes(1)
        .goal(Goal::Run)
        .holds(4_318);
}

#[test]
fn cursor_write_stops_a_batch_that_outlives_the_grace_period() {
    let setup = || {
        there_and_back()
            .runners(2)
            .rule(|rules| rules.grace = Grace::ExceptBatches)
    };
    setup().holds(92_504);
    setup()
        .rule(|rules| rules.cursor = CursorWrite::Counted)
        .holds(164_901);
}

#[test]
fn settle_sweep_corrects_what_batches_without_a_cursor_write_leave() {
    there_and_back()
        .runners(2)
        .rule(|rules| rules.cursor = CursorWrite::Never)
        .holds(38_004);
}

#[test]
fn settle_sweep_corrects_what_an_inserter_that_does_not_read_again_leaves() {
    there_and_back()
        .runners(2)
        .rule(|rules| rules.reread = Reread::Never)
        .holds(41_160);
}

#[test]
fn completion_may_check_the_seq_in_the_filters_of_its_deletes() {
    there_and_back()
        .runners(2)
        .rule(|rules| rules.completion = Completion::FilteredDeletes)
        .holds(91_975);
}

/// After the failover, the copies equal the value that the source still has. The rename itself may be lost.
#[test]
fn completion_that_checks_the_cursor_bears_w1_with_a_failover() {
    there_and_back()
        .failover()
        .rule(|rules| rules.concern = Concern::Primary)
        .rule(|rules| rules.completion = Completion::ReadsJobAndCursor)
        .holds(95_604);
}

/// Each relation has its own job. The inserted copy belongs to the second relation.
#[test]
fn full_protocol_holds_with_two_relations() {
    there_and_back().two_relations().holds(88_306);
    Setup::new(&[B])
        .two_relations()
        .runners(2)
        .crashes(1)
        .holds(47_127);
}

#[test]
fn full_protocol_holds_with_two_relations_through_a_failover() {
    Setup::new(&[B])
        .two_relations()
        .crashes(1)
        .failover()
        .holds(30_832);
}

/// The job of a relation that no running program knows remains, but the copies of the other relation are updated.
#[test]
fn an_unknown_relation_blocks_no_other() {
    there_and_back().one_unknown().copies(2).holds(10_403);
}

/// Renamers read the declaration of the copies some time after it is stored.
#[test]
fn full_protocol_holds_while_renamers_do_not_know_the_copies() {
    there_and_back().declared_late().crashes(2).holds(158_809);
}

#[test]
fn full_protocol_holds_while_one_of_two_renamers_does_not_know_the_copies() {
    let two = Setup::new(&[B]).another_renamer(&[C]);
    two.declared_late().crashes(1).holds(133_916);
}

#[test]
fn full_protocol_holds_with_two_runners_while_renamers_do_not_know_the_copies() {
    let setup = Setup::new(&[B]).declared_late();
    setup.runners(2).crashes(1).holds(37_363);
}

/// The next action of a rename's caller begins while the commit of the rename may still arrive.
#[test]
fn full_protocol_holds_with_cancelled_callers() {
    there_and_back().cancels(2).holds(39_518);
    Setup::new(&[B, C, A]).cancels(1).holds(46_801);
    Setup::new(&[B])
        .runners(2)
        .crashes(1)
        .cancels(2)
        .holds(13_989);
}

#[test]
fn full_protocol_holds_with_cancelled_transactions_of_the_application() {
    let setup = || Setup::new(&[B]).transacts(&[C]);
    setup().crashes(1).cancels(2).holds(11_186);
    setup().runners(2).cancels(1).holds(20_938);
}

#[test]
fn full_protocol_holds_with_cancelled_callers_through_a_failover() {
    Setup::new(&[B, A]).cancels(2).failover().holds(60_020);
}

#[test]
fn full_protocol_holds_with_cancelled_callers_while_renamers_do_not_know_the_copies() {
    Setup::new(&[B]).declared_late().cancels(2).holds(3_793);
}

/// A newer renamer and an older one, and a runner of each version.
#[test]
fn full_protocol_holds_with_two_versions_of_a_program() {
    let two = || {
        Setup::new(&[B])
            .without_insert()
            .copies(2)
            .versions()
            .runners(2)
    };
    two().crashes(2).holds(14_717);
    two().another_renamer(&[A]).holds(37_612);
    two().another_renamer(&[C]).cancels(1).holds(156_170);
}
