//! How far a backfill has come: a document in `_odm_cursors`, written with each batch.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    copy::OwnCopies,
    error::{Error, Result},
    job::cursors,
    odm::{Exec, Odm},
};

/// The position of the backfill of one collection.
#[derive(Clone, Debug)]
pub(super) struct Position {
    collection: &'static str,
    /// What is filled. A position is of no use for other copies: they would be missing before it.
    copies: Vec<String>,
}

/// What is stored.
#[derive(Clone, Debug, Default)]
pub(super) struct SoFar {
    /// The last document that was looked at.
    pub(super) lo: Option<Bson>,
    pub(super) looked_at: u64,
    pub(super) changed: u64,
    pub(super) failed: Vec<Bson>,
}

/// How many ids of documents that cannot take their copies are kept.
const FAILED: usize = 100;

impl Position {
    pub(super) fn of(collection: &'static str, own: &OwnCopies) -> Self {
        let copies = own.ties.iter().flat_map(|tie| {
            let copied = tie.copy_paths().zip(&tie.fields);
            copied.map(|(to, copied)| format!("{}: {} -> {to}", tie.name, copied.from))
        });
        Self {
            collection,
            copies: copies.collect(),
        }
    }

    pub(super) const fn collection(&self) -> &'static str {
        self.collection
    }

    fn id(&self) -> Document {
        doc! { "_id": { "backfill": self.collection } }
    }

    /// Begins a backfill, unless one of the same copies has begun; returns whether it goes on.
    pub(super) async fn open(&self, restart: bool, odm: &Odm) -> Result<bool> {
        let exec = Exec::Odm(odm.clone());
        if !restart && self.read(&exec).await?.is_some() {
            return Ok(true);
        }
        let (id, mut new) = (self.id(), self.id());
        new.insert("copies", self.copies.clone());
        exec.run(move |database, _| {
            let cursors = cursors(database, false);
            Box::pin(async move { cursors.replace_one(id, new).upsert(true).await })
        })
        .await?;
        Ok(false)
    }

    /// Reads the position; none if there is none of these copies.
    pub(super) async fn read(&self, exec: &Exec) -> Result<Option<SoFar>> {
        let mut filter = self.id();
        filter.insert("copies", self.copies.clone());
        let found = exec.run(move |database, session| {
            let cursors = cursors(database, session.is_some());
            Box::pin(async move {
                let find = cursors.find_one(filter);
                match session {
                    Some(session) => find.session(session).await,
                    None => find.await,
                }
            })
        });
        Ok(found.await?.as_ref().map(SoFar::read))
    }

    /// Writes down that a batch is done, as a part of its transaction.
    ///
    /// # Errors
    ///
    /// [`Error::Superseded`] if somebody else has begun the backfill anew.
    pub(super) async fn advance(&self, to: &SoFar, exec: &Exec) -> Result<()> {
        let mut filter = self.id();
        filter.insert("copies", self.copies.clone());
        let update = doc! { "$set": to.document() };
        let updated = exec.run(move |database, session| {
            let cursors = cursors(database, session.is_some());
            Box::pin(async move {
                let update = cursors.update_one(filter, update);
                match session {
                    Some(session) => update.session(session).await,
                    None => update.await,
                }
            })
        });
        if updated.await?.matched_count == 1 {
            Ok(())
        } else {
            Err(Error::Superseded)
        }
    }

    /// Forgets the position at the end.
    pub(super) async fn remove(&self, exec: &Exec) -> Result<()> {
        let filter = self.id();
        exec.run(move |database, session| {
            let cursors = cursors(database, session.is_some());
            Box::pin(async move {
                let delete = cursors.delete_one(filter);
                match session {
                    Some(session) => delete.session(session).await,
                    None => delete.await,
                }
            })
        })
        .await?;
        Ok(())
    }
}

impl SoFar {
    fn read(stored: &Document) -> Self {
        let count = |name: &str| stored.get_i64(name).ok();
        let count = |name: &str| count(name).and_then(|count| u64::try_from(count).ok());
        Self {
            lo: stored.get("lo").cloned(),
            looked_at: count("looked_at").unwrap_or(0),
            changed: count("changed").unwrap_or(0),
            failed: stored.get_array("failed").cloned().unwrap_or_default(),
        }
    }

    fn document(&self) -> Document {
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let failed: Vec<Bson> = self.failed.iter().take(FAILED).cloned().collect();
        let mut document = doc! {
            "looked_at": count(self.looked_at),
            "changed": count(self.changed),
            "failed": failed,
        };
        document.extend(self.lo.clone().map(|lo| ("lo".to_owned(), lo)));
        document
    }
}
