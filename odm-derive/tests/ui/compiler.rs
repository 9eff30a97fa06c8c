//! Runs the compiler on programs, with the dependencies of this test.
//!
//! The dependencies are the files that this test itself is linked with. So nothing is built a second time, whatever
//! packages, features and profile a build has.

use std::{
    collections::BTreeMap,
    iter,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

use odm_arguments::compiler_arguments;

use crate::message;

/// The compiler options for all programs. `cargo check` also emits only metadata. The width is the one of messages
/// without a terminal. `--verbose` lists all types that implement a trait.
const OPTIONS: [&str; 8] = [
    "--crate-name=fixture",
    "--emit=metadata",
    concat!("--out-dir=", env!("CARGO_TARGET_TMPDIR")),
    "--error-format=human",
    "--color=never",
    "--diagnostic-width=140",
    "--verbose",
    "-Adead_code",
];

/// Returns the compiler's messages about each program, or `None` if the program compiles.
pub(crate) fn messages_about(programs: &[PathBuf]) -> BTreeMap<&Path, Option<String>> {
    let waiting = Mutex::new(programs.iter());
    let work = || {
        let next = iter::from_fn(|| waiting.lock().unwrap().next());
        let compiled = next.map(|program| (program.as_path(), messages(program)));
        compiled.collect::<Vec<_>>()
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let compiled = workers.into_iter().map(|worker| worker.join().unwrap());
        compiled.flatten().collect()
    })
}

fn messages(program: &Path) -> Option<String> {
    let (compiler, dependencies) = compiler_of_this_test();
    let mut command = Command::new(compiler);
    command.args(dependencies).args(OPTIONS).arg(program);
    // Without this option, the compiler removes test functions before it checks their types.
    let name = program.file_name().unwrap().to_string_lossy();
    if name.starts_with("test_") {
        command.arg("--test");
    }
    // Excerpts of the library need its files, whose paths are relative to the workspace.
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let output = command.output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    (!output.status.success()).then(|| message::normalized(&messages, program))
}

/// Returns the compiler of this test, and its arguments for dependencies, edition and target.
fn compiler_of_this_test() -> (&'static str, Vec<&'static str>) {
    let mut arguments = compiler_arguments!().lines();
    let compiler = arguments.next().unwrap();
    let mut kept = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument {
            "--extern" | "-L" | "--target" => kept.extend([argument, arguments.next().unwrap()]),
            _ if argument.starts_with("--edition=") => kept.push(argument),
            _ => {}
        }
    }
    (compiler, kept)
}
