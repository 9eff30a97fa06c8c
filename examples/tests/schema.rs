//! Checks that the pictures of the main example are up to date.

use std::process::Command;

const PICTURE: &str = include_str!("../schema.svg");
const README: &str = include_str!("../README.md");

/// Returns the text that the program prints.
fn printed(form: &str) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_schema"))
        .arg(form)
        .output();
    let output = run.unwrap_or_else(|error| panic!("{error}"));
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_picture_is_that_of_the_models() {
    assert!(
        printed("svg") == PICTURE,
        "the models have changed; run `cargo run -p odm-examples --bin schema > examples/schema.svg`, and look at the picture"
    );
}

#[test]
fn the_class_diagram_is_that_of_the_models() {
    let block = format!("```mermaid\n{}```\n", printed("mermaid"));
    assert!(
        README.contains(&block),
        "the models have changed; copy what `cargo run -p odm-examples --bin schema mermaid` prints into examples/README.md"
    );
}
