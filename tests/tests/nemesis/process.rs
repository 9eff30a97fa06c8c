//! Processes that use the library: they run this test binary again, or the older version of the
//! program.

use std::{
    env,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
};

use crate::{figures::Figures, role::Role};

const OLDER: &str = env!("CARGO_BIN_EXE_nemesis-older");

/// Lets the older version of the program store its declarations.
pub(crate) fn declare_older(uri: &str) {
    let mut command = Command::new(OLDER);
    let declare = command
        .env("ODM_NEMESIS_URI", uri)
        .env("ODM_NEMESIS_ROLE", "declare");
    let declare = declare.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = declare.spawn().unwrap();
    // The process ends when its standard input is closed, which a call of `wait` would do.
    let input = child.stdin.take();
    assert!(child.wait().unwrap().success());
    drop(input);
}

/// A process that writes or works, until it is dropped.
pub(crate) struct Process {
    pub(crate) role: Role,
    child: Child,
}

impl Process {
    pub(crate) fn start(role: Role, uri: &str, seed: u64, figures: &Arc<Figures>) -> Self {
        let mut command = if role.is_older() {
            Command::new(OLDER)
        } else {
            let mut command = Command::new(env::current_exe().unwrap());
            command.args([
                "--exact",
                "life",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ]);
            command
        };
        let mut child = command
            .env("ODM_NEMESIS_URI", uri)
            .env("ODM_NEMESIS_ROLE", role.name())
            .env("ODM_NEMESIS_SEED", seed.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let figures = Arc::clone(figures);
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                figures.read(&line);
            }
        });
        Self { role, child }
    }
}

impl Drop for Process {
    /// Kills the process with SIGKILL, whatever it is doing.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
