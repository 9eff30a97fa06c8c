//! Controls the nodes of a private server: asks for their state, kills them, and starts them again.

use super::{Private, Server};
use crate::{Error, node::Node, replica_set};

impl Server {
    /// Returns the process ids of the running nodes. The list is empty for a server of the user.
    pub fn pids(&self) -> Vec<u32> {
        let nodes = self.private.iter().flat_map(|private| &private.nodes);
        nodes.filter_map(Node::pid).collect()
    }

    /// Returns the process id of a node, or `None` if the node is stopped.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] if the server has no node of this number.
    pub fn pid(&self, node: usize) -> Result<Option<u32>, Error> {
        Ok(self.node(node)?.1.pid())
    }

    /// Waits until a node accepts writes, and returns its number.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] for a server of the user, and [`Error::Timeout`] if no primary can be
    /// elected.
    pub async fn primary(&self) -> Result<usize, Error> {
        replica_set::primary(&self.node(0)?.0.nodes).await
    }

    /// Waits until a node accepts writes, and returns its process id.
    ///
    /// # Errors
    ///
    /// The same as for [`Server::primary`].
    pub async fn primary_pid(&self) -> Result<u32, Error> {
        let primary = self.primary().await?;
        let gone = || Error::NoSuchNode {
            node: primary,
            why: "it ended just now".into(),
        };
        self.pid(primary)?.ok_or_else(gone)
    }

    /// Kills a node with SIGKILL, and waits until its process has ended. The data of the node is
    /// kept for [`restart`].
    ///
    /// [`restart`]: Server::restart
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] if the server has no node of this number.
    pub fn kill(&self, node: usize) -> Result<(), Error> {
        self.node(node)?.1.kill();
        Ok(())
    }

    /// Starts a node again with the same port and data, and waits until it is ready.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] if the server has no node of this number, and the errors of
    /// [`start`](crate::ServerBuilder::start).
    pub async fn restart(&self, node: usize) -> Result<(), Error> {
        let (private, node) = self.node(node)?;
        node.kill();
        node.start(&private.folder, &private.launch).await?;
        replica_set::settled(node).await
    }

    pub(super) fn node(&self, number: usize) -> Result<(&Private, &Node), Error> {
        let no = |why: String| Error::NoSuchNode { node: number, why };
        let private = self.private.as_ref();
        let private =
            private.ok_or_else(|| no("the server is not ours, it is from MONGODB_URI".into()))?;
        let count = private.nodes.len();
        let node = private.nodes.get(number);
        Ok((
            private,
            node.ok_or_else(|| no(format!("the server has {count}, counted from 0")))?,
        ))
    }
}
