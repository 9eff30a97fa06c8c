//! Replaces whole documents, and fills their copies from the sources.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf},
    options::ReplaceOptions,
};

use super::{
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
};
use crate::{
    client::{
        command::{FindCommand, ReplaceCommand, Rows},
        odm::Exec,
    },
    derived::{
        after_commit::Outcome,
        follow::{Effects, FanOut, ReferredKeys},
    },
    error::Result,
    model::shape::ModelShape,
};

/// A write of a whole document.
#[derive(Clone, Debug)]
pub(crate) struct SaveWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) id: Bson,
    pub(crate) document: RawDocumentBuf,
    pub(crate) options: ReplaceOptions,
    pub(crate) fan_out: FanOut,
}

impl Operation for SaveWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        Common {
            model: self.model,
            write_concern: self.options.write_concern.as_ref(),
            fan_out: &self.fan_out,
        }
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        let effects = Effects::of_write(self.model, &self.fan_out, exec).await?;
        Ok(Start::run(effects, Transaction::None))
    }

    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let (place, images, existing) = (effects.place(), &effects.images, &effects.existing);
        let filter = place.filter_of_document(self.id.clone(), &self.document);
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
        // The images are read from the filled document, because the copies in the struct may be old.
        let after = images.take_all(&rows)?;
        let referred = existing.held(rows.iter().map(|raw| &**raw));
        let referred_before = if referred.is_empty() {
            ReferredKeys::default()
        } else {
            existing.stored(&place, &ids, &exec).await?
        };
        let document = rows.iter().next().cloned().unwrap_or_default();
        let mut replace = ReplaceCommand::one(place, filter, document);
        replace.options = self.options;
        let replaced = exec.send(replace).await?;
        let is_stored = replaced.matched == 1 || replaced.upserted_id.is_some();
        let mut outcome = Outcome::new(UpdateReport::from(replaced));
        if !is_stored {
            return Ok(outcome);
        }
        existing.require(&referred_before, &referred, &exec).await?;
        let (images, how) = ((before.as_ref(), after.as_slice()), self.fan_out.how);
        outcome.follow(&effects, images, how, &exec).await?;
        // The values were read before the write, so `follow` must not treat them as a correction.
        outcome.written = written;
        Ok(outcome)
    }
}

/// Whether the document is already stored. Sends one `find`, but only if snapshots depend on the answer and no other
/// read provides it.
async fn is_stored(effects: &Effects, filter: &Document, exec: &Exec) -> Result<bool> {
    if effects.inbound.snapshots.is_empty() || !effects.images.is_empty() {
        return Ok(false);
    }
    exec.any(FindCommand::new(effects.place(), filter.clone()))
        .await
}
