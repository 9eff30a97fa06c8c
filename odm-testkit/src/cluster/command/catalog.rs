//! Commands on databases, collections and indexes. Most of them run on the primary shard of the database, in the form
//! in which `mongos` sends them there (`_shardsvr..`).

use std::sync::Arc;

use mongodb::bson::{Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{documents_of, failure, is_ok, number_of, whole_cursor},
    },
    route::table::Place,
    state::{open_cursors::Home, policy::Policy, transaction::Scope},
};

impl Connection {
    /// Runs a command of this module. Returns `None` for any other command.
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
            _ => return None,
        };
        Some(reply)
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

    /// Lists the databases of both shards. A database on both shards is listed once.
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
