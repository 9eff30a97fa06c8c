//! Ends transactions.
//!
//! - A transaction that has written to at most one shard is committed by `commitTransaction` on each shard. The shard
//!   with the writes receives this command last. Otherwise, the front sends `coordinateCommitTransaction` with all
//!   participants to the coordinator, which commits in two phases.
//! - After a failed statement, the transaction is aborted on all shards, because the shard with the error has already
//!   aborted its part.

use mongodb::bson::{Document, doc};

use crate::cluster::{
    connection::Connection,
    message::{
        call::Call,
        reply::{add_label, code, documents_of, is_ok, is_retryable},
    },
    state::{
        counters::Counters,
        transaction::{Participant, Transaction},
    },
};

impl Connection {
    /// Commits a transaction. The driver may send the same commit again.
    pub(crate) async fn commit(
        &mut self,
        transaction: &mut Transaction,
        concern: Option<Document>,
    ) -> Document {
        let is_repeated = !transaction.is_open();
        transaction.close();
        let writers = transaction.participants.iter().filter(|it| it.has_written);
        let is_two_phase = writers.count() > 1;
        let mut reply = if is_two_phase {
            self.commit_in_two_phases(transaction, concern).await
        } else {
            self.commit_on_each(transaction, concern, is_repeated).await
        };
        let counters = &self.shared.counters;
        if is_ok(&reply) {
            let kind = if is_two_phase {
                &counters.two_phase_commits
            } else {
                &counters.single_commits
            };
            Counters::add(kind);
        } else if code(&reply).is_some_and(is_retryable) {
            add_label(&mut reply, "RetryableWriteError");
        }
        reply
    }

    async fn commit_in_two_phases(
        &mut self,
        transaction: &Transaction,
        concern: Option<Document>,
    ) -> Document {
        let participants = transaction.participants.iter();
        let participants: Vec<Document> = participants
            .map(|it| doc! { "shardId": it.shard.name() })
            .collect();
        let mut command = doc! { "coordinateCommitTransaction": 1, "participants": participants };
        command.insert("writeConcern", concern.unwrap_or_default());
        let Some(coordinator) = transaction.participants.first() else {
            return doc! { "ok": 1.0 };
        };
        self.links
            .reply(coordinator.shard, "admin", transaction.end(command))
            .await
    }

    /// Commits a transaction that has written to at most one shard. A repeated commit asks only this shard. Any other
    /// shard that was killed in the meantime has forgotten the transaction, although the transaction may be committed.
    async fn commit_on_each(
        &mut self,
        transaction: &Transaction,
        concern: Option<Document>,
        is_repeated: bool,
    ) -> Document {
        let mut participants: Vec<&Participant> = transaction.participants.iter().collect();
        if is_repeated && participants.iter().any(|it| it.has_written) {
            participants.retain(|it| it.has_written);
        }
        participants.sort_by_key(|it| it.has_written);
        let mut reply = doc! { "ok": 1.0 };
        for participant in participants {
            let mut command = transaction.end(doc! { "commitTransaction": 1 });
            if let Some(concern) = &concern {
                command.insert("writeConcern", concern.clone());
            }
            reply = self.links.reply(participant.shard, "admin", command).await;
            if !is_ok(&reply) {
                break;
            }
        }
        reply
    }

    /// Aborts a transaction on all its shards. Returns the first error.
    pub(crate) async fn abort(&mut self, transaction: &mut Transaction) -> Document {
        transaction.close();
        let participants = transaction.participants.iter();
        let commands =
            participants.map(|it| (it.shard, transaction.end(doc! { "abortTransaction": 1 })));
        let commands = commands.collect();
        let replies = self.links.replies("admin", commands).await;
        let failed = replies.into_iter().find(|reply| !is_ok(reply));
        failed.unwrap_or_else(|| doc! { "ok": 1.0 })
    }

    pub(crate) async fn end_sessions(&mut self, call: &Call) -> Result<Document, Document> {
        for session in documents_of(&call.body, &call.name) {
            let Some(session) = self.shared.remove_session(&session) else {
                continue;
            };
            if let Some(transaction) = session.lock().await.as_mut().filter(|it| it.is_open()) {
                self.abort(transaction).await;
            }
        }
        Ok(doc! { "ok": 1.0 })
    }
}
