//! Updates many documents, some at a time, each part in a transaction with what follows.

use mongodb::{
    bson::{Bson, Document, doc},
    options::FindOptions,
};

use super::{Duties, FanOut, finish::Outcome, update::precede};
use crate::{
    action::{UpdateReport, Write},
    copy::{Change, Follow, follow, key_condition},
    error::Result,
    odm::{Exec, Query, each_document},
};

/// How many documents one transaction updates.
const AT_ONCE: u32 = 500;

/// Updates all documents that match: atomic for each part of 500, and as a whole in a transaction of
/// the caller or with `atomic`.
pub(crate) async fn update_many(
    duties: Duties,
    write: Write,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<UpdateReport> {
    duties.ready(fan_out, exec).await?;
    let how = fan_out.how;
    if exec.in_transaction() || how == Follow::Atomic {
        let outcome = exec
            .together(
                (duties, write, how),
                |(duties, write, how), exec| async move {
                    let ids = all_ids(&write, &exec).await?;
                    part(duties, write, ids, how, exec).await
                },
            )
            .await?;
        return Ok(report(outcome, fan_out, exec).await);
    }
    let mut total = UpdateReport::default();
    let mut batches = exec.find(ids_of(&write, AT_ONCE)).await?;
    while let Some(batch) = batches.next().await? {
        let ids = read_ids(&batch)?;
        if ids.is_empty() {
            continue;
        }
        let state = (duties.clone(), write.clone(), ids, how);
        let outcome = exec
            .together(state, |(duties, write, ids, how), exec| {
                part(duties, write, ids, how, exec)
            })
            .await?;
        total.add(report(outcome, fan_out, exec).await);
    }
    Ok(total)
}

async fn report(outcome: Outcome<UpdateReport>, fan_out: &FanOut, exec: &Exec) -> UpdateReport {
    let (mut report, copies) = outcome.finish(fan_out, exec).await;
    report.copies = copies;
    report
}

impl UpdateReport {
    fn add(&mut self, part: Self) {
        self.matched += part.matched;
        self.modified += part.modified;
        for copies in part.copies {
            copies.merge_into(&mut self.copies);
        }
    }
}

fn ids_of(write: &Write, batch: u32) -> Query {
    let mut options = FindOptions::default();
    options.projection = Some(doc! { "_id": 1 });
    options.sort = Some(doc! { "_id": 1 });
    options.batch_size = Some(batch);
    Query {
        collection: write.model.collection,
        filter: write.filter.clone(),
        options,
    }
}

fn read_ids(batch: &mongodb::raw_batch_cursor::RawBatch) -> Result<Vec<Bson>> {
    let mut ids = Vec::new();
    each_document(batch, |found| {
        let found = Document::try_from(found).map_err(mongodb::error::Error::from)?;
        ids.extend(found.get("_id").cloned());
        Ok(())
    })?;
    Ok(ids)
}

async fn all_ids(write: &Write, exec: &Exec) -> Result<Vec<Bson>> {
    let mut ids = Vec::new();
    let mut batches = exec.find(ids_of(write, 100_000)).await?;
    while let Some(batch) = batches.next().await? {
        ids.extend(read_ids(&batch)?);
    }
    Ok(ids)
}

/// Updates those of some documents that still match.
async fn part(
    duties: Duties,
    mut write: Write,
    ids: Vec<Bson>,
    how: Follow,
    exec: Exec,
) -> Result<Outcome<UpdateReport>> {
    let collection = duties.collection;
    let before = duties.images.by_ids(collection, &ids, &exec).await?;
    precede(&duties, &before, &exec).await?;
    write.filter = doc! { "$and": [{ "_id": key_condition(&ids) }, write.filter] };
    let prepared = duties.own.prepare(&mut write.update, &exec).await?;
    let mut outcome = Outcome::of(super::super::update::send_many(write, &exec).await?);
    if prepared.is_complete() {
        outcome.written = prepared.written(&ids);
    } else {
        for document in &whole(collection, &ids, &exec).await? {
            let corrected = prepared.correct(document, &exec).await?;
            outcome.written.extend(corrected.written);
        }
    }
    // After the corrections, which are changes for the copies of these copies.
    let after = duties.images.by_ids(collection, &ids, &exec).await?;
    let changes = Change::between(collection, &duties.images, before, &after);
    outcome.followed = follow(changes, how, &exec).await?;
    Ok(outcome)
}

async fn whole(
    collection: &'static str,
    ids: &[Bson],
    exec: &Exec,
) -> Result<Vec<mongodb::bson::RawDocumentBuf>> {
    let mut options = FindOptions::default();
    options.batch_size = Some(100_000);
    let query = Query {
        collection,
        filter: doc! { "_id": key_condition(ids) },
        options,
    };
    crate::action::collect(query, exec).await
}
