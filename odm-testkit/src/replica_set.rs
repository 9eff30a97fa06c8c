//! Combines running nodes into a replica set, and finds its primary.

use std::time::{Duration, Instant};

use mongodb::bson::{Document, doc};
use tokio::time::sleep;

use crate::{
    Error,
    node::{Node, REPLICA_SET},
    probe::{Probe, Role},
};

/// Time limit for an election.
const ELECTION: Duration = Duration::from_secs(60);
/// Interval at which the nodes are asked for their roles.
const TICK: Duration = Duration::from_millis(20);

/// The name of a replica set, and whether it is the config server of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) name: &'static str,
    pub(crate) is_config: bool,
}

/// The replica set of a server that is not part of a cluster.
pub(crate) const SERVER: Name = Name {
    name: REPLICA_SET,
    is_config: false,
};

/// Initiates the replica set, and waits until one node is primary and all others are secondaries.
pub(crate) async fn initiate(nodes: &[Node], name: Name) -> Result<(), Error> {
    let Some(first) = nodes.first() else {
        return Ok(());
    };
    let command = doc! { "replSetInitiate": configuration(nodes, name) };
    Probe::new(first.port())?.command(command).await?;
    primary(nodes).await?;
    for node in nodes {
        settled(node).await?;
    }
    Ok(())
}

/// Returns the configuration of the replica set. The nodes notice a dead primary after two seconds
/// instead of ten, so that failover tests are quick. On a loaded machine, shorter times would cause
/// unnecessary elections.
fn configuration(nodes: &[Node], name: Name) -> Document {
    let members = nodes.iter().zip(0_i32..);
    let members: Vec<Document> = members
        .map(|(node, id)| doc! { "_id": id, "host": format!("127.0.0.1:{}", node.port()) })
        .collect();
    let settings = doc! { "electionTimeoutMillis": 2_000, "heartbeatIntervalMillis": 500 };
    let mut configuration = doc! { "_id": name.name, "members": members, "settings": settings };
    if name.is_config {
        configuration.insert("configsvr", true);
    }
    configuration
}

/// Waits until a running node is primary, and returns its number.
pub(crate) async fn primary(nodes: &[Node]) -> Result<usize, Error> {
    let probes = nodes.iter().map(|node| Probe::new(node.port()));
    let probes = probes.collect::<Result<Vec<_>, _>>()?;
    let deadline = Instant::now() + ELECTION;
    while Instant::now() < deadline {
        for (number, (node, probe)) in nodes.iter().zip(&probes).enumerate() {
            // Asking a stopped node would only waste the time limit of the probe.
            if node.is_running() && probe.role().await == Some(Role::Primary) {
                return Ok(number);
            }
        }
        sleep(TICK).await;
    }
    Err(Error::Timeout {
        what: "a primary".into(),
        limit: ELECTION,
    })
}

/// Waits until a node is primary or secondary.
pub(crate) async fn settled(node: &Node) -> Result<(), Error> {
    let probe = Probe::new(node.port())?;
    let deadline = Instant::now() + ELECTION;
    while Instant::now() < deadline {
        if matches!(probe.role().await, Some(Role::Primary | Role::Secondary)) {
            return Ok(());
        }
        sleep(TICK).await;
    }
    let what = format!("the node on port {} to join its set", node.port());
    Err(Error::Timeout {
        what,
        limit: ELECTION,
    })
}
