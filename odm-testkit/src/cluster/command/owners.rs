//! Sends a command to the shards that own chunks of a collection, or to the primary shard of a database.

use std::sync::Arc;

use mongodb::bson::{Document, doc};

use crate::cluster::{
    connection::Connection,
    message::{
        call::Call,
        reply::{changes_too_often, failure, is_ok, is_stale, number_of, result_of},
    },
    state::{open_cursors::Home, transaction::Scope},
};

const ATTEMPTS: usize = 20;

impl Connection {
    /// Sends a command to all shards that own chunks of the collection, or only to the first of them. Returns the first
    /// error, or the first reply.
    pub(crate) async fn on_owners(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
        only_first: bool,
    ) -> Result<Document, Document> {
        for _ in 0..ATTEMPTS {
            let place = self.place(call).await?;
            let mut owners = place.owners();
            if only_first {
                owners.truncate(1);
            }
            if owners.is_empty() {
                let message = format!("ns does not exist: {}", call.namespace());
                return Err(failure(26, "NamespaceNotFound", message));
            }
            let mut commands = Vec::new();
            for owner in owners {
                let mut command = call.body.clone();
                place.add_version(owner, &mut command);
                scope.enter(owner, &mut command);
                commands.push((owner, command));
            }
            let replies = self.links.replies(&call.db, commands.clone()).await;
            for ((owner, _), reply) in commands.iter().zip(&replies) {
                scope.note(*owner, reply);
                if let Ok(cursor) = reply.get_document("cursor") {
                    self.shared
                        .cursors
                        .add(number_of(cursor, "id"), Home::Server(*owner));
                }
            }
            if replies.iter().any(is_stale) && !scope.is_transaction() {
                self.shared.routing.forget(&call.db, call.collection());
                continue;
            }
            let failed = replies.iter().find(|reply| !is_ok(reply)).cloned();
            return match failed {
                Some(failed) => Err(failed),
                None => Ok(replies.into_iter().next().unwrap_or_default()),
            };
        }
        Err(changes_too_often())
    }

    /// Sends a command to the primary shard of a database. The primary shard coordinates the other shards.
    pub(super) async fn on_primary(
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
                return result_of(reply);
            }
        }
        Err(failure(
            249,
            "StaleDbVersion",
            "the routing table changes too often",
        ))
    }
}
