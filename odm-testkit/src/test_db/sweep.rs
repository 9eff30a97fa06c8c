//! Drops a database from a destructor.

use std::{sync::mpsc, thread, time::Duration};

use mongodb::{Client, options::ClientOptions};
use tokio::runtime;

use crate::Error;

/// A destructor must not hang, whatever the server does.
const LIMIT: Duration = Duration::from_secs(10);

/// Drops the database with a client of its own in a thread and a runtime of its own.
///
/// The runtime of the test cannot be used: it may be current-thread, where blocking on it would
/// wait for itself, or be gone already.
pub(super) fn drop_database(uri: &str, name: &str) -> Result<(), Error> {
    let (send, receive) = mpsc::channel();
    let (uri, name) = (uri.to_owned(), name.to_owned());
    thread::spawn(move || send.send(run(&uri, &name)));
    let late = |_| Error::Timeout {
        what: "the server to drop a database".into(),
        limit: LIMIT,
    };
    receive.recv_timeout(LIMIT).map_err(late)?
}

fn run(uri: &str, name: &str) -> Result<(), Error> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::io("make a runtime"))?;
    runtime.block_on(async {
        let mut options = ClientOptions::parse(uri).await?;
        options.server_selection_timeout = Some(LIMIT / 2);
        Ok(Client::with_options(options)?.database(name).drop().await?)
    })
}
