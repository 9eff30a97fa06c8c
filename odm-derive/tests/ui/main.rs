//! The messages of the compiler about programs that do not compile. Programs that compile are in `tests/valid.rs`.
//!
//! `UPDATE_EXPECT=1 cargo test -p mongo-odm-derive --test ui` writes the messages anew. Read them as a user would.
//! `ODM_FIXTURES=call_` selects the fixtures with `call_` in their names, `ODM_FIXTURES=habits/` those in that folder.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its input has failed"
)]

mod compiler;
mod message;

use std::{
    env,
    ffi::OsStr,
    fs,
    panic::catch_unwind,
    path::{Path, PathBuf},
};

use expect_test::expect_file;

/// Maximum number of lines of a message.
const LINES: usize = 25;

#[test]
fn invalid_fixtures_say_what_to_do() {
    let mut fixtures = invalid_fixtures();
    let selected = env::var("ODM_FIXTURES").unwrap_or_default();
    fixtures.retain(|fixture| name(fixture).contains(&selected));
    assert!(!fixtures.is_empty(), "no fixture is selected");
    let messages = compiler::messages_about(&fixtures);
    let failed = messages
        .iter()
        .filter(|(fixture, messages)| !has_messages(fixture, messages.as_deref()));
    let failed: Vec<String> = failed.map(|(fixture, _)| name(fixture)).collect();
    assert!(
        failed.is_empty(),
        "{} of {} fixtures failed; `UPDATE_EXPECT=1` accepts other messages:\n{}",
        failed.len(),
        fixtures.len(),
        failed.join("\n")
    );
}

#[test]
fn a_mistake_is_one_error_of_few_lines() {
    let offenders: Vec<String> = invalid_fixtures().iter().filter_map(offence).collect();
    assert!(
        offenders.is_empty(),
        "{} fixtures have more errors than mistakes, or more than {LINES} lines:\n{}",
        offenders.len(),
        offenders.join("\n")
    );
}

#[test]
fn there_are_enough_fixtures() {
    let (invalid, valid) = (invalid_fixtures().len(), fixtures("valid").len());
    println!("{invalid} programs are refused, and {valid} compile");
    assert!(invalid >= 250, "{invalid} programs are refused");
    assert!(valid >= 60, "{valid} programs compile");
}

/// Returns the programs with a mistake, and the programs that use attributes of other libraries.
fn invalid_fixtures() -> Vec<PathBuf> {
    let mut all = fixtures("invalid");
    all.extend(fixtures("habits"));
    all
}

fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let files = fs::read_dir(folder.join(kind)).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension() == Some(OsStr::new("rs")));
    files.sort();
    files
}

/// Returns the name of a fixture with its folder: `habits/field_like`.
fn name(fixture: &Path) -> String {
    let folder = fixture.parent().and_then(Path::file_name).unwrap();
    let name = Path::new(folder).join(fixture.file_stem().unwrap());
    name.to_string_lossy().into_owned()
}

/// Returns whether the messages are those in the fixture's file, and prints the differences. A program without messages
/// compiles. A missing file counts as an empty one.
fn has_messages(fixture: &Path, messages: Option<&str>) -> bool {
    let Some(messages) = messages else {
        println!("{} compiles, and should not", fixture.display());
        return false;
    };
    let file = expect_file![fixture.with_extension("stderr")];
    catch_unwind(|| file.assert_eq(messages)).is_ok()
}

/// Returns what is wrong with the messages of a fixture. A fixture has one mistake, unless its first line is
/// `// mistakes: N`. If its first line is `// gap: ..`, its messages are worse for the reason in this line.
fn offence(fixture: &PathBuf) -> Option<String> {
    let program = fs::read_to_string(fixture).unwrap();
    let first = program.lines().next()?;
    let mistakes = first.strip_prefix("// mistakes: ");
    let mistakes = mistakes.map_or(1, |number| number.parse().unwrap());
    let messages = fs::read_to_string(fixture.with_extension("stderr")).unwrap();
    let lines = messages.lines().count();
    let errors = messages.lines().filter(|line| line.starts_with("error"));
    let errors = errors.count();
    let name = name(fixture);
    let is_offence = errors > mistakes || lines > LINES;
    match (first.starts_with("// gap: "), is_offence) {
        (false, true) => Some(format!("{name}: {errors} errors, {lines} lines")),
        (true, false) => Some(format!("{name}: it is not a gap; remove the first line")),
        _ => None,
    }
}
