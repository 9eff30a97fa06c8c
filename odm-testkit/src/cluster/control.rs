//! Controls the processes of a private cluster.

use crate::{
    Error,
    cluster::{Cluster, Private, link::role::Role},
};

impl Cluster {
    /// Returns the process ids of a private cluster.
    #[must_use]
    pub fn pids(&self) -> Vec<u32> {
        self.private
            .as_ref()
            .map(|private| private.processes.pids())
            .unwrap_or_default()
    }

    /// Kills the primary of a shard with SIGKILL.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] for the cluster at `MONGODB_URI`, or if the shard does not exist.
    pub fn kill_shard(&self, shard: usize) -> Result<(), Error> {
        self.private(shard)?.processes.kill(Role::Shard(shard))
    }

    /// Starts the primary of a shard again, and waits until it accepts writes.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] for the cluster at `MONGODB_URI` or an unknown shard, and the errors of
    /// [`start`](Self::start).
    pub async fn restart_shard(&self, shard: usize) -> Result<(), Error> {
        self.private(shard)?
            .processes
            .restart(Role::Shard(shard))
            .await
    }

    /// Kills the config server with SIGKILL.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] for the cluster at `MONGODB_URI`.
    pub fn kill_config_server(&self) -> Result<(), Error> {
        self.private(0)?.processes.kill(Role::Config)
    }

    /// Starts the config server again, and waits until it accepts writes.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchNode`] for the cluster at `MONGODB_URI`, and the errors of [`start`](Self::start).
    pub async fn restart_config_server(&self) -> Result<(), Error> {
        self.private(0)?.processes.restart(Role::Config).await
    }

    fn private(&self, shard: usize) -> Result<&Private, Error> {
        let missing = |why: &str| Error::NoSuchNode {
            node: shard,
            why: why.into(),
        };
        if shard >= Role::SHARDS.len() {
            return Err(missing("the cluster has two shards, counted from 0"));
        }
        let private = self.private.as_ref();
        private.ok_or_else(|| missing("the cluster is not ours, it is from MONGODB_URI"))
    }
}
