//! Rules 4 and 6 for relations: loads, joins and aggregations, according to the program's counters.

use mongo_odm::{ModelStats, RelationStats, shape::walk};

use super::found::{Found, figures};
use crate::advise::{
    rule::Severity,
    seen::SeenDatabase,
    subject::{ModelField, Subject},
    thresholds::Thresholds,
    words::count,
};

/// Returns the subject of a finding about a relation. The subject consists of the model, and of the
/// relation's name as the field.
fn subject(seen: &SeenDatabase, relation: &str) -> Subject {
    let (owner, name) = relation.split_once('.').unwrap_or((relation, ""));
    let model = seen.models.iter().find(|model| model.name == owner);
    let collection = model.map_or(owner, |model| model.collection);
    let models: Vec<_> = model.copied().into_iter().collect();
    Subject::collection(collection, &models).at(name)
}

/// Returns the counters of a model.
pub(super) fn model_stats<'s>(seen: &'s SeenDatabase, name: &str) -> Option<&'s ModelStats> {
    seen.stats.models.iter().find(|it| it.model == name)
}

/// Lists all references of all models.
pub(super) fn references(seen: &SeenDatabase) -> impl Iterator<Item = ModelField> {
    let models = seen.models.iter();
    let fields = models.flat_map(|model| {
        let stored = walk(model.fields).into_iter();
        stored.map(|stored| ModelField { model, stored })
    });
    fields.filter(|field| field.stored.shape.reference.is_some())
}

/// Returns the call that joins a relation for many documents at once.
fn join_of(relation: &str) -> String {
    let (owner, name) = relation.split_once('.').unwrap_or((relation, ""));
    format!("{owner}::join_{name}")
}

/// Returns the join method that the finding recommends instead of loading one document at a time.
/// For the relation `linked`, the join is a method of the target model.
fn join_instead(loaded: &RelationStats) -> String {
    match loaded.relation.rsplit_once('.') {
        Some((_, "linked")) => format!("{}::join_linked", loaded.target),
        _ => join_of(loaded.relation),
    }
}

/// Reports relations that a task loads for one document after another instead of joining them
/// (check R8).
pub(in crate::advise) fn one_by_one(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let slow = seen
        .stats
        .relations
        .iter()
        .filter(|it| it.most_loads_in_a_task >= t.loads_in_one_task);
    let found = slow.map(|it| {
        let (most, join) = (it.most_loads_in_a_task, join_instead(it));
        let place = it.loaded_at.as_deref().unwrap_or("one place");
        Found {
            subject: subject(seen, it.relation),
            severity: Severity::Warning,
            figures: figures([
                ("most_loads_in_a_task", most),
                ("loads", it.loads),
                ("joins", it.joins),
            ]),
            example: None,
            evidence: format!(
                "one task has loaded `{}` {} times at {place}; in total it had {} loads and {} joins",
                it.relation,
                count(most),
                count(it.loads),
                count(it.joins)
            ),
            cost_now: format!("{} round trips, one after the other", count(most)),
            change: format!("`let found = {join}(&documents, &odm).await?;` before the loop at {place}, and `found.of(document)` in it"),
            cost_after: "1 round trip for up to 2,000 keys".to_owned(),
            check: format!(
                "`assert_round_trips!` around the loop, or `odm.stats()`: `most_loads_in_a_task` of `{}` is below {}",
                it.relation, t.loads_in_one_task
            ),
        }
    });
    found.collect()
}

/// Reports aggregations that contain a `$lookup` for a declared relation (check R9).
pub(in crate::advise) fn by_hand(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let often = seen
        .stats
        .lookups
        .iter()
        .filter(|it| it.runs >= t.enough_calls);
    let found = often.filter_map(|it| {
        let (local, foreign) = (it.local.as_deref()?, it.foreign.as_deref()?);
        let declared = references(seen).find(|field| {
            let Some((reference, path)) = field.reference() else {
                return false;
            };
            let target = (reference.target)();
            let ends = (field.model.collection, path.as_str());
            let others = (target.collection, reference.target_path());
            ends == (it.collection, local) && others == (it.from.as_str(), foreign.to_owned())
                || ends == (it.from.as_str(), foreign) && others == (it.collection, local.to_owned())
        })?;
        let title = Subject::of(&declared).title();
        let forwards = declared.model.collection == it.collection;
        let call = if forwards {
            format!("`{}`", join_of(&title))
        } else {
            format!("`has_many(.. = \"{title}\")` at `{}` and its `join_*`", it.model)
        };
        Some(Found {
            subject: Subject::of(&declared),
            severity: Severity::Note,
            figures: figures([("runs", it.runs)]),
            example: None,
            evidence: format!(
                "{} aggregations of `{}` had a `$lookup` of `{}` by `{local}` = `{foreign}`, which is the relation \
                `{title}`",
                count(it.runs),
                it.model,
                it.from
            ),
            cost_now: format!(
                "the server searches `{}` once for each document of `{}`, and returns a common document once for \
                each of them",
                it.from, it.collection
            ),
            change: format!("{call} after a plain find, unless the aggregation filters or sorts by the result of \
            the `$lookup`"),
            cost_after: format!("one more `find` in `{}`, which returns each document once", it.from),
            check: format!("`odm.stats().lookups` has no `{}` from `{}`", it.from, it.collection),
        })
    });
    found.collect()
}

/// Reports arrays of two-way references that are written but never read (check R10).
pub(in crate::advise) fn never_read_back(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let arrays = references(seen).filter(ModelField::is_many);
    let found = arrays.filter_map(|field| {
        let reference = field.stored.shape.reference.as_ref()?;
        let inverse = reference.inverse?;
        let target = (reference.target)();
        let relation = Subject::of(&field).title();
        let followed = seen.stats.relations.iter().any(|it| it.relation == relation);
        let owner = model_stats(seen, field.model.name);
        let path = &field.stored.path;
        let named = owner.is_some_and(|it| it.whole > 0 || it.fields.iter().any(|it| it.path == *path));
        let written = model_stats(seen, target.name)?;
        let written = written.inserted + written.updated + written.deleted;
        if followed || named || written < t.enough_calls {
            return None;
        }
        let (owner, child) = (field.model.name, target.name);
        Some(Found {
            subject: Subject::of(&field),
            severity: Severity::Note,
            figures: figures([("written", written)]),
            example: None,
            evidence: format!(
                "no load, join, count, filter or projection has read `{relation}`, and no query a whole `{owner}`; \
                {} writes of `{child}` have updated it",
                count(written)
            ),
            cost_now: format!(
                "a write of `{child}.{inverse}` is a transaction that also writes one or two documents of `{owner}`"
            ),
            change: format!(
                "remove `{relation}`; `#[parent_ref]` without `inverse` at `{child}.{inverse}`, and \
                 `has_many({} = \"{child}.{inverse}\")` at `{owner}` if you need the direction later",
                field.stored.shape.name
            ),
            cost_after: format!("one `update` for each write of `{child}`, and no array in `{owner}`"),
            check: format!("`{child}::update(..).plan()` shows one statement"),
        })
    });
    found.collect()
}
