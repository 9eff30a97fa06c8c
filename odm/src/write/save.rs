//! Writes whole documents over stored ones; their copies get the values of their sources.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, Document, RawDocumentBuf},
    options::{ReplaceOptions, WriteConcern},
};

use super::{
    UpdateReport,
    after::Outcome,
    driver::{Transaction, drive},
};
use crate::{
    client::{
        command::{FindCommand, ReplaceCommand, Rows},
        odm::{Exec, Write},
    },
    derived::follow::{Change, Effects, FanOut, Referred, arrive, follow},
    error::Result,
    model::shape::ModelShape,
};

/// A document that is written as a whole.
#[derive(Clone, Debug)]
pub(crate) struct SaveWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) id: Bson,
    pub(crate) document: RawDocumentBuf,
    pub(crate) options: ReplaceOptions,
    pub(crate) fan_out: FanOut,
}

impl Write for SaveWrite {
    type Report = UpdateReport;

    fn model(&self) -> &'static ModelShape {
        self.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<UpdateReport>> {
        Box::pin(async move {
            let effects = Effects::of_write(self.model, &self.fan_out, &exec).await?;
            let fan_out = self.fan_out.clone();
            let run = |(write, effects): (Self, Effects), exec| write.replace(effects, exec);
            let (report, done) = drive(
                (self, effects),
                fan_out,
                Transaction::ForEffects,
                run,
                &exec,
            )
            .await?;
            Ok(report.with(done))
        })
    }
}

impl SaveWrite {
    async fn replace(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let (place, images) = (effects.place(), &effects.images);
        let filter = place.one(self.id.clone(), &self.document);
        let ids = [self.id];
        let before = images.by_ids(&place, &ids, &exec).await?.pop();
        let mut rows = Rows::new(vec![self.document]);
        if let Some(stored) = &before {
            rows.change(|document| place.keep_links(document, stored))?;
        }
        let new = self.options.upsert == Some(true)
            && before.is_none()
            && !is_stored(&effects, &filter, &exec).await?;
        let written = effects.inbound.fill(&mut rows, new, &exec).await?;
        effects.precede(before.as_slice(), &exec).await?;
        // What is stored, not what the struct held: its copies may be old.
        let after = images.take_all(&rows)?;
        let (existing, referred) = (
            &effects.existing,
            effects.existing.held(rows.iter().map(|raw| &**raw)),
        );
        let referred_before = if referred.is_empty() {
            Referred::default()
        } else {
            existing.stored(&place, &ids, &exec).await?
        };
        let document = rows.iter().next().cloned().unwrap_or_default();
        let mut replace = ReplaceCommand::one(place, filter, document);
        replace.options = self.options;
        let replaced = exec.send(replace).await?;
        let is_stored = replaced.matched == 1 || replaced.upserted_id.is_some();
        let mut outcome = Outcome::of(UpdateReport::from(replaced));
        if !is_stored {
            return Ok(outcome);
        }
        existing.require(&referred_before, &referred, &exec).await?;
        outcome.written = written;
        let how = self.fan_out.how;
        if before.is_some() {
            let documents = effects.model.documents();
            let change = Change::new(documents, images, before.as_ref(), after.first());
            outcome.followed = follow(change.into_iter().collect(), how, &exec).await?;
        } else {
            (outcome.followed, outcome.arrived) = arrive(&effects, &after, &[], how, &exec).await?;
        }
        Ok(outcome)
    }
}

/// Whether the document is there: one `find` if only that is asked.
async fn is_stored(effects: &Effects, filter: &Document, exec: &Exec) -> Result<bool> {
    if effects.inbound.snapshots.is_empty() || !effects.images.is_empty() {
        return Ok(false);
    }
    exec.any(FindCommand::new(effects.place(), filter.clone()))
        .await
}
