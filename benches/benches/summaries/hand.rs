//! Maintains the summaries of hosts by hand with the driver. The benchmarks compare the library with this code.

use std::{collections::BTreeMap, time::Duration};

use mongo_odm::{
    Odm,
    bson::{Bson, Document},
    mongodb::{
        ClientSession, Collection, Database,
        error::{
            Error, Result as DriverResult, TRANSIENT_TRANSACTION_ERROR,
            UNKNOWN_TRANSACTION_COMMIT_RESULT,
        },
        options::{CollectionOptions, ReadConcern, WriteConcern},
    },
    prelude::{DateTime, Deserialize, ObjectId, Serialize, doc},
};
use odm_benches::Result;

use crate::{
    deltas,
    models::{LIST, text, time},
};

pub(crate) const HOSTS: &str = "summarizing_hosts";
pub(crate) const MESSAGES: &str = "summarized_logmsg";

/// A message as a plain serde struct.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) host: ObjectId,
    pub(crate) time: DateTime,
    pub(crate) message: String,
}

impl LogMsg {
    pub(crate) fn new(number: usize, host: ObjectId) -> Self {
        Self {
            id: ObjectId::new(),
            host,
            time: time(number),
            message: text(number),
        }
    }
}

/// The statements of a transaction.
pub(crate) trait Statements: Sync {
    /// Sends the statements. This function may be called several times.
    fn send(
        &self,
        hand: &Hand,
        session: &mut ClientSession,
    ) -> impl Future<Output = DriverResult<()>> + Send;
}

/// Hand-written statements for a database. All writes wait for a majority, with and without transactions.
#[derive(Clone, Debug)]
pub(crate) struct Hand {
    database: Database,
}

impl Hand {
    pub(crate) async fn new(odm: &Odm) -> Result<Self> {
        let database = odm.database().clone();
        // The collection is created here so that no transaction has to create it.
        database.create_collection(deltas::DELTAS).await?;
        Ok(Self { database })
    }

    pub(crate) fn collection<T: Send + Sync>(&self, name: &str) -> Collection<T> {
        let options = CollectionOptions::builder().write_concern(WriteConcern::majority());
        self.database.collection_with_options(name, options.build())
    }

    pub(crate) fn messages(&self) -> Collection<LogMsg> {
        self.collection(MESSAGES)
    }

    /// Inserts one message without updating its host.
    pub(crate) async fn insert(&self, message: &LogMsg) -> Result<()> {
        self.messages().insert_one(message).await?;
        Ok(())
    }

    /// Updates the host of a message that has already been stored.
    pub(crate) async fn count_in(&self, message: &LogMsg) -> Result<()> {
        let hosts = self.collection::<Document>(HOSTS);
        let update = news(std::slice::from_ref(message));
        let updated = hosts.update_one(doc! { "_id": message.host }, update);
        if updated.await?.modified_count == 1 {
            return Ok(());
        }
        Err("no host".into())
    }

    /// Runs a transaction until it is committed. The concerns, the retries and the pauses are the same as in the
    /// library.
    pub(crate) async fn commit(&self, statements: &impl Statements) -> Result<()> {
        let mut session = self.database.client().start_session().await?;
        for attempt in 0.. {
            let begin = session.start_transaction();
            begin
                .read_concern(ReadConcern::snapshot())
                .write_concern(WriteConcern::majority())
                .await?;
            match self.attempt(statements, &mut session).await {
                Ok(()) => break,
                Err(error) if error.contains_label(TRANSIENT_TRANSACTION_ERROR) => {}
                Err(error) => return Err(error.into()),
            }
            tokio::time::sleep(pause(attempt)).await;
        }
        Ok(())
    }

    async fn attempt(
        &self,
        statements: &impl Statements,
        session: &mut ClientSession,
    ) -> DriverResult<()> {
        if let Err(error) = statements.send(self, session).await {
            // If this fails, the server ends the open transaction itself.
            _ = session.abort_transaction().await;
            return Err(error);
        }
        loop {
            match session.commit_transaction().await {
                Err(error) if error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT) => {}
                done => return done,
            }
        }
    }

    /// Updates several documents of a collection with one command in a transaction.
    pub(crate) async fn update_all(
        &self,
        collection: &str,
        updates: Vec<Document>,
        session: &mut ClientSession,
    ) -> DriverResult<()> {
        let count = updates.len();
        let command = doc! { "update": collection, "updates": updates };
        let answer = self.database.run_command(command).session(session).await?;
        let modified = answer.get("nModified").and_then(Bson::as_i32);
        if modified.and_then(|it| usize::try_from(it).ok()) == Some(count) {
            return Ok(());
        }
        Err(Error::custom(format!("not all were updated: {answer}")))
    }
}

/// Returns a random part of a pause that grows with each attempt, as in the library.
fn pause(attempt: i32) -> Duration {
    let longest = (0.005 * 1.5_f64.powi(attempt.min(60))).min(0.5);
    Duration::from_secs_f64(fastrand::f64() * longest)
}

/// Returns the update of a host for its new messages.
pub(crate) fn news(messages: &[LogMsg]) -> Document {
    let line = |message: &LogMsg| doc! { "time": message.time, "message": &message.message };
    let lines: Vec<Document> = messages.iter().map(line).collect();
    let last = messages.iter().map(|message| message.time).max();
    let newest = i64::try_from(LIST).unwrap_or_default();
    let push = doc! { "$each": lines, "$sort": { "time": 1 }, "$slice": -newest };
    doc! {
        "$push": { "logmsgs": push },
        "$inc": { "messages": i64::try_from(messages.len()).unwrap_or_default() },
        "$max": { "last_seen": last },
    }
}

/// Returns the updates of all hosts that the messages belong to.
pub(crate) fn updates(messages: &[LogMsg]) -> Vec<Document> {
    let mut by_host: BTreeMap<ObjectId, Vec<LogMsg>> = BTreeMap::new();
    for message in messages {
        by_host
            .entry(message.host)
            .or_default()
            .push(message.clone());
    }
    let update = |(host, messages): (ObjectId, Vec<LogMsg>)| doc! { "q": { "_id": host }, "u": news(&messages) };
    by_host.into_iter().map(update).collect()
}

/// Inserts messages and updates their hosts.
pub(crate) struct Batch(pub(crate) Vec<LogMsg>);

impl Statements for Batch {
    async fn send(&self, hand: &Hand, session: &mut ClientSession) -> DriverResult<()> {
        let messages = hand.messages();
        match self.0.as_slice() {
            [message] => _ = messages.insert_one(message).session(&mut *session).await?,
            all => _ = messages.insert_many(all).session(&mut *session).await?,
        }
        hand.update_all(HOSTS, updates(&self.0), session).await
    }
}
