//! The commands `count` and `distinct`, which the router does not have in a `cluster` form.

use std::cmp::Ordering;

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{changes_too_often, documents_of, is_ok, is_stale, number_of},
    },
    route::targeting,
    state::transaction::Scope,
    value::order::compare,
};

const ATTEMPTS: usize = 20;

impl Connection {
    /// Sends `count` or `distinct` to all shards that can have documents for the filter.
    pub(crate) async fn count_or_distinct(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
    ) -> Result<Document, Document> {
        for _ in 0..ATTEMPTS {
            let place = self.place(call).await?;
            let has_collation = call.body.contains_key("collation");
            let target = targeting::of_filter(&place, &call.filter(), has_collation);
            self.shared.counters.add_statement(&target.shards);
            let mut commands = Vec::new();
            let (skip, limit) = (
                number_of(&call.body, "skip"),
                number_of(&call.body, "limit"),
            );
            for shard in target.shards {
                let mut command = call.body.clone();
                if command.remove("skip").is_some() && limit != 0 {
                    command.insert("limit", skip.saturating_add(limit.saturating_abs()));
                }
                place.add_version(shard, &mut command);
                scope.enter(shard, &mut command);
                commands.push((shard, command));
            }
            let replies = self.links.replies(&call.db, commands).await;
            if replies.iter().any(is_stale) && !scope.is_transaction() {
                self.shared.routing.forget(&call.db, call.collection());
                continue;
            }
            if let Some(failed) = replies.iter().find(|reply| !is_ok(reply)) {
                return Err(failed.clone());
            }
            if call.name == "distinct" {
                let values = union(&replies);
                let values = self.without_duplicates(call, values).await?;
                return Ok(doc! { "values": values, "ok": 1.0 });
            }
            let sum: i64 = replies.iter().map(|reply| number_of(reply, "n")).sum();
            let sum = (sum - skip).max(0);
            let sum = if limit == 0 {
                sum
            } else {
                sum.min(limit.abs())
            };
            return Ok(doc! { "n": i32::try_from(sum).unwrap_or(i32::MAX), "ok": 1.0 });
        }
        Err(changes_too_often())
    }

    /// Removes values that are equal according to the command's collation. The router compares the values.
    async fn without_duplicates(
        &mut self,
        call: &Call,
        values: Vec<Bson>,
    ) -> Result<Vec<Bson>, Document> {
        let Ok(collation) = call.body.get_document("collation") else {
            return Ok(values);
        };
        let values: Vec<Document> = values.into_iter().map(|it| doc! { "value": it }).collect();
        let aggregate = doc! {
            "aggregate": 1,
            "pipeline": [
                { "$documents": { "$literal": values } },
                { "$group": { "_id": "$value" } },
                { "$sort": { "_id": 1 } },
                { "$group": { "_id": Bson::Null, "values": { "$push": "$_id" } } },
            ],
            "cursor": {},
            "collation": collation.clone(),
        };
        let reply = self.links.call(Role::Router, &call.db, aggregate).await?;
        let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
        let found = documents_of(&cursor, "firstBatch").into_iter().next();
        let values = found.and_then(|it| it.get_array("values").cloned().ok());
        Ok(values.unwrap_or_default())
    }
}

/// Returns all distinct values in the replies to `distinct`, sorted.
fn union(replies: &[Document]) -> Vec<Bson> {
    let values = replies
        .iter()
        .filter_map(|reply| reply.get_array("values").ok());
    let mut values: Vec<Bson> = values.flatten().cloned().collect();
    values.sort_by(compare);
    values.dedup_by(|left, right| compare(left, right) == Ordering::Equal);
    values
}
