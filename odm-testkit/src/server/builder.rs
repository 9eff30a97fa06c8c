//! What to start, and the start.

use std::{env, ffi::OsString, time::Duration};

use mongodb::{Client, bson::doc, options::ClientOptions};

use super::{Private, Server, user};
use crate::{
    Error,
    binary::{self, Program, Wanted},
    folder::Folder,
    node::{Launch, Node, REPLICA_SET},
    probe::ROOT,
    replica_set, uri,
};

/// How long a server named by the user may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many processes make the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// One process without an oplog: no transactions, no change streams.
    Standalone,
    /// A replica set.
    ReplicaSet {
        /// The number of nodes: one for transactions, three for failover. Less than 1 counts as
        /// 1, more than 7 as 7, the most that can vote.
        nodes: usize,
    },
}

/// Describes a server; made by [`Server::builder`].
#[derive(Clone, Debug)]
#[must_use = "nothing is started before `start`"]
pub struct ServerBuilder {
    topology: Topology,
    test_commands: bool,
    cache_gb: f64,
    oplog_mb: u32,
    private: bool,
    auth: bool,
    arguments: Vec<OsString>,
}

impl Default for ServerBuilder {
    fn default() -> Self {
        Self {
            topology: Topology::ReplicaSet { nodes: 1 },
            test_commands: false,
            cache_gb: 0.5,
            oplog_mb: 64,
            private: false,
            auth: false,
            arguments: Vec::new(),
        }
    }
}

impl Server {
    /// Returns what to start, by default a replica set of one node.
    pub fn builder() -> ServerBuilder {
        ServerBuilder::default()
    }
}

impl ServerBuilder {
    /// Sets the number of processes.
    pub fn topology(mut self, topology: Topology) -> Self {
        self.topology = topology;
        self
    }

    /// Allows commands such as `configureFailPoint`.
    pub fn test_commands(mut self, allowed: bool) -> Self {
        self.test_commands = allowed;
        self
    }

    /// Sets the memory for the storage engine of each node; 0.5 GB if not set.
    ///
    /// With the least, 0.25 GB, the server ends transactions of some 20 MB when others write at the same time
    /// (`TransactionTooLargeForCache`: about 15% of the memory).
    pub fn cache_gb(mut self, size: f64) -> Self {
        self.cache_gb = size;
        self
    }

    /// Sets the size of the oplog of each node of a replica set; 64 MB if not set. A small one makes
    /// change streams lose their history soon.
    pub fn oplog_mb(mut self, size: u32) -> Self {
        self.oplog_mb = size;
        self
    }

    /// Starts a server of our own even if `MONGODB_URI` is set: for tests that kill nodes, or that
    /// need a topology the user's server may not have.
    pub fn private(mut self) -> Self {
        self.private = true;
        self
    }

    /// Starts a standalone server of our own that asks for a user and a password, whatever the topology.
    ///
    /// The connection string of the [`Server`] is that of a user who may do everything; [`Server::user`] makes others.
    pub fn auth(mut self) -> Self {
        (self.auth, self.private) = (true, true);
        self
    }

    /// Adds an argument to the command line of `mongod`.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Starts the server and waits until it takes writes.
    ///
    /// With `MONGODB_URI` it starts nothing and asks that server for a sign of life, and for its
    /// version if `ODM_MONGOD_VERSION` names one. The topology
    /// and the test commands are then what the user has set up.
    ///
    /// # Errors
    ///
    /// [`Error::NoServer`] if there is no `mongod`, [`Error::Unreachable`] if `MONGODB_URI` does
    /// not answer, [`Error::OtherVersion`] if it is another version than the one named, [`Error::Died`] and [`Error::Timeout`] if the start fails.
    pub async fn start(self) -> Result<Server, Error> {
        match env::var("MONGODB_URI") {
            Ok(uri) if !uri.is_empty() && !self.private => adopt(uri).await,
            _ => self.launch().await,
        }
    }

    async fn launch(self) -> Result<Server, Error> {
        let keep = env::var("ODM_KEEP_SERVER").is_ok_and(|value| !matches!(&*value, "" | "0"));
        let (count, replica_set) = match self.topology {
            _ if self.auth => (1, false),
            Topology::Standalone => (1, false),
            Topology::ReplicaSet { nodes } => (nodes.clamp(1, 7), true),
        };
        let auth = self.auth;
        let mut launch = self.into_launch(find_binary().await?, replica_set);
        let folder = Folder::create(keep)?;
        let mut nodes = Vec::with_capacity(count);
        for number in 0..count {
            nodes.push(Node::launch(&format!("node{number}"), &folder, &launch).await?);
        }
        if replica_set {
            replica_set::initiate(&nodes).await?;
        }
        let mut uri = connection_string(&nodes, replica_set);
        if let (true, Some(node)) = (auth, nodes.first()) {
            user::lock(node, &folder, &mut launch).await?;
            uri = user::uri(node, ROOT, "");
        }
        let server = Server {
            uri,
            private: Some(Private {
                nodes,
                launch,
                folder,
                keep,
            }),
        };
        if keep {
            say_where(&server);
        }
        Ok(server)
    }

    fn into_launch(self, binary: Program, replica_set: bool) -> Launch {
        Launch {
            binary,
            replica_set,
            test_commands: self.test_commands,
            auth: false,
            cache_gb: self.cache_gb,
            oplog_mb: self.oplog_mb,
            arguments: self.arguments,
        }
    }
}

/// Uses the server of the user.
async fn adopt(uri: String) -> Result<Server, Error> {
    let unreachable = |source| Error::Unreachable {
        uri: uri::without_password(&uri),
        source,
    };
    let mut options = ClientOptions::parse(&uri).await.map_err(unreachable)?;
    options.server_selection_timeout = Some(PATIENCE);
    let client = Client::with_options(options).map_err(unreachable)?;
    let ping = client
        .database("admin")
        .run_command(doc! { "ping": 1 })
        .await;
    ping.map_err(unreachable)?;
    if let Some(wanted) = Wanted::from_env().version() {
        check_version(&client, &uri, wanted).await?;
    }
    Ok(Server { uri, private: None })
}

/// What the user names is used or is an error, here as with a program.
async fn check_version(client: &Client, uri: &str, wanted: &str) -> Result<(), Error> {
    let command = doc! { "buildInfo": 1 };
    let answer = client.database("admin").run_command(command).await?;
    let version = answer.get_str("version").unwrap_or("unknown");
    if version == wanted {
        return Ok(());
    }
    Err(Error::OtherVersion {
        uri: uri::without_password(uri),
        version: version.into(),
        wanted: wanted.into(),
    })
}

/// Finds `mongod` in a thread for blocking work, because it may be fetched.
async fn find_binary() -> Result<Program, Error> {
    let find = || binary::find(&Wanted::from_env());
    let found = tokio::task::spawn_blocking(find).await;
    found.map_err(|lost| Error::io("look for mongod")(lost.into()))?
}

fn connection_string(nodes: &[Node], replica_set: bool) -> String {
    let hosts = nodes
        .iter()
        .map(|node| format!("127.0.0.1:{}", node.port()));
    let hosts = hosts.collect::<Vec<_>>().join(",");
    if replica_set {
        format!("mongodb://{hosts}/?replicaSet={REPLICA_SET}")
    } else {
        format!("mongodb://{hosts}/")
    }
}

fn say_where(server: &Server) {
    eprintln!("ODM_KEEP_SERVER: {} stays after this process", server.uri());
    let pids = server
        .pids()
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(" ");
    let folder = server.folder().unwrap_or("".as_ref()).display();
    eprintln!("  stop it with: kill {pids} && rm -r {folder}");
}
