//! Runs this test binary again in a child process that has a different environment.
//!
//! The environment of a running process cannot be changed safely, and some tests are about the end
//! of a process. So such a test runs an `#[ignore]`d test of this binary as a child process.

use std::{
    env, fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Environment variables that the user may have set. A child process has them only if its test sets them.
const CHOICES: [&str; 5] = [
    "MONGODB_URI",
    "MONGOD",
    "ODM_MONGOD_VERSION",
    "ODM_KEEP_SERVER",
    "ODM_DATA",
];

/// Returns a command that runs the ignored test `name` (with its module) in a child process.
pub(crate) fn child(name: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([
        "--exact",
        name,
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in CHOICES {
        command.env_remove(name);
    }
    command
}

/// Returns both outputs as one text.
pub(crate) fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|part| String::from_utf8_lossy(part))
        .concat()
}

/// Returns the value that a child process has printed as `name=value`.
pub(crate) fn value(text: &str, name: &str) -> String {
    let start = format!("{name}=");
    let found = text.lines().find_map(|line| line.split_once(&start));
    found
        .unwrap_or_else(|| panic!("no {name} in:\n{text}"))
        .1
        .to_owned()
}

/// Returns a `PATH` with the few programs that the tests need, but without `mongod`.
pub(crate) fn path_without_mongod() -> String {
    let path = env::var_os("PATH").unwrap();
    let folders = env::split_paths(&path).filter(|folder| !folder.join("mongod").exists());
    env::join_paths(folders).unwrap().into_string().unwrap()
}

/// Whether a process exists. A process that has ended but has not been reaped yet does not count.
pub(crate) fn is_alive(pid: u32) -> bool {
    let status = Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output();
    let status = match status {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        // A small image may lack `ps`.
        Err(_) => fs::read_to_string(format!("/proc/{pid}/stat")).map_or_else(
            |_| String::new(),
            |stat| stat.rsplit(") ").next().unwrap_or_default().to_owned(),
        ),
    };
    let status = status.trim();
    !status.is_empty() && !status.starts_with('Z')
}

/// Waits until the process and the folder of a server no longer exist.
pub(crate) fn assert_gone(pid: u32, folder: &Path) {
    let start = Instant::now();
    while is_alive(pid) || folder.exists() {
        let late = start.elapsed() > Duration::from_secs(10);
        assert!(
            !late,
            "left: process {}, folder {}",
            is_alive(pid),
            folder.exists()
        );
        thread::sleep(Duration::from_millis(20));
    }
}
