//! Starts child processes that cannot outlive this process.
//!
//! Destructors do not run for statics, or if a process is killed or exits early. So another process
//! must clean up. That process is a small shell that has the reading end of a pipe, and only our process has the
//! writing end. When our process ends for any reason, the system closes the pipe, and the shell cleans up.
//!
//! There are two kinds of these shells. Each *supervisor* kills one program. The *janitor* removes
//! the folder. Our process and all supervisors have the writing end of the janitor's pipe, so the
//! janitor acts last.

use std::{
    ffi::OsString,
    io::{self, BufRead, BufReader, PipeWriter, Read, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use crate::binary::Program;

const SUPERVISE: &str = include_str!("supervisor/supervise.sh");
const CLEAN: &str = include_str!("supervisor/clean.sh");

/// Time limit for a shell to start, and for it to end after it has been told to.
const LIMIT: Duration = Duration::from_secs(10);

/// A program that is killed when this value is dropped, or when this process ends.
#[derive(Debug)]
pub(crate) struct Supervised {
    shell: Child,
    pipe: Option<ChildStdin>,
    pid: u32,
    output: Arc<Output>,
    keep: bool,
}

/// The output of the program, and whether the program has ended.
#[derive(Debug, Default)]
struct Output {
    text: Mutex<String>,
    ended: Mutex<bool>,
}

impl Supervised {
    /// Starts a program. The program keeps the `janitor` pipe open while it runs. If `janitor` is
    /// `None`, the program continues to run after this process has ended.
    pub(crate) fn spawn(
        program: &Program,
        arguments: &[OsString],
        janitor: Option<PipeWriter>,
    ) -> io::Result<Self> {
        let keep = janitor.is_none();
        let mut shell = shell(SUPERVISE);
        program.set_environment(&mut shell);
        let mut shell = shell
            .arg(if keep { "keep" } else { "kill" })
            .arg(program.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(janitor.map_or_else(Stdio::null, Stdio::from))
            .spawn()?;
        let pipe = shell.stdin.take();
        let output = Arc::<Output>::default();
        let pid = shell
            .stdout
            .take()
            .map(|from| follow(from, Arc::clone(&output)));
        let pid = pid
            .and_then(|pid| pid.recv_timeout(LIMIT).ok())
            .unwrap_or_default();
        if pid == 0 {
            drop(pipe);
            wait(&mut shell);
            return Err(io::Error::other("the shell did not start it"));
        }
        Ok(Self {
            shell,
            pipe,
            pid,
            output,
            keep,
        })
    }

    /// Returns the process id of the program, and not that of the shell.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether the program has ended, either by itself or because of a signal.
    pub(crate) fn has_ended(&self) -> bool {
        *self
            .output
            .ended
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the text that the program has written to its standard output and standard error.
    pub(crate) fn output(&self) -> String {
        self.output
            .text
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Kills the program with SIGKILL, and waits until it has ended.
    pub(crate) fn kill(&mut self) {
        if let Some(mut pipe) = self.pipe.take() {
            // An error means that the shell has already ended, and with it the program.
            let _ = writeln!(pipe, "kill");
        }
        wait(&mut self.shell);
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        if !self.keep {
            self.kill();
        }
    }
}

/// Removes a folder when no process needs it any more.
#[derive(Debug)]
pub(crate) struct Janitor {
    shell: Child,
    pipe: Option<PipeWriter>,
}

impl Janitor {
    /// Starts a janitor for a folder.
    pub(crate) fn spawn(folder: &Path) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let shell = shell(CLEAN)
            .arg(folder)
            .stdin(reader)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self {
            shell,
            pipe: Some(writer),
        })
    }

    /// Returns a copy of the pipe. The folder is kept as long as any process has a copy open.
    pub(crate) fn hold(&self) -> io::Result<PipeWriter> {
        let pipe = self.pipe.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        pipe.try_clone()
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        self.pipe = None;
        wait(&mut self.shell);
    }
}

/// Returns the command for a shell in its own process group, so that Ctrl-C in the terminal does
/// not reach the shell.
fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(script)
        .arg("odm-testkit")
        .stdin(Stdio::piped())
        .process_group(0);
    command
}

/// Reads the process id from the first line of the shell's output, and then the output of the
/// program until its end.
///
/// Only the program has the other end of the pipe, so the output ends when the program ends.
fn follow(from: impl Read + Send + 'static, output: Arc<Output>) -> mpsc::Receiver<u32> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(from);
        let mut line = Vec::new();
        let mut send = Some(send);
        while lines.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            let text = String::from_utf8_lossy(&line);
            match send.take() {
                Some(send) => drop(send.send(text.trim().parse().unwrap_or_default())),
                None => output
                    .text
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push_str(&text),
            }
            line.clear();
        }
        *output.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
    });
    receive
}

/// Waits for a shell that is about to end, but only up to the time limit, because a destructor must
/// not hang.
fn wait(shell: &mut Child) {
    let start = Instant::now();
    while matches!(shell.try_wait(), Ok(None)) && start.elapsed() < LIMIT {
        thread::sleep(Duration::from_millis(2));
    }
}
