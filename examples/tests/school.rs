//! Checks that the example about links still prints the expected text.

use std::process::Command;

const EXPECTED: &str = include_str!("school.txt");

/// Removes the parts of an example's output that differ in each run: the server, the database and times.
fn comparable(printed: &str) -> String {
    let lines = printed.lines();
    let lines = lines.filter(|line| !line.starts_with("server ") && !line.starts_with("database "));
    let lines = lines.map(|line| match line.rsplit_once(", ") {
        Some((trips, time)) if time.ends_with(" ms") => trips,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[test]
fn the_school_of_the_example_is_linked_asked_and_changed() {
    let mut example = Command::new(env!("CARGO_BIN_EXE_school"));
    // The example must use the grades that are part of the program, even if the data sets are available.
    let run = example.env_remove("ODM_DATA").output();
    let output = run.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = comparable(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(
        printed,
        EXPECTED.trim(),
        "copy it into examples/tests/school.txt if it is meant:\n{printed}\n"
    );
}
