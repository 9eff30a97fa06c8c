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
use odm_benches::{Result, data::process};
use odm_testkit::Server;

/// A running server.
#[derive(Debug)]
pub(crate) struct Place {
    server: Arc<Server>,
    client: Client,
    /// The process of the server, if it runs here.
    pub(crate) process: Option<u32>,
}

impl Place {
    pub(crate) async fn start() -> Result<Self> {
        // All of it fits into memory: the benchmarks are about statements, not about disks.
        let server = Arc::new(Server::builder().cache_gb(3.0).start().await?);
        let client = Client::with_options(server.client_options().await?)?;
        let process = process(&client).await;
        Ok(Self {
            server,
            client,
            process,
        })
    }

    pub(crate) fn uri(&self) -> &str {
        self.server.uri()
    }

    /// Returns an empty database with its indexes.
    pub(crate) async fn database(&self, name: &str) -> Result<Odm> {
        let odm = odm(&self.client, name);
        odm.database().drop().await?;
        odm.sync_indexes().await?;
        Ok(odm)
    }

    /// Writes what was filled in to the disk, before anything is measured.
    pub(crate) async fn flush(&self) -> Result<()> {
        let admin = self.client.database("admin");
        admin.run_command(doc! { "fsync": 1 }).await?;
        Ok(())
    }
}

/// Returns a handle that takes the last look of its jobs never, so that no such look, three minutes
/// after each rename, falls into what is measured. It is the only program, so that its copies are new to nobody.
pub(crate) fn odm(client: &Client, name: &str) -> Odm {
    let settings = Settings::default()
        .settle(Settle::Manual)
        .schema_refresh(None);
    Odm::new(client.database(&format!("mongo_odm_benches_{name}"))).with_settings(settings)
}

/// Stores documents with the values that they have.
pub(crate) async fn fill<M: Model>(documents: impl Iterator<Item = M>, odm: &Odm) -> Result<()> {
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
