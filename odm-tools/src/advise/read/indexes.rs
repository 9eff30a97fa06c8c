//! Reads how often indexes are used, and compares the indexes with the models.

use mongo_odm::{__tools::OnServer, Result};
use mongodb::{
    bson::{Bson, Document, doc},
    options::AggregateOptions,
};

use super::{Reader, excuse, note};
use crate::{
    advise::{
        need::Need,
        seen::{IndexUse, SeenCollection},
    },
    survey::CollectionSurvey,
};

/// Compares the indexes with the models, and reads the usage of each index. Sends one `$indexStats`.
pub(super) async fn read(
    reader: &Reader,
    seen: &mut SeenCollection,
    found: &CollectionSurvey,
) -> Result<()> {
    seen.indexes = OnServer {
        indexes: found.indexes.clone(),
        collation: found.collation.clone(),
        is_view: false,
    };
    if !seen.models.is_empty() {
        compare(seen);
    }
    if let Err(why) = reader.time() {
        note(seen, Need::IndexUse, why);
        return Ok(());
    }
    let stages = vec![
        doc! { "$indexStats": {} },
        doc! { "$project": { "name": 1, "accesses": 1, "now": "$$NOW" } },
    ];
    let options = AggregateOptions::default();
    match reader.reads.aggregate(&seen.name, stages, options).await {
        Ok(replies) => seen.uses = uses(&replies),
        Err(error) => note(seen, Need::IndexUse, excuse(error)?),
    }
    Ok(())
}

fn compare(seen: &mut SeenCollection) {
    let name = seen.models.first().map_or("", |model| model.collection);
    let diff = seen.indexes.diff(&seen.database.models, name);
    match diff {
        Ok(diff) => seen.diff = diff,
        Err(error) => note(seen, Need::Indexes, error.to_string()),
    }
}

/// Adds up the uses of each index over all shards of a cluster, because each shard counts separately.
fn uses(replies: &[Document]) -> Vec<IndexUse> {
    let mut all: Vec<IndexUse> = Vec::new();
    for reply in replies {
        let Some(one) = one_use(reply) else {
            continue;
        };
        match all.iter_mut().find(|it| it.name == one.name) {
            Some(known) => {
                known.operations += one.operations;
                known.counted_for = known.counted_for.min(one.counted_for);
                known.since = known.since.max(one.since);
            }
            None => all.push(one),
        }
    }
    all
}

fn one_use(reply: &Document) -> Option<IndexUse> {
    let accesses = reply.get_document("accesses").ok()?;
    let operations = match accesses.get("ops")? {
        Bson::Int32(operations) => i64::from(*operations),
        Bson::Int64(operations) => *operations,
        _ => return None,
    };
    let since = *accesses.get_datetime("since").ok()?;
    let now = reply.get_datetime("now").ok()?.timestamp_millis();
    let counted_for = now.saturating_sub(since.timestamp_millis());
    let counted_for = u64::try_from(counted_for).unwrap_or_default();
    Some(IndexUse {
        name: reply.get_str("name").ok()?.to_owned(),
        operations: operations.unsigned_abs(),
        since,
        counted_for: std::time::Duration::from_millis(counted_for),
    })
}
