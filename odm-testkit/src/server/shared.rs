//! The server that the whole process shares.

use std::{env, sync::Arc};

use tokio::sync::OnceCell;

use super::Server;
use crate::{Cluster, Error};

/// Like all statics, the server is never dropped. The supervisors stop the server when the process has ended.
static SHARED: OnceCell<Result<Arc<Server>, Error>> = OnceCell::const_new();

impl Server {
    /// Returns the server that all tests in this process share. The first call starts it.
    ///
    /// The server is a replica set that has one node and allows test commands. If the environment variable
    /// `ODM_TEST_TOPOLOGY` is `sharded`, the server is a [`Cluster`](crate::Cluster) in which most collections are
    /// sharded before their first write: by the key that the models declare, or by the hash of `_id`. The server stops
    /// when the process ends. Start your own server for a failpoint that would also affect other tests.
    ///
    /// # Errors
    ///
    /// The same as for [`ServerBuilder::start`](crate::ServerBuilder::start). A failure is
    /// remembered, so that a hundred tests do not repeat the start a hundred times.
    pub async fn shared() -> Result<Arc<Self>, Error> {
        // Tests on several runtimes may wait here for the same start. If the test that performs the start is aborted,
        // another test starts the server.
        let start = async || {
            if env::var("ODM_TEST_TOPOLOGY").is_ok_and(|topology| topology == "sharded") {
                let cluster = Cluster::shared().await?;
                return Ok(Arc::new(Self::of_cluster(cluster)));
            }
            let server = Self::builder().test_commands(true);
            server.start().await.map(Arc::new)
        };
        SHARED.get_or_init(start).await.clone()
    }
}
