//! What the compiler says about what does not compile; what compiles is in `tests/valid.rs`.
//!
//! `TRYBUILD=overwrite cargo test -p mongo-odm-derive --test ui` writes the messages anew; read them
//! as a user would.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its input has failed"
)]

use std::{ffi::OsStr, fs, path::PathBuf};

/// The longest message that a reader takes in.
const LINES: usize = 25;

#[test]
fn invalid_fixtures_say_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/fixtures/invalid/*.rs");
}

#[test]
fn a_mistake_is_one_error_of_few_lines() {
    let offenders: Vec<String> = fixtures("invalid").iter().filter_map(offence).collect();
    assert!(
        offenders.is_empty(),
        "{} fixtures have more errors than mistakes, or more than {LINES} lines:\n{}",
        offenders.len(),
        offenders.join("\n")
    );
}

#[test]
fn there_are_enough_fixtures() {
    let (invalid, valid) = (fixtures("invalid").len(), fixtures("valid").len());
    println!("{invalid} programs are refused, and {valid} compile");
    assert!(invalid >= 250, "{invalid} programs are refused");
    assert!(valid >= 60, "{valid} programs compile");
}

fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let files = fs::read_dir(folder.join(kind)).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension() == Some(OsStr::new("rs")));
    files.sort();
    files
}

/// Says what is wrong with the messages of a fixture. It has one mistake, unless its first line is
/// `// mistakes: N`.
fn offence(fixture: &PathBuf) -> Option<String> {
    let program = fs::read_to_string(fixture).unwrap();
    let first = program.lines().next()?;
    let mistakes = first.strip_prefix("// mistakes: ");
    let mistakes = mistakes.map_or(1, |number| number.parse().unwrap());
    let messages = fs::read_to_string(fixture.with_extension("stderr")).unwrap();
    let lines = messages.lines().count();
    let errors = messages.lines().filter(|line| line.starts_with("error"));
    let errors = errors.count();
    let name = fixture.file_stem()?.to_string_lossy();
    (errors > mistakes || lines > LINES).then(|| format!("{name}: {errors} errors, {lines} lines"))
}
