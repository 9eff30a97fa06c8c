//! Decides for each command whether it runs on the router, on shards that the front selects, or in the front itself.

mod in_transaction;

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{call::Call, reply::failure},
    route::table::Place,
    state::transaction::Scope,
};

impl Connection {
    pub(super) async fn dispatch(&mut self, call: &Call) -> Document {
        let reply = if call.is_in_transaction {
            self.in_transaction(call).await
        } else {
            self.alone(call).await
        };
        reply.unwrap_or_else(|failed| failed)
    }

    async fn alone(&mut self, call: &Call) -> Result<Document, Document> {
        if call.creates_collection() {
            self.ensure_collection(call).await?;
        }
        match call.name.as_str() {
            "insert" | "update" | "delete" => self.write_alone(call).await,
            "find" => self.through_router(call, "clusterFind").await,
            "aggregate" => self.aggregate_alone(call).await,
            "getMore" => self.get_more(call, &mut Scope::Plain).await,
            "killCursors" => Ok(self.kill_cursors(call, &mut Scope::Plain).await),
            "count" | "distinct" => self.count_or_distinct(call, &mut Scope::Plain).await,
            "findAndModify" | "findandmodify" => {
                let scope = call.origin.clone().map_or(Scope::Plain, Scope::Retryable);
                self.find_and_modify(call, scope).await
            }
            "explain" => self.explain(call).await,
            "endSessions" | "killSessions" | "refreshSessions" => self.end_sessions(call).await,
            "configureFailPoint" if call.body.get_str(&call.name).ok() == Some("failCommand") => {
                self.shared.failpoints.configure(&call.body);
                Ok(doc! { "ok": 1.0 })
            }
            "commitTransaction" | "abortTransaction" => Err(failure(
                50768,
                "NotARetryableWriteCommand",
                "not in a transaction",
            )),
            _ => self.administrate(call).await,
        }
    }

    /// Runs a command of `catalog` or `admin`. The router runs any other command.
    async fn administrate(&mut self, call: &Call) -> Result<Document, Document> {
        if let Some(reply) = self.catalog(call).await {
            return reply;
        }
        if let Some(reply) = self.admin(call).await {
            return reply;
        }
        self.links
            .call(Role::Router, &call.db, call.body.clone())
            .await
    }

    /// Sends a retryable write to its shards, and any other write to the router.
    async fn write_alone(&mut self, call: &Call) -> Result<Document, Document> {
        let place = self.place(call).await?;
        if let (Some(origin), false) = (&call.origin, matches!(place, Place::Config)) {
            let mut scope = Scope::Retryable(origin.clone());
            return self.write(call, &mut scope).await;
        }
        let name = match call.name.as_str() {
            "insert" => "clusterInsert",
            "update" => "clusterUpdate",
            _ => "clusterDelete",
        };
        self.through_router(call, name).await
    }

    async fn aggregate_alone(&mut self, call: &Call) -> Result<Document, Document> {
        let pipeline = call.pipeline();
        if pipeline
            .first()
            .is_some_and(|stage| stage.contains_key("$changeStream"))
        {
            return self.watch(call).await;
        }
        let target = pipeline.last().and_then(|stage| stage.iter().next());
        let target = target.filter(|(name, _)| matches!(name.as_str(), "$out" | "$merge"));
        if target.is_some() {
            self.ensure_database(&call.db).await?;
        }
        let reply = self.through_router(call, "clusterAggregate").await;
        if let Some((_, Bson::String(collection))) = target {
            self.shared.routing.forget(&call.db, collection);
        }
        reply
    }
}
