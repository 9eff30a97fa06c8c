//! Runs the advisor on databases that cause one finding each, and on databases that cause none
//! (`s12_rules_of_thumb_advisor`).

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    unreachable_pub,
    reason = "tests of one binary: they panic to fail"
)]

mod models;
mod seeds;

mod arrays;
mod by_hand;
mod clean;
mod consistency;
mod counted;
mod datasets;
mod documents;
mod foreign;
mod indexes;
mod limits;
mod patterns;
mod report;
mod rights;
mod shards;
mod statements;

#[tokio::test]
async fn a_program_takes_no_declaration_of_its_own_for_one_of_another() {
    odm_tests::declared::assert_declarations_are_own("advise_own_declarations").await;
}
