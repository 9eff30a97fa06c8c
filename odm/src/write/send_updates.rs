//! Sends the statements of an update of several documents.

use mongodb::bson::{Bson, RawDocument, doc};

use super::{BoundedUpdate, report::UpdateReport};
use crate::{
    client::{
        command::{FindCommand, and},
        odm::Exec,
    },
    derived::{
        after_commit::Outcome,
        follow::{Change, Effects, follow_many},
        values::{Image, key_condition},
    },
    error::Result,
};

/// Sends the update. Fails if the array of a matching document is full.
pub(super) async fn send(update: &BoundedUpdate, exec: &Exec) -> Result<UpdateReport> {
    update.refuse_guarded(exec).await?;
    let sent = exec.send(update.many()).await;
    Ok(sent.map_err(|error| update.explained(error))?.into())
}

/// Updates the documents that still match. `before` contains the images of the documents before the update.
pub(super) async fn update_documents(
    mut update: BoundedUpdate,
    effects: Effects,
    (ids, before): (Vec<Bson>, Vec<Image>),
    exec: Exec,
) -> Result<Outcome<UpdateReport>> {
    let (place, images, existing) = (effects.place(), &effects.images, &effects.existing);
    effects.precede(&before, &exec).await?;
    update.filter = and(update.exactly(&ids), update.filter);
    let prepared = effects.inbound.prepare(&mut update.update, &exec).await?;
    let referred_before = existing.stored(&place, &ids, &exec).await?;
    let mut outcome = Outcome::new(send(&update, &exec).await?);
    if update.needs_look() {
        update.refuse_exceeding_among(&ids, &exec).await?;
    }
    let referred = existing.stored(&place, &ids, &exec).await?;
    existing.require(&referred_before, &referred, &exec).await?;
    if prepared.is_complete() {
        outcome.written = prepared.written(&ids);
    } else {
        let bypass = update.options.bypass_document_validation;
        let whole = FindCommand::new(place.clone(), doc! { "_id": key_condition(&ids) });
        let stored = exec.raw_documents(whole.all()).await?;
        let stored: Vec<&RawDocument> = stored.iter().map(|raw| &**raw).collect();
        outcome.written = prepared.correct(&stored, bypass, &exec).await?.written;
    }
    // The images are read after the corrections, because other documents can copy the corrected fields.
    let after = images.by_ids(&place, &ids, &exec).await?;
    let changes = Change::between(effects.model.documents(), images, before, &after);
    let changes = changes.into_iter();
    let changes = changes.map(|it| it.after_correction(&outcome.written));
    let how = update.fan_out.how;
    outcome.followed = follow_many(changes.collect(), ids.len(), how, &exec).await?;
    Ok(outcome)
}
