//! Sends the statements that write copies, and notes what copies them in turn.

use mongodb::{
    bson::{Bson, Document, doc},
    options::{AggregateOptions, FindOptions, Hint, UpdateOptions},
};

use super::{
    follow::{Change, entries},
    graph::Tie,
    images::Images,
    resolve::simple,
    statement::CopyUpdate,
};
use crate::{
    action::collect,
    error::Result,
    job::{Phase, record_all},
    odm::{Exec, Query, documents},
};

/// What a statement did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wrote {
    pub(crate) matched: u64,
    pub(crate) modified: u64,
}

impl Exec {
    /// Sends an update of copies.
    pub(crate) async fn copy(&self, update: CopyUpdate) -> Result<Wrote> {
        let written = self.run(move |database, session| {
            let collection = database.collection::<Document>(update.collection);
            Box::pin(async move {
                let mut options = UpdateOptions::default();
                options.array_filters =
                    Some(update.array_filters).filter(|filters| !filters.is_empty());
                options.collation = Some(simple());
                options.hint = update.hint.map(Hint::Keys);
                if session.is_none() {
                    options.write_concern = Some(mongodb::options::WriteConcern::majority());
                }
                let run = collection
                    .update_many(update.filter, update.update)
                    .with_options(options);
                match session {
                    Some(session) => run.session(session).await,
                    None => run.await,
                }
            })
        });
        let written = written.await?;
        Ok(Wrote {
            matched: written.matched_count,
            modified: written.modified_count,
        })
    }
}

/// Writes copies; documents whose copies are copied further get jobs of their own, in the same
/// transaction.
pub(crate) async fn write(tie: &Tie, update: CopyUpdate, exec: &Exec) -> Result<Wrote> {
    let followers = followers(tie, exec).await?;
    if followers.is_empty() {
        return exec.copy(update).await;
    }
    let (wrote, changes) = write_and_see(tie, followers, update, exec).await?;
    record_all(&entries(&changes), Phase::Run, exec).await?;
    Ok(wrote)
}

/// Lists the ties that copy what a tie writes, also those that only other programs declare.
pub(super) async fn followers(tie: &Tie, exec: &Exec) -> Result<Vec<&'static Tie>> {
    let mut followers = exec.foreign(tie.target.collection).await?;
    followers.retain(|next| tie.feeds(next));
    if tie.has_followers {
        followers.extend(tie.followers());
    }
    Ok(followers)
}

/// Writes copies and returns what changed for the copies of these copies.
pub(crate) async fn write_and_see(
    tie: &Tie,
    followers: Vec<&'static Tie>,
    update: CopyUpdate,
    exec: &Exec,
) -> Result<(Wrote, Vec<Change>)> {
    let collection = tie.target.collection;
    let images = Images { ties: followers };
    let ids = ids(&update, exec).await?;
    let before = images.by_ids(collection, &ids, exec).await?;
    let wrote = exec.copy(update).await?;
    let after = images.by_ids(collection, &ids, exec).await?;
    Ok((wrote, Change::between(collection, &images, before, &after)))
}

/// Lists the documents that an update of copies would change.
async fn ids(update: &CopyUpdate, exec: &Exec) -> Result<Vec<Bson>> {
    let mut options = FindOptions::default();
    options.projection = Some(doc! { "_id": 1 });
    options.hint = update.hint.clone().map(Hint::Keys);
    options.collation = Some(simple());
    options.batch_size = Some(100_000);
    let query = Query {
        collection: update.collection,
        filter: update.filter.clone(),
        options,
    };
    let found: Vec<Document> = collect(query, exec).await?;
    let ids = found.into_iter();
    Ok(ids.filter_map(|mut found| found.remove("_id")).collect())
}

/// Counts the documents that an update of copies would change, up to a limit.
///
/// An aggregation: the `count` command is refused in transactions.
pub(crate) async fn count(update: &CopyUpdate, limit: u64, exec: &Exec) -> Result<u64> {
    use futures_util::TryStreamExt;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let pipeline = vec![
        doc! { "$match": update.filter.clone() },
        doc! { "$limit": limit },
        doc! { "$count": "n" },
    ];
    let mut options = AggregateOptions::default();
    options.collation = Some(simple());
    options.hint = update.hint.clone().map(Hint::Keys);
    let batches = exec
        .aggregate(Some(update.collection), pipeline, options)
        .await?;
    let collection = update.collection;
    let counts = documents(batches, move |raw| {
        crate::codec::decode::<Document>(collection, raw)
    });
    let counts: Vec<Document> = counts.try_collect().await?;
    let count = counts.first().and_then(|it| match it.get("n") {
        Some(Bson::Int32(n)) => u64::try_from(*n).ok(),
        Some(Bson::Int64(n)) => u64::try_from(*n).ok(),
        _ => None,
    });
    Ok(count.unwrap_or(0))
}
