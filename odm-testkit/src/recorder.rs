//! Records the commands of a client, with the help of the driver's events.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use mongodb::{
    bson::Document,
    event::{
        EventHandler,
        command::{CommandEvent, CommandStartedEvent},
    },
    options::ClientOptions,
};

/// Records the commands of the clients to which it is attached.
///
/// All clones of a recorder share the recorded commands.
///
/// # Examples
///
/// ```no_run
/// use mongodb::{Client, bson::doc, options::ClientOptions};
/// use mongo_odm_testkit::Recorder;
///
/// # async fn test(mut options: ClientOptions) -> mongodb::error::Result<()> {
/// let recorder = Recorder::attached_to(&mut options);
/// let client = Client::with_options(options)?;
/// client.database("shop").run_command(doc! { "count": "parts" }).await?;
/// assert_eq!(recorder.count("count"), 1);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    sent: Arc<Mutex<Vec<Sent>>>,
    declarations: Arc<Mutex<Vec<Sent>>>,
}

/// A command that was sent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sent {
    /// The name of the command, such as `find`.
    pub name: String,
    /// The name of the database to which the command was sent.
    pub database: String,
    /// The whole command, including the fields that the driver adds (`lsid`, `$clusterTime`, …).
    pub command: Document,
    /// The outcome of the command, or `None` until the reply has arrived.
    pub outcome: Option<Outcome>,
    request: i32,
}

/// The outcome of a command.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The time between the command and its reply.
    pub duration: Duration,
    /// The error, if the command failed.
    pub failure: Option<mongodb::error::Error>,
}

impl Recorder {
    /// Creates a recorder that is not attached to any client yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a recorder that is attached to all clients created with these options.
    pub fn attached_to(options: &mut ClientOptions) -> Self {
        let recorder = Self::new();
        recorder.attach(options);
        recorder
    }

    /// Attaches the recorder to all clients created with these options. Replaces their command event handler.
    pub fn attach(&self, options: &mut ClientOptions) {
        let recorder = self.clone();
        let handler = EventHandler::callback(move |event| recorder.record(event));
        options.command_event_handler = Some(handler);
    }

    /// Returns all recorded commands, in the order in which they were sent.
    #[must_use]
    pub fn commands(&self) -> Vec<Sent> {
        self.sent().clone()
    }

    /// Returns the names of the commands that are round trips, in the order in which they were sent.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let sent = self.sent();
        sent.iter()
            .filter(|sent| sent.is_round_trip())
            .map(|sent| sent.name.clone())
            .collect()
    }

    /// Returns the number of commands that have this name.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.sent().iter().filter(|sent| sent.name == name).count()
    }

    /// Returns the number of commands that are round trips (see [`Sent::is_round_trip`]).
    #[must_use]
    pub fn round_trips(&self) -> usize {
        self.sent()
            .iter()
            .filter(|sent| sent.is_round_trip())
            .count()
    }

    /// Returns the commands with which the library stores and reads the declarations of programs. All other methods
    /// exclude these commands. The library sends them once a day and once a minute, so a test would count them for
    /// whichever call is running at that time.
    #[must_use]
    pub fn declarations(&self) -> Vec<Sent> {
        locked(&self.declarations).clone()
    }

    /// Removes all recorded commands.
    pub fn clear(&self) {
        self.sent().clear();
        locked(&self.declarations).clear();
    }

    fn record(&self, event: CommandEvent) {
        match event {
            // The library sends these commands in the background at unpredictable times, and no call waits for them.
            CommandEvent::Started(event) if is_of_slow_statements(&event.command) => {}
            CommandEvent::Started(started) => {
                let sent = Sent::from(started);
                let all = if sent.is_of_declarations() {
                    &self.declarations
                } else {
                    &self.sent
                };
                locked(all).push(sent);
            }
            CommandEvent::Succeeded(event) => self.settle(event.request_id, event.duration, None),
            CommandEvent::Failed(event) => {
                self.settle(event.request_id, event.duration, Some(event.failure));
            }
            // A future version of the driver may have further events.
            _ => {}
        }
    }

    fn settle(&self, request: i32, duration: Duration, failure: Option<mongodb::error::Error>) {
        for all in [&self.sent, &self.declarations] {
            let mut all = locked(all);
            // The newest commands are last, so the search starts at the end. After `clear`, the command may be missing.
            if let Some(sent) = all.iter_mut().rev().find(|sent| sent.request == request) {
                sent.outcome = Some(Outcome { duration, failure });
                return;
            }
        }
    }

    fn sent(&self) -> MutexGuard<'_, Vec<Sent>> {
        locked(&self.sent)
    }
}

fn locked(sent: &Mutex<Vec<Sent>>) -> MutexGuard<'_, Vec<Sent>> {
    sent.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes one line for each command.
impl fmt::Display for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sent()
            .iter()
            .try_for_each(|sent| writeln!(f, "{sent}"))
    }
}

impl Sent {
    /// Whether a call waited for the reply to this command.
    ///
    /// Handshakes, logins, monitoring, and the commands that the driver sends in the background when a cursor or a
    /// client is dropped do not count. The number of these commands depends on time.
    #[must_use]
    pub fn is_round_trip(&self) -> bool {
        !BACKGROUND.contains(&self.name.as_str())
    }

    /// Whether this command was sent before another one.
    #[must_use]
    pub const fn is_before(&self, other: &Self) -> bool {
        self.request < other.request
    }

    /// Whether the command reads or writes the declarations of programs.
    fn is_of_declarations(&self) -> bool {
        self.command.get_str(&self.name).ok() == Some("_odm_schema")
    }
}

const BACKGROUND: [&str; 9] = [
    "hello",
    "isMaster",
    "ismaster",
    "ping",
    "authenticate",
    "saslStart",
    "saslContinue",
    "endSessions",
    "killCursors",
];

/// Whether a command is part of the library's check for slow statements, which runs in debug builds.
fn is_of_slow_statements(command: &Document) -> bool {
    command.get_str("comment").ok() == Some("mongo-odm slow statements")
}

/// The fields that the driver adds to every command. `Display` omits these fields, because they do not describe the
/// command.
const ADDED: [&str; 8] = [
    "$db",
    "$clusterTime",
    "lsid",
    "txnNumber",
    "startTransaction",
    "autocommit",
    "$readPreference",
    "apiVersion",
];

impl From<CommandStartedEvent> for Sent {
    fn from(event: CommandStartedEvent) -> Self {
        Self {
            name: event.command_name,
            database: event.db,
            command: event.command,
            outcome: None,
            request: event.request_id,
        }
    }
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            None => write!(f, "  ...  ")?,
            Some(outcome) => write!(f, "{:>4} ms", outcome.duration.as_millis())?,
        }
        let mut command = self.command.clone();
        for name in ADDED {
            command.remove(name);
        }
        let text = command.to_string();
        let short: String = text.chars().take(300).collect();
        let more = if short.len() < text.len() { "…" } else { "" };
        write!(f, " {}: {short}{more}", self.database)?;
        match self
            .outcome
            .as_ref()
            .and_then(|outcome| outcome.failure.as_ref())
        {
            Some(failure) => write!(f, " FAILED: {failure}"),
            None => Ok(()),
        }
    }
}
