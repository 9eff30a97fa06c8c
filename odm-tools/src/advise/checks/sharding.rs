//! Rule 6 on a sharded cluster: broadcasts, chunks that cannot be moved, and large collections without a shard key.

use mongo_odm::{__tools::mongosh_document, ModelStats, shape::ModelShape};
use mongodb::bson::{Document, doc};

use super::{
    asked::counted,
    found::{Found, figures},
    shard_words::{declaration, namespace, proposal, shown},
};
use crate::{
    advise::{
        rule::Severity,
        seen::SeenCollection,
        subject::Subject,
        thresholds::Thresholds,
        words::{bytes, count, list, several, share},
    },
    statements,
};

/// Reports models for which many statements are sent to all shards (check S1).
pub(in crate::advise) fn broadcasts(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let found = counted(seen).filter(|(_, stats)| {
        #[allow(clippy::cast_precision_loss, reason = "a share is a rough figure")]
        let is_part = stats.broadcasts as f64 >= stats.routed as f64 * t.broadcasts;
        is_part && stats.broadcasts >= t.enough_calls
    });
    let found = found.filter_map(|(model, stats)| {
        let key = seen.declared_key()?;
        let first = key.keys().next()?;
        let owner = model.name;
        Some(Found {
            subject: Subject::collection(&seen.name, &[model]),
            severity: Severity::Warning,
            figures: figures([("broadcasts", stats.broadcasts), ("statements", stats.routed)]),
            example: None,
            evidence: format!(
                "{} of {} statements on `{owner}` ({}) had no value of `{first}`, the first field of the shard key {}",
                count(stats.broadcasts),
                count(stats.routed),
                share(stats.broadcasts, stats.routed),
                shown(&key)
            ),
            cost_now: format!(
                "a cluster sends each of them to all shards of `{}` and waits for the slowest one, so more shards do not \
                 make them faster",
                seen.name
            ),
            change: targeted(model, stats, first),
            cost_after: format!("a statement on `{owner}` is sent to the shard that has its documents"),
            check: format!(
                "`odm.stats()`: `broadcasts` of `{owner}` is below {} % of `routed`; `Settings::reject_broadcasts(true)` \
                 in tests makes the others fail",
                t.broadcasts * 100.0
            ),
        })
    });
    found.collect()
}

/// Returns the remedies for broadcasts: a condition on the shard key or, if many filters use another field, a shard key
/// that begins with that field.
fn targeted(model: &ModelShape, stats: &ModelStats, first: &str) -> String {
    let condition = format!(
        "a condition on `{first}` in the filters of `{}`",
        model.name
    );
    let others = stats.fields.iter().filter(|it| it.path != first);
    let most = others.max_by_key(|it| it.filtered);
    let Some(most) = most.filter(|it| it.filtered * 2 >= stats.broadcasts) else {
        return condition;
    };
    let key = match most.path.as_str() {
        "_id" => "_id = \"hashed\"".to_owned(),
        path => format!("{path} = 1, _id = \"hashed\""),
    };
    format!(
        "{condition}; or `#[model(shard_key({key}))]`, because {} filters have a condition on `{}`",
        count(most.filtered),
        most.path
    )
}

/// Reports chunks that the server has marked as too large to be moved (check S3).
pub(in crate::advise) fn jumbo(seen: &SeenCollection, _: &Thresholds) -> Vec<Found> {
    let (Some(sharding), Some(key)) = (&seen.database.sharding, seen.key_on_server()) else {
        return Vec::new();
    };
    let chunks = sharding.chunks(&seen.name);
    let all: u64 = chunks.iter().map(|it| it.chunks).sum();
    let jumbo: u64 = chunks.iter().map(|it| it.jumbo).sum();
    let with_jumbo: Vec<_> = chunks.iter().filter(|it| it.jumbo > 0).collect();
    let Some(first) = with_jumbo.iter().find_map(|it| it.first_jumbo.as_ref()) else {
        return Vec::new();
    };
    let shards = list(with_jumbo.iter().map(|it| it.shard.as_str()));
    let first = shown(first);
    vec![Found {
        subject: seen.subject(),
        severity: Severity::Warning,
        figures: figures([
            ("jumbo", jumbo),
            ("chunks", all),
            ("shards", with_jumbo.len() as u64),
        ]),
        example: None,
        evidence: format!(
            "{} of {} of `{}` are marked as jumbo, on {shards}; one begins at {first}",
            count(jumbo),
            several(all, "chunk"),
            seen.name
        ),
        cost_now: format!(
            "the balancer does not move these chunks, so {shards} keep their documents and all later ones with the same \
             key"
        ),
        change: split(seen, key, &first),
        cost_after: format!(
            "the balancer can split and move all chunks of `{}`",
            seen.name
        ),
        check: "`db.getSiblingDB(\"config\").chunks.countDocuments({ jumbo: true })` returns 0"
            .to_owned(),
    }]
}

/// Returns the remedy for chunks that are too large: a longer key, or a split if the key already contains the `_id`.
fn split(seen: &SeenCollection, key: &Document, first: &str) -> String {
    let namespace = namespace(seen);
    if key.contains_key("_id") {
        return format!(
            "`sh.splitFind(\"{namespace}\", ..)` with the key {first}; {} is long enough to split the chunks of `{}`",
            declaration(seen, key),
            seen.name
        );
    }
    let is_hashed = key.values().any(|kind| kind.as_str().is_some());
    let mut longer = key.clone();
    if is_hashed {
        longer.insert("_id", 1);
    } else {
        longer.insert("_id", "hashed");
    }
    let command = doc! { "refineCollectionShardKey": namespace, "key": longer.clone() };
    format!(
        "{}, `odm.sync_indexes().await?`, and `db.adminCommand({})`",
        declaration(seen, &longer),
        mongosh_document(&command)
    )
}

/// Reports unsharded collections that are large enough for sharding (check S5).
pub(in crate::advise) fn large(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let is_cluster = seen.database.sharding.is_some();
    let limit = if is_cluster {
        t.spread_bytes
    } else {
        t.shard_bytes
    };
    let declared = seen.declared_key();
    // On a cluster, check S4 reports each unsharded collection that has a declared key.
    let is_reported = is_cluster && declared.is_some();
    let is_sharded = seen.key_on_server().is_some();
    if !seen.is_shardable || is_sharded || is_reported || seen.size < limit {
        return Vec::new();
    }
    let size = bytes(seen.size);
    let place = if is_cluster {
        "one shard"
    } else {
        "each member of the replica set"
    };
    let key = declared.unwrap_or_else(|| proposal(seen));
    let written = declaration(seen, &key);
    let step = if is_cluster {
        ""
    } else {
        " on a sharded cluster"
    };
    vec![Found {
        subject: seen.subject(),
        severity: Severity::Note,
        figures: figures([
            ("bytes", seen.size),
            ("limit", limit),
            ("documents", seen.documents),
        ]),
        example: None,
        evidence: format!(
            "`{}` has {size} in {} documents, and is not sharded",
            seen.name,
            count(seen.documents)
        ),
        cost_now: format!(
            "{place} stores {size} of `{}`, and runs all writes to it",
            seen.name
        ),
        change: format!("{written}, and `odm.shard_collections().await?`{step}"),
        cost_after: format!("each shard stores and writes a part of the {size}"),
        check: format!(
            "`{}.getShardDistribution()`",
            statements::collection(&seen.name)
        ),
    }]
}
