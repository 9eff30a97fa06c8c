//! Sends a command to the shards that own chunks of a collection.

use mongodb::bson::Document;

use crate::cluster::{
    connection::Connection,
    message::{
        call::Call,
        reply::{failure, is_ok, is_stale, number_of},
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
        Err(failure(
            13388,
            "StaleConfig",
            "the routing table changes too often",
        ))
    }
}
