//! A program in a separate process. Requests are written to its standard input, and replies are read from its standard
//! output.

use std::{
    collections::HashMap,
    io::{BufReader, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use mongo_odm::{
    bson::{Document, deserialize_from_document, serialize_to_document},
    mongodb::Client,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::sync::{RwLock, mpsc, oneshot};

use super::{
    Refused,
    bench::sure,
    party::{Answer, Ask, Party},
};
use crate::generated::Adapters;

/// A request or an answer, with the number of the request.
#[derive(Serialize, Deserialize)]
struct Numbered<T> {
    number: i64,
    of: T,
}

type Waiting = Arc<Mutex<HashMap<i64, oneshot::Sender<Answer>>>>;

/// A program in another process.
pub(super) struct Remote {
    process: Child,
    input: Mutex<ChildStdin>,
    waiting: Waiting,
    last: AtomicI64,
}

impl Remote {
    /// Starts a process.
    pub(super) fn start(program: &str) -> Self {
        let mut command = Command::new(program);
        let mut process = sure(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn());
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            panic!("the process has no standard input or output")
        };
        let waiting = Waiting::default();
        let answered = Arc::clone(&waiting);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(Numbered { number, of }) = read::<Answer>(&mut output) {
                if let Some(sender) = lock(&answered).remove(&number) {
                    drop(sender.send(of));
                }
            }
            // Drops the senders, so that all callers that still wait for an answer get an error.
            lock(&answered).clear();
        });
        Self {
            process,
            input: Mutex::new(input),
            waiting,
            last: AtomicI64::new(0),
        }
    }

    /// Sends a request, and waits for the answer.
    pub(super) async fn ask(&self, of: Ask) -> Answer {
        let number = self.last.fetch_add(1, Relaxed);
        let (sender, receiver) = oneshot::channel();
        lock(&self.waiting).insert(number, sender);
        let sent = sure(serialize_to_document(&Numbered { number, of }));
        let written = sent.to_writer(&mut *lock(&self.input));
        written.map_err(|error| lost(&error))?;
        let answer = receiver.await;
        answer.unwrap_or_else(|_| Err(lost(&"the other program has ended")))
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Answers the requests from standard input until it ends.
pub async fn serve(declared: &'static [(&'static str, Adapters)]) {
    let (sender, mut asked) = mpsc::unbounded_channel();
    thread::spawn(move || {
        let mut input = BufReader::new(std::io::stdin());
        while let Some(ask) = read::<Ask>(&mut input) {
            drop(sender.send(ask));
        }
    });
    let mut party: Option<Arc<RwLock<Party>>> = None;
    while let Some(Numbered { number, of }) = asked.recv().await {
        if let Ask::Declare { name, uri, grace } = &of {
            let client = sure(Client::with_uri_str(uri).await);
            let database = client
                .default_database()
                .unwrap_or_else(|| panic!("{uri} has no database"));
            let (_, models) = declared
                .iter()
                .find(|it| it.0 == name)
                .unwrap_or_else(|| panic!("no {name}"));
            let declared =
                Party::declare(models(), database, grace.map(Duration::from_millis)).await;
            party = Some(Arc::new(RwLock::new(declared)));
        }
        let Some(party) = party.clone() else {
            panic!("nothing is declared")
        };
        tokio::spawn(async move {
            let answered = tokio::spawn(async move { answer(&party, of).await });
            let of = answered.await.unwrap_or_else(|error| Err(lost(&error)));
            let sent = sure(serialize_to_document(&Numbered { number, of }));
            let mut output = std::io::stdout().lock();
            sure(sent.to_writer(&mut output));
            sure(output.flush());
        });
    }
}

async fn answer(party: &RwLock<Party>, ask: Ask) -> Answer {
    if let Ask::Open(has_others) = ask {
        party.write().await.open(has_others);
        return Ok(Vec::new());
    }
    party.read().await.answer(ask).await
}

/// Returns the error for a request that got no answer.
fn lost(error: &impl std::fmt::Display) -> Refused {
    Refused {
        code: "lost".to_owned(),
        text: error.to_string(),
        rejected: Vec::new(),
    }
}

/// Reads one document; returns `None` at the end.
fn read<T: DeserializeOwned>(from: &mut impl std::io::Read) -> Option<Numbered<T>> {
    let document = Document::from_reader(from).ok()?;
    Some(sure(deserialize_from_document(document)))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    sure(mutex.lock())
}
