//! Administrative commands for a cluster, in the form that `mongos` accepts: `shardCollection`, `split`, `moveChunk`
//! and others.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{NOT_MONGOS, documents_of, failure, is_ok, number_of, result_of},
    },
    route::{
        table::{Chunk, Place, Sharded},
        targeting,
    },
    state::counters::Counters,
    value::hash,
};

const NOT_SHARDED: &str = "the collection is not sharded";

impl Connection {
    /// Runs a command of this module. Returns `None` for any other command.
    pub(crate) async fn admin(&mut self, call: &Call) -> Option<Result<Document, Document>> {
        let reply = match call.name.as_str() {
            "shardCollection" => self.shard_collection(call).await,
            "enableSharding" => {
                let db = call.body.get_str("enableSharding").unwrap_or_default();
                self.ensure_database(db).await.map(|()| doc! { "ok": 1.0 })
            }
            "split" => self.split(call).await,
            "moveChunk" | "moveRange" => self.move_chunk(call).await,
            "listShards" => self.list_shards().await,
            "serverStatus" => self.server_status(call).await,
            "profile" if number_of(&call.body, "profile") > 0 => Err(failure(
                2,
                "BadValue",
                "a router has no profile of statements",
            )),
            "dbStats" | "collStats" | "validate" => self.sum_of_shards(call).await,
            "configureFailPoint" => self.on_all_shards(call).await,
            _ => return None,
        };
        Some(reply)
    }

    async fn shard_collection(&mut self, call: &Call) -> Result<Document, Document> {
        let (db, collection) = namespace(call)?;
        self.ensure_database(&db).await?;
        let key = call.document("key");
        let mut options = call.body.clone();
        for field in ["shardCollection", "key", "writeConcern"] {
            options.remove(field);
        }
        let reply = self.shard(&db, &collection, &key, options).await?;
        let namespace = format!("{db}.{collection}");
        self.shared.decided.add(&namespace);
        Ok(doc! { "collectionsharded": namespace, "details": reply, "ok": 1.0 })
    }

    /// Splits the chunk that contains the key in `middle`.
    async fn split(&mut self, call: &Call) -> Result<Document, Document> {
        let (db, collection, sharded) = self.sharded(call).await?;
        let middle = call.document("middle");
        let chunk = chunk_with(&sharded, &middle)?;
        let split = doc! {
            "splitChunk": format!("{db}.{collection}"),
            "from": chunk.shard.name(),
            "keyPattern": sharded.key.clone(),
            "epoch": sharded.epoch,
            "timestamp": sharded.timestamp,
            "min": bound(&sharded, &chunk.min),
            "max": bound(&sharded, &chunk.max),
            "splitKeys": [middle],
        };
        let reply = self.links.call(chunk.shard, "admin", split).await;
        self.shared.routing.forget(&db, &collection);
        reply
    }

    /// Moves the chunk that contains a key (`find`), or the chunk between two keys (`bounds`, `min` and `max`).
    async fn move_chunk(&mut self, call: &Call) -> Result<Document, Document> {
        let (db, collection, sharded) = self.sharded(call).await?;
        let to = ["to", "toShard"]
            .iter()
            .find_map(|name| call.body.get_str(name).ok());
        let bounds = documents_of(&call.body, "bounds");
        let (min, max) = if call.body.contains_key("find") {
            let shown = hashed(&sharded, &call.document("find"));
            let chunk = chunk_with(&sharded, &shown)?;
            (
                bound(&sharded, &chunk.min),
                Some(bound(&sharded, &chunk.max)),
            )
        } else if let [min, max] = bounds.as_slice() {
            (min.clone(), Some(max.clone()))
        } else {
            (
                call.document("min"),
                call.body.get_document("max").cloned().ok(),
            )
        };
        let mut command = doc! {
            "_configsvrMoveRange": format!("{db}.{collection}"),
            "toShard": to.unwrap_or_default(),
            "min": min,
            "waitForDelete": call.body.get_bool("_waitForDelete").unwrap_or(false),
            "writeConcern": { "w": "majority" },
        };
        if let Some(max) = max {
            command.insert("max", max);
        }
        let reply = self.links.reply(Role::Config, "admin", command).await;
        self.shared.routing.forget(&db, &collection);
        let reply = self.moved(reply);
        result_of(reply)
    }

    /// Counts a moved chunk.
    fn moved(&self, reply: Document) -> Document {
        if is_ok(&reply) {
            Counters::add(&self.shared.counters.moves);
        }
        reply
    }

    async fn list_shards(&mut self) -> Result<Document, Document> {
        let find = doc! { "find": "shards", "filter": {}, "sort": { "_id": 1 } };
        let reply = self.links.call(Role::Config, "config", find).await?;
        let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
        Ok(doc! { "shards": documents_of(&cursor, "firstBatch"), "ok": 1.0 })
    }

    async fn server_status(&mut self, call: &Call) -> Result<Document, Document> {
        let status = self
            .links
            .call(Role::Router, "admin", call.body.clone())
            .await;
        let mut status = status?;
        // A router has no collections.
        status.remove("catalogStats");
        status.insert("front", NOT_MONGOS);
        status.extend(self.shared.counters.sections());
        Ok(status)
    }

    /// Adds the numbers in the replies of both shards.
    async fn sum_of_shards(&mut self, call: &Call) -> Result<Document, Document> {
        let owners = match call.name.as_str() {
            "dbStats" => Role::SHARDS.into(),
            _ => self.place(call).await?.owners(),
        };
        let commands = owners
            .iter()
            .map(|owner| (*owner, call.body.clone()))
            .collect();
        let mut sum = doc! { "ok": 1.0 };
        let mut shards = Document::new();
        for (owner, reply) in owners
            .iter()
            .zip(self.links.replies(&call.db, commands).await)
        {
            if !is_ok(&reply) {
                return Err(reply);
            }
            for (name, value) in &reply {
                match value {
                    Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) if name != "ok" => {
                        let so_far = number_of(&sum, name);
                        sum.insert(name, so_far + number_of(&reply, name));
                    }
                    value if !sum.contains_key(name) => drop(sum.insert(name, value.clone())),
                    _ => {}
                }
            }
            shards.insert(owner.name(), reply);
        }
        sum.insert("shards", shards);
        sum.insert("ok", 1.0);
        Ok(sum)
    }

    async fn on_all_shards(&mut self, call: &Call) -> Result<Document, Document> {
        let commands = Role::SHARDS.map(|shard| (shard, call.body.clone())).into();
        let replies = self.links.replies(&call.db, commands).await;
        match replies.iter().find(|reply| !is_ok(reply)) {
            Some(failed) => Err(failed.clone()),
            None => Ok(replies.into_iter().next().unwrap_or_default()),
        }
    }

    /// Returns the sharded collection to which a command applies, with its newest chunks.
    async fn sharded(&mut self, call: &Call) -> Result<(String, String, Arc<Sharded>), Document> {
        let (db, collection) = namespace(call)?;
        let front = Arc::clone(&self.shared);
        front.routing.forget(&db, &collection);
        match front
            .routing
            .place(&mut self.links, &db, &collection)
            .await?
        {
            Place::Sharded(sharded) => Ok((db, collection, sharded)),
            _ => Err(failure(118, "NamespaceNotSharded", NOT_SHARDED)),
        }
    }
}

fn namespace(call: &Call) -> Result<(String, String), Document> {
    let namespace = call.body.get_str(&call.name).unwrap_or_default();
    let parts = namespace.split_once('.');
    let parts = parts.map(|(db, collection)| (db.to_owned(), collection.to_owned()));
    parts.ok_or_else(|| {
        failure(
            73,
            "InvalidNamespace",
            format!("invalid namespace `{namespace}`"),
        )
    })
}

/// Returns the shard key of a document as chunks contain it, with hashes for hashed fields.
fn hashed(sharded: &Sharded, document: &Document) -> Document {
    let mut key = Document::new();
    for (path, kind) in &sharded.key {
        let value = targeting::value_at(document, path)
            .cloned()
            .unwrap_or(Bson::Null);
        let is_hashed = kind.as_str() == Some("hashed");
        key.insert(
            path,
            if is_hashed {
                Bson::Int64(hash::hashed(&value))
            } else {
                value
            },
        );
    }
    key
}

fn chunk_with<'s>(sharded: &'s Sharded, key: &Document) -> Result<&'s Chunk, Document> {
    let key: Vec<Bson> = key.values().cloned().collect();
    let chunk = targeting::chunk_of_key(sharded, &key);
    chunk.ok_or_else(|| failure(2, "BadValue", "no chunk contains this key"))
}

fn bound(sharded: &Sharded, values: &[Bson]) -> Document {
    sharded
        .key
        .keys()
        .cloned()
        .zip(values.iter().cloned())
        .collect()
}
