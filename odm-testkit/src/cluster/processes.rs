//! The four `mongod` processes of a cluster, each of which is a replica set with one node.
//!
//! 1. All processes start at the same time and become primaries.
//! 2. The config server adds the router as a shard. The router thereby gets an identity in the cluster, which `mongod`
//!    requires before it routes statements.
//! 3. The entry of the router is removed again, so that no server stores data on the router. The shards are added
//!    later, because all servers wait for an entry with the newest time of a change (`topologyTime`).
//! 4. The balancer is stopped. Only tests move chunks.

use std::collections::HashMap;

use mongodb::bson::{Document, doc};

use crate::{
    Error,
    binary::Program,
    cluster::link::{Ports, role::Role},
    folder::Folder,
    node::{Launch, Node},
    probe::Probe,
    replica_set,
};

/// The processes of a cluster. The fields are dropped in this order.
#[derive(Debug)]
pub(super) struct Processes {
    members: HashMap<Role, Member>,
    folder: Folder,
}

#[derive(Debug)]
struct Member {
    node: Node,
    launch: Launch,
}

impl Processes {
    pub(super) async fn start(binary: &Program, parameters: &[&str]) -> Result<Self, Error> {
        let folder = Folder::create(false)?;
        let start = |role| start(role, binary, &folder, parameters);
        let (config, router, one, two) = tokio::try_join!(
            start(Role::Config),
            start(Role::Router),
            start(Role::Shard(0)),
            start(Role::Shard(1)),
        )?;
        let members = Role::ALL
            .into_iter()
            .zip([config, router, one, two])
            .collect();
        let processes = Self { members, folder };
        processes.combine().await?;
        Ok(processes)
    }

    pub(super) fn ports(&self) -> Ports {
        let ports = self.members.iter();
        ports
            .map(|(role, member)| (*role, member.node.port()))
            .collect()
    }

    pub(super) fn pids(&self) -> Vec<u32> {
        self.members
            .values()
            .filter_map(|member| member.node.pid())
            .collect()
    }

    /// Kills a process with SIGKILL. Its data is kept.
    pub(super) fn kill(&self, role: Role) -> Result<(), Error> {
        self.member(role)?.node.kill();
        Ok(())
    }

    /// Starts a process again, and waits until it is primary.
    pub(super) async fn restart(&self, role: Role) -> Result<(), Error> {
        let Member { node, launch } = self.member(role)?;
        node.kill();
        node.start(&self.folder, launch).await?;
        replica_set::primary(std::slice::from_ref(node)).await?;
        Ok(())
    }

    async fn combine(&self) -> Result<(), Error> {
        let config = Probe::new(self.member(Role::Config)?.node.port())?;
        let [first, second] = Role::SHARDS;
        self.add_shard(&config, Role::Router).await?;
        self.add_shard(&config, first).await?;
        let entry = doc! { "q": { "_id": Role::Router.name() }, "limit": 1 };
        let remove =
            doc! { "delete": "shards", "deletes": [entry], "writeConcern": { "w": "majority" } };
        config.command_on("config", remove).await?;
        self.add_shard(&config, second).await?;
        config.command(doc! { "_configsvrBalancerStop": 1 }).await?;
        Ok(())
    }

    async fn add_shard(&self, config: &Probe, role: Role) -> Result<Document, Error> {
        let name = role.name();
        let port = self.member(role)?.node.port();
        let add = doc! {
            "_configsvrAddShard": format!("{name}/127.0.0.1:{port}"),
            "name": name,
            "writeConcern": { "w": "majority" },
        };
        config.command(add).await
    }

    fn member(&self, role: Role) -> Result<&Member, Error> {
        let missing = || Error::NoSuchNode {
            node: 0,
            why: format!("no process for {}", role.name()),
        };
        self.members.get(&role).ok_or_else(missing)
    }
}

async fn start(
    role: Role,
    binary: &Program,
    folder: &Folder,
    parameters: &[&str],
) -> Result<Member, Error> {
    let kind = if role == Role::Config {
        "--configsvr"
    } else {
        "--shardsvr"
    };
    let arguments = [
        kind,
        "--replSet",
        role.name(),
        "--oplogSize",
        "64",
        // Otherwise, the collection of all sessions would be sharded into 1,024 chunks.
        "--setParameter",
        "disableLogicalSessionCacheRefresh=true",
        // Moved documents are deleted from the old shard immediately.
        "--setParameter",
        "orphanCleanupDelaySecs=0",
    ];
    let launch = Launch {
        binary: binary.clone(),
        replica_set: false,
        test_commands: true,
        auth: false,
        cache_gb: 0.25,
        oplog_mb: 64,
        arguments: arguments
            .into_iter()
            .chain(parameters.iter().flat_map(|it| ["--setParameter", it]))
            .map(Into::into)
            .collect(),
    };
    let node = Node::launch(role.name(), folder, &launch).await?;
    let set = replica_set::Name {
        name: role.name(),
        is_config: role == Role::Config,
    };
    replica_set::initiate(std::slice::from_ref(&node), set).await?;
    Ok(Member { node, launch })
}
