//! Whether a program runs and is `mongod`: what it answers to `--version`.

use std::{
    io,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

/// Runs `mongod --version`; the error is a sentence for the user.
pub(super) fn runs(program: &Path) -> Result<(), String> {
    let output = version(program).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such program".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be executed".to_owned(),
        _ => format!("it cannot be started: {error}"),
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && text.contains("db version") {
        return Ok(());
    }
    Err(explain(&output))
}

/// A file that was just written can be busy for a moment: another thread that is starting a
/// process has a copy of everything that is open, for writing too, until it executes.
fn version(program: &Path) -> io::Result<Output> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    for _ in 0..20 {
        match command.output() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(50));
            }
            other => return other,
        }
    }
    command.output()
}

fn explain(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    if let Some(library) = missing_library(&errors) {
        return format!("it needs the shared library {library}, which is not installed");
    }
    if output.status.signal() == Some(4) {
        return "illegal instruction: mongod 5.0 and later need a processor with AVX".into();
    }
    let said = errors.lines().find(|line| !line.trim().is_empty());
    let said = said.map_or_else(|| "nothing".into(), |line| format!("`{}`", line.trim()));
    format!(
        "`--version` does not work as it does with mongod: {}, it said {said}",
        output.status
    )
}

/// The loader stops at the first one that is missing, so there is one name only.
fn missing_library(errors: &str) -> Option<&str> {
    let (_, rest) = errors.split_once("error while loading shared libraries: ")?;
    rest.split_once(':').map(|(library, _)| library.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_library_is_named() {
        let said = "mongod: error while loading shared libraries: libcrypto.so.3: \
                    cannot open shared object file: No such file or directory\n";
        assert_eq!(missing_library(said), Some("libcrypto.so.3"));
        assert_eq!(missing_library("mongod: command not found"), None);
    }
}
