//! How far a walk has come: a document in `_odm_cursors`, written with each batch.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{DeleteCommand, FindCommand, UpdateCommand},
        odm::{Exec, Odm},
    },
    derived::outbox::cursors,
    error::{Error, Result, Superseded},
};

/// The position of a walk.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    id: Document,
    /// What is done to the documents. A position is of no use for anything else: that would be missing before it.
    work: Vec<String>,
}

/// For how long a position is kept that nobody goes on from, in milliseconds: the index on `until` removes it a day later.
const KEPT: i64 = 6 * 24 * 3_600 * 1_000;

impl Position {
    pub(crate) const fn new(id: Document, work: Vec<String>) -> Self {
        Self { id, work }
    }

    fn filter(&self) -> Document {
        doc! { "_id": self.id.clone() }
    }

    fn filter_of_walk(&self) -> Document {
        doc! { "_id": self.id.clone(), "what": self.work.clone() }
    }

    /// Begins a walk, unless one that does the same has begun; returns whether it goes on.
    pub(crate) async fn open(&self, restart: bool, odm: &Odm) -> Result<bool> {
        let exec = Exec::on(odm.clone());
        if !restart && self.read(&exec).await?.is_some() {
            return Ok(true);
        }
        let begun = vec![doc! { "$replaceWith": stamped(self.filter_of_walk()) }];
        exec.send(UpdateCommand::one(cursors(), self.filter(), begun).upsert())
            .await?;
        Ok(false)
    }

    /// Reads what was written down with the last batch; none if there is no walk that does the same.
    pub(crate) async fn read(&self, exec: &Exec) -> Result<Option<Document>> {
        let found = exec.documents(FindCommand::new(cursors(), self.filter_of_walk()).first());
        Ok(found.await?.pop())
    }

    /// Writes down that a batch is done, as a part of its transaction.
    ///
    /// # Errors
    ///
    /// [`Superseded`] if somebody else has begun the walk anew, or come to its end.
    pub(crate) async fn advance(&self, to: Document, exec: &Exec) -> Result<()> {
        let update = vec![doc! { "$set": stamped(to) }];
        let updated = exec.send(UpdateCommand::one(cursors(), self.filter_of_walk(), update));
        if updated.await?.matched == 1 {
            Ok(())
        } else {
            Err(Error::custom(Superseded))
        }
    }

    /// Forgets the position at the end.
    pub(crate) async fn remove(&self, exec: &Exec) -> Result<()> {
        exec.send(DeleteCommand::one(cursors(), self.filter()))
            .await?;
        Ok(())
    }
}

/// Returns the expression of a document with the end of its life, by the clock of the server.
fn stamped(document: Document) -> Document {
    let fields = document.into_iter();
    let literal = |value: Bson| Bson::Document(doc! { "$literal": value });
    let mut stamped: Document = fields.map(|(name, value)| (name, literal(value))).collect();
    stamped.insert("until", doc! { "$add": ["$$NOW", KEPT] });
    stamped
}
