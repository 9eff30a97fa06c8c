//! A running server, private or the user's own.

mod builder;
mod control;
mod shared;
mod user;

use std::path::Path;

use mongodb::options::ClientOptions;

use crate::{
    Error,
    folder::Folder,
    node::{Launch, Node},
};

pub use builder::{ServerBuilder, Topology};

/// A running `MongoDB` server.
///
/// A private one is stopped and its data removed when this is dropped, which takes some 50 ms.
/// Share it as `Arc<Server>`. It holds no connection: a driver client belongs to the runtime that
/// made it, and every `#[tokio::test]` has its own.
#[derive(Debug)]
pub struct Server {
    uri: String,
    private: Option<Private>,
}

/// What only a server of ours has. The order of the fields is the order in which they go.
#[derive(Debug)]
struct Private {
    nodes: Vec<Node>,
    launch: Launch,
    folder: Folder,
    keep: bool,
}

impl Server {
    /// Returns the connection string, without a database.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns fresh options for a client of this server.
    ///
    /// # Errors
    ///
    /// When the URI the user gave is not one.
    pub async fn client_options(&self) -> Result<ClientOptions, Error> {
        Ok(ClientOptions::parse(&self.uri).await?)
    }

    /// Tells whether this server was started here, so that it ends with this process.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.private.is_some()
    }

    /// Tells whether the server stays when this process has ended.
    #[must_use]
    pub fn outlives_us(&self) -> bool {
        self.private.as_ref().is_none_or(|private| private.keep)
    }

    /// Returns the folder with the data and the logs of a private server.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.private.as_ref().map(|private| private.folder.path())
    }
}
