//! Users of a server that asks for one.

use mongodb::bson::{Document, doc};

use super::Server;
use crate::{
    Error,
    folder::Folder,
    node::{Launch, Node},
    probe::{PASSWORD, Probe, ROOT},
};

/// Makes the first user, and starts the node again as one that asks for users.
pub(super) async fn lock(node: &Node, folder: &Folder, launch: &mut Launch) -> Result<(), Error> {
    let roles = vec![doc! { "role": "root", "db": "admin" }];
    let probe = Probe::new(node.port())?;
    probe.command(create_user(ROOT, roles)).await?;
    launch.auth = true;
    node.kill();
    node.start(folder, launch).await
}

/// Is written to disk before it is answered: the node is killed next.
fn create_user(name: &str, roles: Vec<Document>) -> Document {
    doc! {
        "createUser": name, "pwd": PASSWORD, "roles": roles, "writeConcern": { "w": 1, "j": true },
    }
}

/// Returns the connection string of a user to a database.
pub(super) fn uri(node: &Node, user: &str, database: &str) -> String {
    let port = node.port();
    format!("mongodb://{user}:{PASSWORD}@127.0.0.1:{port}/{database}?authSource=admin")
}

impl Server {
    /// Makes a user of a server that was started with [`auth`](crate::ServerBuilder::auth), and returns the connection
    /// string with which that user connects to the database.
    ///
    /// The user has these roles on the database: built-in ones, such as `read`, or those that `createRole` has made in it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] for a server of the user, and what the server reports.
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
