//! Updates a document or inserts it, in a transaction with what follows.

use mongodb::{
    bson::Bson,
    options::{FindOneAndUpdateOptions, ReturnDocument, UpdateModifications},
};

use super::{Duties, FanOut, finish::Outcome, insert::arrive, update::precede};
use crate::{
    action::{UpsertReport, Write},
    bound::check_stored,
    copy::{Change, Follow, follow},
    error::Result,
    odm::Exec,
};

/// Updates the document that matches, or inserts it.
pub(crate) async fn upsert(
    duties: Duties,
    write: Write,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<UpsertReport> {
    duties.ready(fan_out, exec).await?;
    let state = (duties, write, fan_out.how);
    let outcome = exec
        .together(state, |(duties, write, how), exec| {
            run(duties, write, how, exec)
        })
        .await?;
    let (mut report, copies) = outcome.finish(fan_out, exec).await;
    report.copies = copies;
    Ok(report)
}

async fn run(
    duties: Duties,
    mut write: Write,
    how: Follow,
    exec: Exec,
) -> Result<Outcome<UpsertReport>> {
    let (images, collection) = (&duties.images, duties.collection);
    let filter = write.filter.clone();
    let before = images
        .read(collection, filter, None, Some(-1), &exec)
        .await?
        .pop();
    precede(&duties, before.as_slice(), &exec).await?;
    let mut options = FindOneAndUpdateOptions::default();
    options.return_document = Some(ReturnDocument::After);
    let model = write.model;
    // An inserted document may have its keys from the filter: it tells them itself.
    let mut whole = UpdateModifications::Pipeline(Vec::new());
    let update = if before.is_some() {
        &mut write.update
    } else {
        &mut whole
    };
    let prepared = duties.own.prepare(update, &exec).await?;
    let stored = write.send_returning(options, &exec).await?;
    let matched = u64::from(before.is_some());
    let mut outcome = Outcome::of(UpsertReport {
        matched,
        modified: matched,
        ..UpsertReport::default()
    });
    let Some(stored) = stored else {
        return Ok(outcome);
    };
    if let Err(error) = check_stored(model, &stored) {
        exec.poison();
        return Err(error);
    }
    let corrected = prepared.correct(&stored, &exec).await?;
    let after = duties.image_now(&stored, &corrected, &exec).await?;
    outcome.written = corrected.written;
    if before.is_some() {
        let change = Change::new(collection, images, before.as_ref(), Some(&after));
        outcome.followed = follow(change.into_iter().collect(), how, &exec).await?;
    } else {
        let id = stored.get("_id").ok().flatten();
        outcome.value.upserted_id = id.and_then(|id| Bson::try_from(id).ok());
        if !images.is_empty() {
            (outcome.followed, outcome.arrived) = arrive(&duties, &[after], how, &exec).await?;
        }
    }
    Ok(outcome)
}
