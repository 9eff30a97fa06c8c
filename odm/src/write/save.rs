//! Replaces whole documents, and fills their copies from the sources.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf},
    options::ReplaceOptions,
};

use super::{
    conflict::{conflict, stored_version},
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
    query::maintained::{has_version, keep_stored},
};

/// A write of a whole document.
#[derive(Clone, Debug)]
pub(crate) struct SaveWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) id: Bson,
    pub(crate) document: RawDocumentBuf,
    /// The fields that keep their stored values. Their values in `document` are used only if no values are stored.
    pub(crate) kept: Vec<&'static str>,
    /// The stored name of the version field, and the version that the stored document must have.
    pub(crate) version: Option<(&'static str, i64)>,
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

    async fn apply(mut self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let (place, images, existing) = (effects.place(), &effects.images, &effects.existing);
        let filter = place.filter_of_document(self.id.clone(), &self.document);
        let is_loaded = self.version.is_some_and(|(_, version)| version > 0);
        if is_loaded {
            // If a loaded document has been deleted, the save must not insert it again.
            self.options.upsert = Some(false);
        }
        let ids = [self.id];
        let before = images.by_ids(&place, &ids, &exec).await?.pop();
        let mut rows = Rows::new(vec![self.document]);
        if let Some(stored) = &before {
            rows.change(|document| place.keep_links(document, stored))?;
            rows.change(|document| keep_stored(document, stored, &self.kept))?;
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
        replace.kept = self.kept;
        match self.version {
            Some((field, version)) if is_loaded => {
                replace.filter.extend(has_version(field, version));
            }
            version => replace.unversioned = version.map(|(field, _)| field),
        }
        replace.options = self.options;
        let replaced = exec.send(replace).await?;
        let is_stored = replaced.matched == 1 || replaced.upserted_id.is_some();
        if let Some((_, expected)) = self.version {
            // A successful write always changes the version.
            let is_changed = replaced.modified == 1 || replaced.upserted_id.is_some();
            if !is_changed && (is_stored || is_loaded) {
                let [id] = ids;
                let found = stored_version(self.model, &id, &exec).await?;
                return Err(conflict(self.model, id, expected, found));
            }
        }
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
