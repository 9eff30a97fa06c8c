//! The server of the whole process.

use std::sync::Arc;

use tokio::sync::OnceCell;

use super::Server;
use crate::Error;

/// Never dropped, as all statics: the supervisors end the server when the process is gone.
static SHARED: OnceCell<Result<Arc<Server>, Error>> = OnceCell::const_new();

/// Returns the shared server. Tests of several runtimes may wait here for the same start; if the
/// one that does it is aborted, another takes over.
pub(super) async fn shared() -> Result<Arc<Server>, Error> {
    let start = async || {
        Server::builder()
            .test_commands(true)
            .start()
            .await
            .map(Arc::new)
    };
    SHARED.get_or_init(start).await.clone()
}
