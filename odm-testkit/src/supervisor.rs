//! Child processes that cannot outlive this one.
//!
//! Destructors do not run when a process is killed, when it exits, or for statics. So the one who
//! cleans up must be another process: a small shell that holds the reading end of a pipe of which
//! only we hold the writing end. However we end, the system closes the pipe, and the shell acts.
//!
//! Two of them work together. Each *supervisor* kills one program. The *janitor* removes the
//! folder, and its pipe is held by us and by the supervisors, so that it comes last.

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

/// How long a shell may take to come up, or to end once it should.
const LIMIT: Duration = Duration::from_secs(10);

/// A program that is killed when it is dropped, and when this process ends.
#[derive(Debug)]
pub(crate) struct Supervised {
    shell: Child,
    pipe: Option<ChildStdin>,
    pid: u32,
    output: Arc<Output>,
    keep: bool,
}

/// What the program wrote, and whether it has ended.
#[derive(Debug, Default)]
struct Output {
    text: Mutex<String>,
    ended: Mutex<bool>,
}

impl Supervised {
    /// Starts a program. `janitor` is held for as long as it runs; `None` keeps it running after us.
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

    /// Returns the process id of the program itself.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Tells whether the program has ended, by itself or by somebody's signal.
    pub(crate) fn has_ended(&self) -> bool {
        *self
            .output
            .ended
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what the program wrote to its standard output and error.
    pub(crate) fn output(&self) -> String {
        self.output
            .text
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Kills the program the hard way and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        if let Some(mut pipe) = self.pipe.take() {
            // An error means that the shell is gone already, and the program with it.
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

/// Removes a folder once nobody needs it any more.
#[derive(Debug)]
pub(crate) struct Janitor {
    shell: Child,
    pipe: Option<PipeWriter>,
}

impl Janitor {
    /// Sets a janitor on a folder.
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

    /// Returns a copy of the pipe; the folder stays while anybody holds one.
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

/// A shell in its own process group, so that a Ctrl-C in the terminal does not reach it.
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

/// Reads the process id from the first line and the output from the rest, until the end.
///
/// The program is the only one that holds the other end, so its end is the program's end.
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

/// Waits for a shell that is about to end, within a limit: a destructor must not hang.
fn wait(shell: &mut Child) {
    let start = Instant::now();
    while matches!(shell.try_wait(), Ok(None)) && start.elapsed() < LIMIT {
        thread::sleep(Duration::from_millis(2));
    }
}
