//! Updates one document.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, RawDocumentBuf, doc},
    options::WriteConcern,
};

use super::{
    BoundedUpdate,
    after::{FinishedWrite, Outcome},
    document_after::known_after,
    driver::{Transaction, drive},
    id_in_filter,
};
use crate::{
    client::{
        command::Updated,
        odm::{Exec, Write},
    },
    derived::{
        follow::{Change, Effects, FanOut, PreparedCopies, follow},
        outbox::Token,
        values::CopyReport,
    },
    error::{Error, Result},
    model::shape::ModelShape,
};

/// What a write did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UpdateReport {
    /// How many documents matched the filter.
    pub matched: u64,
    /// How many of them are others than before.
    pub modified: u64,
    /// What it did to the copies of the documents, for each relation.
    pub copies: Vec<CopyReport>,
    pub(super) token: Token,
}

impl UpdateReport {
    /// Returns what the write has left to be done later; [`Odm::wait`](crate::Odm::wait) waits for it.
    pub const fn token(&self) -> &Token {
        &self.token
    }
}

impl From<Updated> for UpdateReport {
    fn from(done: Updated) -> Self {
        Self {
            matched: done.matched,
            modified: done.modified,
            ..Self::default()
        }
    }
}

impl UpdateReport {
    /// Reports one document that matched.
    pub(super) fn of_one(is_modified: bool) -> Self {
        Self {
            matched: 1,
            modified: is_modified.into(),
            ..Self::default()
        }
    }

    /// Adds what followed the write.
    pub(super) fn with(mut self, done: FinishedWrite) -> Self {
        self.copies = done.copies;
        self.token = done.token;
        self
    }

    /// Says in an error what was done before it.
    pub(super) fn before(&self, error: Error, model: &'static ModelShape) -> Error {
        Error::PartlyUpdated {
            model: model.name,
            collection: model.collection,
            matched: self.matched,
            modified: self.modified,
            source: Box::new(error),
        }
    }

    /// Adds what a further part of the same write did.
    pub(super) fn add(&mut self, part: Self) {
        self.matched += part.matched;
        self.modified += part.modified;
        self.token.merge(part.token);
        for copies in part.copies {
            copies.merge_into(&mut self.copies);
        }
    }
}

/// An update of the first document that matches.
#[derive(Clone, Debug)]
pub(crate) struct UpdateOneWrite {
    pub(crate) update: BoundedUpdate,
    pub(crate) fan_out: FanOut,
}

impl Write for UpdateOneWrite {
    type Report = UpdateReport;

    fn model(&self) -> &'static ModelShape {
        self.update.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.update.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<UpdateReport>> {
        Box::pin(async move {
            let update = &self.update;
            let effects =
                Effects::of_update(update.model, &update.update, &self.fan_out, &exec).await?;
            let fan_out = self.fan_out.clone();
            let transaction = if update.needs_look() {
                Transaction::ForStatements
            } else {
                Transaction::ForEffects
            };
            let run = |(write, effects): (Self, Effects), exec| write.update(effects, exec);
            let (report, done) = drive((self, effects), fan_out, transaction, run, &exec).await?;
            Ok(report.with(done))
        })
    }
}

impl UpdateOneWrite {
    /// Updates the document, with what follows; in a transaction, unless there is nothing but the update.
    pub(super) async fn update(
        mut self,
        effects: Effects,
        exec: Exec,
    ) -> Result<Outcome<UpdateReport>> {
        if effects.must_precede(&exec) {
            let find = self.update.find().select(effects.images.projection());
            let before = exec.documents(find.first()).await?;
            effects.precede(&before, &exec).await?;
        }
        let prepared = effects
            .inbound
            .prepare(&mut self.update.update, &exec)
            .await?;
        if self.needs_look(&effects, &prepared) {
            return self.update_and_look(prepared, &effects, &exec).await;
        }
        self.update_blindly(prepared, &exec).await
    }

    /// Whether somebody has to look at the document: what the server says of the update is not enough then.
    fn needs_look(&self, effects: &Effects, prepared: &PreparedCopies) -> bool {
        let is_unknown = || id_in_filter(&self.update.filter).is_none();
        !effects.images.is_empty()
            || !effects.existing.is_empty()
            || !prepared.is_complete()
            || self.update.needs_look()
            // An `update` has no such option.
            || self.update.max_time.is_some()
            || (!effects.is_empty() && is_unknown())
    }

    async fn update_blindly(
        &self,
        prepared: PreparedCopies,
        exec: &Exec,
    ) -> Result<Outcome<UpdateReport>> {
        let report = UpdateReport::from(exec.send(self.update.one()).await?);
        if report.matched == 0 {
            self.update.refuse_without_room(exec).await?;
            return Ok(Outcome::of(report));
        }
        let mut outcome = Outcome::of(report);
        let id = id_in_filter(&self.update.filter);
        outcome.written = prepared.written(id.cloned().as_slice());
        Ok(outcome)
    }

    async fn update_and_look(
        &self,
        prepared: PreparedCopies,
        effects: &Effects,
        exec: &Exec,
    ) -> Result<Outcome<UpdateReport>> {
        let images = &effects.images;
        let Some(before) = exec.send(self.update.find_and_update()).await? else {
            self.update.refuse_without_room(exec).await?;
            return Ok(Outcome::of(UpdateReport::default()));
        };
        let after = match known_after(&before, &self.update.update) {
            Some(after) => Some(after),
            None => self.read_again(&before, effects, exec).await?,
        };
        let Some(after) = after else {
            return Ok(Outcome::of(UpdateReport::default()));
        };
        if self.update.needs_look() {
            self.update.refuse_exceeding(&after)?;
        }
        let existing = &effects.existing;
        let referred = (existing.held([&*before]), existing.held([&*after]));
        existing.require(&referred.0, &referred.1, exec).await?;
        let bypass = self.update.options.bypass_document_validation;
        let corrected = prepared.correct(&after, bypass, exec).await?;
        let is_modified = before != after || corrected.changed;
        let image = effects.image_now(&after, &corrected, exec).await?;
        let mut outcome = Outcome::of(UpdateReport::of_one(is_modified));
        outcome.written = corrected.written;
        let before = images.take(&before)?;
        let change = Change::new(
            effects.model.documents(),
            images,
            Some(&before),
            Some(&image),
        );
        let change = change.map(|it| it.after_correction(&outcome.written));
        let changes = change.into_iter().collect();
        outcome.followed = follow(changes, self.fan_out.how, exec).await?;
        Ok(outcome)
    }

    async fn read_again(
        &self,
        before: &RawDocumentBuf,
        effects: &Effects,
        exec: &Exec,
    ) -> Result<Option<RawDocumentBuf>> {
        let id = before.get("_id").ok().flatten();
        let id = id.and_then(|id| Bson::try_from(id).ok());
        let find = crate::client::command::FindCommand::new(effects.place(), doc! { "_id": id });
        Ok(exec.raw_documents(find.first()).await?.pop())
    }
}
