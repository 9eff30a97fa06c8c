//! Creates the collections that a transaction cannot create.
//!
//! On a cluster, a transaction on several shards cannot create a collection. In this case, either a statement or the
//! commit fails. The library then creates the collections to which the transaction writes, and runs the transaction
//! again.

use mongodb::bson::doc;

use crate::{
    client::{
        command::RunCommand,
        odm::{Exec, Odm, Tx},
    },
    error::{NAMESPACE_EXISTS, Result},
};

/// Whether the library has already created the collections that the transactions of a call lack.
#[derive(Debug, Default)]
pub(super) struct MissingCollections {
    are_created: bool,
}

impl MissingCollections {
    /// Creates the collections if the attempt failed because they do not exist. Returns true if they were created, so
    /// that the transaction must run again. This happens at most once in a call.
    pub(super) async fn create(&mut self, tx: &Tx, odm: &Odm) -> Result<bool> {
        if self.are_created || !tx.failures().lacks_collection() || !odm.is_cluster().await? {
            return Ok(false);
        }
        for collection in tx.written_collections() {
            create(odm, &collection).await?;
        }
        self.are_created = true;
        Ok(true)
    }
}

/// Creates a collection, unless it exists.
async fn create(odm: &Odm, collection: &str) -> Result<()> {
    let create = RunCommand::command("create", doc! { "create": collection });
    match Exec::on(odm.clone()).send(create).await {
        Err(error) if error.server_code() != Some(NAMESPACE_EXISTS) => Err(error),
        _ => Ok(()),
    }
}
