//! Decides for each command whether the router, the shards that the front selects, or the front itself runs it.

mod in_transaction;

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{documents_of, failure, is_ok, is_stale, number_of},
    },
    route::{table::Place, targeting},
    state::{open_cursors::Home, transaction::Scope},
};

const ATTEMPTS: usize = 20;

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
            _ => match self.catalog(call).await {
                Some(reply) => reply,
                None => {
                    self.links
                        .call(Role::Router, &call.db, call.body.clone())
                        .await
                }
            },
        }
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

    /// Sends a statement to the router. If the reply shows that the router used an old routing table, the front makes
    /// the router read the table again (`flushRouterConfig`), because the router does not always do so itself.
    async fn through_router(&mut self, call: &Call, name: &str) -> Result<Document, Document> {
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
                return if is_ok(&reply) { Ok(reply) } else { Err(reply) };
            }
            self.links
                .call(Role::Router, "admin", doc! { "flushRouterConfig": 1 })
                .await?;
        }
    }

    pub(super) async fn find_and_modify(
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
                return if is_ok(&reply) { Ok(reply) } else { Err(reply) };
            }
            self.shared.routing.forget(&call.db, call.collection());
        }
        Err(failure(
            13388,
            "StaleConfig",
            "the routing table changes too often",
        ))
    }

    async fn explain(&mut self, call: &Call) -> Result<Document, Document> {
        let mut body = call.document("explain");
        body.insert("$db", call.db.clone());
        let inner = Call::new(body)?;
        let cluster = match inner.name.as_str() {
            "find" => "clusterFind",
            "aggregate" => "clusterAggregate",
            _ => {
                // The router would crash. The first shard of the filter explains the statement.
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

    /// Sends a command to all shards that own chunks of the collection, or only to the first of them. Returns the first
    /// error, or the first reply.
    pub(super) async fn on_owners(
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
