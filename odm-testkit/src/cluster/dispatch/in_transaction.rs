//! Statements of transactions.

use mongodb::bson::Document;

use crate::cluster::{
    connection::Connection,
    message::{
        call::{Call, Origin},
        reply::{
            add_label, changes_too_often, code, failure, is_ok, is_too_old, is_transient,
            not_supported, result_of,
        },
    },
    state::transaction::{Scope, Transaction, no_such_transaction},
};

const ATTEMPTS: usize = 20;
const SNAPSHOT_UNAVAILABLE: i32 = 246;

impl Connection {
    /// Runs a statement of a transaction, or ends the transaction.
    pub(crate) async fn in_transaction(&mut self, call: &Call) -> Result<Document, Document> {
        let Some(origin) = call.origin.clone() else {
            return Err(failure(
                72,
                "InvalidOptions",
                "a transaction needs `lsid` and `txnNumber`",
            ));
        };
        let session = self.shared.session(&origin.session);
        let mut session = session.lock().await;
        let known = session.take().filter(|it| it.has_number(origin.number));
        let mut transaction = match known {
            Some(known) if !call.starts_transaction => known,
            _ if call.starts_transaction => self
                .start(call)
                .unwrap_or_else(|| unreachable_start(&origin)),
            _ => return Err(no_such_transaction(origin.number)),
        };
        let reply = match call.name.as_str() {
            "commitTransaction" => {
                let concern = call.body.get_document("writeConcern").cloned().ok();
                self.commit(&mut transaction, concern).await
            }
            "abortTransaction" => self.abort(&mut transaction).await,
            _ if !transaction.is_open() => no_such_transaction(origin.number),
            _ if self.is_undecided(call) && !call.starts_transaction => {
                self.abort(&mut transaction).await;
                self.shared
                    .note_transaction(&origin.session, &call.db, false);
                let sharded = self.ensure_collection(call).await;
                sharded.map_or_else(|failed| failed, |()| sharded_meanwhile(call))
            }
            _ => self.statement(call, &mut transaction).await,
        };
        let is_open = transaction.is_open();
        self.shared
            .note_transaction(&origin.session, &call.db, is_open);
        *session = Some(transaction);
        result_of(reply)
    }

    /// Whether the front must shard the collection of a statement before the statement runs. The servers cannot shard a
    /// collection while a transaction has locked its database. So the front ends the transaction, and the client runs
    /// the transaction again.
    fn is_undecided(&self, call: &Call) -> bool {
        let shared = &self.shared;
        shared.policy.decides(call) && !shared.decided.cell(&call.namespace()).initialized()
    }

    fn start(&self, call: &Call) -> Option<Transaction> {
        let concern = call.body.get_document("readConcern").cloned().ok();
        let now = self.shared.clock.now().max(call.after_cluster_time());
        Some(Transaction::new(call.origin.clone()?, concern, now))
    }

    /// Runs a statement of a transaction. The first statement is run again if the routing table or the snapshot
    /// was too old.
    async fn statement(&mut self, call: &Call, transaction: &mut Transaction) -> Document {
        if self.is_undecided(call)
            && let Err(failed) = self.ensure_collection(call).await
        {
            return failed;
        }
        if let Some(origin) = &call.origin {
            self.shared
                .note_transaction(&origin.session, &call.db, true);
        }
        for _ in 0..ATTEMPTS {
            let mut scope = Scope::Transaction(transaction);
            let reply = self
                .routed(call, &mut scope)
                .await
                .unwrap_or_else(|failed| failed);
            if is_ok(&reply) && !reply.contains_key("writeErrors") {
                return reply;
            }
            self.abort(transaction).await;
            if !is_too_old(&reply) {
                return labelled(reply);
            }
            self.shared.routing.forget(&call.db, call.collection());
            let again = self.start(call).filter(|_| call.starts_transaction);
            let Some(again) = again else {
                return labelled(reply);
            };
            *transaction = again;
        }
        changes_too_often()
    }

    async fn routed(&mut self, call: &Call, scope: &mut Scope<'_>) -> Result<Document, Document> {
        if call.creates_collection() {
            self.ensure_database(&call.db).await?;
        }
        match call.name.as_str() {
            "insert" | "update" | "delete" => self.write(call, scope).await,
            "find" | "aggregate" => self.read(call, scope).await,
            "getMore" => self.get_more(call, scope).await,
            "killCursors" => Ok(self.kill_cursors(call, scope).await),
            "count" | "distinct" => self.count_or_distinct(call, scope).await,
            "findAndModify" | "findandmodify" => match scope {
                Scope::Transaction(transaction) => {
                    self.find_and_modify(call, Scope::Transaction(transaction))
                        .await
                }
                _ => Err(not_supported("findAndModify")),
            },
            "create" | "createIndexes" => self.on_owners(call, scope, false).await,
            name => {
                let message = format!("Cannot run '{name}' in a multi-document transaction.");
                Err(failure(263, "OperationNotSupportedInTransaction", message))
            }
        }
    }
}

/// Adds the label that makes the driver run the transaction again.
fn labelled(mut reply: Document) -> Document {
    if !is_ok(&reply) && code(&reply).is_some_and(is_transient) {
        add_label(&mut reply, "TransientTransactionError");
    }
    reply
}

/// The reply to a statement whose collection has been sharded since the transaction started.
fn sharded_meanwhile(call: &Call) -> Document {
    let message = format!("the front has sharded {}", call.namespace());
    let mut reply = failure(SNAPSHOT_UNAVAILABLE, "SnapshotUnavailable", message);
    add_label(&mut reply, "TransientTransactionError");
    reply
}

fn unreachable_start(origin: &Origin) -> Transaction {
    Transaction::new(origin.clone(), None, None)
}
