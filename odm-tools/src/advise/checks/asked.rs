//! Rules 2 and 6: the program's use of fields in filters and projections, according to its counters.

use mongo_odm::{
    __tools::path::{each_filtered_path, overlap},
    FieldStats, ModelStats,
    shape::{DerivedShape, Maintained, ModelShape, walk},
};
use mongodb::bson::doc;

use super::found::{Found, figures};
use crate::{
    advise::{
        rule::Severity,
        seen::SeenCollection,
        subject::Subject,
        thresholds::Thresholds,
        words::{bytes, count, list, share},
    },
    statements,
};

/// Lists the models of a collection with their counters.
pub(super) fn counted(
    seen: &SeenCollection,
) -> impl Iterator<Item = (&'static ModelShape, &ModelStats)> {
    seen.models.iter().filter_map(|model| {
        let mut stats = seen.database.stats.models.iter();
        let is_it = |it: &&ModelStats| it.model == model.name && it.collection == model.collection;
        Some((*model, stats.find(is_it)?))
    })
}

/// Reports models with large documents if the program's projections request only a small part of each document (check
/// D1).
pub(in crate::advise) fn mostly_unread(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let found = counted(seen).filter(|(_, stats)| is_mostly_unread(seen, stats, t));
    let found = found.map(|(model, stats)| {
        let names: Vec<_> = projected(stats).map(|it| it.path.as_str()).collect();
        let fields = list(&names);
        let asked_for = seen.asked_for.as_ref().map_or(0, |asked| asked.bytes);
        let (median, owner) = (bytes(seen.sizes.median), model.name);
        Found {
            subject: Subject::collection(&seen.name, &[model]),
            severity: Severity::Note,
            figures: figures([
                ("median", seen.sizes.median),
                ("asked_for", asked_for),
                ("queries", stats.queries),
            ]),
            example: seen.sizes.largest_id.clone(),
            evidence: format!(
                "half of the documents have more than {median}, and all {} queries of `{owner}` read only {fields}, \
                which have {} of a document ({})",
                count(stats.queries),
                bytes(asked_for),
                share(asked_for, seen.sizes.median)
            ),
            cost_now: format!(
                "the cache of the server stores {median} for each `{owner}`, of which queries read {}",
                bytes(asked_for)
            ),
            change: format!(
                "another model for the rest of `{owner}`, with `#[parent_ref]` to it, so that only {fields} stay in \
                `{}`; or `index(keys(..))` over {fields}, which the server can read without the documents",
                seen.name
            ),
            cost_after: format!("the cache stores {} for each `{owner}`", bytes(asked_for)),
            check: format!(
                "`{}.stats().avgObjSize` is below {}",
                statements::collection(&seen.name),
                t.median_bytes
            ),
        }
    });
    found.collect()
}

fn is_mostly_unread(seen: &SeenCollection, stats: &ModelStats, t: &Thresholds) -> bool {
    let asked_for = seen
        .asked_for
        .as_ref()
        .map_or(u64::MAX, |asked| asked.bytes);
    #[allow(clippy::cast_precision_loss, reason = "a part is a rough figure")]
    let is_small = (asked_for as f64) < seen.sizes.median as f64 * t.part_asked_for;
    let is_counted = stats.whole == 0 && stats.queries >= t.enough_calls;
    is_counted && is_small && seen.sizes.median > t.median_bytes
}

fn projected(stats: &ModelStats) -> impl Iterator<Item = &FieldStats> {
    stats.fields.iter().filter(|it| it.projected > 0)
}

/// Reports fields that do not appear in any filter, sort or projection of the program (check D4). A model is checked
/// only if none of its queries has read documents in full.
pub(in crate::advise) fn unread_fields(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let counted = counted(seen).filter(|(_, stats)| {
        let is_counted = stats.whole == 0 && stats.queries >= t.enough_calls;
        is_counted && !is_mostly_unread(seen, stats, t)
    });
    let found = counted.filter_map(|(model, stats)| {
        let unread = unread(seen, model, stats);
        let first = unread.first()?;
        let (fields, owner) = (list(&unread), model.name);
        Some(Found {
            subject: seen.at(first),
            severity: Severity::Note,
            figures: figures([
                ("fields", unread.len() as u64),
                ("queries", stats.queries),
                ("updated", stats.updated),
            ]),
            example: None,
            evidence: format!(
                "{} queries of `{owner}` contained other fields, but not {fields}, and none read a whole `{owner}`",
                count(stats.queries)
            ),
            cost_now: format!(
                "each of {} documents of `{}` stores {fields}, in the cache and on disk",
                count(seen.documents),
                seen.name
            ),
            change: format!("remove {fields} from `{owner}`, if no other program reads them"),
            cost_after: format!("documents of `{}` without {fields}", seen.name),
            check: format!(
                "`{}`, and `odm.stats()` of each program that reads `{}`",
                doc! { "$unset": &unread },
                seen.name
            ),
        })
    });
    found.collect()
}

/// Lists the fields of a model that no query uses. Fields that the library itself reads are not listed.
fn unread(
    seen: &SeenCollection,
    model: &'static ModelShape,
    stats: &ModelStats,
) -> Vec<&'static str> {
    let named = |stored: &str| stats.fields.iter().any(|it| overlap(&it.path, stored));
    let fields = model.fields.iter().filter(|field| {
        let is_kept = field.reference.is_some() || !field.targets.is_empty();
        let is_kind = model.kind.is_some_and(|kind| kind.field == field.stored);
        let indexed = model.indexes.iter().flat_map(|index| index.keys);
        let mut keys = model.shard_key.iter().chain(indexed);
        let is_key = keys.any(|key| overlap(&(key.path)(), field.stored));
        // The library adds the tenant and the time of the delete to each filter, and the version to writes.
        let is_added = matches!(
            field.maintained,
            Some(Maintained::Tenant(_) | Maintained::DeletedAt | Maintained::Version)
        );
        !(field.flatten
            || is_kept
            || is_kind
            || is_key
            || is_added
            || field.declares()
            || field.stored == "_id")
    });
    let fields = fields.filter(|field| !named(field.stored) && !is_source(seen, field.stored));
    fields.map(|field| field.stored).collect()
}

/// Whether the library reads a field of the collection to follow references or to compute derived data.
fn is_source(seen: &SeenCollection, stored: &str) -> bool {
    let models = seen.database.models.iter();
    let mut fields = models.flat_map(|model| walk(model.fields));
    fields.any(|field| {
        let reference = field.shape.reference.as_ref();
        let is_key = reference.is_some_and(|it| {
            (it.target)().collection == seen.name && overlap(&it.target_path(), stored)
        });
        let derived = field.shape.derived.as_ref();
        is_key || derived.is_some_and(|it| depends_on(it, &seen.name, stored))
    })
}

/// Whether a derived value depends on a field of a collection. A recent list can contain each field.
fn depends_on(derived: &DerivedShape, collection: &str, stored: &str) -> bool {
    let is_at = |path: fn() -> String| overlap(&path(), stored);
    match derived {
        DerivedShape::Copy(copy) => (copy.source)().collection == collection && is_at(copy.path),
        DerivedShape::Recent(recent) => (recent.of)().collection == collection,
        DerivedShape::Rollup(rollup) => {
            let mut is_compared = false;
            if let Some(Ok(filter)) = rollup.filter.map(|filter| filter()) {
                each_filtered_path(&filter, &mut |path| is_compared |= overlap(path, stored));
            }
            let is_read = is_compared || rollup.field.is_some_and(is_at);
            is_read && (rollup.of)().collection == collection
        }
        _ => false,
    }
}

/// Reports models for which most queries filter by the elements of one array (check R2).
pub(in crate::advise) fn on_its_own(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let found = counted(seen).flat_map(|(model, stats)| {
        let arrays = seen.fields.iter().filter(move |field| {
            let shape = field.stored.shape;
            let own = field.model.name == model.name && shape.array && field.stored.arrays_above == 0;
            own && shape.embed.is_some() && shape.reference.is_none() && shape.recent_shape().is_none()
        });
        arrays.filter_map(move |field| {
            let inner = format!("{}.", field.stored.path);
            let below = stats.fields.iter().filter(|it| it.path.starts_with(&inner));
            let filtered = below.clone().map(|it| it.filtered).max().unwrap_or_default();
            if filtered < t.enough_calls || filtered * 2 < stats.queries {
                return None;
            }
            let names: Vec<_> = below.filter(|it| it.filtered > 0).map(|it| it.path.as_str()).collect();
            let subject = Subject::of(field);
            let (title, fields) = (subject.title(), list(&names));
            Some(Found {
                severity: Severity::Note,
                figures: figures([("filtered", filtered), ("queries", stats.queries)]),
                example: None,
                evidence: format!(
                    "{} of {} queries of `{}` filtered by {fields}: by elements of `{title}`, not by fields of the \
                    document",
                    count(filtered),
                    count(stats.queries),
                    model.name
                ),
                cost_now: format!(
                    "each of them reads a whole `{}` ({} on average) with all elements of `{}`",
                    model.name,
                    bytes(seen.sizes.average),
                    field.stored.path
                ),
                change: subject.turned_round(),
                cost_after: format!("a query by {fields} reads only the elements, with an index of their own"),
                check: format!("`odm.stats()`: filters of `{}` no longer contain {fields}", model.name),
                subject,
            })
        })
    });
    found.collect()
}
