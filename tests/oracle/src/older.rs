//! An older program as a process of its own: it makes the calls that it is sent.
//!
//! Calls and answers are documents of BSON, which begin with their length.

use std::{
    io::{self, Read, Write as _},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use mongo_odm::{
    Odm, Settings,
    bson::{deserialize_from_slice, serialize_to_vec},
    mongodb::Client,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, Command},
    sync::Mutex,
};

use crate::{generated::Adapters, program::Call, run::Refused};

/// What the process is asked: to make a call, or to run the jobs whose time has come.
#[derive(Debug, Serialize, Deserialize)]
struct Ask {
    call: Option<Call>,
}

/// What it answers.
#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    refused: Option<Refused>,
}

/// A process of the older program.
#[derive(Clone, Debug)]
pub struct Older(Arc<Mutex<Child>>);

impl Older {
    /// Starts the process.
    pub fn start(program: &str, uri: &str, name: &str, grace: Duration) -> Self {
        let mut command = Command::new(program);
        command.args([uri, name, &grace.as_millis().to_string()]);
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        Self(Arc::new(Mutex::new(
            child.unwrap_or_else(|error| panic!("{program}: {error}")),
        )))
    }

    /// Makes a call in the process.
    pub(crate) async fn call(&self, call: &Call) -> Result<(), Refused> {
        self.ask(Ask {
            call: Some(call.clone()),
        })
        .await
    }

    /// Runs jobs in the process.
    pub(crate) async fn run_jobs(&self) -> Result<(), Refused> {
        self.ask(Ask { call: None }).await
    }

    async fn ask(&self, ask: Ask) -> Result<(), Refused> {
        let mut child = self.0.lock().await;
        let answer = exchange(&mut child, &ask)
            .await
            .unwrap_or_else(|error| panic!("the older program: {error}"));
        answer.refused.map_or(Ok(()), Err)
    }
}

async fn exchange(child: &mut Child, ask: &Ask) -> io::Result<Answer> {
    let (Some(input), Some(output)) = (child.stdin.as_mut(), child.stdout.as_mut()) else {
        return Err(io::Error::other("it has no pipes"));
    };
    input.write_all(&encode(ask)).await?;
    input.flush().await?;
    let mut length = [0; 4];
    output.read_exact(&mut length).await?;
    let mut rest = vec![0; rest_of(length)];
    output.read_exact(&mut rest).await?;
    Ok(decode(length, &rest))
}

/// Runs the older program, until its input ends.
pub async fn main(declared: &[(&str, Adapters)]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [uri, name, grace] = arguments.as_slice() else {
        panic!("an address, a name and a time are expected")
    };
    let client = Client::with_uri_str(uri)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let database = client
        .default_database()
        .unwrap_or_else(|| panic!("the address names no database"));
    let grace = Duration::from_millis(grace.parse().unwrap_or_default());
    let odm = Odm::new(database).with_settings(Settings::default().grace(grace));
    let found = declared.iter().find(|(it, _)| it == name);
    let models = found
        .map(|(_, models)| models())
        .unwrap_or_else(|| panic!("there is no declaration {name}"));
    while let Some(ask) = tokio::task::block_in_place(heard) {
        let done = match ask.call {
            Some(call) => models[call.model]
                .send(&odm, &call.write, call.follow)
                .await
                .map(drop),
            None => odm.run_pending_jobs().await.map(drop),
        };
        let answer = Answer {
            refused: done.err().map(|error| Refused::from(&error)),
        };
        let mut output = io::stdout();
        let said = output
            .write_all(&encode(&answer))
            .and_then(|()| output.flush());
        said.unwrap_or_else(|error| panic!("{error}"));
    }
    odm.finish_writes().await;
}

/// Reads what is asked; none at the end.
fn heard() -> Option<Ask> {
    let (mut input, mut length) = (io::stdin(), [0; 4]);
    input.read_exact(&mut length).ok()?;
    let mut rest = vec![0; rest_of(length)];
    input.read_exact(&mut rest).ok()?;
    Some(decode(length, &rest))
}

fn rest_of(length: [u8; 4]) -> usize {
    usize::try_from(i32::from_le_bytes(length))
        .unwrap_or(4)
        .saturating_sub(4)
}

fn encode(value: &impl Serialize) -> Vec<u8> {
    serialize_to_vec(value).unwrap_or_else(|error| panic!("{error}"))
}

fn decode<T: DeserializeOwned>(length: [u8; 4], rest: &[u8]) -> T {
    let bytes = [length.as_slice(), rest].concat();
    deserialize_from_slice(&bytes).unwrap_or_else(|error| panic!("{error}"))
}
