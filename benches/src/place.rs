//! A server with a database for each workload, so that jobs of one are not run in another.

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

/// A running server.
#[derive(Debug)]
pub struct Place {
    server: Arc<Server>,
    client: Client,
    settle: Settle,
    /// The process of the server, if it runs here.
    pub process: Option<u32>,
}

impl Place {
    /// Starts a server, or takes that of `MONGODB_URI`.
    ///
    /// # Errors
    ///
    /// What keeps the server from being used.
    pub async fn start() -> Result<Self> {
        Self::with_connections(None).await
    }

    /// Starts a server and uses up to so many connections; as many as the driver wants if none are said.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start).
    pub async fn with_connections(most: Option<u32>) -> Result<Self> {
        // All of it fits into memory: the benchmarks are about statements, not about disks.
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

    /// Lets handles fold deltas in their background task, and settle jobs with it.
    #[must_use]
    pub const fn in_background(mut self) -> Self {
        self.settle = Settle::Background;
        self
    }

    /// Returns the address of the server.
    pub fn uri(&self) -> &str {
        self.server.uri()
    }

    /// Returns an empty database with its indexes.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn database(&self, name: &str) -> Result<Odm> {
        let odm = odm(&self.client, name);
        let odm = odm.with_settings(odm.settings().clone().settle(self.settle));
        odm.database().drop().await?;
        odm.sync_indexes().await?;
        Ok(odm)
    }

    /// Writes what was filled in to the disk, before anything is measured.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn flush(&self) -> Result<()> {
        let admin = self.client.database("admin");
        admin.run_command(doc! { "fsync": 1 }).await?;
        Ok(())
    }
}

/// Returns a handle that takes the last look of its jobs never, so that no such look, three minutes
/// after each rename, falls into what is measured. It is the only program, so that its copies are new to nobody.
pub fn odm(client: &Client, name: &str) -> Odm {
    let settings = Settings::default()
        .settle(Settle::Manual)
        .schema_refresh(None);
    Odm::new(client.database(&format!("mongo_odm_benches_{name}"))).with_settings(settings)
}

/// Stores documents with the values that they have.
///
/// # Errors
///
/// What the server reports.
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
