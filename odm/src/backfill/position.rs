//! How far a backfill has come: a document in `_odm_cursors`, written with each batch.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    command::{DeleteCommand, FindCommand, UpdateCommand},
    effects::InboundCopies,
    error::{Error, Result, Superseded},
    odm::{Exec, Odm},
    outbox::{cursors, some_of},
    place::Place,
    shape::ModelShape,
};

/// The position of the backfill of one collection.
#[derive(Clone, Debug)]
pub(super) struct BackfillPosition {
    model: &'static ModelShape,
    /// Which documents are filled.
    filter: Document,
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

/// For how long a position is kept that nobody goes on from, in milliseconds: the index on `until` removes it a day later.
const KEPT: i64 = 6 * 24 * 3_600 * 1_000;

impl BackfillPosition {
    pub(super) fn of(model: &'static ModelShape, filter: Document, own: &InboundCopies) -> Self {
        let copies = own.references.iter().flat_map(|reference| {
            let copied = reference.copy_paths().zip(&reference.fields);
            copied.map(|(to, copied)| format!("{}: {} -> {to}", reference.name, copied.from))
        });
        // Of what was passed over for one filter nothing is known for another one.
        let only = (!filter.is_empty()).then(|| format!("where {filter}"));
        Self {
            model,
            copies: copies.chain(only).collect(),
            filter,
        }
    }

    /// Finds the documents that are filled.
    pub(super) fn find(&self) -> FindCommand {
        FindCommand::new(Place::of(self.model), self.filter.clone())
    }

    fn id(&self) -> Document {
        doc! { "_id": { "backfill": self.model.documents().to_string() } }
    }

    /// Begins a backfill, unless one of the same copies has begun; returns whether it goes on.
    pub(super) async fn open(&self, restart: bool, odm: &Odm) -> Result<bool> {
        let exec = Exec::on(odm.clone());
        if !restart && self.read(&exec).await?.is_some() {
            return Ok(true);
        }
        let mut new = self.id();
        new.insert("copies", self.copies.clone());
        let begun = vec![doc! { "$replaceWith": stamped(new) }];
        exec.send(UpdateCommand::one(cursors(), self.id(), begun).upsert())
            .await?;
        Ok(false)
    }

    /// Reads the position; none if there is none of these copies.
    pub(super) async fn read(&self, exec: &Exec) -> Result<Option<SoFar>> {
        let mut filter = self.id();
        filter.insert("copies", self.copies.clone());
        let found = exec.documents(FindCommand::new(cursors(), filter).first());
        Ok(found.await?.first().map(SoFar::read))
    }

    /// Writes down that a batch is done, as a part of its transaction.
    ///
    /// # Errors
    ///
    /// [`Superseded`] if somebody else has begun the backfill anew, or come to its end.
    pub(super) async fn advance(&self, to: &SoFar, exec: &Exec) -> Result<()> {
        let mut filter = self.id();
        filter.insert("copies", self.copies.clone());
        let update = vec![doc! { "$set": stamped(to.document()) }];
        let updated = exec.send(UpdateCommand::one(cursors(), filter, update));
        if updated.await?.matched == 1 {
            Ok(())
        } else {
            Err(Error::custom(Superseded))
        }
    }

    /// Forgets the position at the end.
    pub(super) async fn remove(&self, exec: &Exec) -> Result<()> {
        exec.send(DeleteCommand::one(cursors(), self.id())).await?;
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
        let mut document = doc! {
            "looked_at": count(self.looked_at),
            "changed": count(self.changed),
            "failed": some_of(&self.failed),
        };
        document.extend(self.lo.clone().map(|lo| ("lo".to_owned(), lo)));
        document
    }
}
