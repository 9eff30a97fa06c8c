//! The statements of a batch, and the shards of each statement.

use std::collections::VecDeque;

use mongodb::bson::{Document, doc, oid::ObjectId};

use crate::cluster::{
    link::role::Role,
    message::{
        call::Call,
        reply::{documents_of, failure, number_of},
    },
    route::{table::Place, targeting},
};

/// A statement of a batch.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) position: usize,
    pub(super) statement: Document,
}

pub(super) type Round = Vec<(Role, Vec<Item>)>;

pub(super) fn items(call: &Call) -> Vec<Item> {
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

/// Removes the statements of the next round from the batch. Returns all shards of the round, and the statements for
/// each of them.
pub(super) fn next_round(
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

pub(super) fn batch(call: &Call, items: &[Item], is_retryable: bool) -> Document {
    // The statements of the whole call are not cloned, because an ordered batch can have as many rounds as statements.
    let options = call
        .body
        .iter()
        .filter(|(name, _)| *name != call.sequence());
    let options = options.map(|(name, value)| (name.clone(), value.clone()));
    let mut command: Document = options.collect();
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
