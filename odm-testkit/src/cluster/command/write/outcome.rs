//! The reply to a batch, which is the sum of the replies of the shards.

use mongodb::bson::{Document, doc};

use super::batch::Item;
use crate::cluster::message::reply::{documents_of, is_ok, is_stale, number_of};

/// The sum of the replies.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    matched: i64,
    modified: Option<i64>,
    upserted: Vec<Document>,
    pub(super) errors: Vec<Document>,
    concern_error: Option<Document>,
}

impl Outcome {
    /// Adds the reply of a shard. Returns the statements that the shard has refused because of an old routing table.
    pub(super) fn add(&mut self, reply: Document, items: &[Item]) -> Result<Vec<Item>, Document> {
        if is_stale(&reply) {
            return Ok(items.to_vec());
        }
        if !is_ok(&reply) {
            return Err(reply);
        }
        self.matched += number_of(&reply, "n");
        if reply.contains_key("nModified") {
            *self.modified.get_or_insert_default() += number_of(&reply, "nModified");
        }
        let item = |entry: &Document| {
            let index = usize::try_from(number_of(entry, "index")).unwrap_or_default();
            items.get(index)
        };
        let moved = |mut entry: Document, item: &Item| {
            entry.insert("index", i32::try_from(item.position).unwrap_or(i32::MAX));
            entry
        };
        for entry in documents_of(&reply, "upserted") {
            if let Some(item) = item(&entry) {
                self.upserted.push(moved(entry, item));
            }
        }
        let mut again = Vec::new();
        for entry in documents_of(&reply, "writeErrors") {
            // The shard has stopped at this statement.
            if is_stale(&entry) {
                let index = usize::try_from(number_of(&entry, "index")).unwrap_or_default();
                again.extend_from_slice(items.get(index..).unwrap_or_default());
                break;
            }
            if let Some(item) = item(&entry) {
                self.errors.push(moved(entry, item));
            }
        }
        if let Ok(error) = reply.get_document("writeConcernError") {
            self.concern_error = Some(error.clone());
        }
        Ok(again)
    }

    pub(super) fn reply(mut self, is_update: bool) -> Document {
        let mut reply = doc! { "n": i32::try_from(self.matched).unwrap_or(i32::MAX) };
        if is_update {
            let modified = self.modified.unwrap_or_default();
            reply.insert("nModified", i32::try_from(modified).unwrap_or(i32::MAX));
        }
        if !self.upserted.is_empty() {
            self.upserted.sort_by_key(|entry| number_of(entry, "index"));
            reply.insert("upserted", self.upserted);
        }
        if !self.errors.is_empty() {
            self.errors.sort_by_key(|entry| number_of(entry, "index"));
            reply.insert("writeErrors", self.errors);
        }
        if let Some(error) = self.concern_error {
            reply.insert("writeConcernError", error);
        }
        reply.insert("ok", 1.0);
        reply
    }
}
