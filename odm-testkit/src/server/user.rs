//! Creates users on a server that requires authentication.

use mongodb::bson::{Document, doc};

use super::Server;
use crate::{
    Error,
    folder::Folder,
    node::{Launch, Node},
    probe::{PASSWORD, Probe, ROOT},
};

/// Creates the first user, and then restarts the node with authentication.
pub(super) async fn lock(node: &Node, folder: &Folder, launch: &mut Launch) -> Result<(), Error> {
    let roles = vec![doc! { "role": "root", "db": "admin" }];
    let probe = Probe::new(node.port())?;
    probe.command(create_user(ROOT, roles)).await?;
    launch.auth = true;
    node.kill();
    node.start(folder, launch).await
}

/// Returns a command that creates a user. The server writes the user to disk before it replies,
/// because the node may be killed right after that.
fn create_user(name: &str, roles: Vec<Document>) -> Document {
    doc! {
        "createUser": name, "pwd": PASSWORD, "roles": roles, "writeConcern": { "w": 1, "j": true },
    }
}

/// Returns the connection string with which a user connects to a database.
pub(super) fn uri(node: &Node, user: &str, database: &str) -> String {
    let port = node.port();
    format!("mongodb://{user}:{PASSWORD}@127.0.0.1:{port}/{database}?authSource=admin")
}

impl Server {
    /// Creates a user on a server that was started with [`auth`](crate::ServerBuilder::auth).
    /// Returns the connection string with which this user connects to the database.
    ///
    /// The user gets the given roles on the database. A role is built-in, such as `read`, or was
    /// created in this database with `createRole`.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] for a server that the library did not start, and the errors of the
    /// server.
    pub async fn user(&self, name: &str, database: &str, roles: &[&str]) -> Result<String, Error> {
        let (_, node) = self.node(0)?;
        let roles = roles
            .iter()
            .map(|role| doc! { "role": *role, "db": database });
        let create = create_user(name, roles.collect());
        Probe::of_root(node.port())?.command(create).await?;
        Ok(uri(node, name, database))
    }
}
