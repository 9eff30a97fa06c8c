//! The command `findAndModify`, which the router does not have in a `cluster` form.

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    message::{
        call::Call,
        reply::{changes_too_often, failure, is_stale, result_of},
    },
    route::targeting,
    state::transaction::Scope,
};

const ATTEMPTS: usize = 20;

impl Connection {
    pub(crate) async fn find_and_modify(
        &mut self,
        call: &Call,
        mut scope: Scope<'_>,
    ) -> Result<Document, Document> {
        for _ in 0..ATTEMPTS {
            let place = self.place(call).await?;
            let filter = call.document("query");
            let target = targeting::of_filter(&place, &filter, call.body.contains_key("collation"));
            if !target.has_key {
                let message = "Query for sharded findAndModify must contain the shard key";
                return Err(failure(61, "ShardKeyNotFound", message));
            }
            let Some(shard) = target.shards.first().copied() else {
                let none = doc! { "n": 0, "updatedExisting": false };
                return Ok(doc! { "lastErrorObject": none, "value": Bson::Null, "ok": 1.0 });
            };
            self.shared.counters.add_statement(&[shard]);
            let mut command = call.body.clone();
            place.add_version(shard, &mut command);
            scope.enter(shard, &mut command);
            let reply = self.links.reply(shard, &call.db, command).await;
            scope.note(shard, &reply);
            if !is_stale(&reply) || scope.is_transaction() {
                return result_of(reply);
            }
            self.shared.routing.forget(&call.db, call.collection());
        }
        Err(changes_too_often())
    }
}
