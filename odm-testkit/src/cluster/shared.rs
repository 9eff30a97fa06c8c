//! The cluster that all tests of a process share.

use std::sync::Arc;

use tokio::sync::OnceCell;

use crate::{
    Error,
    cluster::{Cluster, state::policy::Policy},
};

/// Like all statics, the cluster is never dropped. The supervisors stop the processes when this process has ended.
static SHARED: OnceCell<Result<Arc<Cluster>, Error>> = OnceCell::const_new();

impl Cluster {
    /// Returns the cluster on which tests run if `ODM_TEST_TOPOLOGY` is `sharded`. The first call starts it.
    pub(crate) async fn shared() -> Result<Arc<Self>, Error> {
        let start = async || {
            let cluster = Self::start_with(Policy::of_models(), &[]).await?;
            eprintln!("{cluster}");
            Ok(Arc::new(cluster))
        };
        SHARED.get_or_init(start).await.clone()
    }
}
