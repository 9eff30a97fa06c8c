//! Statements that the router runs.

use mongodb::bson::{Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{documents_of, is_stale, result_of},
    },
    route::targeting,
};

/// Maximum number of times that the router reads the routing table again.
const ATTEMPTS: usize = 20;

impl Connection {
    /// Sends a statement to the router. If the reply shows that the router used an old routing table, the front makes
    /// the router read the table again (`flushRouterConfig`). The router does not always do this itself.
    pub(crate) async fn through_router(
        &mut self,
        call: &Call,
        name: &str,
    ) -> Result<Document, Document> {
        if !call.collection().is_empty() {
            let place = self.place(call).await?;
            let statements = documents_of(&call.body, call.sequence());
            let filter = statements
                .first()
                .and_then(|it| it.get_document("q").cloned().ok());
            let filter = filter.unwrap_or_else(|| call.filter());
            let target = targeting::of_filter(&place, &filter, call.body.contains_key("collation"));
            self.shared.counters.add_statement(&target.shards);
        }
        let mut attempts = 0;
        loop {
            let reply = self
                .links
                .reply(Role::Router, &call.db, call.renamed(name))
                .await;
            attempts += 1;
            if !is_stale(&reply) || attempts > ATTEMPTS {
                return result_of(reply);
            }
            self.links
                .call(Role::Router, "admin", doc! { "flushRouterConfig": 1 })
                .await?;
        }
    }

    pub(crate) async fn explain(&mut self, call: &Call) -> Result<Document, Document> {
        let mut body = call.document("explain");
        body.insert("$db", call.db.clone());
        let inner = Call::new(body)?;
        let cluster = match inner.name.as_str() {
            "find" => "clusterFind",
            "aggregate" => "clusterAggregate",
            _ => {
                // The router would crash, so the first shard that the filter selects explains the statement.
                let place = self.place(&inner).await?;
                let target = targeting::of_filter(&place, &inner.filter(), false);
                let shard = target.shards.first().copied().unwrap_or(Role::Shard(0));
                return self.links.call(shard, &call.db, call.body.clone()).await;
            }
        };
        let mut command = call.body.clone();
        command.insert("explain", inner.renamed(cluster));
        self.links.call(Role::Router, &call.db, command).await
    }
}
