//! Creates databases and sharded collections, and decides before a write whether its collection is sharded.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{call::Call, reply::code},
    state::{counters::Counters, transaction::Scope},
};

const NAMESPACE_EXISTS: i32 = 48;

impl Connection {
    /// Creates the database of a write. With the policy for tests, also shards the collection of the write.
    pub(crate) async fn ensure_collection(&mut self, call: &Call) -> Result<(), Document> {
        if matches!(call.db.as_str(), "admin" | "config" | "local") {
            return Ok(());
        }
        self.ensure_database(&call.db).await?;
        if !self.shared.policy.decides(call) {
            return Ok(());
        }
        let shared = Arc::clone(&self.shared);
        let namespace = call.namespace();
        let decided = shared.decided.cell(&namespace);
        decided
            .get_or_try_init(async || self.shard_by_policy(call).await)
            .await
            .copied()
    }

    async fn shard_by_policy(&mut self, call: &Call) -> Result<(), Document> {
        let shared = Arc::clone(&self.shared);
        let key = shared.policy.key_of(call);
        // To shard a collection, the servers need an exclusive lock on the database. They would wait for the end of the
        // transaction.
        let key = key.filter(|_| !shared.has_transaction(&call.db));
        let Some(key) = key else {
            Counters::add(&shared.counters.unsharded);
            return self.create_whole(call).await;
        };
        let mut options = Document::new();
        if key.values().next().and_then(Bson::as_str) == Some("hashed") {
            options.insert("numInitialChunks", 2);
        }
        if call.name == "create" {
            // The collection is created before it is sharded, so that it has the options of the command.
            self.on_owners(call, &mut Scope::Plain, true).await?;
            if call.body.contains_key("collation") {
                options.insert("collation", doc! { "locale": "simple" });
            }
        }
        self.shard(&call.db, call.collection(), &key, options)
            .await?;
        Counters::add(&shared.counters.sharded);
        Ok(())
    }

    /// Creates an unsharded collection before the statement runs, because a transaction over two shards cannot create
    /// one.
    async fn create_whole(&mut self, call: &Call) -> Result<(), Document> {
        if call.name == "create" {
            return Ok(());
        }
        let create = doc! { "create": call.collection(), "$db": &call.db };
        let create = Call::new(create)?;
        match self.on_owners(&create, &mut Scope::Plain, true).await {
            Err(reply) if code(&reply) != Some(NAMESPACE_EXISTS) => Err(reply),
            _ => Ok(()),
        }
    }

    /// Creates a database, unless it exists.
    pub(crate) async fn ensure_database(&mut self, db: &str) -> Result<(), Document> {
        let shared = Arc::clone(&self.shared);
        if shared
            .routing
            .database(&mut self.links, db)
            .await?
            .is_some()
        {
            return Ok(());
        }
        // The name of a database selects its primary shard, so each shard is the primary shard of some databases.
        let sum: usize = db.bytes().map(usize::from).sum();
        let primary = Role::Shard(sum % Role::SHARDS.len());
        let create = doc! {
            "_configsvrCreateDatabase": db,
            "primaryShardId": primary.name(),
            "writeConcern": { "w": "majority" },
        };
        self.links.call(Role::Config, "admin", create).await?;
        shared.routing.forget_database(db);
        Ok(())
    }

    /// Shards a collection.
    pub(crate) async fn shard(
        &mut self,
        db: &str,
        collection: &str,
        key: &Document,
        options: Document,
    ) -> Result<Document, Document> {
        let mut body = doc! { "_shardsvrCreateCollection": collection, "shardKey": key.clone() };
        body.extend(options);
        body.insert("$db", db);
        let call = Call::new(body)?;
        self.on_primary(&call, "_shardsvrCreateCollection", db, collection)
            .await
    }
}
