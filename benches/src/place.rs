//! A server that has a separate database for each workload, so that jobs of one workload are not run in another.

use std::sync::Arc;

use mongo_odm::{
    Model, Odm, Settings, Settle,
    mongodb::{
        Client,
        options::{Acknowledgment, WriteConcern},
    },
    prelude::doc,
};
use mongo_odm_testkit::Server;

use crate::{Result, data::process};

/// A running server for the benchmarks.
#[derive(Debug)]
pub struct Place {
    server: Arc<Server>,
    client: Client,
    settle: Settle,
    /// The process id of the server, if the server runs on this machine.
    pub process: Option<u32>,
}

impl Place {
    /// Starts a server, or connects to the server at `MONGODB_URI`.
    ///
    /// # Errors
    ///
    /// The reason why the server cannot be used.
    pub async fn start() -> Result<Self> {
        Self::with_connections(None).await
    }

    /// Starts a server, and limits the number of connections. The default is the driver's limit.
    ///
    /// # Errors
    ///
    /// The same as for [`start`](Self::start).
    pub async fn with_connections(most: Option<u32>) -> Result<Self> {
        // All data fits into memory, because the benchmarks measure statements and not disks.
        let server = Arc::new(Server::builder().cache_gb(3.0).start().await?);
        let mut options = server.client_options().await?;
        options.max_pool_size = most.or(options.max_pool_size);
        let client = Client::with_options(options)?;
        let process = process(&client).await;
        Ok(Self {
            server,
            client,
            settle: Settle::Manual,
            process,
        })
    }

    /// Lets the handles fold deltas and run jobs in their background task.
    #[must_use]
    pub const fn in_background(mut self) -> Self {
        self.settle = Settle::Background;
        self
    }

    /// Returns the connection string of the server.
    pub fn uri(&self) -> &str {
        self.server.uri()
    }

    /// Returns an empty database that has the indexes of the models.
    ///
    /// # Errors
    ///
    /// Errors of the server.
    pub async fn database(&self, name: &str) -> Result<Odm> {
        let odm = odm(&self.client, name);
        let odm = odm.with_settings(odm.settings().clone().settle(self.settle));
        odm.database().drop().await?;
        odm.sync_indexes().await?;
        Ok(odm)
    }

    /// Writes all data to the disk before a measurement.
    ///
    /// # Errors
    ///
    /// Errors of the server.
    pub async fn flush(&self) -> Result<()> {
        let admin = self.client.database("admin");
        admin.run_command(doc! { "fsync": 1 }).await?;
        Ok(())
    }
}

/// Returns a handle that never takes the last look of its jobs. Otherwise, such a look could run three minutes after a
/// rename, during a measurement. The handle also does not read the declarations of other programs, because there are
/// none.
pub fn odm(client: &Client, name: &str) -> Odm {
    let settings = Settings::default()
        .settle(Settle::Manual)
        .schema_refresh(None);
    Odm::new(client.database(&format!("mongo_odm_benches_{name}"))).with_settings(settings)
}

/// Stores documents without changing their values.
///
/// # Errors
///
/// Errors of the server.
pub async fn fill<M: Model>(documents: impl Iterator<Item = M>, odm: &Odm) -> Result<()> {
    let collection = odm.collection::<M>();
    let concern = WriteConcern::builder().w(Acknowledgment::Nodes(1)).build();
    let mut documents = documents;
    loop {
        let some: Vec<M> = documents.by_ref().take(20_000).collect();
        if some.is_empty() {
            return Ok(());
        }
        let insert = collection.insert_many(&some);
        insert.write_concern(concern.clone()).await?;
    }
}
