//! A running server, which is either private or the user's own.

mod builder;
mod control;
mod shared;
mod user;

use std::{path::Path, sync::Arc};

use mongodb::options::ClientOptions;

use crate::{
    Cluster, Error,
    folder::Folder,
    node::{Launch, Node},
};

pub use builder::{ServerBuilder, Topology};

/// A running `MongoDB` server.
///
/// Dropping a private server stops it and removes its data, which takes about 50 ms. To share a
/// server, use an `Arc<Server>`. A `Server` contains no connection, because a driver client belongs
/// to the runtime that created it, and each `#[tokio::test]` has its own runtime.
#[derive(Debug)]
pub struct Server {
    uri: String,
    private: Option<Private>,
    cluster: Option<Arc<Cluster>>,
}

/// The parts of a private server. The fields are dropped in this order.
#[derive(Debug)]
struct Private {
    nodes: Vec<Node>,
    launch: Launch,
    folder: Folder,
    keep: bool,
}

impl Server {
    /// Returns the connection string of the server. If the server is that of `MONGODB_URI`, the string can contain the
    /// name of a database.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns new options for a client of this server.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the connection string of the user is invalid.
    pub async fn client_options(&self) -> Result<ClientOptions, Error> {
        Ok(ClientOptions::parse(&self.uri).await?)
    }

    /// Whether this process started the server.
    #[must_use]
    pub fn is_private(&self) -> bool {
        let is_private = |cluster: &Arc<Cluster>| !cluster.pids().is_empty();
        self.private.is_some() || self.cluster.as_ref().is_some_and(is_private)
    }

    /// Returns the sharded cluster, if the server is one.
    #[must_use]
    pub fn cluster(&self) -> Option<&Arc<Cluster>> {
        self.cluster.as_ref()
    }

    fn of_cluster(cluster: Arc<Cluster>) -> Self {
        Self {
            uri: cluster.uri().to_owned(),
            private: None,
            cluster: Some(cluster),
        }
    }

    /// Whether the server continues to run after this process has ended.
    #[must_use]
    pub fn outlives_us(&self) -> bool {
        match &self.private {
            Some(private) => private.keep,
            None => !self.is_private(),
        }
    }

    /// Returns the folder that contains the data and the logs of a private server. Returns `None`
    /// for a server of the user.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.private.as_ref().map(|private| private.folder.path())
    }
}
