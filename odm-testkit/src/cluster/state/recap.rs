//! Prints the last line of a report after this process has ended.
//!
//! Nothing in a test process runs after its last test. So a small shell reads the lines from a pipe, and prints the last
//! one as soon as the system closes the pipe.

use std::{
    io::Write,
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
};

const SCRIPT: &str = r#"
trap '' HUP INT TERM
while read -r line; do last=$line; done
[ -z "$last" ] || printf '%s\n' "$last" >&2
"#;

/// The report of a test process.
#[derive(Debug)]
pub(crate) struct Recap {
    shell: Option<Mutex<Child>>,
}

impl Recap {
    /// Starts the shell. Without a shell, nothing is printed.
    pub(crate) fn start() -> Self {
        let shell = Command::new("sh")
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .process_group(0)
            .spawn();
        Self {
            shell: shell.ok().map(Mutex::new),
        }
    }

    /// Replaces the line that is printed at the end.
    pub(crate) fn set(&self, line: &str) {
        let Some(shell) = &self.shell else {
            return;
        };
        let mut shell = shell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = &mut shell.stdin {
            // The shell has ended only if someone has killed it.
            let _ = writeln!(pipe, "{line}");
        }
    }
}
