//! Sends commands to one node directly, without the driver's server discovery. Commands can be sent
//! even while the server is starting.

use std::time::Duration;

use mongodb::{
    Client,
    bson::{Document, doc},
    options::{ClientOptions, Credential, ServerAddress},
};

use crate::Error;

/// Time limit for an answer. A node that does not answer within this time is asked again later.
const PATIENCE: Duration = Duration::from_secs(2);

/// The name of the user with all rights, on a server that requires authentication.
pub(crate) const ROOT: &str = "root";

/// The password of all users. The password need not be secret, because the server listens only on
/// this machine and stops after the test.
pub(crate) const PASSWORD: &str = "odm-testkit";

/// A connection to a single node.
pub(crate) struct Probe {
    client: Client,
}

impl Probe {
    /// Creates a connection to a port of this machine.
    pub(crate) fn new(port: u16) -> Result<Self, Error> {
        Self::with(port, None)
    }

    /// Creates a connection for the user with all rights, to a server that requires authentication.
    pub(crate) fn of_root(port: u16) -> Result<Self, Error> {
        let credential = Credential::builder()
            .username(ROOT.to_owned())
            .password(PASSWORD.to_owned())
            .source("admin".to_owned())
            .build();
        Self::with(port, Some(credential))
    }

    fn with(port: u16, credential: Option<Credential>) -> Result<Self, Error> {
        let address = ServerAddress::Tcp {
            host: "127.0.0.1".into(),
            port: Some(port),
        };
        let options = ClientOptions::builder()
            .hosts(vec![address])
            .direct_connection(true)
            .connect_timeout(PATIENCE)
            .server_selection_timeout(PATIENCE)
            .app_name("odm-testkit".to_owned())
            .credential(credential)
            .build();
        Ok(Self {
            client: Client::with_options(options)?,
        })
    }

    /// Runs a command on the database `admin`.
    pub(crate) async fn command(&self, command: Document) -> Result<Document, Error> {
        self.command_on("admin", command).await
    }

    /// Runs a command on a database.
    pub(crate) async fn command_on(&self, db: &str, command: Document) -> Result<Document, Error> {
        Ok(self.client.database(db).run_command(command).await?)
    }

    /// Asks the node for its role. Returns `None` if it does not answer.
    pub(crate) async fn role(&self) -> Option<Role> {
        let hello = self.command(doc! { "hello": 1 }).await.ok()?;
        Some(
            match (
                hello.get_bool("isWritablePrimary"),
                hello.get_bool("secondary"),
            ) {
                (Ok(true), _) => Role::Primary,
                (_, Ok(true)) => Role::Secondary,
                _ => Role::Neither,
            },
        )
    }

    /// Asks the node for its process id. The id shows whether another process has taken the port in
    /// the meantime.
    pub(crate) async fn pid(&self) -> Option<u32> {
        let sections =
            doc! { "serverStatus": 1, "repl": 0, "metrics": 0, "locks": 0, "wiredTiger": 0 };
        let status = self.command(sections).await.ok()?;
        status
            .get_i64("pid")
            .ok()
            .and_then(|pid| u32::try_from(pid).ok())
    }
}

/// The current role of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The node accepts writes. A standalone server also has this role.
    Primary,
    /// The node has a copy of the data.
    Secondary,
    /// The node is starting, or it is looking for a primary.
    Neither,
}
