//! Processes of the library: this test binary again.

use std::{
    env,
    io::{BufRead, BufReader, Read, stdin},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
};

use crate::{figures::Figures, role::Role};

/// A process that writes or works, until it is dropped.
pub(crate) struct Process {
    pub(crate) role: Role,
    child: Child,
}

impl Process {
    pub(crate) fn start(role: Role, uri: &str, seed: u64, figures: &Arc<Figures>) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args([
                "--exact",
                "life",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
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
    /// Kills it with SIGKILL, wherever it is.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends this process when the one that has started it ends, however that ends: it holds the other end
/// of standard input.
pub(crate) fn die_with_parent() {
    thread::spawn(|| {
        let _ = stdin().read(&mut [0]);
        std::process::exit(0);
    });
}
