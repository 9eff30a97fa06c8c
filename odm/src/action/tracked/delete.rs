//! Deletes documents that others copy or refer to.

use mongodb::{
    bson::{Bson, Document, doc},
    options::FindOptions,
};

use super::{FanOut, finish::Outcome};
use crate::{
    action::DeleteReport,
    copy::{self, Follow, Images, graph, key_condition},
    error::Result,
    odm::{Exec, Query, each_document},
    shape::{ModelShape, OnDelete},
};

/// How many documents one transaction deletes.
const AT_ONCE: u32 = 500;

/// Whether a delete has something to look after.
pub(crate) async fn concerns(model: &ModelShape, exec: &Exec) -> Result<bool> {
    let mut rules = graph().rules(model.collection);
    Ok(!Images::of(model.collection).is_empty()
        || rules.any(|rule| rule.policy != OnDelete::Keep)
        || !exec.foreign(model.collection).await?.is_empty())
}

/// Deletes the documents that match, or the first of them, with what their references say.
pub(crate) async fn delete_many(
    collection: &'static str,
    filter: Document,
    many: bool,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<DeleteReport> {
    graph().check(collection)?;
    let ties = Images::of(collection).ties;
    exec.odm().ready_for(&ties, fan_out.force).await?;
    let state = (collection, filter, many, fan_out.how);
    if exec.in_transaction() || fan_out.how == Follow::Atomic || !many {
        let outcome = exec
            .together(state, |(collection, filter, many, how), exec| async move {
                let ids = ids(collection, filter, many, &exec).await?;
                part(collection, ids, how, exec).await
            })
            .await?;
        return Ok(report(outcome, fan_out, exec).await);
    }
    let mut total = DeleteReport::default();
    let (collection, filter, ..) = state;
    let mut batches = exec
        .find(query(collection, filter.clone(), None, AT_ONCE))
        .await?;
    while let Some(batch) = batches.next().await? {
        let ids = read_ids(&batch)?;
        if ids.is_empty() {
            continue;
        }
        // Those that still match when they are deleted.
        let filter = doc! { "$and": [{ "_id": key_condition(&ids) }, filter.clone()] };
        let state = (collection, filter, fan_out.how);
        let outcome = exec
            .together(state, |(collection, filter, how), exec| async move {
                let ids = self::ids(collection, filter, true, &exec).await?;
                part(collection, ids, how, exec).await
            })
            .await?;
        let part = report(outcome, fan_out, exec).await;
        total.deleted += part.deleted;
        for copies in part.copies {
            copies.merge_into(&mut total.copies);
        }
    }
    Ok(total)
}

async fn part(
    collection: &'static str,
    ids: Vec<Bson>,
    how: Follow,
    exec: Exec,
) -> Result<Outcome<u64>> {
    if ids.is_empty() {
        return Ok(Outcome::of(0));
    }
    let (deleted, followed) = copy::delete(collection, ids, how, &exec).await?;
    let mut outcome = Outcome::of(deleted);
    outcome.followed = followed;
    Ok(outcome)
}

async fn report(outcome: Outcome<u64>, fan_out: &FanOut, exec: &Exec) -> DeleteReport {
    let (deleted, copies) = outcome.finish(fan_out, exec).await;
    DeleteReport { deleted, copies }
}

fn query(collection: &'static str, filter: Document, limit: Option<i64>, batch: u32) -> Query {
    let mut options = FindOptions::default();
    options.projection = Some(doc! { "_id": 1 });
    (options.limit, options.batch_size) = (limit, Some(batch));
    Query {
        collection,
        filter,
        options,
    }
}

async fn ids(
    collection: &'static str,
    filter: Document,
    many: bool,
    exec: &Exec,
) -> Result<Vec<Bson>> {
    let limit = (!many).then_some(-1);
    let mut batches = exec.find(query(collection, filter, limit, 100_000)).await?;
    let mut ids = Vec::new();
    while let Some(batch) = batches.next().await? {
        ids.extend(read_ids(&batch)?);
    }
    Ok(ids)
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
