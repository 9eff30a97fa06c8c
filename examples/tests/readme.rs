//! The README shows what runs.

use std::process::Command;

use mongo_odm_testkit::TestDb;

const README: &str = include_str!("../../README.md");
const QUICKSTART: &str = include_str!("../src/bin/quickstart.rs");

#[test]
fn the_first_code_block_is_the_quickstart() {
    let (_, from_code) = README.split_once("```rust\n").unwrap_or_default();
    let (code, _) = from_code.split_once("```").unwrap_or_default();
    assert_eq!(
        code, QUICKSTART,
        "copy examples/src/bin/quickstart.rs into README.md"
    );
    let before = README.split(QUICKSTART).next().unwrap_or_default();
    let last = before.lines().count() + QUICKSTART.lines().count();
    assert!(last <= 40, "the example ends in line {last}: too far down");
}

#[tokio::test]
async fn the_quickstart_loads_three_parts_and_one_product() {
    let database = TestDb::new("quickstart")
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let run = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .arg(database.uri())
        .output();
    let output = run.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = printed.split("name: \"").skip(1).collect();
    let names: Vec<&str> = names
        .iter()
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert_eq!(names, ["bolt", "nut", "bolt"], "{printed}");
    assert_eq!(printed.matches("Product {").count(), 1, "{printed}");
}
