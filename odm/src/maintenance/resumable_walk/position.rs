//! The saved position of a walk, which is a document in `_odm_cursors` that each batch updates.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{DeleteCommand, FindCommand, UpdateCommand},
        odm::{Exec, Odm},
    },
    derived::outbox::cursors,
    error::{Error, Result, Superseded},
};

/// The saved position of one walk. Each work has its own position, because the documents before a position were
/// processed only for this work. So concurrent calls with different work do not disturb each other.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    id: Document,
}

/// Milliseconds until an unused position expires. The TTL index on `until` deletes the position a day later.
const KEPT: i64 = 6 * 24 * 3_600 * 1_000;

impl Position {
    /// Creates the position of a walk. `work` describes the work to do.
    pub(crate) fn new(walk: &str, documents: String, work: Vec<String>) -> Self {
        let id = doc! { walk: documents, "work": work };
        Self { id }
    }

    fn filter(&self) -> Document {
        doc! { "_id": self.id.clone() }
    }

    /// Stores a new position, unless one already exists for the same work. Returns whether the walk continues at an
    /// existing position.
    pub(crate) async fn open(&self, restart: bool, odm: &Odm) -> Result<bool> {
        odm.ready_for_jobs().await?;
        let exec = Exec::on(odm.clone());
        if !restart && self.read(&exec).await?.is_some() {
            return Ok(true);
        }
        let begun = vec![doc! { "$replaceWith": stamped(self.filter()) }];
        exec.send(UpdateCommand::one(cursors(), self.filter(), begun).upsert())
            .await?;
        Ok(false)
    }

    /// Reads the state that the latest batch stored. Returns `None` if no position exists for the same work.
    pub(crate) async fn read(&self, exec: &Exec) -> Result<Option<Document>> {
        let found = exec.documents(FindCommand::new(cursors(), self.filter()).first());
        Ok(found.await?.pop())
    }

    /// Stores the position that a batch has reached, in the batch's transaction.
    ///
    /// # Errors
    ///
    /// [`Superseded`] if another call has restarted or finished the walk.
    pub(crate) async fn advance(&self, to: Document, exec: &Exec) -> Result<()> {
        let update = vec![doc! { "$set": stamped(to) }];
        let updated = exec.send(UpdateCommand::one(cursors(), self.filter(), update));
        if updated.await?.matched == 1 {
            Ok(())
        } else {
            Err(Error::custom(Superseded))
        }
    }

    /// Deletes the position once the walk has finished.
    pub(crate) async fn remove(&self, exec: &Exec) -> Result<()> {
        exec.send(DeleteCommand::one(cursors(), self.filter()))
            .await?;
        Ok(())
    }
}

/// Returns a pipeline expression that adds an expiry time, based on the server's clock, to a document.
fn stamped(document: Document) -> Document {
    let fields = document.into_iter();
    let literal = |value: Bson| Bson::Document(doc! { "$literal": value });
    let mut stamped: Document = fields.map(|(name, value)| (name, literal(value))).collect();
    stamped.insert("until", doc! { "$add": ["$$NOW", KEPT] });
    stamped
}

/// Reads a number from a stored position.
pub(crate) fn count(stored: &Document, name: &str) -> u64 {
    let count = stored.get_i64(name).ok();
    count.and_then(|count| count.try_into().ok()).unwrap_or(0)
}

/// Converts a number to the type with which a position stores it.
pub(crate) fn stored_count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
