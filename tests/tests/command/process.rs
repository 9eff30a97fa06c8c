//! A command that is run as a process.

use std::process::{Command, Output, Stdio};

use mongo_odm_testkit::TestDb;
use serde_json::Value;

pub(crate) const WITH_MODELS: &str = env!("CARGO_BIN_EXE_odm-of-shop");
pub(crate) const WITH_COPIES: &str = env!("CARGO_BIN_EXE_odm-of-copies");
pub(crate) const WITHOUT_MODELS: &str = env!("CARGO_BIN_EXE_odm-without-models");

/// The output of a command, and its exit code.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Returns a command with the URI of a database in its environment.
pub(crate) fn command(program: &str, uri: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("MONGODB_URI", uri)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null());
    command
}

/// Runs a command until it ends.
pub(crate) fn run_at(program: &str, uri: &str, arguments: &[&str]) -> Ran {
    let Output {
        status,
        stdout,
        stderr,
    } = command(program, uri, arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(stdout), text(stderr));
    assert!(!err.contains("panicked"), "{arguments:?}: {err}");
    // Output to a pipe must not contain escape codes.
    assert!(
        !out.contains('\u{1b}') && !err.contains('\u{1b}'),
        "{arguments:?}: colours\n{out}\n{err}"
    );
    Ran {
        code: status.code().unwrap_or(-1),
        out,
        err,
    }
}

/// Runs the command with models.
pub(crate) fn run(database: &TestDb, arguments: &[&str]) -> Ran {
    run_at(WITH_MODELS, database.uri(), arguments)
}

/// Runs the command with models and parses its JSON output.
pub(crate) fn json(database: &TestDb, arguments: &[&str]) -> (i32, Value) {
    json_at(WITH_MODELS, database, arguments)
}

/// Runs the given program and parses its JSON output.
pub(crate) fn json_at(program: &str, database: &TestDb, arguments: &[&str]) -> (i32, Value) {
    let ran = run_at(program, database.uri(), &[arguments, &["--json"]].concat());
    let json = serde_json::from_str(&ran.out);
    (
        ran.code,
        json.unwrap_or_else(|error| panic!("{error}: {ran:?}")),
    )
}
