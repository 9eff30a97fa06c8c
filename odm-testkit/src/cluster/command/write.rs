//! Inserts, updates and deletes that the front routes itself: those in transactions, and retryable writes.
//!
//! The statements of a batch are sent in rounds. In an ordered batch, a round has the next statements that all go to
//! the same shard. In an unordered batch, it has all of them. If a shard rejects a statement because the routing table
//! was old, the front sends the statement again in the next round. Its number (`stmtIds`) is its position in the batch,
//! so the server recognises a statement that the driver sends again.

mod outcome;

use std::collections::VecDeque;

use mongodb::bson::{Document, doc, oid::ObjectId};

use crate::cluster::{
    command::write::outcome::Outcome,
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{documents_of, failure, is_stale, number_of},
    },
    route::{table::Place, targeting},
    state::transaction::Scope,
};

/// Maximum number of times that a batch is routed again with a newer table.
const ATTEMPTS: usize = 20;

/// A statement of a batch.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) position: usize,
    pub(crate) statement: Document,
}

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
                return Err(failure(
                    13388,
                    "StaleConfig",
                    "the routing table changes too often",
                ));
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
        // A statement for several shards is alone in its round. It is sent to all of them again.
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

fn items(call: &Call) -> Vec<Item> {
    let statements = documents_of(&call.body, call.sequence())
        .into_iter()
        .enumerate();
    let with_id = |statement: Document| match call.name.as_str() {
        "insert" if !statement.contains_key("_id") => {
            let mut with_id = doc! { "_id": ObjectId::new() };
            with_id.extend(statement);
            with_id
        }
        _ => statement,
    };
    statements
        .map(|(position, statement)| Item {
            position,
            statement: with_id(statement),
        })
        .collect()
}

type Round = Vec<(Role, Vec<Item>)>;

/// Removes the statements of the next round from the batch. Returns all shards of the round, and the statements for
/// each of them.
fn next_round(
    call: &Call,
    place: &Place,
    waiting: &mut VecDeque<Item>,
    is_ordered: bool,
) -> Result<(Vec<Role>, Round), Document> {
    let mut round: Round = Vec::new();
    let mut first: Option<Vec<Role>> = None;
    while let Some(item) = waiting.front() {
        let shards = shards_of(call, place, &item.statement)?;
        let is_alone = shards.len() != 1;
        match &first {
            Some(first) if is_alone || (is_ordered && *first != shards) => break,
            Some(_) => {}
            None => first = Some(shards.clone()),
        }
        let Some(item) = waiting.pop_front() else {
            break;
        };
        for shard in shards {
            match round.iter_mut().find(|(it, _)| *it == shard) {
                Some((_, items)) => items.push(item.clone()),
                None => round.push((shard, vec![item.clone()])),
            }
        }
        if is_alone {
            break;
        }
    }
    Ok((round.iter().map(|(shard, _)| *shard).collect(), round))
}

/// Selects the shards of a statement, or refuses it with the error that `mongos` 6.0 returns.
fn shards_of(call: &Call, place: &Place, statement: &Document) -> Result<Vec<Role>, Document> {
    if let (Place::Sharded(sharded), "insert") = (place, call.name.as_str()) {
        let shard = targeting::of_document(sharded, statement);
        let array = || failure(61, "ShardKeyNotFound", "the shard key contains an array");
        return Ok(vec![shard.ok_or_else(array)?]);
    }
    if call.name == "insert" {
        return Ok(place.owners());
    }
    let filter = statement.get_document("q").cloned().unwrap_or_default();
    let target = targeting::of_filter(place, &filter, statement.contains_key("collation"));
    let is_upsert = statement.get_bool("upsert").unwrap_or(false);
    if is_upsert && !target.has_key {
        let message = format!(
            "Failed to target upsert by query :: could not extract exact shard key from {filter}"
        );
        return Err(failure(61, "ShardKeyNotFound", message));
    }
    let is_single = match call.name.as_str() {
        "update" => !statement.get_bool("multi").unwrap_or(false),
        _ => number_of(statement, "limit") == 1,
    };
    let is_exact = target.has_key || target.shards.len() == 1 || targeting::has_id(&filter);
    if !is_single || is_exact {
        return Ok(target.shards);
    }
    Err(if call.name == "update" {
        let message = "A {multi:false} update on a sharded collection must contain an exact match on _id (and have the \
                       collection default collation) or contain the shard key (and have the simple collation)";
        failure(72, "InvalidOptions", message)
    } else {
        let message = "A single delete on a sharded collection must contain an exact match on _id (and have the \
                       collection default collation) or contain the shard key (and have the simple collation)";
        failure(61, "ShardKeyNotFound", message)
    })
}

fn batch(call: &Call, items: &[Item], is_retryable: bool) -> Document {
    let mut command = call.body.clone();
    let statements: Vec<Document> = items.iter().map(|item| item.statement.clone()).collect();
    command.insert(call.sequence(), statements);
    if is_retryable {
        let numbers = items
            .iter()
            .map(|item| i32::try_from(item.position).unwrap_or(i32::MAX));
        command.insert("stmtIds", numbers.collect::<Vec<i32>>());
    }
    command
}
