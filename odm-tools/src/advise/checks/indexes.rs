//! Rules 4 and 5: indexes that slow down writes unnecessarily, because each write must also update the indexes.

use mongo_odm::{__tools::Sharding, IndexOrigin, IndexSpec};
use mongodb::bson::{Bson, Document};

use super::{
    found::{Found, figures},
    index_words::{keys, locale},
};
use crate::{
    advise::{
        derived::DerivedField,
        rule::Severity,
        seen::{IndexUse, SeenCollection},
        thresholds::Thresholds,
        words::{count, list},
    },
    statements,
};

/// Reports indexes that no statement has used for a long time (check I2).
pub(in crate::advise) fn unused(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.is_small(t.few_documents) {
        return Vec::new();
    }
    let idle = seen
        .uses
        .iter()
        .filter(|it| it.operations == 0 && it.counted_for >= t.unused_for);
    let found = idle.filter_map(|it| Some(idle_index(seen, may_go(seen, &it.name)?, it)));
    found.collect()
}

/// Returns the reason why check I2 skips a collection that has an unused index: the server has not counted uses for
/// long enough.
pub(in crate::advise) fn too_young(seen: &SeenCollection, t: &Thresholds) -> Option<String> {
    let oldest = seen.uses.iter().max_by_key(|it| it.counted_for)?;
    let is_idle = |it: &IndexUse| it.operations == 0 && may_go(seen, &it.name).is_some();
    let is_young = oldest.counted_for < t.unused_for && !seen.is_small(t.few_documents);
    if !is_young || !seen.uses.iter().any(is_idle) {
        return None;
    }
    let since = oldest.since.try_to_rfc3339_string().unwrap_or_default();
    let day = since.split('T').next().unwrap_or_default();
    Some(format!(
        "the server has counted since {day}; an unused index is a finding after {} days",
        t.unused_for.as_secs() / (24 * 3_600)
    ))
}

/// Returns an index if the advisor can recommend dropping it. Such an index only speeds up queries, a cluster does not
/// need it for the shard key, and no other check reports it.
fn may_go<'s>(seen: &'s SeenCollection, name: &str) -> Option<&'s IndexSpec> {
    let index = seen.index(name)?;
    let serves = guards(index)
        || is_implied(seen, index)
        || is_of_shard_key(seen, index)
        || longer(seen, index).is_some();
    (!serves).then_some(index)
}

/// Whether the index begins with the shard key. The server requires at least one such index, and does not allow you to
/// drop the only one.
fn is_of_shard_key(seen: &SeenCollection, index: &IndexSpec) -> bool {
    seen.key_on_server().is_some_and(|key| {
        let first = index.keys.clone().into_iter().take(key.len());
        Sharding::is_same_key(key, &first.collect())
    })
}

fn idle_index(seen: &SeenCollection, index: &IndexSpec, used: &IndexUse) -> Found {
    let name = &index.name;
    let days = used.counted_for.as_secs() / (24 * 3_600);
    Found {
        subject: seen.subject().at(name.clone()),
        severity: Severity::Note,
        figures: figures([
            ("operations", 0),
            ("days", days),
            ("documents", seen.documents),
        ]),
        example: None,
        evidence: format!(
            "no statement has used the index `{name}` on `{}` since this server began to count, {} ago; other members of a \
            replica set count separately",
            keys(&index.keys),
            since(days)
        ),
        cost_now: format!(
            "each insert, each delete and each update of `{1}` in `{0}` writes `{name}`",
            seen.name,
            keys(&index.keys)
        ),
        change: gone(seen, index),
        cost_after: format!(
            "one index less to write for each of {} documents",
            count(seen.documents)
        ),
        check: format!(
            "first `{}.hideIndex(\"{name}\")`: no statement is slower for a week; `unhideIndex` undoes it",
            statements::collection(&seen.name)
        ),
    }
}

fn since(days: u64) -> String {
    match days {
        0 => "less than a day".to_owned(),
        1 => "1 day".to_owned(),
        days => format!("{} days", count(days)),
    }
}

/// Returns the remedy text that explains how to drop an index and, if the index is declared, how to remove its
/// declaration.
fn gone(seen: &SeenCollection, index: &IndexSpec) -> String {
    let db = statements::collection(&seen.name);
    let drop = format!("`{db}.dropIndex(\"{}\")`", index.name);
    match seen.origin(&index.name).map(|it| &it.origin) {
        Some(IndexOrigin::Declared(by)) => {
            format!(
                "remove the index on `{}` at `{by}`, then {drop}",
                keys(&index.keys)
            )
        }
        _ => drop,
    }
}

/// Reports indexes whose keys are a prefix of the keys of another index (check I3).
pub(in crate::advise) fn prefix(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.is_small(t.few_documents) {
        return Vec::new();
    }
    let all = seen.indexes.indexes.iter();
    let found = all.filter_map(|index| {
        let longer = longer(seen, index)?;
        let (name, other) = (&index.name, &longer.name);
        (!is_implied(seen, index)).then(|| Found {
            subject: seen.subject().at(name.clone()),
            severity: Severity::Note,
            figures: figures([("documents", seen.documents)]),
            example: None,
            evidence: format!(
                "`{other}` on `{}` begins with the keys of `{name}`, `{}`, and supports the same queries",
                keys(&longer.keys),
                keys(&index.keys)
            ),
            cost_now: format!(
                "each of {} documents of `{}` has entries in both indexes, and each insert writes both",
                count(seen.documents),
                seen.name
            ),
            change: gone(seen, index),
            cost_after: format!("one index less to write; queries by `{}` use `{other}`", keys(&index.keys)),
            check: format!(
                "`{}.find(..).explain()` of a query by `{}` shows `{other}`",
                statements::collection(&seen.name),
                keys(&index.keys)
            ),
        })
    });
    found.collect()
}

/// Reports collections that have many indexes (check I4).
pub(in crate::advise) fn many(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    // The thresholds include the index on `_id`, which this list does not contain.
    let number = seen.indexes.indexes.len() as u64 + 1;
    if number <= t.several_indexes || seen.is_small(t.few_documents) {
        return Vec::new();
    }
    let used: Vec<_> = seen.uses.iter().filter(|it| it.operations > 0).collect();
    let idle = seen
        .uses
        .iter()
        .filter(|it| it.operations == 0 && seen.index(&it.name).is_some());
    let idle: Vec<_> = idle.map(|it| it.name.as_str()).collect();
    let usage = match (seen.uses.is_empty(), idle.is_empty()) {
        (true, _) => "their usage could not be read".to_owned(),
        (_, true) => "all of them are used".to_owned(),
        _ => format!("unused so far: {}", list(&idle)),
    };
    vec![Found {
        subject: seen.subject(),
        severity: if number > t.many_indexes {
            Severity::Warning
        } else {
            Severity::Note
        },
        figures: figures([
            ("indexes", number),
            ("used", used.len() as u64),
            ("documents", seen.documents),
        ]),
        example: None,
        evidence: format!("`{}` has {number} indexes; {usage}", seen.name),
        cost_now: format!(
            "each insert into and each delete from `{}` writes {number} indexes",
            seen.name
        ),
        change: format!(
            "one compound index in `#[model(index(keys(..)))]` for several with the same first keys, and \
             `odm.sync_indexes().drop_undeclared()` for those of `{}` that no model declares",
            seen.name
        ),
        cost_after: format!("{} indexes or less", count(t.several_indexes)),
        check: format!(
            "`{}.getIndexes().length` is {} or less",
            statements::collection(&seen.name),
            t.several_indexes
        ),
    }]
}

/// Reports indexes that contain a copied field, because each fan-out must also update such an index (check I5).
pub(in crate::advise) fn copied(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.is_small(t.few_documents) || seen.models.is_empty() {
        return Vec::new();
    }
    let derived = seen.database.derived.iter();
    let copies = derived.filter(|it| it.collection == seen.name && it.is_copy());
    let found = copies.filter_map(|it| {
        let mut indexes = seen.indexes.indexes.iter();
        let index = indexes.find(|index| index.keys.contains_key(&it.path))?;
        Some(copied_field(seen, it, index))
    });
    found.collect()
}

fn copied_field(seen: &SeenCollection, it: &DerivedField, index: &IndexSpec) -> Found {
    let (copy, from, name) = (&it.path, &it.source, &index.name);
    let relation = it.relation().unwrap_or_default();
    Found {
        subject: seen.at(copy),
        severity: Severity::Note,
        figures: figures([("documents", seen.documents)]),
        example: None,
        evidence: format!(
            "`{copy}` is a copy of `{from}` (`{relation}`), and a key of the index `{name}` on `{}` of {} documents",
            keys(&index.keys),
            count(seen.documents)
        ),
        cost_now: format!(
            "a change of a `{from}` writes each of its documents in `{}`, and removes and adds an entry of \
            `{name}`: about three times the work without the index",
            seen.name
        ),
        change: format!(
            "no index on `{copy}`: query the `{from}` first, and then its documents by `{}`",
            key_path(relation)
        ),
        cost_after: format!(
            "a change of a `{from}` writes only documents of `{}`",
            seen.name
        ),
        check: format!("`odm.stats().copies` of `{relation}`, and the time of its fan-outs"),
    }
}

/// Extracts the path of the key from the name of a relation: `host` from `LogMsg.host <- Host`.
fn key_path(relation: &str) -> &str {
    let (target, _) = relation.split_once(" <- ").unwrap_or((relation, ""));
    target.split_once('.').map_or(target, |(_, path)| path)
}

/// Whether an index does more than speed up queries, because it is unique or expires documents.
fn guards(index: &IndexSpec) -> bool {
    let options = ["unique", "expireAfterSeconds"];
    options
        .iter()
        .any(|option| index.options.contains_key(option))
}

fn is_implied(seen: &SeenCollection, index: &IndexSpec) -> bool {
    let origin = seen.origin(&index.name).map(|it| &it.origin);
    matches!(origin, Some(IndexOrigin::Implied(_)))
}

/// Returns a longer index that begins with the keys of the given index, and therefore supports the same queries.
fn longer<'s>(seen: &'s SeenCollection, index: &IndexSpec) -> Option<&'s IndexSpec> {
    let plain = |index: &IndexSpec| {
        let narrowing = ["sparse", "partialFilterExpression", "hidden"];
        let is_narrow = narrowing
            .iter()
            .any(|option| index.options.contains_key(option));
        !is_narrow && !only_searches(index)
    };
    if guards(index) || !plain(index) || index.keys.is_empty() {
        return None;
    }
    let begins = |other: &&IndexSpec| {
        other.keys.len() > index.keys.len()
            && plain(other)
            && same_beginning(&index.keys, &other.keys)
            && locale(index) == locale(other)
            && !has_array(seen, other.keys.keys().skip(index.keys.len()))
    };
    let longer = seen.indexes.indexes.iter().filter(begins);
    // If an index is a prefix of several longer indexes, the finding refers to the longest of them.
    longer.max_by_key(|other| other.keys.len())
}

/// Whether the server uses the index only for searches, because one of its keys is a text or a position.
fn only_searches(index: &IndexSpec) -> bool {
    let mut kinds = index.keys.values().filter_map(Bson::as_str);
    kinds.any(|kind| kind != "hashed")
}

/// Whether one of the keys is in an array. An index with such a key has one entry per element, so it cannot replace an
/// index without such a key.
fn has_array<'k>(seen: &SeenCollection, mut keys: impl Iterator<Item = &'k String>) -> bool {
    keys.any(|key| {
        let of = |path: &str| *key == path || key.starts_with(&format!("{path}."));
        seen.arrays.iter().any(|array| of(&array.path))
    })
}

/// Whether the longer key list begins with the shorter one. The directions of these keys must either all be equal or
/// all be opposite.
fn same_beginning(short: &Document, long: &Document) -> bool {
    let direction = |kind: &Bson| match kind {
        Bson::Int32(number) => Some(i64::from(*number)),
        Bson::Int64(number) => Some(*number),
        #[allow(clippy::cast_possible_truncation, reason = "a direction is 1 or -1")]
        Bson::Double(number) => Some(*number as i64),
        _ => None,
    };
    let pairs: Vec<_> = short.iter().zip(long.iter()).collect();
    let turned = |sign: i64| {
        pairs.iter().all(|((path, kind), (other, of_other))| {
            let ends = direction(kind).zip(direction(of_other));
            path == other && ends.is_some_and(|(one, two)| one == two * sign)
        })
    };
    turned(1) || turned(-1)
}
