//! Adds the documents before and after a change to the events of a change stream.
//!
//! A shard does not add these documents to the events of a stream that will be merged, because `mongos` adds them after
//! the merge. An event contains the id of the document before the change (`preImageId`), and the change itself
//! (`rawOplogUpdateSpec`).

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection, link::role::Role, message::reply::documents_of,
    state::event_merge::Images,
};

/// Fields that `mongos` removes from an event.
const ID: &str = "preImageId";
const CHANGE: &str = "rawOplogUpdateSpec";

impl Connection {
    /// Adds the documents to the events in a reply of a shard.
    pub(super) async fn add_images(
        &mut self,
        images: Images,
        shard: Role,
        reply: &mut Document,
    ) -> Result<(), Document> {
        let cursor = reply.get_document_mut("cursor").ok();
        let events = cursor.and_then(|cursor| cursor.get_array_mut("nextBatch").ok());
        let events = events.into_iter().flatten();
        for event in events.filter_map(Bson::as_document_mut) {
            self.add_images_to(images, shard, event).await?;
        }
        Ok(())
    }

    async fn add_images_to(
        &mut self,
        images: Images,
        shard: Role,
        event: &mut Document,
    ) -> Result<(), Document> {
        let change = event.remove(CHANGE);
        let Some(id) = event.remove(ID) else {
            return Ok(());
        };
        let find = doc! { "find": "system.preimages", "filter": { "_id": id }, "limit": 1 };
        let found = self.first(shard, "config", find).await?;
        let before = found.and_then(|found| found.get_document("preImage").cloned().ok());
        if let (true, Some(change)) = (images.after, change) {
            let after = match &before {
                Some(before) => self.changed(shard, before, change).await?,
                None => None,
            };
            event.insert("fullDocument", after);
        }
        if images.before {
            event.insert("fullDocumentBeforeChange", before);
        }
        Ok(())
    }

    /// Applies a change, which is in the oplog's format, to the document before the change.
    async fn changed(
        &mut self,
        shard: Role,
        before: &Document,
        change: Bson,
    ) -> Result<Option<Document>, Document> {
        let stages = [
            doc! { "$documents": [{ "$literal": before }] },
            doc! { "$_internalApplyOplogUpdate": { "oplogUpdate": change } },
        ];
        let aggregate = doc! { "aggregate": 1, "pipeline": stages.to_vec(), "cursor": {} };
        self.first(shard, "admin", aggregate).await
    }

    async fn first(
        &mut self,
        shard: Role,
        db: &str,
        command: Document,
    ) -> Result<Option<Document>, Document> {
        let reply = self.links.call(shard, db, command).await?;
        let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
        Ok(documents_of(&cursor, "firstBatch").into_iter().next())
    }
}
