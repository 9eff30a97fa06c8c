//! The server of the whole process.

use std::sync::Arc;

use tokio::sync::OnceCell;

use super::Server;
use crate::Error;

/// Never dropped, as all statics: the supervisors end the server when the process is gone.
static SHARED: OnceCell<Result<Arc<Server>, Error>> = OnceCell::const_new();

impl Server {
    /// Returns the server that everything in this process shares; the first call starts it.
    ///
    /// It is a replica set of one node with test commands. It ends with the process. Use a server
    /// of your own for a failpoint that would hit other tests, too.
    ///
    /// # Errors
    ///
    /// As [`ServerBuilder::start`](crate::ServerBuilder::start); a failure is remembered, so that a
    /// hundred tests do not try a hundred times.
    pub async fn shared() -> Result<Arc<Self>, Error> {
        // Tests of several runtimes may wait here for the same start; if the one that does it is
        // aborted, another takes over.
        let start = async || {
            let server = Self::builder().test_commands(true);
            server.start().await.map(Arc::new)
        };
        SHARED.get_or_init(start).await.clone()
    }
}
