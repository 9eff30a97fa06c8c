//! Sends the statements that write copies, and determines which further copies depend on the written copies.

use std::collections::HashSet;
use std::sync::Arc;

use mongodb::{
    bson::{Bson, Document, doc},
    options::Hint,
};

use super::source_change::{Change, entries};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{AggregateCommand, FindCommand, UpdateCommand, Updated, and, number, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        outbox::{JobId, Phase, record_all},
        values::{self, Images, Resolved, key_condition, tied},
    },
    error::Result,
    graph::ExtendedReference,
    model::shape::AnyModel,
    value::key::JoinKey,
};

/// Largest number of ids in one `find`.
const IDS_AT_ONCE: usize = 10_000;

/// The documents in which updates may change copies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Candidates<'c> {
    /// The documents that have these ids.
    Ids(&'c [Bson]),
    /// The documents that contain copies for these keys.
    Keys(&'c [JoinKey]),
}

/// Writes copies and, in the same transaction, enqueues jobs for copies of these copies. Returns the number of changed
/// documents, and the enqueued jobs.
pub(crate) async fn write(
    reference: &ExtendedReference,
    candidates: Candidates<'_>,
    updates: &[UpdateCommand],
    exec: &Exec,
) -> Result<(u64, Vec<JobId>)> {
    let followers = followers(reference, exec).await?;
    if followers.is_empty() {
        return Ok((send(updates, exec).await?.modified, Vec::new()));
    }
    let (wrote, changes) =
        write_with_changes(reference, followers, candidates, updates, exec).await?;
    // The phase is `Run`, because jobs write the next level of copies. So the transaction of a batch stays small.
    let entries = entries(&changes, Phase::Run);
    record_all(&entries, exec).await?;
    let jobs = entries.into_iter().map(|entry| entry.id);
    Ok((wrote.modified, jobs.collect()))
}

/// Sends updates of copies in one command.
pub(super) async fn send(updates: &[UpdateCommand], exec: &Exec) -> Result<Updated> {
    match updates {
        [update] => exec.send(update.clone()).await,
        updates => exec.send_all(updates).await,
    }
}

/// Lists the extended references that use the copies of the given extended reference as their sources. Includes
/// extended references that only other programs declare.
pub(crate) async fn followers(
    reference: &ExtendedReference,
    exec: &Exec,
) -> Result<Vec<Arc<ExtendedReference>>> {
    let mut followers = exec.foreign(reference.target.documents()).await?;
    followers.retain(|next| reference.feeds(next));
    followers.extend(reference.followers());
    Ok(followers)
}

/// Writes copies. Returns the changes that affect copies of the written copies.
pub(crate) async fn write_with_changes(
    reference: &ExtendedReference,
    followers: Vec<Arc<ExtendedReference>>,
    candidates: Candidates<'_>,
    updates: &[UpdateCommand],
    exec: &Exec,
) -> Result<(Updated, Vec<Change>)> {
    // The documents are read by id, because the update's filter matches only stale copies. After the update, the filter
    // would no longer match the documents.
    match candidates {
        Candidates::Ids(ids) => send_with_changes(reference, followers, ids, updates, exec).await,
        Candidates::Keys(keys) => {
            let ids = ids(reference, keys, updates, exec).await?;
            send_with_changes(reference, followers, &ids, updates, exec).await
        }
    }
}

/// Sends updates of copies. Returns the changes that affect copies of the written fields. Reads the documents by their
/// ids, before and after the update.
pub(super) async fn send_with_changes(
    reference: &ExtendedReference,
    followers: Vec<Arc<ExtendedReference>>,
    ids: &[Bson],
    updates: &[UpdateCommand],
    exec: &Exec,
) -> Result<(Updated, Vec<Change>)> {
    let written = reference.target.documents();
    let images = Images {
        references: followers,
    };
    let place = Place::at(&reference.target);
    let before = images.by_ids(&place, ids, exec).await?;
    let done = send(updates, exec).await?;
    let after = images.by_ids(&place, ids, exec).await?;
    let changes = Change::between(written, &images, before, &after);
    Ok((done, changes))
}

/// Returns those of the given ids whose documents match a filter. Sends one `find` for every 10,000 ids.
pub(super) async fn ids_that_match(
    model: &AnyModel,
    ids: &[Bson],
    filter: &Document,
    exec: &Exec,
) -> Result<HashSet<JoinKey>> {
    let mut found = HashSet::new();
    for ids in parts(ids, IDS_AT_ONCE, size_of) {
        let by_ids = doc! { "_id": key_condition(ids) };
        let find = FindCommand::new(Place::at(model), and(by_ids, filter.clone()));
        // The filter may belong to a summary, so the query must use the same collation as the summary's aggregation.
        let matching = exec.ids(find.all().collation(simple())).await?;
        found.extend(matching.into_iter().map(JoinKey::from));
    }
    Ok(found)
}

/// Lists the documents in which updates may change copies. Sends one `find`. If there are several updates, the list
/// contains all documents with copies for the updates' keys.
async fn ids(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    updates: &[UpdateCommand],
    exec: &Exec,
) -> Result<Vec<Bson>> {
    let Some((first, others)) = updates.split_first() else {
        return Ok(Vec::new());
    };
    let filter = if others.is_empty() {
        first.filter.clone()
    } else {
        let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        tied(reference, &keys)
    };
    let mut find = FindCommand::new(first.place.clone(), filter).all();
    find.options.hint.clone_from(&first.options.hint);
    exec.ids(find.collation(simple())).await
}

/// Counts the documents that an update would change, up to a limit. Sends an aggregation, because the command `count`
/// is not allowed in transactions.
pub(crate) async fn count(update: &UpdateCommand, limit: u64, exec: &Exec) -> Result<u64> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let pipeline = vec![
        doc! { "$match": update.filter.clone() },
        doc! { "$limit": limit },
        doc! { "$count": "n" },
    ];
    let mut counting = AggregateCommand::new(update.place.clone(), pipeline).collation(simple());
    counting.options.hint.clone_from(&update.options.hint);
    let counts = exec.documents(counting).await?;
    Ok(counts.first().map_or(0, |it| number(it, "n")))
}

/// Counts the documents that contain copies for the given keys, up to a limit. Sends one `find`, which reads only the
/// index.
///
/// An aggregation would search the index once for each key. If many documents have just been deleted, each of these
/// searches reads all entries that the server has not removed yet.
pub(crate) async fn count_tied(
    reference: &ExtendedReference,
    keys: &[Bson],
    hint: Option<Hint>,
    limit: u64,
    exec: &Exec,
) -> Result<u64> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    // A plan takes a second query for the same ids (`ids`) as the end of a loop, so this query has another projection.
    let find = tied_find(reference, keys, hint, limit).select(doc! { "_id": true });
    Ok(exec.raw_documents(find).await?.len() as u64)
}

/// Returns the query for the documents that contain copies for the given keys, up to a limit.
pub(crate) fn tied_find(
    reference: &ExtendedReference,
    keys: &[Bson],
    hint: Option<Hint>,
    limit: usize,
) -> FindCommand {
    let mut find = FindCommand::new(Place::at(&reference.target), tied(reference, keys));
    find.options.hint = hint;
    find.at_most(limit).collation(simple())
}

/// Updates the copies for the given keys, but only in documents that match `only`.
pub(super) async fn write_within(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    resolved: &Resolved,
    only: &Document,
    exec: &Exec,
) -> Result<()> {
    for update in values::updates(reference, keys, resolved)? {
        exec.send(update.and(only.clone())).await?;
    }
    Ok(())
}
