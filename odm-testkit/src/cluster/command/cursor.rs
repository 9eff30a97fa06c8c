//! The commands `getMore` and `killCursors`.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{number, number_of},
    },
    state::{open_cursors::Home, transaction::Scope},
};

impl Connection {
    /// Returns the next documents of a cursor.
    pub(crate) async fn get_more(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
    ) -> Result<Document, Document> {
        let id = number_of(&call.body, "getMore");
        let size = call
            .body
            .get("batchSize")
            .and_then(number)
            .unwrap_or(i64::MAX);
        let front = Arc::clone(&self.shared);
        if let Some(reply) = front.cursors.next(&call.namespace(), id, size) {
            return Ok(reply);
        }
        if let Some(stream) = front.cursors.changes(id) {
            return self.next_changes(call, stream).await;
        }
        let Some(shard) = front.cursors.server(id) else {
            let command = call.renamed("clusterGetMore");
            return self.links.call(Role::Router, &call.db, command).await;
        };
        let mut command = call.body.clone();
        if shard != Role::Router {
            scope.enter(shard, &mut command);
        }
        let reply = self.links.call(shard, &call.db, command).await?;
        scope.note(shard, &reply);
        let is_exhausted = reply
            .get_document("cursor")
            .is_ok_and(|it| number_of(it, "id") == 0);
        if is_exhausted {
            front.cursors.remove(id);
        }
        Ok(reply)
    }

    /// Closes cursors.
    pub(crate) async fn kill_cursors(&mut self, call: &Call, scope: &mut Scope<'_>) -> Document {
        let ids = call.body.get_array("cursors").cloned().unwrap_or_default();
        for id in ids.iter().filter_map(number) {
            match self.shared.cursors.remove(id) {
                Some(Home::Changes(stream)) => self.close(*stream).await,
                Some(Home::Server(role)) => {
                    let mut kill = doc! { "killCursors": call.collection(), "cursors": [id] };
                    if role != Role::Router {
                        scope.enter(role, &mut kill);
                    }
                    self.links.reply(role, &call.db, kill).await;
                }
                Some(Home::Front(_)) => {}
                None => self.read_to_end(call, id).await,
            }
        }
        let none = Vec::<Bson>::new();
        doc! {
            "cursorsKilled": ids, "cursorsNotFound": none.clone(), "cursorsAlive": none.clone(),
            "cursorsUnknown": none, "ok": 1.0,
        }
    }

    /// Closes a cursor of `clusterFind` or `clusterAggregate` in the router. The server does not have a command for this,
    /// and would close the cursors on the shards after ten minutes. So the front reads the remaining documents.
    async fn read_to_end(&mut self, call: &Call, id: i64) {
        let more = doc! { "clusterGetMore": id, "collection": call.collection() };
        loop {
            let reply = self.links.reply(Role::Router, &call.db, more.clone()).await;
            let cursor = reply.get_document("cursor");
            // An error means that the cursor is closed already.
            if cursor.map_or(0, |cursor| number_of(cursor, "id")) == 0 {
                return;
            }
        }
    }
}
