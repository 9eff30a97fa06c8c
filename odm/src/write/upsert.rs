//! Updates a document, or inserts it if no document matches.

use super::{
    BoundedUpdate,
    conflict::explained,
    hooked_update::{committed, inserted_after_hook},
    operation::{Common, Operation, Start, Transaction},
    report::UpsertReport,
    send_update::write_effects,
};
use crate::{
    client::{command::UpdateCommand, id_order::id_of, odm::Exec},
    derived::{after_commit::Outcome, follow::Effects},
    error::{Error, Result},
    hook::Committed,
};

/// An update of one document that matches a filter, or an insert if none matches.
#[derive(Clone, Debug)]
pub(crate) struct UpsertWrite(pub(crate) BoundedUpdate);

impl UpsertWrite {
    /// Returns the upsert as one statement, or `None` if it needs further statements.
    pub(super) async fn statement(&self, exec: &Exec) -> Result<Option<UpdateCommand>> {
        let is_one = self.effects(exec).await?.is_empty() && !self.needs_transaction();
        Ok(is_one.then(|| self.0.one()))
    }

    async fn effects(&self, exec: &Exec) -> Result<Effects> {
        let update = &self.0;
        let effects = Effects::of_write(update.model, &update.fan_out, exec).await?;
        effects.inbound.refuse_direct(&update.update)?;
        Ok(effects)
    }

    /// Whether the write calls hooks, or checks a bound after the update.
    fn needs_transaction(&self) -> bool {
        !self.0.is_safe() || self.0.model_hooks().is_some()
    }
}

impl Operation for UpsertWrite {
    type Report = UpsertReport;

    fn common(&self) -> Common<'_> {
        self.0.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpsertReport>> {
        let (update, effects) = (&self.0, self.effects(exec).await?);
        if self.needs_transaction() {
            return Ok(Start::Run(effects, Transaction::Required));
        }
        if !effects.is_empty() {
            return Ok(Start::Run(effects, Transaction::IfSupported));
        }
        match exec.send(update.one()).await {
            Ok(updated) => Ok(Start::Done(updated.into())),
            Err(error) => Err(deleted_instead(update, error, exec).await),
        }
    }

    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpsertReport>> {
        let mut update = self.0;
        let mut found = exec.raw_documents(update.find().first()).await?.pop();
        if let Some(id) = found.as_deref().and_then(id_of) {
            // If several documents match, the write must change the document that was read.
            update.pin(id);
        }
        let hooks = update.model_hooks();
        if let (Some(hooks), Some(stored)) = (&hooks, &found) {
            update = update.after_hook(hooks, stored, &exec).await?;
            if update.is_empty() {
                return Ok(Outcome::new(UpsertReport::of_one(false)));
            }
            if hooks.has.before_update && !effects.images.is_empty() {
                // The writes of the hook can have changed the summaries of the document.
                found = exec.raw_documents(update.find().first()).await?.pop();
            }
        }
        let before = found.as_ref().map(|raw| effects.images.take(raw));
        let before = before.transpose()?;
        effects.precede(before.as_slice(), &exec).await?;
        let prepared = if found.is_some() {
            // An update of a stored document affects only the copies and summaries that it writes.
            let inbound = effects.inbound.clone().touched_by(&update.update);
            inbound.prepare(&mut update.update, &exec).await?
        } else {
            effects.inbound.of_inserted()
        };
        // The filter does not contain the guard, because the guard would make the server insert a second document.
        // `refuse_exceeding` checks the bounds.
        let mut write = update.find_and_update().return_new();
        write.filter = update.filter.clone();
        let mut stored = match exec.send(write).await {
            Ok(Some(stored)) => stored,
            Ok(None) => return Ok(Outcome::new(UpsertReport::default())),
            Err(error) => {
                let error = update.explained(error);
                return Err(deleted_instead(&update, error, &exec).await);
            }
        };
        if let (Some(hooks), None) = (&hooks, &found) {
            let inserted = (stored, &effects);
            stored = inserted_after_hook(hooks, &update, inserted, &exec).await?;
        }
        // An array of the stored document may already be too long, if `max` was lowered.
        if found.is_none() || update.is_bounded() {
            update.refuse_exceeding(&stored)?;
        }
        let documents = (found.as_deref(), &*stored);
        let mut outcome = write_effects(&update, documents, &prepared, &effects, &exec).await?;
        if let Some(hooks) = &hooks {
            let write = found
                .as_ref()
                .map_or(Committed::Inserted, |_| Committed::Updated);
            let ids = id_of(&stored);
            outcome.committed = committed(hooks, write, ids.as_slice(), &exec).await?;
        }
        Ok(outcome.map(|is_modified| {
            if found.is_some() {
                return UpsertReport::of_one(is_modified);
            }
            let mut report = UpsertReport::default();
            report.upserted_id = id_of(&stored);
            report
        }))
    }
}

/// Returns the error for an upsert whose document is deleted, or the given error if the document is not deleted.
async fn deleted_instead(update: &BoundedUpdate, error: Error, exec: &Exec) -> Error {
    let matched = (&update.place(), &update.filter);
    explained(update.model, matched, error, exec).await
}
