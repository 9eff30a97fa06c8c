//! Updates one document.

use mongodb::bson::{Bson, doc};

use super::{
    BoundedUpdate,
    bounded_update::ExpectedVersion,
    conflict::{conflict, stored_version},
    document_effects::{id_of, write_effects},
    id_in_filter,
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
};
use crate::{
    client::{command::FindCommand, odm::Exec},
    derived::{
        after_commit::Outcome,
        follow::{Effects, PreparedCopies},
    },
    error::Result,
    query::update::known_after,
};

/// An update of the first document that matches a filter.
#[derive(Clone, Debug)]
pub(crate) struct UpdateOneWrite(pub(crate) BoundedUpdate);

impl Operation for UpdateOneWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        self.0.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        let transaction = if self.0.needs_look() {
            Transaction::Required
        } else {
            Transaction::None
        };
        Ok(Start::run(self.0.effects(exec).await?, transaction))
    }

    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let (model, expected) = (self.0.model, self.0.expected.clone());
        let outcome = update(self.0, effects, &exec).await?;
        let Some(ExpectedVersion { id, version }) = expected else {
            return Ok(outcome);
        };
        if outcome.value.matched > 0 || exec.is_paper() {
            return Ok(outcome);
        }
        match stored_version(model, &id, &exec).await? {
            // The version is the expected one, so another condition of the filter did not match.
            Some(found) if found == version => Ok(outcome),
            found => Err(conflict(model, id, version, found)),
        }
    }
}

/// Sends the statements of the update. If no document matches, the caller compares the versions.
async fn update(
    mut update: BoundedUpdate,
    effects: Effects,
    exec: &Exec,
) -> Result<Outcome<UpdateReport>> {
    if effects.must_precede(exec) {
        let find = update.find().select(effects.images.projection());
        let before = exec.documents(find.first()).await?;
        effects.precede(&before, exec).await?;
    }
    let inbound = &effects.inbound;
    let prepared = inbound.prepare(&mut update.update, exec).await?;
    if needs_look(&update, &effects, &prepared) {
        return update_and_look(&update, &prepared, &effects, exec).await;
    }
    let mut outcome = Outcome::new(UpdateReport::from(exec.send(update.one()).await?));
    if outcome.value.matched == 0 {
        update.refuse_without_room(exec).await?;
        return Ok(outcome);
    }
    let id = id_in_filter(&update.filter);
    outcome.written = prepared.written(id.cloned().as_slice());
    Ok(outcome)
}

/// Whether the write needs a `findAndModify`, because the reply of an `update` does not contain the document.
fn needs_look(update: &BoundedUpdate, effects: &Effects, prepared: &PreparedCopies) -> bool {
    let is_unknown = || id_in_filter(&update.filter).is_none();
    !effects.images.is_empty()
        || !effects.existing.is_empty()
        || !prepared.is_complete()
        || update.needs_look()
        // Only `findAndModify` accepts a time limit.
        || update.max_time.is_some()
        || (!effects.is_empty() && is_unknown())
}

async fn update_and_look(
    update: &BoundedUpdate,
    prepared: &PreparedCopies,
    effects: &Effects,
    exec: &Exec,
) -> Result<Outcome<UpdateReport>> {
    let nothing = Outcome::new(UpdateReport::default());
    let Some(before) = exec.send(update.find_and_update()).await? else {
        update.refuse_without_room(exec).await?;
        return Ok(nothing);
    };
    let mut after = known_after(&before, &update.update, update.model.version());
    if after.is_none() {
        let by_id = doc! { "_id": id_of(&before).unwrap_or(Bson::Null) };
        let find = FindCommand::new(effects.place(), by_id);
        after = exec.raw_documents(find.first()).await?.pop();
    }
    let Some(after) = after else {
        return Ok(nothing);
    };
    if update.needs_look() {
        update.refuse_exceeding(&after)?;
    }
    let outcome = write_effects(update, (Some(&before), &after), prepared, effects, exec).await?;
    Ok(outcome.map(UpdateReport::of_one))
}
