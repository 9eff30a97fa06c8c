//! What a client sent, as the driver tells it.

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

/// Records the commands of the clients it is attached to, and of no other.
///
/// Clones share what they record.
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

/// One command that was sent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sent {
    /// Its name, such as `find`.
    pub name: String,
    /// The database it went to.
    pub database: String,
    /// All of it, with what the driver adds (`lsid`, `$clusterTime`, …).
    pub command: Document,
    /// What became of it; `None` while it is on its way.
    pub outcome: Option<Outcome>,
    request: i32,
}

/// What became of a command.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The time until the reply was there.
    pub duration: Duration,
    /// Why it failed; `None` if it did not.
    pub failure: Option<mongodb::error::Error>,
}

impl Recorder {
    /// Makes a recorder that is attached to nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a recorder for the clients that are made with these options.
    pub fn attached_to(options: &mut ClientOptions) -> Self {
        let recorder = Self::new();
        recorder.attach(options);
        recorder
    }

    /// Records what clients made with these options send. Replaces their command event handler.
    pub fn attach(&self, options: &mut ClientOptions) {
        let recorder = self.clone();
        let handler = EventHandler::callback(move |event| recorder.record(event));
        options.command_event_handler = Some(handler);
    }

    /// Returns all commands, in the order in which they were sent.
    #[must_use]
    pub fn commands(&self) -> Vec<Sent> {
        self.sent().clone()
    }

    /// Returns the names of the round trips, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let sent = self.sent();
        sent.iter()
            .filter(|sent| sent.is_round_trip())
            .map(|sent| sent.name.clone())
            .collect()
    }

    /// Counts the commands of this name.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.sent().iter().filter(|sent| sent.name == name).count()
    }

    /// Counts the commands somebody waited for, see [`Sent::is_round_trip`].
    #[must_use]
    pub fn round_trips(&self) -> usize {
        self.sent()
            .iter()
            .filter(|sent| sent.is_round_trip())
            .count()
    }

    /// Returns the commands by which the library writes down what its program declares and reads what others do. All
    /// other methods leave them out: they are sent once a day and once a minute, whatever a test calls, and so would
    /// be counted as a part of one call or of another.
    #[must_use]
    pub fn declarations(&self) -> Vec<Sent> {
        locked(&self.declarations).clone()
    }

    /// Forgets everything so far.
    pub fn clear(&self) {
        self.sent().clear();
        locked(&self.declarations).clear();
    }

    fn record(&self, event: CommandEvent) {
        match event {
            // Nobody waits for what the library asks in the background, and when it asks depends on time.
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
            // The driver may learn to tell more.
            _ => {}
        }
    }

    fn settle(&self, request: i32, duration: Duration, failure: Option<mongodb::error::Error>) {
        for all in [&self.sent, &self.declarations] {
            let mut all = locked(all);
            // From the end, where the recent ones are; not there at all after `clear`.
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

/// One line for each command.
impl fmt::Display for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sent()
            .iter()
            .try_for_each(|sent| writeln!(f, "{sent}"))
    }
}

impl Sent {
    /// Tells whether somebody waited for the reply.
    ///
    /// Not counted are the handshake, logging in, monitoring, and what the driver sends in the
    /// background when it drops a cursor or a client: their number depends on time.
    #[must_use]
    pub fn is_round_trip(&self) -> bool {
        !BACKGROUND.contains(&self.name.as_str())
    }

    /// Tells whether it was sent before another command.
    #[must_use]
    pub const fn is_before(&self, other: &Self) -> bool {
        self.request < other.request
    }

    /// Whether it writes or reads the declarations of programs.
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

/// Whether the library looks at a plan, as it does in debug builds.
fn is_of_slow_statements(command: &Document) -> bool {
    command.get_str("comment").ok() == Some("mongo-odm slow statements")
}

/// What the driver adds to every command; it says nothing about the command.
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
