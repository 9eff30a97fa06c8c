//! Drops a database in a destructor.

use std::{sync::mpsc, thread, time::Duration};

use mongodb::{Client, options::ClientOptions};
use tokio::runtime;

use crate::Error;

/// Time limit, because a destructor must not hang if the server does not answer.
const LIMIT: Duration = Duration::from_secs(10);

/// Drops the database with a separate client, in a separate thread and runtime.
///
/// The runtime of the test cannot be used. That runtime may be single-threaded, so that blocking
/// would wait forever, or it may have ended already.
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
