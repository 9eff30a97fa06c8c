//! Sends the statements of an update of one document.

use mongodb::bson::{Bson, RawDocument, doc};

use super::{BoundedUpdate, id_in_filter, report::UpdateReport};
use crate::{
    client::{command::FindCommand, id_order::id_of, odm::Exec, place::Visibility},
    derived::{
        after_commit::Outcome,
        follow::{Effects, PreparedCopies},
    },
    error::Result,
    query::update::known_after,
};

/// Sends the statements of the update.
///
/// # Errors
///
/// [`Error::Conflict`](crate::Error::Conflict) if the stored document does not have the expected version.
pub(super) async fn update_expected(
    write: BoundedUpdate,
    effects: Effects,
    exec: &Exec,
) -> Result<Outcome<UpdateReport>> {
    let (model, expected) = (write.model, write.expected.clone());
    let outcome = update(write, effects, exec).await?;
    if let Some(expected) = expected.filter(|_| outcome.value.matched == 0) {
        expected.check(model, Visibility::Live, exec).await?;
    }
    Ok(outcome)
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
        update.refuse_guarded(exec).await?;
        return Ok(outcome);
    }
    let id = id_in_filter(&update.filter);
    outcome.written = prepared.written(id.cloned().as_slice());
    Ok(outcome)
}

/// Whether the write needs a `findAndModify`, because the server's reply to an `update` does not contain the document.
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
    let sent = exec.send(update.find_and_update()).await;
    let Some(before) = sent.map_err(|error| update.explained(error))? else {
        update.refuse_guarded(exec).await?;
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

/// Checks the references of a document, corrects its copies, and updates the documents that depend on it.
///
/// Returns whether the document has changed. A new document counts as changed.
pub(super) async fn write_effects(
    update: &BoundedUpdate,
    (before, stored): (Option<&RawDocument>, &RawDocument),
    prepared: &PreparedCopies,
    effects: &Effects,
    exec: &Exec,
) -> Result<Outcome<bool>> {
    let existing = &effects.existing;
    let referred = (existing.held(before), existing.held([stored]));
    existing.require(&referred.0, &referred.1, exec).await?;
    let bypass = update.options.bypass_document_validation;
    let corrected = prepared.correct(&[stored], bypass, exec).await?;
    let image = effects.image_now(stored, &corrected, exec).await?;
    let mut outcome = Outcome::new(before != Some(stored) || corrected.changed);
    outcome.written = corrected.written;
    let before = before.map(|raw| effects.images.take(raw)).transpose()?;
    let (after, how) = ([image], update.fan_out.how);
    let images = (before.as_ref(), after.as_slice());
    outcome.follow(effects, images, how, exec).await?;
    Ok(outcome)
}
