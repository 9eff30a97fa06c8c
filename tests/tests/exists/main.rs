//! References whose targets must exist at the time of the write (`exists`), tested against a real server.

#![allow(
    clippy::unwrap_used,
    clippy::cloned_ref_to_slice_refs,
    unreachable_pub,
    reason = "tests of one binary: they panic to fail"
)]

mod models;

mod cancelled;
mod declarations;
mod keys;
mod pairs;
mod plans;
mod polymorphic;
mod races;
mod standalone;
mod verify;
mod writes;

#[tokio::test]
async fn a_program_takes_no_declaration_of_its_own_for_one_of_another() {
    odm_tests::declared::assert_declarations_are_own("exists_own_declarations").await;
}
