//! The state of a transaction: its participants, and how it ends.
//!
//! 1. The first statement on a shard starts the transaction there (`startTransaction`), with the read concern of the
//!    transaction. With the read concern `snapshot`, all shards read at the same cluster time, which the front chooses.
//! 2. The first of these shards is the coordinator. The statement that starts the transaction there contains
//!    `coordinator: true`.
//! 3. A transaction that has written to at most one shard is committed by `commitTransaction` on each shard, on the
//!    shard with the writes last. Otherwise, the front sends `coordinateCommitTransaction` with all participants to the
//!    coordinator, which commits in two phases.
//! 4. After a failed statement, the transaction is aborted on all shards, because the shard with the error has already
//!    aborted its part.

use mongodb::bson::{Document, Timestamp, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::call::Origin,
    message::reply::{NO_SUCH_TRANSACTION, add_label, code, failure, is_ok, is_retryable},
    state::counters::Counters,
};

#[derive(Debug)]
struct Participant {
    shard: Role,
    has_written: bool,
}

/// The last transaction of a session.
#[derive(Debug)]
pub(crate) struct Transaction {
    origin: Origin,
    concern: Option<Document>,
    participants: Vec<Participant>,
    is_open: bool,
}

/// How a statement is sent to shards.
#[derive(Debug)]
pub(crate) enum Scope<'t> {
    Plain,
    Retryable(Origin),
    Transaction(&'t mut Transaction),
}

impl Scope<'_> {
    pub(crate) fn is_transaction(&self) -> bool {
        matches!(self, Self::Transaction(_))
    }

    /// Adds the session, and makes the shard a participant of the transaction.
    pub(crate) fn enter(&mut self, shard: Role, command: &mut Document) {
        match self {
            Self::Plain => {}
            Self::Retryable(origin) => origin.add_to(command),
            Self::Transaction(transaction) => transaction.enter(shard, command),
        }
    }

    /// Reads from a reply whether a participant has written.
    pub(crate) fn note(&mut self, shard: Role, reply: &Document) {
        let Self::Transaction(transaction) = self else {
            return;
        };
        let mut participants = transaction.participants.iter_mut();
        if let Some(participant) = participants.find(|it| it.shard == shard) {
            participant.has_written |= !reply.get_bool("readOnly").unwrap_or(false);
        }
    }
}

impl Transaction {
    /// Starts a transaction. `now` is the cluster time at which it reads, if its read concern is `snapshot`.
    pub(crate) fn new(origin: Origin, concern: Option<Document>, now: Option<Timestamp>) -> Self {
        let is_snapshot = concern
            .as_ref()
            .is_some_and(|it| it.get_str("level").ok() == Some("snapshot"));
        let concern = match (is_snapshot, now) {
            (true, Some(now)) => Some(doc! { "level": "snapshot", "atClusterTime": now }),
            _ => concern,
        };
        Self {
            origin,
            concern,
            participants: Vec::new(),
            is_open: true,
        }
    }

    /// Whether this is the transaction that a statement belongs to.
    pub(crate) fn has_number(&self, number: i64) -> bool {
        self.origin.number == number
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(crate) fn close(&mut self) {
        self.is_open = false;
    }

    fn enter(&mut self, shard: Role, command: &mut Document) {
        self.origin.add_to(command);
        command.insert("autocommit", false);
        if self.participants.iter().any(|it| it.shard == shard) {
            // A statement may send several commands to one shard. Only the first command may have a read concern.
            command.remove("readConcern");
            return;
        }
        command.insert("startTransaction", true);
        if let Some(concern) = &self.concern {
            command.insert("readConcern", concern.clone());
        }
        if self.participants.is_empty() {
            command.insert("coordinator", true);
        }
        self.participants.push(Participant {
            shard,
            has_written: false,
        });
    }

    fn end(&self, mut command: Document) -> Document {
        self.origin.add_to(&mut command);
        command.insert("autocommit", false);
        command
    }
}

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

    /// Commits a transaction with at most one shard that has written. A repeated commit only asks this shard: another
    /// shard that was killed in the meantime has forgotten the transaction, although it may be committed.
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
}

/// The reply to a statement of a transaction that has ended.
pub(crate) fn no_such_transaction(number: i64) -> Document {
    let message = format!("Transaction {number} has been aborted or was never started.");
    let mut reply = failure(NO_SUCH_TRANSACTION, "NoSuchTransaction", message);
    add_label(&mut reply, "TransientTransactionError");
    reply
}
