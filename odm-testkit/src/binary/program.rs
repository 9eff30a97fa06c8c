//! A `mongod` program: its path, its environment, and its version.

use std::{
    env,
    ffi::{OsStr, OsString},
    io, iter,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

/// A program that may be `mongod`.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    path: PathBuf,
    libraries: Option<PathBuf>,
}

impl Program {
    /// Creates a description of a program that finds its shared libraries by itself.
    pub(super) fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            libraries: None,
        }
    }

    /// Creates a description of a program that needs shared libraries from a folder. The loader
    /// searches this folder first.
    pub(super) fn with_libraries(path: PathBuf, folder: PathBuf) -> Self {
        Self {
            path,
            libraries: Some(folder),
        }
    }

    /// Returns the path of the program.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Sets the environment variables that the program needs.
    pub(crate) fn set_environment(&self, command: &mut Command) {
        if let Some(folder) = &self.libraries {
            let inherited = env::var_os("LD_LIBRARY_PATH");
            command.env("LD_LIBRARY_PATH", library_path(folder, inherited));
        }
    }

    /// Runs the program with `--version`, and returns the version. The error is a sentence for the
    /// user.
    pub(super) fn version(&self) -> Result<String, String> {
        let output = self.ask_version().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if self.path.exists() => {
                "its loader is not installed, as it is built for another libc".to_owned()
            }
            io::ErrorKind::NotFound => "there is no such program".to_owned(),
            io::ErrorKind::PermissionDenied => "it may not be executed".to_owned(),
            _ => format!("it cannot be started: {error}"),
        })?;
        let text = String::from_utf8_lossy(&output.stdout);
        match version_in(&text) {
            Some(version) if output.status.success() => Ok(version.to_owned()),
            _ => Err(explain(&output)),
        }
    }

    fn ask_version(&self) -> io::Result<Output> {
        let mut command = Command::new(&self.path);
        command.arg("--version").stdin(Stdio::null());
        self.set_environment(&mut command);
        output_of(&mut command)
    }
}

/// Returns a library path that contains the folder first, and then the folders that the user has
/// set.
fn library_path(folder: &Path, inherited: Option<OsString>) -> OsString {
    let inherited = inherited.filter(|folders| !folders.is_empty());
    let folders = iter::once(folder.as_os_str().to_owned()).chain(inherited);
    folders.collect::<Vec<_>>().join(OsStr::new(":"))
}

/// Runs a command, and retries while its file is busy. This can happen just after the file has been
/// written: another thread that starts a process shares all open files with that process for a
/// moment.
fn output_of(command: &mut Command) -> io::Result<Output> {
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

/// Returns the version after `db version v` in the output of the program.
fn version_in(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("db version v")?;
    rest.split_whitespace().next()
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

/// Returns the name of the missing library in an error of the loader. The loader stops at the first
/// missing library, so there is only one.
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

    #[test]
    fn the_version_is_read() {
        let said = "db version v6.0.27\nBuild Info: {\n    \"version\": \"6.0.27\",\n";
        assert_eq!(version_in(said), Some("6.0.27"));
        assert_eq!(version_in("GNU bash, version 5.2"), None);
    }

    #[test]
    fn the_libraries_of_the_user_come_after_those_of_the_program() {
        let folder = Path::new("/cache");
        let path = |inherited: &str| library_path(folder, Some(inherited.into()));
        assert_eq!(path("/mine:/too"), "/cache:/mine:/too");
        // An empty entry would mean the working folder.
        assert_eq!(path(""), "/cache");
        assert_eq!(library_path(folder, None), "/cache");
    }
}
