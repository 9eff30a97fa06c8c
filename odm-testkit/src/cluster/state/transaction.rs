//! The state of a transaction: its participants. `command::commit` ends it.
//!
//! 1. The first statement on a shard starts the transaction there (`startTransaction`), with the read concern of the
//!    transaction. With the read concern `snapshot`, all shards read at the same cluster time, which the front chooses.
//! 2. The first of these shards is the coordinator. The statement that starts the transaction there contains
//!    `coordinator: true`.

use mongodb::bson::{Document, Timestamp, doc};

use crate::cluster::{
    link::role::Role,
    message::{
        call::Origin,
        reply::{NO_SUCH_TRANSACTION, add_label, failure},
    },
};

#[derive(Debug)]
pub(crate) struct Participant {
    pub(crate) shard: Role,
    pub(crate) has_written: bool,
}

/// The latest transaction of a session.
#[derive(Debug)]
pub(crate) struct Transaction {
    origin: Origin,
    concern: Option<Document>,
    pub(crate) participants: Vec<Participant>,
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

    /// Whether a statement with this transaction number belongs to this transaction.
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

    pub(crate) fn end(&self, mut command: Document) -> Document {
        self.origin.add_to(&mut command);
        command.insert("autocommit", false);
        command
    }
}

/// The reply to a statement of a transaction that has ended.
pub(crate) fn no_such_transaction(number: i64) -> Document {
    let message = format!("Transaction {number} has been aborted or was never started.");
    let mut reply = failure(NO_SUCH_TRANSACTION, "NoSuchTransaction", message);
    add_label(&mut reply, "TransientTransactionError");
    reply
}
