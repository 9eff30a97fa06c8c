//! Rule 6 for shard keys: keys that only grow, and models whose declared key differs from their collection's key.

use std::collections::BTreeMap;

use mongo_odm::__tools::Sharding;
use mongodb::bson::{Document, doc};

use super::{
    found::{Found, figures},
    shard_words::{declaration, is_reference, namespace, other_key, reference, shown},
};
use crate::{
    advise::{
        rule::Severity,
        seen::{KeyGrowth, SeenCollection},
        subject::Subject,
        thresholds::Thresholds,
        words::{count, share},
    },
    statements,
};

/// Reports a shard key whose first field only grows (check S2).
pub(in crate::advise) fn growing(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let (Some(key), Some(growth)) = (seen.shard_key(), seen.key_growth) else {
        return Vec::new();
    };
    let path = key.keys().next().map(String::as_str).unwrap_or_default();
    // The keys in a reference can rise with the creation times of their targets. But new documents refer to old and to
    // new targets, so the shard key does not only grow.
    if seen.is_small(t.few_documents) || is_reference(seen, path) {
        return Vec::new();
    }
    let Some((evidence, figures)) = grown(path, growth, t) else {
        return Vec::new();
    };
    let state = match seen.key_on_server() {
        Some(_) => "is sharded by",
        None => "has the declared shard key",
    };
    let better = not_growing(seen, &key);
    vec![Found {
        subject: seen.at(path),
        severity: Severity::Warning,
        figures,
        example: None,
        evidence: format!(
            "`{}` {state} {}, and {evidence} ({})",
            seen.name,
            shown(&key),
            seen.sample()
        ),
        cost_now: format!(
            "each new document of `{}` is after all others, so one shard stores all inserts, and the balancer moves them \
             later",
            seen.name
        ),
        change: other_key(seen, &better),
        cost_after: format!(
            "inserts into `{}` are spread over the shards; a query by a range of `{path}` is sent to all shards",
            seen.name
        ),
        check: format!(
            "`{}.getShardDistribution()` after a day of inserts",
            statements::collection(&seen.name)
        ),
    }]
}

/// Returns the evidence of growth, or `None` if the key does not grow enough.
fn grown(
    path: &str,
    growth: KeyGrowth,
    t: &Thresholds,
) -> Option<(String, BTreeMap<&'static str, f64>)> {
    Some(match growth {
        KeyGrowth::ObjectIds(sampled) => (
            format!(
                "all {} sampled `{path}`s are `ObjectId`s, which begin with the creation time",
                count(sampled)
            ),
            figures([("object_ids", sampled)]),
        ),
        KeyGrowth::Counter { least, most } => (
            format!("its `{path}`s are consecutive numbers from {least} to {most}"),
            figures([
                ("least", least.unsigned_abs()),
                ("most", most.unsigned_abs()),
            ]),
        ),
        KeyGrowth::Order { pairs, rising } => {
            #[allow(clippy::cast_precision_loss, reason = "a share is a rough figure")]
            let is_rising = rising as f64 >= pairs as f64 * t.rising_key;
            if !is_rising {
                return None;
            }
            let text = format!(
                "`{path}` rises with the creation time in {} of {} pairs of neighbours ({})",
                count(rising),
                count(pairs),
                share(rising, pairs)
            );
            (text, figures([("rising", rising), ("pairs", pairs)]))
        }
    })
}

/// Returns a similar key whose first field does not grow.
fn not_growing(seen: &SeenCollection, key: &Document) -> Document {
    let mut fields = key.clone().into_iter();
    let Some((path, _)) = fields.next() else {
        return doc! { "_id": "hashed" };
    };
    let rest: Document = fields.collect();
    let first = reference(seen).filter(|it| *it != path);
    match (first, rest.is_empty()) {
        (_, false) => {
            let mut turned = rest;
            turned.insert(path, 1);
            turned
        }
        (Some(first), true) if path != "_id" => doc! { first: 1, path: 1 },
        _ => doc! { path: "hashed" },
    }
}

/// Reports models whose declared shard key differs from the key of their collection on the cluster (check S4).
pub(in crate::advise) fn missing(seen: &SeenCollection, _: &Thresholds) -> Vec<Found> {
    let Some(sharding) = &seen.database.sharding else {
        return Vec::new();
    };
    let found = seen.models.iter().filter_map(|model| {
        let (declared, on_server) = (Sharding::declared(model), sharding.key(&seen.name));
        let chunks = sharding.chunks(&seen.name);
        let figures = figures([
            ("chunks", chunks.iter().map(|it| it.chunks).sum()),
            ("shards", chunks.len() as u64),
            ("documents", seen.documents),
        ]);
        let gap = Gap::between(seen, model.name, &declared, on_server)?;
        Some(Found {
            subject: Subject::collection(&seen.name, &[model]),
            severity: gap.severity,
            figures,
            example: None,
            evidence: format!("{}, with {} documents", gap.evidence, count(seen.documents)),
            cost_now: gap.cost,
            change: gap.change,
            cost_after: format!("statements on one `{}` are sent to one shard", model.name),
            check: format!(
                "`odm.shard_collections().diff()` lists `{}` as declared",
                seen.name
            ),
        })
    });
    found.collect()
}

/// The difference between a declared shard key and the one on the server.
struct Gap {
    severity: Severity,
    evidence: String,
    cost: String,
    change: String,
}

impl Gap {
    fn between(
        seen: &SeenCollection,
        model: &str,
        declared: &Document,
        on_server: Option<&Document>,
    ) -> Option<Self> {
        let name = &seen.name;
        match on_server {
            // The key `_id` needs no declaration, because statements on a single document contain its `_id` anyway.
            Some(key) if declared.is_empty() && key.keys().eq(["_id"]) => None,
            Some(key) if declared.is_empty() => Some(Self {
                severity: Severity::Serious,
                evidence: format!(
                    "`{name}` is sharded by {}, but `{model}` does not declare a shard key",
                    shown(key)
                ),
                cost: format!(
                    "statements on one `{model}` lack the shard key, so the cluster rejects `save`, `upsert` and \
                     `find_one_and_update`, and sends other statements to all shards"
                ),
                change: format!("`#[model({})]` at `{model}`", Sharding::attribute(key)),
            }),
            Some(key) if !Sharding::is_same_key(key, declared) => Some(Self {
                severity: Severity::Serious,
                evidence: format!(
                    "`{name}` is sharded by {}, but `{model}` declares {}",
                    shown(key),
                    shown(declared)
                ),
                cost: format!(
                    "statements on one `{model}` contain the declared key instead of the key of the cluster"
                ),
                change: format!(
                    "`#[model({})]` at `{model}`, or `sh.reshardCollection(\"{}\", ..)` with the declared key",
                    Sharding::attribute(key),
                    namespace(seen)
                ),
            }),
            None if !declared.is_empty() => Some(Self {
                severity: Severity::Warning,
                evidence: format!(
                    "`{model}` declares {}, but `{name}` is not sharded",
                    shown(declared)
                ),
                cost: format!("one shard stores and reads all documents of `{name}`"),
                change: format!(
                    "`odm.shard_collections().await?`, because {} exists already",
                    declaration(seen, declared)
                ),
            }),
            _ => None,
        }
    }
}
