//! A command of a client, and the parts of it that the front interprets.

use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::reply::{documents_of, failure, number_of};

/// Fields of a command that belong to the connection or the session. The front adds them again if a shard needs them.
const ENVELOPE: [&str; 6] = [
    "$clusterTime",
    "$db",
    "lsid",
    "txnNumber",
    "autocommit",
    "startTransaction",
];

/// The commands that need a write concern outside of transactions.
const WRITES: [&str; 5] = [
    "insert",
    "update",
    "delete",
    "findAndModify",
    "findandmodify",
];

/// A command of a client.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The name of the command, such as `find`.
    pub(crate) name: String,
    pub(crate) db: String,
    /// The command without the fields of the session.
    pub(crate) body: Document,
    /// The session and the number of a transaction or of a retryable write.
    pub(crate) origin: Option<Origin>,
    pub(crate) is_in_transaction: bool,
    pub(crate) starts_transaction: bool,
}

impl Call {
    pub(crate) fn new(mut body: Document) -> Result<Self, Document> {
        let name = body.keys().next().cloned();
        let name = name.ok_or_else(|| failure(9, "FailedToParse", "empty command"))?;
        let db = body.get_str("$db").unwrap_or("admin").to_owned();
        let session = body.get_document("lsid").cloned().ok();
        let number = body
            .contains_key("txnNumber")
            .then(|| number_of(&body, "txnNumber"));
        let origin = session.zip(number);
        let is_in_transaction = body.get_bool("autocommit").is_ok_and(|it| !it);
        let starts_transaction = body.get_bool("startTransaction").unwrap_or(false);
        for field in ENVELOPE {
            body.remove(field);
        }
        let is_write = if is_in_transaction {
            name == "commitTransaction"
        } else {
            WRITES.contains(&name.as_str())
        };
        if is_write && !body.contains_key("writeConcern") {
            // `mongos` adds this default, because shards have none.
            body.insert("writeConcern", doc! { "w": "majority" });
        }
        Ok(Self {
            name,
            db,
            body,
            origin: origin.map(|(session, number)| Origin { session, number }),
            is_in_transaction,
            starts_transaction,
        })
    }

    /// Returns the collection of the command, or an empty string for a command on the database.
    pub(crate) fn collection(&self) -> &str {
        match self.name.as_str() {
            "getMore" => self.body.get_str("collection").unwrap_or_default(),
            name => self.body.get_str(name).unwrap_or_default(),
        }
    }

    pub(crate) fn namespace(&self) -> String {
        format!("{}.{}", self.db, self.collection())
    }

    /// Returns the name of the array that contains the statements of a write.
    pub(crate) fn sequence(&self) -> &'static str {
        match self.name.as_str() {
            "insert" => "documents",
            "update" => "updates",
            _ => "deletes",
        }
    }

    /// Returns the command with a different name. The value of the command's first field, such as the collection, stays
    /// the same.
    pub(crate) fn renamed(&self, name: &str) -> Document {
        let mut fields = self.body.iter();
        let value = fields.next().map_or(Bson::Null, |(_, value)| value.clone());
        let rest = fields.map(|(name, value)| (name.clone(), value.clone()));
        let mut renamed = Document::from_iter([(name.to_owned(), value)]);
        renamed.extend(rest);
        renamed
    }

    pub(crate) fn document(&self, name: &str) -> Document {
        self.body.get_document(name).cloned().unwrap_or_default()
    }

    /// Returns the filter of a read: the stages `$match` at the start of a pipeline, or the filter of the command.
    pub(crate) fn filter(&self) -> Document {
        let filters = ["filter", "query", "q"];
        if let Some(filter) = filters
            .iter()
            .find_map(|name| self.body.get_document(name).ok())
        {
            return filter.clone();
        }
        let first = self.pipeline().into_iter().next();
        let first = first.and_then(|stage| stage.get_document("$match").cloned().ok());
        first.unwrap_or_default()
    }

    pub(crate) fn pipeline(&self) -> Vec<Document> {
        documents_of(&self.body, "pipeline")
    }

    /// The cluster time (`afterClusterTime`) that a server must have reached before it reads, for causal consistency.
    pub(crate) fn after_cluster_time(&self) -> Option<Timestamp> {
        let concern = self.body.get_document("readConcern").ok()?;
        concern.get_timestamp("afterClusterTime").ok()
    }

    /// Sets the cluster time at which all shards read (`atClusterTime`), if the read concern is `snapshot`. `mongos` also
    /// chooses this time. Without it, the router reads at an older time, before the last writes.
    pub(crate) fn choose_snapshot(&mut self, now: Option<Timestamp>) {
        let time = now.max(self.after_cluster_time());
        let Ok(concern) = self.body.get_document_mut("readConcern") else {
            return;
        };
        let is_snapshot = concern.get_str("level").is_ok_and(|it| it == "snapshot");
        if let (true, Some(time)) = (is_snapshot && !concern.contains_key("atClusterTime"), time) {
            concern.remove("afterClusterTime");
            concern.insert("atClusterTime", time);
        }
    }

    /// Whether the command can create its collection.
    pub(crate) fn creates_collection(&self) -> bool {
        let upserts = |statement: &Document| statement.get_bool("upsert").unwrap_or(false);
        match self.name.as_str() {
            "insert" | "createIndexes" | "create" => true,
            "update" => documents_of(&self.body, "updates").iter().any(upserts),
            "findAndModify" | "findandmodify" => upserts(&self.body),
            _ => false,
        }
    }
}

/// The session and number of a transaction or of a retryable write.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) session: Document,
    pub(crate) number: i64,
}

impl Origin {
    pub(crate) fn add_to(&self, command: &mut Document) {
        command.insert("lsid", self.session.clone());
        command.insert("txnNumber", self.number);
    }
}
