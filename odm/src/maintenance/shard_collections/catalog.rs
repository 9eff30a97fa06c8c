//! Reads the shard keys and the chunks of a sharded cluster from its database `config`.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{AggregateCommand, RunCommand, number},
        odm::{Exec, Odm},
        place::Place,
    },
    error::Result,
};

const CONFIG: &str = "config";

/// A sharded collection on the server.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShardedOnServer {
    /// The shard key.
    pub(crate) key: Document,
    /// The UUID of the collection. Chunks contain this UUID instead of the collection's name.
    uuid: Bson,
}

/// The chunks of a collection on one shard.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunksOfShard {
    /// The name of the shard.
    pub shard: String,
    /// Number of chunks.
    pub chunks: u64,
    /// Number of chunks that the server has marked as too large to be moved.
    pub jumbo: u64,
    /// The lower bound of the first chunk that is marked as too large.
    pub first_jumbo: Option<Document>,
}

/// Returns the sharded collections of the database by name, or `None` if the server is not a sharded cluster. Sends one
/// `find` to a cluster. The first call of a handle and its clones also sends one `hello`.
pub(crate) async fn sharded_collections(
    odm: &Odm,
) -> Result<Option<BTreeMap<String, ShardedOnServer>>> {
    if !odm.is_cluster().await? {
        return Ok(None);
    }
    let prefix = format!("{}.", odm.database().name());
    let mut after = prefix.clone();
    after.pop();
    after.push('/');
    let find = doc! {
        "find": "collections",
        // From MongoDB 8.0 on, the list also contains collections that are not sharded.
        "filter": { "_id": { "$gte": &prefix, "$lt": after }, "unsplittable": { "$ne": true } },
        "projection": { "key": 1, "uuid": 1 },
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
        let name = collection.get_str("_id").ok()?.strip_prefix(&prefix)?;
        let sharded = ShardedOnServer {
            key: collection.get_document("key").ok()?.clone(),
            uuid: collection.get("uuid")?.clone(),
        };
        Some((name.to_owned(), sharded))
    });
    Ok(Some(found.collect()))
}

/// Returns, for each collection, the number of chunks on each shard. Sends one aggregation, or nothing if there are no
/// collections.
pub(crate) async fn chunks(
    odm: &Odm,
    collections: &BTreeMap<String, ShardedOnServer>,
) -> Result<BTreeMap<String, Vec<ChunksOfShard>>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    if collections.is_empty() {
        return Ok(all);
    }
    let uuids: Vec<_> = collections.values().map(|it| it.uuid.clone()).collect();
    let is_jumbo = doc! { "$eq": ["$jumbo", true] };
    let first = doc! { "$cond": [&is_jumbo, "$min", Bson::Null] };
    let pipeline = vec![
        doc! { "$match": { "uuid": { "$in": uuids } } },
        doc! { "$group": {
            "_id": { "uuid": "$uuid", "shard": "$shard" },
            "chunks": { "$sum": 1 },
            "jumbo": { "$sum": { "$cond": [is_jumbo, 1, 0] } },
            "first": { "$min": first },
        } },
        doc! { "$sort": { "_id": 1 } },
    ];
    let config = Exec::on(odm.in_database(CONFIG));
    let of_chunks = Place::whole_collection("chunks".to_owned());
    let command = AggregateCommand::new(of_chunks, pipeline);
    for group in config.documents(command).await? {
        let Ok(id) = group.get_document("_id") else {
            continue;
        };
        let mut names = collections.iter();
        let name = names.find(|(_, it)| id.get("uuid") == Some(&it.uuid));
        if let Some((name, _)) = name {
            let of_shard = chunks_of_shard(id, &group);
            all.entry(name.clone()).or_default().push(of_shard);
        }
    }
    Ok(all)
}

fn chunks_of_shard(id: &Document, group: &Document) -> ChunksOfShard {
    ChunksOfShard {
        shard: id.get_str("shard").unwrap_or_default().to_owned(),
        chunks: number(group, "chunks"),
        jumbo: number(group, "jumbo"),
        first_jumbo: group.get_document("first").ok().cloned(),
    }
}
