//! Inserts, updates and deletes that the front routes itself: those in transactions, and retryable writes.
//!
//! The statements of a batch are sent in rounds. In an ordered batch, a round consists of the next statements that are
//! all sent to the same shard. In an unordered batch, the first round consists of all statements. If a shard rejects a
//! statement because the routing table was old, the front sends the statement again in the next round. The number of a
//! statement (`stmtIds`) is its position in the batch, so the server recognises a statement that the driver sends
//! again.

mod batch;
mod outcome;

use std::collections::VecDeque;

use mongodb::bson::Document;

use self::{
    batch::{Item, batch, items, next_round},
    outcome::Outcome,
};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{changes_too_often, documents_of, failure, is_stale},
    },
    route::table::Place,
    state::transaction::Scope,
};

/// Maximum number of times that a batch is routed again with a newer table.
const ATTEMPTS: usize = 20;

impl Connection {
    /// Sends a batch to the shards of its statements.
    pub(crate) async fn write(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
    ) -> Result<Document, Document> {
        let is_ordered = call.body.get_bool("ordered").unwrap_or(true);
        let mut waiting: VecDeque<Item> = items(call).into();
        let mut outcome = Outcome::default();
        let mut attempts = 0;
        while !waiting.is_empty() && (outcome.errors.is_empty() || !is_ordered) {
            let place = self.place(call).await?;
            let (shards, round) = next_round(call, &place, &mut waiting, is_ordered)?;
            self.shared.counters.add_statement(&shards);
            let stale = self
                .send_round(call, scope, &place, &round, &mut outcome)
                .await?;
            if stale.is_empty() {
                continue;
            }
            attempts += 1;
            if attempts > ATTEMPTS {
                return Err(changes_too_often());
            }
            self.shared.routing.forget(&call.db, call.collection());
            for item in stale.into_iter().rev() {
                waiting.push_front(item);
            }
        }
        Ok(outcome.reply(call.name == "update"))
    }

    /// Sends the statements of a round. Returns those that must be sent again.
    async fn send_round(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
        place: &Place,
        round: &[(Role, Vec<Item>)],
        outcome: &mut Outcome,
    ) -> Result<Vec<Item>, Document> {
        let mut commands = Vec::new();
        for (shard, items) in round {
            let mut command = batch(call, items, matches!(scope, Scope::Retryable(_)));
            place.add_version(*shard, &mut command);
            scope.enter(*shard, &mut command);
            commands.push((*shard, command));
        }
        let replies = self.links.replies(&call.db, commands).await;
        for ((shard, _), reply) in round.iter().zip(&replies) {
            scope.note(*shard, reply);
        }
        // A statement for several shards is the only statement of its round. It is sent to all these shards again.
        let positions = round
            .iter()
            .flat_map(|(_, items)| items.iter().map(|item| item.position));
        let is_broadcast = round.len() > 1 && positions.clone().min() == positions.max();
        if is_broadcast && replies.iter().any(has_stale) {
            if scope.is_transaction() {
                return Err(replies
                    .into_iter()
                    .find(has_stale)
                    .map(stale_reply)
                    .unwrap_or_default());
            }
            return Ok(round
                .iter()
                .take(1)
                .flat_map(|(_, items)| items.clone())
                .collect());
        }
        let mut again = Vec::new();
        for ((_, items), reply) in round.iter().zip(replies) {
            if scope.is_transaction() && has_stale(&reply) {
                return Err(stale_reply(reply));
            }
            again.extend(outcome.add(reply, items)?);
        }
        again.sort_by_key(|item| item.position);
        Ok(again)
    }
}

/// Whether a shard has refused the command or one of its statements because of an old routing table.
fn has_stale(reply: &Document) -> bool {
    is_stale(reply) || documents_of(reply, "writeErrors").iter().any(is_stale)
}

/// Returns the error of a statement as the error of the command.
fn stale_reply(reply: Document) -> Document {
    if is_stale(&reply) {
        return reply;
    }
    let error = documents_of(&reply, "writeErrors")
        .into_iter()
        .find(is_stale);
    let message = error.and_then(|error| error.get_str("errmsg").map(str::to_owned).ok());
    failure(13388, "StaleConfig", message.unwrap_or_default())
}
