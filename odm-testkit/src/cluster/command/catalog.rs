//! Commands on databases, collections and indexes. Most of them run on the primary shard of the database, as commands
//! that `mongos` sends there (`_shardsvr..`).

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{code, documents_of, failure, is_ok, is_stale, number_of, whole_cursor},
    },
    route::table::Place,
    state::{counters::Counters, open_cursors::Home, policy::Policy, transaction::Scope},
};

const ATTEMPTS: usize = 20;
const NAMESPACE_EXISTS: i32 = 48;

impl Connection {
    /// Runs a command of this module or of `admin`. Returns `None` for any other command.
    pub(crate) async fn catalog(&mut self, call: &Call) -> Option<Result<Document, Document>> {
        let reply = match call.name.as_str() {
            "create" => self.create(call).await,
            "createIndexes" | "dropIndexes" => self.on_owners(call, &mut Scope::Plain, false).await,
            "listIndexes" => self.on_owners(call, &mut Scope::Plain, true).await,
            "listCollections" => self.list_collections(call).await,
            "listDatabases" => self.list_databases(call).await,
            "collMod" => {
                self.on_primary(call, "_shardsvrCollMod", &call.db, call.collection())
                    .await
            }
            "drop" => self.drop_collection(call).await,
            "dropDatabase" => self.drop_database(call).await,
            "renameCollection" => self.rename(call).await,
            _ => return self.admin(call).await,
        };
        Some(reply)
    }

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
        // The servers need an exclusive lock on the database, and would wait for the end of the transaction.
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
            // The collection exists before it is sharded, so that it has its options.
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

    /// Creates a collection that is not sharded, because a transaction over two shards cannot create it.
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
        // Both shards are primary shards of some databases.
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

    /// Sends a command to the primary shard of a database, which coordinates the other shards.
    async fn on_primary(
        &mut self,
        call: &Call,
        name: &str,
        db: &str,
        collection: &str,
    ) -> Result<Document, Document> {
        let shared = Arc::clone(&self.shared);
        let mut command = call.renamed(name);
        command.insert("writeConcern", doc! { "w": "majority" });
        for _ in 0..ATTEMPTS {
            let Some((primary, version)) = shared.routing.database(&mut self.links, db).await?
            else {
                let message = format!("database {db} not found");
                return Err(failure(26, "NamespaceNotFound", message));
            };
            command.insert("databaseVersion", version);
            let reply = self.links.reply(primary, db, command.clone()).await;
            shared.routing.forget(db, collection);
            if !is_stale(&reply) {
                return if is_ok(&reply) { Ok(reply) } else { Err(reply) };
            }
        }
        Err(failure(
            249,
            "StaleDbVersion",
            "the routing table changes too often",
        ))
    }

    async fn create(&mut self, call: &Call) -> Result<Document, Document> {
        let place = self.place(call).await?;
        // With the policy for tests, the collection has just been created and sharded.
        if matches!(
            (&self.shared.policy, place),
            (Policy::OfTests(_), Place::Sharded(_))
        ) {
            return Ok(doc! { "ok": 1.0 });
        }
        self.on_owners(call, &mut Scope::Plain, true).await
    }

    async fn list_collections(&mut self, call: &Call) -> Result<Document, Document> {
        let shared = Arc::clone(&self.shared);
        if matches!(call.db.as_str(), "admin" | "config") {
            return self
                .links
                .call(Role::Config, &call.db, call.body.clone())
                .await;
        }
        let Some((primary, _)) = shared.routing.database(&mut self.links, &call.db).await? else {
            let namespace = format!("{}.$cmd.listCollections", call.db);
            return Ok(whole_cursor(&namespace, Vec::new()));
        };
        let mut command = call.body.clone();
        command.insert("cursor", doc! {});
        let reply = self.links.call(primary, &call.db, command).await?;
        let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
        shared
            .cursors
            .add(number_of(&cursor, "id"), Home::Server(primary));
        Ok(reply)
    }

    /// Adds the databases of both shards.
    async fn list_databases(&mut self, call: &Call) -> Result<Document, Document> {
        let commands = Role::SHARDS.map(|shard| (shard, call.body.clone())).into();
        let mut databases: Vec<Document> = Vec::new();
        for reply in self.links.replies("admin", commands).await {
            if !is_ok(&reply) {
                return Err(reply);
            }
            for found in documents_of(&reply, "databases") {
                let name = found.get_str("name").unwrap_or_default();
                // These databases exist on each server.
                if matches!(name, "local" | "config" | "admin") {
                    continue;
                }
                match databases
                    .iter_mut()
                    .find(|it| it.get_str("name").ok() == Some(name))
                {
                    Some(known) => add_sizes(known, &found),
                    None => databases.push(found),
                }
            }
        }
        let total: i64 = databases.iter().map(|it| number_of(it, "sizeOnDisk")).sum();
        Ok(doc! { "databases": databases, "totalSize": total, "ok": 1.0 })
    }

    async fn drop_collection(&mut self, call: &Call) -> Result<Document, Document> {
        let dropped = call.namespace();
        self.shared.decided.forget(|namespace| namespace == dropped);
        if matches!(self.place(call).await?, Place::Nowhere) {
            return Ok(doc! { "ok": 1.0 });
        }
        self.on_primary(call, "_shardsvrDropCollection", &call.db, call.collection())
            .await
    }

    async fn drop_database(&mut self, call: &Call) -> Result<Document, Document> {
        let shared = Arc::clone(&self.shared);
        if shared
            .routing
            .database(&mut self.links, &call.db)
            .await?
            .is_none()
        {
            return Ok(doc! { "ok": 1.0 });
        }
        let prefix = format!("{}.", call.db);
        shared
            .decided
            .forget(|namespace| namespace.starts_with(&prefix));
        let stats = Role::SHARDS
            .map(|shard| (shard, doc! { "dbStats": 1 }))
            .into();
        let stats = self.links.replies(&call.db, stats).await;
        for (counter, stats) in shared.counters.dropped.iter().zip(&stats) {
            let objects = number_of(stats, "objects");
            counter.fetch_add(objects, std::sync::atomic::Ordering::Relaxed);
        }
        if let Some(recap) = &shared.recap {
            recap.set(&shared.counters.to_string());
        }
        let reply = self
            .on_primary(call, "_shardsvrDropDatabase", &call.db, "")
            .await?;
        shared.routing.forget_database(&call.db);
        Ok(reply)
    }

    async fn rename(&mut self, call: &Call) -> Result<Document, Document> {
        let from = call.body.get_str("renameCollection").unwrap_or_default();
        let to = call.body.get_str("to").unwrap_or_default();
        let (Some((db, from)), Some((_, to))) = (from.split_once('.'), to.split_once('.')) else {
            return Err(failure(
                73,
                "InvalidNamespace",
                "a namespace has a database and a collection",
            ));
        };
        let mut body = call.body.clone();
        body.insert("renameCollection", from);
        body.insert("$db", db);
        let reply = self
            .on_primary(&Call::new(body)?, "_shardsvrRenameCollection", db, from)
            .await?;
        self.shared.routing.forget(db, to);
        let namespaces = [from, to].map(|it| format!("{db}.{it}"));
        let [from, to] = namespaces;
        self.shared.decided.rename(&from, to);
        Ok(reply)
    }

    /// Counts a moved chunk.
    pub(crate) fn moved(&self, reply: Document) -> Document {
        if is_ok(&reply) {
            Counters::add(&self.shared.counters.moves);
        }
        reply
    }
}

fn add_sizes(known: &mut Document, other: &Document) {
    if known.contains_key("sizeOnDisk") {
        let size = number_of(known, "sizeOnDisk") + number_of(other, "sizeOnDisk");
        let is_empty = |it: &Document| it.get_bool("empty").unwrap_or(true);
        let empty = is_empty(known) && is_empty(other);
        known.insert("sizeOnDisk", size);
        known.insert("empty", empty);
    }
}
