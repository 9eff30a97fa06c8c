//! Updates a document or inserts it.

use futures_util::future::BoxFuture;
use mongodb::{bson::Bson, options::WriteConcern};

use super::{
    BoundedUpdate,
    after::Outcome,
    driver::{Transaction, drive},
};
use crate::{
    client::odm::{Exec, Write},
    derived::{
        follow::{Change, Effects, FanOut, arrive, follow},
        outbox::Token,
        values::CopyReport,
    },
    error::Result,
    model::shape::ModelShape,
};

/// What an upsert did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UpsertReport {
    /// How many documents matched the filter: 0 or 1.
    pub matched: u64,
    /// How many of them are others than before.
    pub modified: u64,
    /// The `_id` of the inserted document, if none matched.
    pub upserted_id: Option<Bson>,
    /// What it did to the copies of the document, for each relation.
    pub copies: Vec<CopyReport>,
    pub(super) token: Token,
}

impl UpsertReport {
    /// Returns what the write has left to be done later; [`Odm::wait`](crate::Odm::wait) waits for it.
    pub const fn token(&self) -> &Token {
        &self.token
    }
}

/// An update of the document that matches, or an insert.
#[derive(Clone, Debug)]
pub(crate) struct UpsertWrite {
    pub(crate) update: BoundedUpdate,
    pub(crate) fan_out: FanOut,
}

impl Write for UpsertWrite {
    type Report = UpsertReport;

    fn model(&self) -> &'static ModelShape {
        self.update.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.update.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<UpsertReport>> {
        Box::pin(async move {
            let effects = Effects::of_write(self.update.model, &self.fan_out, &exec).await?;
            effects.inbound.refuse_direct(&self.update.update)?;
            if effects.is_empty() && self.update.is_safe() {
                return self.send(&exec).await;
            }
            let fan_out = self.fan_out.clone();
            let run = |(write, effects): (Self, Effects), exec| write.upsert(effects, exec);
            let (mut report, done) = drive(
                (self, effects),
                fan_out,
                Transaction::ForStatements,
                run,
                &exec,
            )
            .await?;
            report.copies = done.copies;
            report.token = done.token;
            Ok(report)
        })
    }
}

impl UpsertWrite {
    async fn send(&self, exec: &Exec) -> Result<UpsertReport> {
        let done = exec.send(self.update.one()).await?;
        Ok(UpsertReport {
            matched: done.matched,
            modified: done.modified,
            upserted_id: done.upserted_id,
            ..UpsertReport::default()
        })
    }

    async fn upsert(mut self, effects: Effects, exec: Exec) -> Result<Outcome<UpsertReport>> {
        let images = &effects.images;
        let found = exec.raw_documents(self.update.find().first()).await?.pop();
        if let Some(id) = found.as_ref().and_then(|raw| raw.get("_id").ok()?) {
            // Of several that match, the one that was read is the one that is written.
            self.update
                .pin(Bson::try_from(id).map_err(mongodb::error::Error::from)?);
        }
        let before = found.as_ref().map(|raw| images.take(raw)).transpose()?;
        effects.precede(before.as_slice(), &exec).await?;
        let inbound = &effects.inbound;
        let prepared = if found.is_some() {
            inbound.prepare(&mut self.update.update, &exec).await?
        } else {
            inbound.of_inserted()
        };
        let mut outcome = Outcome::of(UpsertReport::default());
        // A guard in the filter would make the server insert a second document: bounds are checked after.
        let write = self.update.unguarded_find_and_update().return_new();
        let Some(stored) = exec.send(write).await? else {
            return Ok(outcome);
        };
        self.update.refuse_exceeding(&stored)?;
        let existing = &effects.existing;
        let referred_before = existing.held(found.iter().map(|raw| &**raw));
        existing
            .require(&referred_before, &existing.held([&*stored]), &exec)
            .await?;
        let bypass = self.update.options.bypass_document_validation;
        let corrected = prepared.correct(&stored, bypass, &exec).await?;
        let after = effects.image_now(&stored, &corrected, &exec).await?;
        outcome.written = corrected.written;
        let how = self.fan_out.how;
        if let Some(found) = &found {
            outcome.value.matched = 1;
            outcome.value.modified = (*found != stored || corrected.changed).into();
            let documents = effects.model.documents();
            let change = Change::new(documents, images, before.as_ref(), Some(&after));
            let change = change.map(|it| it.after_correction(&outcome.written));
            outcome.followed = follow(change.into_iter().collect(), how, &exec).await?;
        } else {
            let id = stored.get("_id").ok().flatten();
            outcome.value.upserted_id = id.and_then(|id| Bson::try_from(id).ok());
            (outcome.followed, outcome.arrived) =
                arrive(&effects, &[after], &outcome.written, how, &exec).await?;
        }
        Ok(outcome)
    }
}
