//! Reads in transactions.
//!
//! A read that needs only one shard is sent to this shard unchanged. For several shards:
//!
//! - `find` reads all documents from each shard. The shards sort the documents and add the sort key to each of them.
//!   The front merges the documents.
//! - `aggregate` runs the first stages on the shards: those that treat each document individually, and then a sort with its
//!   limit. For a `$group`, the shards return only the fields that this stage reads. The front merges the documents.
//!   The merged documents are the input (`$documents`) of the other stages, which run in the router.

use std::cmp::Ordering;

use mongodb::bson::{Bson, Document, doc};

use super::split::{SORT_KEY, Split};
use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{documents_of, failure, is_ok, not_supported, number, number_of, whole_cursor},
    },
    route::{table::Place, targeting},
    state::{open_cursors::Home, transaction::Scope},
    value::order::compare,
};

const FIRST_BATCH: i64 = 101;

impl Connection {
    /// Runs a `find` or an `aggregate` of a transaction.
    pub(crate) async fn read(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
    ) -> Result<Document, Document> {
        let place = self.place(call).await?;
        if let Some(name) = self.sharded_foreign(call).await? {
            let message =
                format!("Cannot run {name} with a sharded foreign collection in a transaction");
            return Err(failure(3_904_800, "Location3904800", message));
        }
        let target =
            targeting::of_filter(&place, &call.filter(), call.body.contains_key("collation"));
        self.shared.counters.add_statement(&target.shards);
        match (target.shards.as_slice(), call.name.as_str()) {
            ([], _) => Ok(whole_cursor(&call.namespace(), Vec::new())),
            ([shard], _) => {
                let mut command = call.body.clone();
                command.remove("readConcern");
                place.add_version(*shard, &mut command);
                self.open_cursor(call, scope, *shard, command).await
            }
            (shards, "find") => self.find_on_all(call, scope, &place, shards).await,
            (shards, _) => self.aggregate_on_all(call, scope, &place, shards).await,
        }
    }

    async fn open_cursor(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
        shard: Role,
        mut command: Document,
    ) -> Result<Document, Document> {
        scope.enter(shard, &mut command);
        let reply = self.links.call(shard, &call.db, command).await?;
        scope.note(shard, &reply);
        if let Ok(cursor) = reply.get_document("cursor") {
            self.shared
                .cursors
                .add(number_of(cursor, "id"), Home::Server(shard));
        }
        Ok(reply)
    }

    async fn find_on_all(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
        place: &Place,
        shards: &[Role],
    ) -> Result<Document, Document> {
        let mut command = call.body.clone();
        let sort = call.document("sort");
        let sort = if sort.contains_key("$natural") {
            Document::new()
        } else {
            sort
        };
        if !sort.is_empty() {
            let mut projection = call.document("projection");
            projection.insert(SORT_KEY, doc! { "$meta": "sortKey" });
            command.insert("projection", projection);
        }
        let (skip, limit) = (
            number_of(&call.body, "skip"),
            number_of(&call.body, "limit").abs(),
        );
        command.remove("skip");
        command.remove("singleBatch");
        if limit > 0 {
            let message = "sum of limit and skip cannot be represented as a 64-bit integer";
            let sum = skip.checked_add(limit);
            command.insert(
                "limit",
                sum.ok_or_else(|| failure(15, "Overflow", message))?,
            );
        }
        let found = self.read_all(call, scope, place, shards, &command).await?;
        let found = merged(found, &sort, skip, limit);
        let size = call
            .body
            .get("batchSize")
            .and_then(number)
            .unwrap_or(FIRST_BATCH);
        Ok(self.shared.cursors.reply(&call.namespace(), found, size))
    }

    async fn aggregate_on_all(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
        place: &Place,
        shards: &[Role],
    ) -> Result<Document, Document> {
        let split = Split::of(call.pipeline());
        let mut command = call.body.clone();
        command.insert("pipeline", split.on_shards);
        let found = self.read_all(call, scope, place, shards, &command).await?;
        let found = merged(found, &split.sort, split.skip, split.limit);
        let rest = split.rest;
        let size = call
            .document("cursor")
            .get("batchSize")
            .and_then(number)
            .unwrap_or(FIRST_BATCH);
        if rest.is_empty() {
            return Ok(self.shared.cursors.reply(&call.namespace(), found, size));
        }
        if found.is_empty() && rest.iter().any(|stage| stage.contains_key("$unionWith")) {
            return Err(not_supported(
                "`$unionWith` over several shards in a transaction",
            ));
        }
        let mut merge = call.body.clone();
        let found: Vec<Bson> = found.into_iter().map(Bson::Document).collect();
        let mut stages = vec![doc! { "$documents": { "$literal": found } }];
        let needs_shard = rest.iter().any(|stage| foreign_of(stage).is_some());
        stages.extend(rest);
        merge.insert("aggregate", 1);
        merge.insert("pipeline", stages);
        for field in ["readConcern", "hint"] {
            merge.remove(field);
        }
        merge.insert("cursor", doc! { "batchSize": size });
        if !needs_shard {
            let reply = self.links.call(Role::Router, &call.db, merge).await?;
            let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
            self.shared
                .cursors
                .add(number_of(&cursor, "id"), Home::Server(Role::Router));
            return Ok(reply);
        }
        let shared = std::sync::Arc::clone(&self.shared);
        let database = shared.routing.database(&mut self.links, &call.db).await?;
        let Some((primary, _)) = database else {
            return Err(not_supported("`$lookup` without a database"));
        };
        self.open_cursor(call, scope, primary, merge).await
    }

    /// Reads all documents of a cursor on each shard.
    async fn read_all(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
        place: &Place,
        shards: &[Role],
        command: &Document,
    ) -> Result<Vec<Document>, Document> {
        let mut commands = Vec::new();
        for shard in shards {
            let mut command = command.clone();
            command.remove("readConcern");
            command.remove("batchSize");
            if call.name == "aggregate" {
                command.insert("cursor", doc! {});
            }
            place.add_version(*shard, &mut command);
            scope.enter(*shard, &mut command);
            commands.push((*shard, command));
        }
        let replies = self.links.replies(&call.db, commands).await;
        for (shard, reply) in shards.iter().zip(&replies) {
            scope.note(*shard, reply);
        }
        let mut found = Vec::new();
        for (shard, reply) in shards.iter().zip(replies) {
            if !is_ok(&reply) {
                return Err(reply);
            }
            let mut cursor = reply.get_document("cursor").cloned().unwrap_or_default();
            found.extend(documents_of(&cursor, "firstBatch"));
            while number_of(&cursor, "id") != 0 {
                let id = number_of(&cursor, "id");
                let mut more = doc! { "getMore": id, "collection": call.collection() };
                scope.enter(*shard, &mut more);
                let reply = self.links.call(*shard, &call.db, more).await?;
                cursor = reply.get_document("cursor").cloned().unwrap_or_default();
                found.extend(documents_of(&cursor, "nextBatch"));
            }
        }
        Ok(found)
    }

    /// Returns the name of the first stage in a pipeline that reads another sharded collection.
    async fn sharded_foreign(&mut self, call: &Call) -> Result<Option<String>, Document> {
        for stage in call.pipeline() {
            let Some((name, collection)) = foreign_of(&stage) else {
                continue;
            };
            let shared = std::sync::Arc::clone(&self.shared);
            let place = shared
                .routing
                .place(&mut self.links, &call.db, &collection)
                .await?;
            if matches!(place, Place::Sharded(_)) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}

/// Returns the name and the collection of a stage that reads another collection.
fn foreign_of(stage: &Document) -> Option<(String, String)> {
    let (name, spec) = stage.iter().next()?;
    let collection = match (name.as_str(), spec) {
        ("$lookup" | "$graphLookup", Bson::Document(spec)) => spec.get_str("from").ok()?,
        ("$unionWith", Bson::Document(spec)) => spec.get_str("coll").ok()?,
        ("$unionWith", Bson::String(collection)) => collection,
        _ => return None,
    };
    Some((name.clone(), collection.to_owned()))
}

/// Merges the documents of several shards in the order of their sort keys. A limit of 0 returns all documents.
fn merged(mut found: Vec<Document>, sort: &Document, skip: i64, limit: i64) -> Vec<Document> {
    found.sort_by(|left, right| compare_sort_keys(left, right, sort));
    let skip = usize::try_from(skip).unwrap_or_default();
    let limit = usize::try_from(limit).unwrap_or_default();
    let limit = if limit == 0 { usize::MAX } else { limit };
    let found = found.into_iter().skip(skip).take(limit);
    let without_key = found.map(|mut document| {
        document.remove(SORT_KEY);
        document
    });
    without_key.collect()
}

fn compare_sort_keys(left: &Document, right: &Document, sort: &Document) -> Ordering {
    let keys = |document: &Document| document.get_array(SORT_KEY).cloned().unwrap_or_default();
    let (left, right) = (keys(left), keys(right));
    let mut parts = left.iter().zip(&right).zip(sort.values());
    let order = parts.find_map(|((left, right), direction)| {
        let order = compare(left, right);
        let is_ascending = number(direction) == Some(1);
        let order = if is_ascending { order } else { order.reverse() };
        (order != Ordering::Equal).then_some(order)
    });
    order.unwrap_or(Ordering::Equal)
}
