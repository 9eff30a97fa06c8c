//! Deltas by hand. The transaction that inserts a message also stores the changes for the host, and a task folds them
//! into the host a little later.

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

/// Pause of the task between two folds.
const PAUSE: Duration = Duration::from_millis(30);

/// Largest number of deltas that are folded in one transaction.
const MOST: i64 = 2_000;

/// Inserts a message together with its delta.
pub(crate) struct WithDelta(pub(crate) LogMsg);

impl Statements for WithDelta {
    async fn send(&self, hand: &Hand, session: &mut ClientSession) -> DriverResult<()> {
        let messages = hand.messages();
        let insert = messages.insert_one(&self.0);
        insert.session(&mut *session).await?;
        // The delta has the `_id` of its message, and contains all values that the host needs.
        let deltas = hand.collection::<LogMsg>(DELTAS);
        deltas.insert_one(&self.0).session(session).await?;
        Ok(())
    }
}

/// Folds all deltas, up to a maximum number.
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

/// The task that folds the deltas.
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

    /// Stops the task, and fails if the task had failed.
    pub(crate) async fn stop(self) -> Result<()> {
        self.0.abort();
        match self.0.await {
            Ok(ended) => ended,
            Err(error) if error.is_cancelled() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
