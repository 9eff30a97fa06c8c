//! Sends the statements that write copies, and notes what copies them in turn.

use mongodb::bson::{Bson, Document, doc};

use super::change::{Change, entries};
use crate::{
    command::{Aggregate, Find, Update, UpdateAll, Updated},
    copy::{Images, Resolved, Source, Tie, by_tuple, simple, update_of},
    error::Result,
    key::JoinKey,
    odm::Exec,
    outbox::{Phase, record_all},
    place::Place,
};

impl Exec {
    /// Sends many updates of copies in one collection, some in each command.
    ///
    /// # Errors
    ///
    /// What the server reports, also about one of them.
    pub(crate) async fn copy_all(&self, updates: &[Update]) -> Result<Updated> {
        let mut wrote = Updated::default();
        let Some(first) = updates.first() else {
            return Ok(wrote);
        };
        let all: Vec<Document> = updates.iter().map(Update::in_command).collect();
        for command in UpdateAll::of(&first.place, &all) {
            let part = self.send(command).await?;
            wrote.matched += part.matched;
            wrote.modified += part.modified;
        }
        Ok(wrote)
    }
}

/// Writes copies; documents whose copies are copied further get jobs of their own, in the same
/// transaction.
pub(crate) async fn write(tie: &Tie, update: Update, exec: &Exec) -> Result<Updated> {
    let followers = followers(tie, exec).await?;
    if followers.is_empty() {
        return exec.send(update).await;
    }
    let (wrote, changes) = write_and_see(tie, followers, update, exec).await?;
    record_all(&entries(&changes, Phase::Run), exec).await?;
    Ok(wrote)
}

/// Lists the ties that copy what a tie writes, also those that only other programs declare.
pub(crate) async fn followers(tie: &Tie, exec: &Exec) -> Result<Vec<&'static Tie>> {
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
    update: Update,
    exec: &Exec,
) -> Result<(Updated, Vec<Change>)> {
    let collection = tie.target.collection;
    let images = Images { ties: followers };
    let place = Place::of(tie.target);
    let ids = ids(&update, exec).await?;
    let before = images.by_ids(&place, &ids, exec).await?;
    let wrote = exec.send(update).await?;
    let after = images.by_ids(&place, &ids, exec).await?;
    Ok((wrote, Change::between(collection, &images, before, &after)))
}

/// Lists the documents that an update of copies would change.
async fn ids(update: &Update, exec: &Exec) -> Result<Vec<Bson>> {
    let mut find = Find::new(update.place.clone(), update.filter.clone()).all();
    find.options.hint.clone_from(&update.options.hint);
    exec.ids(find.collation(simple())).await
}

/// Counts the documents that an update of copies would change, up to a limit.
///
/// An aggregation: the `count` command is refused in transactions.
pub(crate) async fn count(update: &Update, limit: u64, exec: &Exec) -> Result<u64> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let pipeline = vec![
        doc! { "$match": update.filter.clone() },
        doc! { "$limit": limit },
        doc! { "$count": "n" },
    ];
    let mut counting = Aggregate::new(update.place.clone(), pipeline).collation(simple());
    counting.options.hint.clone_from(&update.options.hint);
    let counts = exec.documents(counting).await?;
    let count = counts.first().and_then(|it| match it.get("n") {
        Some(Bson::Int32(n)) => u64::try_from(*n).ok(),
        Some(Bson::Int64(n)) => u64::try_from(*n).ok(),
        _ => None,
    });
    Ok(count.unwrap_or(0))
}

/// Updates the copies of keys in some documents.
pub(super) async fn write_within(
    tie: &Tie,
    keys: &[JoinKey],
    resolved: &Resolved,
    only: &Document,
    exec: &Exec,
) -> Result<()> {
    for (keys, tuple) in by_tuple(keys, resolved)? {
        let source = tuple.map_or(Source::Gone, Source::Is);
        if let Some(update) = update_of(tie, &keys, source) {
            exec.send(update.and(only.clone())).await?;
        }
    }
    Ok(())
}
