//! The effects of a write that has stored one document.

use mongodb::bson::RawDocument;

use super::BoundedUpdate;
use crate::{
    client::odm::Exec,
    derived::{
        after_commit::Outcome,
        follow::{Effects, PreparedCopies},
    },
    error::Result,
};

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
