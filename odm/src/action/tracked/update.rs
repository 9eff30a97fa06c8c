//! Updates one document, in a transaction with what follows.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{FindOneAndUpdateOptions, FindOptions, ReturnDocument},
};

use super::{Duties, FanOut, finish::Outcome};
use crate::{
    action::{UpdateReport, Write, collect},
    bound::{BoundCheck, check_stored},
    copy::{Change, Follow, Image, entries, follow},
    error::Result,
    job::{Phase, record_all},
    odm::{Exec, Query},
};

/// Updates one document.
pub(crate) async fn update_one(
    duties: Duties,
    write: Write,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<UpdateReport> {
    duties.ready(fan_out, exec).await?;
    let update = Update {
        duties,
        write,
        sort: None,
        how: fan_out.how,
    };
    let outcome = exec.together(update, Update::run).await?;
    let (updated, copies) = outcome.finish(fan_out, exec).await;
    let matched = u64::from(updated.is_some());
    Ok(UpdateReport {
        matched,
        // What `findAndModify` returns does not say whether anything changed.
        modified: matched,
        copies,
    })
}

/// Updates the first document and returns it, before or after the update.
pub(crate) async fn find_and_update(
    duties: Duties,
    write: Write,
    options: FindOneAndUpdateOptions,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<Option<RawDocumentBuf>> {
    duties.ready(fan_out, exec).await?;
    let update = Update {
        duties,
        write,
        sort: options.sort.clone(),
        how: fan_out.how,
    };
    let outcome = exec
        .together((update, options), |(update, options), exec| async move {
            Box::pin(update.run_and_read(options, exec)).await
        })
        .await?;
    Ok(outcome.finish(fan_out, exec).await.0)
}

#[derive(Clone, Debug)]
struct Update {
    duties: Duties,
    write: Write,
    sort: Option<Document>,
    how: Follow,
}

impl Update {
    async fn run(self, exec: Exec) -> Result<Outcome<Option<Bson>>> {
        // What nobody copies needs no look before it changes.
        if self.duties.images.is_empty() {
            return self.run_on(None, exec).await;
        }
        match self.first(&exec).await? {
            Some(before) => self.run_on(Some(before), exec).await,
            None => Ok(Outcome::of(None)),
        }
    }

    /// Finds the document that is to be updated, as it is before.
    async fn first(&self, exec: &Exec) -> Result<Option<Image>> {
        let (filter, sort) = (self.write.filter.clone(), self.sort.clone());
        let images = &self.duties.images;
        let found = images.read(self.duties.collection, filter, sort, Some(-1), exec);
        Ok(found.await?.pop())
    }

    async fn run_on(self, before: Option<Image>, exec: Exec) -> Result<Outcome<Option<Bson>>> {
        let Self {
            duties,
            mut write,
            how,
            ..
        } = self;
        if let Some(id) = before.as_ref().and_then(|before| before.get("_id")) {
            // The filter stays: a positional `$` refers to what it matches. An `_id` alone is found
            // without planning.
            let by_id = doc! { "_id": id.clone() };
            if write.filter != by_id {
                write.filter = doc! { "$and": [by_id, write.filter] };
            }
        }
        precede(&duties, before.as_slice(), &exec).await?;
        let prepared = duties.own.prepare(&mut write.update, &exec).await?;
        let Some(after) = updated(&write, &exec).await? else {
            return Ok(Outcome::of(None));
        };
        let corrected = prepared.correct(&after, &exec).await?;
        let after = duties.image_now(&after, &corrected, &exec).await?;
        let mut outcome = Outcome::of(after.get("_id").cloned());
        outcome.written = corrected.written;
        if let Some(before) = &before {
            let (collection, images) = (duties.collection, &duties.images);
            let change = Change::new(collection, images, Some(before), Some(&after));
            outcome.followed = follow(change.into_iter().collect(), how, &exec).await?;
        }
        Ok(outcome)
    }

    async fn run_and_read(
        self,
        options: FindOneAndUpdateOptions,
        exec: Exec,
    ) -> Result<Outcome<Option<RawDocumentBuf>>> {
        let Some(before) = self.first(&exec).await? else {
            return Ok(Outcome::of(None));
        };
        let mut find = FindOptions::default();
        (find.limit, find.projection) = (Some(-1), options.projection);
        let query = Query {
            collection: self.duties.collection,
            filter: doc! { "_id": before.get("_id").cloned() },
            options: find,
        };
        let wants_new = matches!(options.return_document, Some(ReturnDocument::After));
        let old = if wants_new {
            None
        } else {
            collect_raw(query.clone(), &exec).await?
        };
        let outcome = self.run_on(Some(before), exec.clone()).await?;
        let found = match &outcome.value {
            Some(_) if wants_new => collect_raw(query, &exec).await?,
            Some(_) => old,
            None => None,
        };
        Ok(Outcome {
            value: found,
            followed: outcome.followed,
            written: outcome.written,
            arrived: outcome.arrived,
        })
    }
}

async fn collect_raw(query: Query, exec: &Exec) -> Result<Option<RawDocumentBuf>> {
    Ok(collect(query, exec).await?.pop())
}

/// Sends the update and returns the whole document after it. One that would exceed a bound is refused:
/// by its filter where that can tell, else by a look at the document and a rollback.
async fn updated(write: &Write, exec: &Exec) -> Result<Option<RawDocumentBuf>> {
    let mut options = FindOneAndUpdateOptions::default();
    options.return_document = Some(ReturnDocument::After);
    let guarded = write.clone().guarded();
    let updated = guarded.send_returning(options, exec).await?;
    match (&updated, write.check()) {
        (None, BoundCheck::Guarded(_)) => {
            if let Some(error) = write.blocking_bound(exec).await? {
                return Err(error);
            }
        }
        (Some(document), BoundCheck::AfterImage) => {
            if let Err(error) = check_stored(write.model, document) {
                exec.poison();
                return Err(error);
            }
        }
        _ => {}
    }
    Ok(updated)
}

/// Writes the jobs before their sources where there is no transaction: a crash in between leaves jobs
/// that find nothing to do, and never a source without one.
pub(super) async fn precede(duties: &Duties, before: &[Image], exec: &Exec) -> Result<()> {
    if exec.in_transaction() || duties.images.is_empty() {
        return Ok(());
    }
    let changes = before
        .iter()
        .filter_map(|image| Change::announced(duties.collection, &duties.images, image));
    record_all(&entries(&changes.collect::<Vec<_>>()), Phase::Run, exec).await
}
