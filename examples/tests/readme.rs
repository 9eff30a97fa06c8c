//! Checks that the program in the README is the example `first`, and runs it.

use std::process::Command;

use mongo_odm_testkit::TestDb;

const README: &str = include_str!("../../README.md");
const FIRST: &str = include_str!("../src/bin/first.rs");

#[test]
fn the_first_code_block_is_the_first_example() {
    let (_, from_code) = README.split_once("```rust\n").unwrap_or_default();
    let (code, _) = from_code.split_once("```").unwrap_or_default();
    assert_eq!(code, FIRST, "copy examples/src/bin/first.rs into README.md");
}

#[tokio::test]
async fn the_first_example_prints_the_new_name() {
    let database = TestDb::new("first")
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let run = Command::new(env!("CARGO_BIN_EXE_first"))
        .arg(database.uri())
        .output();
    let output = run.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed, "1 book\nTove Jansson\n");
}
