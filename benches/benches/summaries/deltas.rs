//! Deltas by hand: what a message brings to its host is written down in the transaction that inserts it, and a task
//! folds it into the host a little later.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::Document,
    mongodb::{ClientSession, error::Result as DriverResult},
    prelude::{ObjectId, doc},
};
use odm_benches::Result;
use tokio::task::JoinHandle;

use crate::hand::{HOSTS, Hand, LogMsg, Statements, updates};

pub(crate) const DELTAS: &str = "hand_deltas";

/// How long the task pauses before it folds again.
const PAUSE: Duration = Duration::from_millis(30);

/// How many deltas it folds at once.
const MOST: i64 = 2_000;

/// A message with its delta.
pub(crate) struct WithDelta(pub(crate) LogMsg);

impl Statements for WithDelta {
    async fn send(&self, hand: &Hand, session: &mut ClientSession) -> DriverResult<()> {
        let messages = hand.messages();
        let insert = messages.insert_one(&self.0);
        insert.session(&mut *session).await?;
        // The delta has the id of its message, and all that the host keeps of it.
        let deltas = hand.collection::<LogMsg>(DELTAS);
        deltas.insert_one(&self.0).session(session).await?;
        Ok(())
    }
}

/// All deltas that there are, up to a number.
struct Fold;

impl Statements for Fold {
    async fn send(&self, hand: &Hand, session: &mut ClientSession) -> DriverResult<()> {
        let deltas = hand.collection::<LogMsg>(DELTAS);
        let find = deltas.find(doc! {}).limit(MOST);
        let mut found = find.session(&mut *session).await?;
        let found: Vec<LogMsg> = found.stream(&mut *session).try_collect().await?;
        if found.is_empty() {
            return Ok(());
        }
        let updates = updates(&found);
        hand.update_all(HOSTS, updates, &mut *session).await?;
        let ids: Vec<ObjectId> = found.iter().map(|delta| delta.id).collect();
        let folded = hand.collection::<Document>(DELTAS);
        let delete = folded.delete_many(doc! { "_id": { "$in": ids } });
        delete.session(session).await?;
        Ok(())
    }
}

/// The task that folds.
pub(crate) struct Folder(JoinHandle<Result<()>>);

impl Folder {
    pub(crate) fn start(hand: Hand) -> Self {
        Self(tokio::spawn(async move {
            loop {
                hand.commit(&Fold).await?;
                tokio::time::sleep(PAUSE).await;
            }
        }))
    }

    /// Ends the task, and fails if it had failed.
    pub(crate) async fn stop(self) -> Result<()> {
        self.0.abort();
        match self.0.await {
            Ok(ended) => ended,
            Err(error) if error.is_cancelled() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
