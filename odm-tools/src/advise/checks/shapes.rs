//! Rule 6: the attribute pattern and the computed pattern.

use mongo_odm::{
    RelationStats,
    shape::{HasManyShape, ModelShape},
};

use super::{
    found::{Found, figures},
    usage::model_stats,
};
use crate::{
    advise::{
        rule::Severity,
        seen::{SeenCollection, SeenDatabase, SeenMap},
        subject::Subject,
        thresholds::Thresholds,
        words::count,
    },
    statements,
};

/// Reports documents that use values as field names, so that no index can find these values (check P1). The remedy is
/// the attribute pattern.
pub(in crate::advise) fn attributes(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let long = seen.maps.iter().filter(|it| it.longest >= t.long_array);
    long.map(|map| attribute(seen, map)).collect()
}

fn attribute(seen: &SeenCollection, map: &SeenMap) -> Found {
    // If these field names are at the top level of the document, the remedy has to invent a name for the new array.
    let (subject, path) = match map.path.as_str() {
        "" => (seen.subject(), "entries"),
        path => (seen.at(path), path),
    };
    let (title, name) = (subject.title(), &seen.name);
    Found {
        severity: Severity::Note,
        figures: figures([("names", map.longest)]),
        example: Some(map.longest_id.clone()),
        evidence: format!(
            "the field names in `{title}` are values, for example `{}`, and one document has {} of them ({})",
            map.name,
            count(map.longest),
            seen.sample()
        ),
        cost_now: format!(
            "a search by a name in `{title}` of `{name}`, or by its value, needs an index for each name, and each \
            read transfers all {}",
            count(map.longest)
        ),
        change: format!(
            "an array instead of these fields, `#[embed(max = ..)] {path}: Vec<..>` with the name in a field `k` and \
             the value in `v`, and `index(keys({path}.k = 1, {path}.v = 1))` at the model of `{name}`; without a bound: {}",
            seen.at(path).turned_round()
        ),
        cost_after: format!(
            "one index finds all names and values of `{path}`, with an entry for each"
        ),
        check: format!(
            "`{}.find({{ \"{path}\": {{ $elemMatch: {{ k: \"{}\", v: .. }} }} }}).explain()` has `IXSCAN`",
            statements::collection(name),
            map.name
        ),
        subject,
    }
}

/// Reports relations whose documents the program counts much more often than it writes them (check P2). The remedy is
/// the computed pattern.
pub(in crate::advise) fn computed(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let often = seen
        .stats
        .relations
        .iter()
        .filter(|it| it.counts >= t.enough_calls);
    let found = often.filter_map(|it| {
        let (owner, relation) = relation(seen, it.relation)?;
        let child = (relation.target)();
        let stats = model_stats(seen, child.name);
        let moved = stats.map_or(0, |it| it.inserted + it.deleted + it.updated);
        let pays = it.counts / moved.max(1) >= t.reads_for_one_write;
        (pays && !is_counted(seen, owner, child)).then(|| count_of(it, owner, relation, moved))
    });
    found.collect()
}

/// Returns the model that declares a relation with `has_many`, and this declaration.
fn relation(
    seen: &SeenDatabase,
    name: &str,
) -> Option<(&'static ModelShape, &'static HasManyShape)> {
    let (owner, name) = name.split_once('.')?;
    let model = seen.models.iter().find(|model| model.name == owner)?;
    let mut relations = model.has_many.iter();
    let relation = relations.find(|it| it.name == name && !it.single)?;
    Some((model, relation))
}

/// Whether the parent model already declares a summary or a recent list of the children.
fn is_counted(seen: &SeenDatabase, owner: &ModelShape, child: &ModelShape) -> bool {
    let mut all = seen.derived.iter().filter(|it| !it.is_copy());
    all.any(|it| (&*it.model, &*it.source) == (owner.name, child.name))
}

fn count_of(
    it: &RelationStats,
    owner: &'static ModelShape,
    relation: &HasManyShape,
    moved: u64,
) -> Found {
    let (name, child) = (owner.name, (relation.target)().name);
    let via = (relation.path)();
    Found {
        subject: Subject::collection(owner.collection, &[owner]).at(relation.name),
        severity: Severity::Note,
        figures: figures([("counts", it.counts), ("moved", moved)]),
        example: None,
        evidence: format!(
            "the documents of `{}` were counted {} times, and {} of `{child}` were written in the same time",
            it.relation,
            count(it.counts),
            count(moved)
        ),
        cost_now: format!(
            "each of {} counts reads the index entries of all its documents of `{child}` on `{via}`",
            count(it.counts)
        ),
        change: format!(
            "`#[rollup(count, of = \"{child}\", via = \"{via}\")] {}_count: i64` in `{name}`",
            relation.name
        ),
        cost_after: format!(
            "the number is a field of the `{name}`; an insert or a delete of a `{child}` also writes its `{name}`"
        ),
        check: format!(
            "`odm.stats().relations`: `counts` of `{}` no longer increases",
            it.relation
        ),
    }
}
