//! The replica sets of a cluster.

/// One of the replica sets of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Stores the metadata: databases, shard keys and chunks.
    Config,
    /// Stores data. The number is 0 or 1.
    Shard(usize),
    /// Stores no data. Runs the statements that need the server's own routing.
    Router,
}

impl Role {
    pub(crate) const ALL: [Self; 4] = [Self::Config, Self::Router, Self::Shard(0), Self::Shard(1)];
    pub(crate) const SHARDS: [Self; 2] = [Self::Shard(0), Self::Shard(1)];

    /// Returns the name of the replica set, which is also the id of the shard.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Config => "config-server",
            Self::Router => "router",
            Self::Shard(0) => "shard0",
            Self::Shard(_) => "shard1",
        }
    }

    /// Returns the role for the name of a shard, as `config.chunks` and `config.databases` contain it.
    pub(crate) fn of_shard(name: &str) -> Option<Self> {
        Self::SHARDS.into_iter().find(|shard| shard.name() == name)
    }
}
