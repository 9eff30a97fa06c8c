//! The shard keys of models and of a sharded cluster.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document};

use crate::{
    client::odm::Odm,
    error::Result,
    index::shard_key,
    maintenance::shard_collections::{
        catalog::{self, ChunksOfShard, ShardedOnServer},
        sharding_diff::is_same_key,
    },
    model::shape::ModelShape,
};

/// The sharded collections of a database on a sharded cluster.
#[derive(Clone, Debug, Default)]
pub struct Sharding {
    collections: BTreeMap<String, ShardedOnServer>,
    chunks: BTreeMap<String, Vec<ChunksOfShard>>,
}

impl Sharding {
    /// Reads the shard keys and the chunks. Returns `None` if the server is not a sharded cluster.
    pub(super) async fn read(odm: &Odm) -> Result<Option<Self>> {
        let Some(collections) = catalog::sharded_collections(odm).await? else {
            return Ok(None);
        };
        let chunks = catalog::chunks(odm, &collections).await?;
        Ok(Some(Self {
            collections,
            chunks,
        }))
    }

    /// Returns the shard key of a collection, or `None` if the collection is not sharded.
    pub fn key(&self, collection: &str) -> Option<&Document> {
        Some(&self.collections.get(collection)?.key)
    }

    /// Returns the chunks of a collection on each shard. Shards without chunks of the collection are omitted.
    pub fn chunks(&self, collection: &str) -> &[ChunksOfShard] {
        self.chunks.get(collection).map_or(&[], Vec::as_slice)
    }

    /// Returns the shard key that a model declares, such as `{ host: 1, _id: "hashed" }`, or an empty document.
    pub fn declared(model: &ModelShape) -> Document {
        shard_key(model)
    }

    /// Whether two shard keys are equal.
    pub fn is_same_key(one: &Document, other: &Document) -> bool {
        is_same_key(one, other)
    }

    /// Returns a shard key as an argument of `#[model(..)]`: `shard_key(host = 1, _id = "hashed")`.
    pub fn attribute(key: &Document) -> String {
        let fields = key.iter().map(|(path, kind)| match kind {
            Bson::String(kind) => format!("{path} = {kind:?}"),
            _ => format!("{path} = 1"),
        });
        let fields: Vec<_> = fields.collect();
        format!("shard_key({})", fields.join(", "))
    }
}
