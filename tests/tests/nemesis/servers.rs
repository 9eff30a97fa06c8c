//! The servers that the processes write to: three nodes, or a sharded cluster if `ODM_TEST_TOPOLOGY` is `sharded`.

use std::env;

use mongo_odm_testkit::{Cluster, Server, Topology};

use crate::program::is_sharded;

/// Maximum time of a transaction in seconds. The server looks for older ones every half of that time.
const LIFETIME: u64 = 3;

pub(crate) enum Servers {
    Nodes(Server),
    Cluster(Cluster),
}

impl Servers {
    pub(crate) async fn start() -> Self {
        let lifetime = format!("transactionLifetimeLimitSeconds={LIFETIME}");
        if is_sharded() {
            let given = env::var("MONGODB_URI").is_ok_and(|uri| !uri.is_empty());
            assert!(!given, "the processes of the user's cluster are not killed");
            let cluster = Cluster::start_with_parameters(&[&lifetime]).await.unwrap();
            println!("{cluster}");
            return Self::Cluster(cluster);
        }
        let server = Server::builder()
            .private()
            .topology(Topology::ReplicaSet { nodes: 3 })
            .test_commands(true)
            .argument("--setParameter")
            .argument(lifetime);
        Self::Nodes(server.start().await.unwrap())
    }

    pub(crate) fn uri(&self) -> &str {
        match self {
            Self::Nodes(server) => server.uri(),
            Self::Cluster(cluster) => cluster.uri(),
        }
    }
}
