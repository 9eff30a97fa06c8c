//! Reads the shard keys of a sharded cluster from its database `config`.

use std::collections::BTreeMap;

use mongodb::bson::{Document, doc};

use crate::{
    client::{
        command::RunCommand,
        odm::{Exec, Odm, Topology},
    },
    error::{Error, Result},
};

const CONFIG: &str = "config";

/// Returns the sharded collections of the database, with their shard keys.
pub(super) async fn sharded_collections(odm: &Odm) -> Result<BTreeMap<String, Document>> {
    let hello = Exec::on(odm.clone()).send(RunCommand::hello()).await?;
    if Topology::of(&hello) != Topology::Cluster {
        return Err(Error::invalid(
            "this server is not a sharded cluster; connect to a `mongos`, or do not call `shard_collections`",
        ));
    }
    let prefix = format!("{}.", odm.database().name());
    let mut after = prefix.clone();
    after.pop();
    after.push('/');
    let find = doc! {
        "find": "collections",
        "filter": { "_id": { "$gte": prefix, "$lt": after } },
        "projection": { "key": 1 },
        "batchSize": 100_000,
    };
    let config = Exec::on(odm.in_database(CONFIG));
    let reply = config.send(RunCommand::command("find", find)).await?;
    let found = reply
        .get_document("cursor")
        .and_then(|cursor| cursor.get_array("firstBatch"));
    let found = found.into_iter().flatten();
    let found = found.filter_map(|it| {
        let collection = it.as_document()?;
        let name = collection.get_str("_id").ok()?;
        Some((
            name.to_owned(),
            collection.get_document("key").ok()?.clone(),
        ))
    });
    Ok(found.collect())
}
