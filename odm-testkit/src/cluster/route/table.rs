//! The routing table: the database's primary shard, and the chunks of each sharded collection.
//!
//! The front reads the table from the config server at its first use, and again after a shard has rejected its version.
//! Each statement from the front to a shard contains the version of the table. So a shard rejects a statement that was
//! routed with an old table (`StaleConfig`).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use mongodb::bson::{Bson, Document, Timestamp, doc, oid::ObjectId};

use crate::cluster::{
    link::{Links, role::Role},
    message::reply::{documents_of, failure},
    value::order::compare_all,
};

/// The part of a sharded collection between two values of the shard key.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// The smallest value in the chunk.
    pub(crate) min: Vec<Bson>,
    /// The upper bound, which does not belong to the chunk.
    pub(crate) max: Vec<Bson>,
    pub(crate) shard: Role,
    version: Timestamp,
}

/// A sharded collection.
#[derive(Debug)]
pub(crate) struct Sharded {
    /// The shard key, such as `{host: 1, _id: "hashed"}`.
    pub(crate) key: Document,
    pub(crate) epoch: ObjectId,
    pub(crate) timestamp: Timestamp,
    /// All chunks, sorted.
    pub(crate) chunks: Vec<Chunk>,
}

/// The location of a collection.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// The database does not exist.
    Nowhere,
    /// The databases `config` and `admin` are on the config server.
    Config,
    /// The collection is not sharded. It is on the primary shard of its database.
    Whole { primary: Role, version: Document },
    /// The collection is sharded.
    Sharded(Arc<Sharded>),
}

#[derive(Debug, Default)]
pub(crate) struct Routing {
    databases: Mutex<HashMap<String, (Role, Document)>>,
    collections: Mutex<HashMap<String, Option<Arc<Sharded>>>>,
}

impl Routing {
    /// Returns the location of a collection, from the table or from the config server.
    pub(crate) async fn place(
        &self,
        links: &mut Links,
        db: &str,
        collection: &str,
    ) -> Result<Place, Document> {
        if matches!(db, "config" | "admin" | "local") {
            return Ok(Place::Config);
        }
        let Some((primary, version)) = self.database(links, db).await? else {
            return Ok(Place::Nowhere);
        };
        let namespace = format!("{db}.{collection}");
        let known = lock(&self.collections).get(&namespace).cloned();
        let sharded = match known {
            Some(known) => known,
            None => self.read_collection(links, &namespace).await?,
        };
        Ok(match sharded {
            Some(sharded) => Place::Sharded(sharded),
            None => Place::Whole { primary, version },
        })
    }

    /// Returns the primary shard and the version of a database. Returns `None` if the database does not exist.
    pub(crate) async fn database(
        &self,
        links: &mut Links,
        db: &str,
    ) -> Result<Option<(Role, Document)>, Document> {
        if let Some(known) = lock(&self.databases).get(db) {
            return Ok(Some(known.clone()));
        }
        let found = find_config(links, "databases", doc! { "_id": db }, doc! {}).await?;
        let Some(found) = found.first() else {
            return Ok(None);
        };
        let primary = found.get_str("primary").ok().and_then(Role::of_shard);
        let version = found.get_document("version").cloned();
        let (Some(primary), Ok(version)) = (primary, version) else {
            return Err(unreadable(found));
        };
        lock(&self.databases).insert(db.into(), (primary, version.clone()));
        Ok(Some((primary, version)))
    }

    /// Removes a collection and its database from the table, so that they are read again.
    pub(crate) fn forget(&self, db: &str, collection: &str) {
        lock(&self.databases).remove(db);
        lock(&self.collections).remove(&format!("{db}.{collection}"));
    }

    /// Removes a database and all its collections from the table.
    pub(crate) fn forget_database(&self, db: &str) {
        let prefix = format!("{db}.");
        lock(&self.databases).remove(db);
        lock(&self.collections).retain(|namespace, _| !namespace.starts_with(&prefix));
    }

    async fn read_collection(
        &self,
        links: &mut Links,
        namespace: &str,
    ) -> Result<Option<Arc<Sharded>>, Document> {
        let found = find_config(links, "collections", doc! { "_id": namespace }, doc! {}).await?;
        let sharded = match found.first() {
            None => None,
            Some(entry) => {
                let filter = doc! { "uuid": entry.get("uuid") };
                // Chunks that change during the read get a newer version, so they are read again at the end.
                let by_version = doc! { "lastmod": 1 };
                let chunks = find_config(links, "chunks", filter, by_version).await?;
                let sharded = sharded(entry, &chunks).ok_or_else(|| unreadable(entry))?;
                Some(Arc::new(sharded))
            }
        };
        lock(&self.collections).insert(namespace.into(), sharded.clone());
        Ok(sharded)
    }
}

impl Place {
    /// Adds the version of the routing table to a command for a shard. An aggregation on the database, such as one that
    /// begins with `$documents`, gets no collection version. A shard would reject the first use of such a version in a
    /// transaction.
    pub(crate) fn add_version(&self, shard: Role, command: &mut Document) {
        match self {
            Self::Nowhere | Self::Config => {}
            Self::Whole { version, .. } => {
                let zero = Timestamp {
                    time: 0,
                    increment: 0,
                };
                let epoch = ObjectId::from_bytes([0; 12]);
                if command
                    .values()
                    .next()
                    .is_some_and(|it| it.as_str().is_some())
                {
                    command.insert("shardVersion", doc! { "e": epoch, "t": zero, "v": zero });
                }
                command.insert("databaseVersion", version.clone());
            }
            Self::Sharded(sharded) => {
                command.insert("shardVersion", sharded.version(shard));
            }
        }
    }

    /// Returns the shards on which the collection can have documents.
    pub(crate) fn owners(&self) -> Vec<Role> {
        match self {
            Self::Nowhere => Vec::new(),
            Self::Config => vec![Role::Config],
            Self::Whole { primary, .. } => vec![*primary],
            Self::Sharded(sharded) => sharded.owners(),
        }
    }
}

impl Sharded {
    fn version(&self, shard: Role) -> Document {
        let of_shard = self.chunks.iter().filter(|chunk| chunk.shard == shard);
        let newest = of_shard.map(|chunk| chunk.version).max();
        let version = newest.unwrap_or(Timestamp {
            time: 0,
            increment: 0,
        });
        doc! { "e": self.epoch, "t": self.timestamp, "v": version }
    }

    fn owners(&self) -> Vec<Role> {
        let mut owners: Vec<Role> = self.chunks.iter().map(|chunk| chunk.shard).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }
}

/// Converts the entries of a collection and its chunks. If a chunk has several entries, the last one is the newest.
fn sharded(entry: &Document, chunks: &[Document]) -> Option<Sharded> {
    let mut chunks: Vec<Chunk> = chunks.iter().map(chunk).collect::<Option<_>>()?;
    chunks.reverse();
    chunks.sort_by(|left, right| compare_all(&left.min, &right.min));
    chunks.dedup_by(|later, first| compare_all(&later.min, &first.min).is_eq());
    Some(Sharded {
        key: entry.get_document("key").ok()?.clone(),
        epoch: entry.get_object_id("lastmodEpoch").ok()?,
        timestamp: entry.get_timestamp("timestamp").ok()?,
        chunks,
    })
}

fn chunk(entry: &Document) -> Option<Chunk> {
    let bound = |name| {
        let bound = entry.get_document(name).ok()?;
        Some(bound.values().cloned().collect())
    };
    Some(Chunk {
        min: bound("min")?,
        max: bound("max")?,
        shard: Role::of_shard(entry.get_str("shard").ok()?)?,
        version: entry.get_timestamp("lastmod").ok()?,
    })
}

/// Reads documents of a collection on the config server. The read concern excludes entries that a killed config server
/// would lose.
async fn find_config(
    links: &mut Links,
    collection: &str,
    filter: Document,
    sort: Document,
) -> Result<Vec<Document>, Document> {
    let find = doc! {
        "find": collection, "filter": filter, "sort": sort, "batchSize": 100_000,
        "readConcern": { "level": "majority" },
    };
    let reply = links.call(Role::Config, "config", find).await?;
    let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
    Ok(documents_of(&cursor, "firstBatch"))
}

fn unreadable(entry: &Document) -> Document {
    failure(8, "UnknownError", format!("unexpected metadata: {entry}"))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
