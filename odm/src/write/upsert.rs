//! Updates a document, or inserts it if no document matches.

use super::{
    BoundedUpdate,
    document_effects::{id_of, write_effects},
    operation::{Common, Operation, Start, Transaction},
    report::UpsertReport,
};
use crate::{
    client::odm::Exec,
    derived::{after_commit::Outcome, follow::Effects},
    error::Result,
};

/// An update of one document that matches a filter, or an insert if none matches.
#[derive(Clone, Debug)]
pub(crate) struct UpsertWrite(pub(crate) BoundedUpdate);

impl Operation for UpsertWrite {
    type Report = UpsertReport;

    fn common(&self) -> Common<'_> {
        self.0.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpsertReport>> {
        let update = &self.0;
        let effects = Effects::of_write(update.model, &update.fan_out, exec).await?;
        effects.inbound.refuse_direct(&update.update)?;
        if !effects.is_empty() || !update.is_safe() {
            return Ok(Start::run(effects, Transaction::Required));
        }
        Ok(Start::Done(exec.send(update.one()).await?.into()))
    }

    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpsertReport>> {
        let mut update = self.0;
        let found = exec.raw_documents(update.find().first()).await?.pop();
        if let Some(id) = found.as_deref().and_then(id_of) {
            // If several documents match, the write must change the one that was read.
            update.pin(id);
        }
        let before = found.as_ref().map(|raw| effects.images.take(raw));
        let before = before.transpose()?;
        effects.precede(before.as_slice(), &exec).await?;
        let inbound = &effects.inbound;
        let prepared = if found.is_some() {
            inbound.prepare(&mut update.update, &exec).await?
        } else {
            inbound.of_inserted()
        };
        // The filter does not contain the guard, because the guard would make the server insert a second document.
        // `refuse_exceeding` checks the bounds.
        let mut write = update.find_and_update().return_new();
        write.filter = update.filter.clone();
        let Some(stored) = exec.send(write).await? else {
            return Ok(Outcome::new(UpsertReport::default()));
        };
        update.refuse_exceeding(&stored)?;
        let documents = (found.as_deref(), &*stored);
        let outcome = write_effects(&update, documents, &prepared, &effects, &exec).await?;
        Ok(outcome.map(|is_modified| {
            let mut report = UpsertReport::default();
            if found.is_some() {
                report.matched = 1;
                report.modified = is_modified.into();
            } else {
                report.upserted_id = id_of(&stored);
            }
            report
        }))
    }
}
