//! The builder for servers, which describes a server and starts it.

use std::{env, ffi::OsString, time::Duration};

use mongodb::{Client, bson::doc, options::ClientOptions};

use super::{Private, Server, user};
use crate::{
    Error,
    binary::{Program, Wanted, find_binary},
    folder::Folder,
    node::{Launch, Node, REPLICA_SET},
    probe::ROOT,
    replica_set, uri,
};

/// Time limit for the answer of a server that the user has specified.
const PATIENCE: Duration = Duration::from_secs(5);

/// The processes that form a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// A single process without an oplog. A standalone server supports neither transactions nor change streams.
    Standalone,
    /// A replica set, which supports transactions and change streams.
    ReplicaSet {
        /// The number of nodes, for example one for transactions or three for failover. The number is limited to a
        /// range from 1 to 7, because at most 7 nodes can vote.
        nodes: usize,
    },
}

/// A builder for a server, created by [`Server::builder`].
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
    /// Returns a builder for a server. By default, the server is a replica set that has one node.
    pub fn builder() -> ServerBuilder {
        ServerBuilder::default()
    }
}

impl ServerBuilder {
    /// Sets the topology of the server.
    pub fn topology(mut self, topology: Topology) -> Self {
        self.topology = topology;
        self
    }

    /// Sets whether the server allows test commands such as `configureFailPoint`.
    pub fn test_commands(mut self, allowed: bool) -> Self {
        self.test_commands = allowed;
        self
    }

    /// Sets the memory for the storage engine of each node. The default is 0.5 GB.
    ///
    /// With the minimum of 0.25 GB, the server aborts transactions of about 20 MB if other clients write at the same
    /// time (`TransactionTooLargeForCache`, about 15 % of the memory).
    pub fn cache_gb(mut self, size: f64) -> Self {
        self.cache_gb = size;
        self
    }

    /// Sets the size of the oplog of each node in a replica set. The default is 64 MB. With a small oplog, change
    /// streams soon lose their history.
    pub fn oplog_mb(mut self, size: u32) -> Self {
        self.oplog_mb = size;
        self
    }

    /// Starts a private server even if `MONGODB_URI` is set. Use this for tests that kill nodes, or that need a
    /// topology that the user's server may not have.
    pub fn private(mut self) -> Self {
        self.private = true;
        self
    }

    /// Starts a private standalone server that requires authentication. The topology is ignored.
    ///
    /// The connection string of the [`Server`] is that of a user with all rights. [`Server::user`] creates other users.
    pub fn auth(mut self) -> Self {
        (self.auth, self.private) = (true, true);
        self
    }

    /// Adds an argument to the command line of `mongod`.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Starts the server, and waits until it accepts writes.
    ///
    /// If `MONGODB_URI` is set, no server is started. The existing server is only asked whether it is alive and, if
    /// `ODM_MONGOD_VERSION` is set, whether it has this version. The topology of the existing server and its support
    /// for test commands may differ from the settings of this builder.
    ///
    /// # Errors
    ///
    /// [`Error::NoServer`] if no `mongod` was found, [`Error::Unreachable`] if the server at `MONGODB_URI` does not
    /// answer, [`Error::OtherVersion`] if it does not have the requested version, and [`Error::Died`] or
    /// [`Error::Timeout`] if the start fails.
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
            replica_set::initiate(&nodes, replica_set::SERVER).await?;
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
            cluster: None,
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

/// Connects to the server that the user has specified.
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
    Ok(Server {
        uri,
        private: None,
        cluster: None,
    })
}

/// Fails if the server at `MONGODB_URI` does not have the requested version. A server that the user has specified is
/// never silently replaced.
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
