//! A single `mongod`: its command line, its start and its end.

use std::{
    ffi::OsString,
    fs, io,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::{net::TcpStream, time::sleep};

use crate::{Error, binary::Program, folder::Folder, probe::Probe, supervisor::Supervised};

/// The name of every replica set, which is passed to each node when it is started.
pub(crate) const REPLICA_SET: &str = "odm";

/// Time limit for the start of a node. The limit is generous, because a loaded machine is slow.
const START: Duration = Duration::from_secs(60);
/// Interval at which a starting node is checked.
const TICK: Duration = Duration::from_millis(10);
/// Number of ports that are tried if other processes take the chosen ports first.
const PORTS: usize = 5;

/// The settings that all nodes of a server have in common.
#[derive(Debug)]
pub(crate) struct Launch {
    pub(crate) binary: Program,
    pub(crate) replica_set: bool,
    pub(crate) test_commands: bool,
    /// Whether the server requires authentication. If it does, its first user already exists.
    pub(crate) auth: bool,
    pub(crate) cache_gb: f64,
    pub(crate) oplog_mb: u32,
    pub(crate) arguments: Vec<OsString>,
}

/// A node of a private server, which may be running or stopped.
#[derive(Debug)]
pub(crate) struct Node {
    folder: PathBuf,
    port: u16,
    running: Mutex<Option<Supervised>>,
}

impl Node {
    /// Starts a new node on a free port, with an empty data folder below `home`.
    pub(crate) async fn launch(name: &str, home: &Folder, launch: &Launch) -> Result<Self, Error> {
        let folder = home.path().join(name);
        fs::create_dir(&folder).map_err(Error::io(format!("make {}", folder.display())))?;
        let mut result = Err(Error::Timeout {
            what: "a free port".into(),
            limit: START,
        });
        for _ in 0..PORTS {
            let port = free_port().map_err(Error::io("find a free port"))?;
            let node = Self {
                folder: folder.clone(),
                port,
                running: Mutex::default(),
            };
            result = node.start(home, launch).await.map(|()| node);
            if !matches!(&result, Err(Error::Died { report, .. }) if is_port_taken(report)) {
                break;
            }
        }
        result
    }

    /// Starts the node with its port and its data folder, and waits until it answers.
    pub(crate) async fn start(&self, home: &Folder, launch: &Launch) -> Result<(), Error> {
        let arguments = launch.command_line(self.port, &self.folder);
        let what = format!("start {}", launch.binary.path().display());
        let new =
            Supervised::spawn(&launch.binary, &arguments, home.hold()?).map_err(Error::io(what))?;
        let pid = new.pid();
        *self.running() = Some(new);
        self.wait_until_up(pid, launch).await
    }

    async fn wait_until_up(&self, pid: u32, launch: &Launch) -> Result<(), Error> {
        let deadline = Instant::now() + START;
        while Instant::now() < deadline {
            if !self.is_running() {
                return Err(Error::Died {
                    binary: launch.binary.path().into(),
                    report: self.report(),
                });
            }
            if TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))
                .await
                .is_ok()
                && launch.probe(self.port)?.pid().await == Some(pid)
            {
                return Ok(());
            }
            sleep(TICK).await;
        }
        Err(Error::Timeout {
            what: "mongod to answer".into(),
            limit: START,
        })
    }

    /// Returns the port of the node, even if the node is stopped.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the process id of the node; `None` if it is stopped.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.running()
            .as_ref()
            .filter(|mongod| !mongod.has_ended())
            .map(Supervised::pid)
    }

    /// Whether the process of the node is running.
    pub(crate) fn is_running(&self) -> bool {
        self.pid().is_some()
    }

    /// Kills the process with SIGKILL. The data of the node is kept.
    pub(crate) fn kill(&self) {
        if let Some(mut mongod) = self.running().take() {
            mongod.kill();
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Supervised>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the output and the end of the log of a node that failed to start.
    fn report(&self) -> String {
        let output = self
            .running()
            .as_ref()
            .map(Supervised::output)
            .unwrap_or_default();
        let log = fs::read_to_string(self.folder.join("mongod.log")).unwrap_or_default();
        format!("{}{}", output, telling_lines(&log))
    }
}

impl Launch {
    /// Creates a connection that is allowed to ask for the process id.
    fn probe(&self, port: u16) -> Result<Probe, Error> {
        if self.auth {
            Probe::of_root(port)
        } else {
            Probe::new(port)
        }
    }

    fn command_line(&self, port: u16, folder: &Path) -> Vec<OsString> {
        let mut line: Vec<OsString> = vec!["--dbpath".into(), folder.into()];
        line.extend(["--logpath".into(), folder.join("mongod.log").into()]);
        line.extend(["--port".into(), port.to_string().into()]);
        line.extend([
            "--wiredTigerCacheSizeGB".into(),
            self.cache_gb.to_string().into(),
        ]);
        line.extend(FIXED.map(OsString::from));
        if self.replica_set {
            line.extend(["--replSet", REPLICA_SET, "--oplogSize"].map(OsString::from));
            line.push(self.oplog_mb.to_string().into());
        }
        if self.auth {
            line.push("--auth".into());
        }
        if self.test_commands {
            line.extend(["--setParameter", "enableTestCommands=1"].map(OsString::from));
        }
        line.extend(self.arguments.iter().cloned());
        line
    }
}

/// Arguments of every node. A node listens only on the loopback interface and creates no socket in
/// a shared folder, so it does not disturb other programs. A node does not preallocate journal
/// files (300 MB) and writes no diagnostic files, so it starts quickly. Dropping a database waits
/// for the journal, which is therefore written every 10 ms instead of every 100 ms.
const FIXED: [&str; 11] = [
    "--bind_ip",
    "127.0.0.1",
    "--nounixsocket",
    "--quiet",
    "--logappend",
    "--wiredTigerEngineConfigString",
    "log=(prealloc=false)",
    "--journalCommitInterval",
    "10",
    "--setParameter",
    "diagnosticDataCollectionEnabled=false",
];

/// Asks the system for an unused port. Another process can take the port before `mongod` does.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port())
}

fn is_port_taken(report: &str) -> bool {
    report.to_lowercase().contains("address already in use")
}

/// Returns the last errors in a log. If there are no errors, returns the last lines.
fn telling_lines(log: &str) -> String {
    let is_error = |line: &&str| line.contains(r#""s":"E""#) || line.contains(r#""s":"F""#);
    let mut lines: Vec<&str> = log.lines().filter(is_error).collect();
    if lines.is_empty() {
        lines = log.lines().collect();
    }
    let last = lines.len().saturating_sub(5);
    let short = |line: &&str| line.chars().take(400).collect::<String>();
    lines
        .iter()
        .skip(last)
        .map(short)
        .collect::<Vec<_>>()
        .join("\n")
}
