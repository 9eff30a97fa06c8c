//! Reports findings from the server's profile: queries without an index, and kinds that are never read together.

use std::collections::BTreeMap;

use mongo_odm::{
    __tools::path::each_filtered_path,
    shape::{Maintained, ModelShape},
};
use mongodb::bson::{Bson, Document};

use super::{
    case::ignoring_case,
    found::{Found, figures},
};
use crate::advise::{
    rule::Severity,
    seen::{Profiled, SeenCollection},
    thresholds::Thresholds,
    words::{count, list},
};

fn statements(seen: &SeenCollection) -> impl Iterator<Item = &Profiled> {
    let all = seen.database.profile.iter();
    all.filter(|it| it.collection == seen.name)
}

/// Lists the distinct paths in a filter for which an index would help. Paths with case-insensitive regular expressions
/// are excluded.
fn paths(filter: &Document) -> Vec<String> {
    let ignoring_case = ignoring_case(filter);
    let is_helped = |path: &str| !ignoring_case.iter().any(|(other, _)| other == path);
    let mut paths = Vec::new();
    each_filtered_path(filter, &mut |path| paths.push(path.to_owned()));
    paths.retain(|path| is_helped(path));
    paths.sort();
    paths.dedup();
    paths
}

/// Lists the queries in the profile. Updates and deletes are not included.
pub(super) fn queries(seen: &SeenCollection) -> impl Iterator<Item = &Profiled> {
    statements(seen).filter(|it| !it.is_write)
}

/// Returns the paths of the missing index if a statement examined many documents but returned less than 10 % of them.
pub(super) fn lacks_index(statement: &Profiled, t: &Thresholds) -> Option<Vec<String>> {
    // An index hardly speeds up a statement that returns at least 10 % of the examined documents.
    let few = statement.returned * 10 < statement.examined;
    let is_long = statement.is_scan && few && statement.examined >= t.scanned_documents;
    is_long
        .then(|| paths(&statement.filter))
        .filter(|paths| !paths.is_empty())
}

/// Whether an index on one of the paths was created after the statement ran. Only later statements can show whether the
/// server uses this index.
fn has_index_by_now(seen: &SeenCollection, statement: &Profiled, paths: &[String]) -> bool {
    let newer = seen
        .uses
        .iter()
        .filter(|it| statement.at.is_some_and(|at| at < it.since));
    let mut newer = newer.filter_map(|it| seen.index(&it.name));
    newer.any(|index| {
        index
            .keys
            .keys()
            .next()
            .is_some_and(|key| paths.contains(key))
    })
}

/// Formats the numbers of queries and writes: `20 queries and 3 updates or deletes`.
fn named(all: &[&Profiled]) -> String {
    let writes = all.iter().filter(|it| it.is_write).count() as u64;
    let queries = all.len() as u64 - writes;
    let writes = (writes > 0).then(|| format!("{} updates or deletes", count(writes)));
    let queries = (queries > 0).then(|| format!("{} queries", count(queries)));
    let named: Vec<_> = queries.into_iter().chain(writes).collect();
    named.join(" and ")
}

/// Returns the model of the kind that a filter requires, or the first model of the collection.
fn model_of(seen: &SeenCollection, filter: &Document) -> Option<&'static ModelShape> {
    let is_of_kind = |model: &&'static ModelShape| {
        let kind = model.kind;
        kind.is_some_and(|kind| match filter.get(kind.field) {
            Some(Bson::String(required)) => required == kind.value,
            // Documents of the default kind can lack the field, so the filter also permits null.
            Some(Bson::Document(condition)) => {
                let permitted = condition.get_array("$in");
                permitted.is_ok_and(|all| all.contains(&Bson::from(kind.value)))
            }
            _ => false,
        })
    };
    let mut models = seen.models.iter().copied();
    let of_kind = models.find(is_of_kind);
    of_kind.or_else(|| seen.models.first().copied())
}

/// Lists the paths that the declaration of an index needs. The library itself adds the kind, the tenant and the condition
/// on deleted documents to each filter.
fn declared_paths<'p>(model: Option<&ModelShape>, paths: &'p [String]) -> Vec<&'p str> {
    let is_added = |path: &str| {
        model.is_some_and(|model| {
            let is_kind = model.kind.is_some_and(|kind| kind.field == path);
            let mut fields = model.fields.iter().filter(|field| field.stored == path);
            is_kind
                || fields.any(|field| {
                    let maintained = field.maintained;
                    matches!(
                        maintained,
                        Some(Maintained::Tenant(_) | Maintained::DeletedAt)
                    )
                })
        })
    };
    let all = paths.iter().map(String::as_str);
    let own: Vec<_> = all.clone().filter(|path| !is_added(path)).collect();
    if own.is_empty() { all.collect() } else { own }
}

/// Reports statements that read the whole collection although they have a filter (check I7).
pub(in crate::advise) fn scanned(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let mut scans: BTreeMap<Vec<String>, Vec<&Profiled>> = BTreeMap::new();
    for statement in statements(seen) {
        if let Some(paths) = lacks_index(statement, t)
            && !has_index_by_now(seen, statement, &paths)
        {
            scans.entry(paths).or_default().push(statement);
        }
    }
    let found = scans.into_iter().map(|(paths, all)| {
        let times = all.len() as u64;
        let examined = all.iter().map(|it| it.examined).max().unwrap_or_default();
        let returned = all.iter().map(|it| it.returned).max().unwrap_or_default();
        let millis: u64 = all.iter().map(|it| it.millis).sum();
        let model = all.first().and_then(|it| model_of(seen, &it.filter));
        let declared = declared_paths(model, &paths);
        let keys = declared.iter().map(|path| format!("{path} = 1")).collect::<Vec<_>>().join(", ");
        let first = declared.first().copied().unwrap_or_default();
        Found {
            subject: seen.at(first),
            severity: Severity::Warning,
            figures: figures([
                ("queries", times),
                ("examined", examined),
                ("returned", returned),
                ("milliseconds", millis),
            ]),
            example: None,
            evidence: format!(
                "{} of `{}` by {} have read up to {} documents to find up to {} (`COLLSCAN` in the profile)",
                named(&all),
                seen.name,
                list(&paths),
                count(examined),
                count(returned)
            ),
            cost_now: format!("{} documents of `{}` are read for each of them, {} ms in total", count(examined), seen.name, count(millis)),
            change: match (declared.as_slice(), model) {
                ([path], Some(model)) => format!("`#[index]` at `{}.{path}` and `odm.sync_indexes().await?`", model.name),
                (_, Some(model)) => format!("`index(keys({keys}))` in `#[model(..)]` of `{}` and `odm.sync_indexes().await?`", model.name),
                (_, None) => format!("`index(keys({keys}))` at the model of `{}`, or an index on {}", seen.name, list(&paths)),
            },
            cost_after: format!("the server reads only the documents that it finds, up to {}, and writes one more \
            index", count(returned)),
            check: format!("`db.system.profile.find({{ ns: /[.]{}$/, planSummary: \"COLLSCAN\" }})` returns no new \
            one", seen.name),
        }
    });
    found.collect()
}

/// Reports collections that store several kinds, although each query reads only one of them (check K3).
pub(in crate::advise) fn kinds_apart(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let kinds: Vec<_> = seen
        .models
        .iter()
        .filter_map(|model| Some((model.name, model.kind?)))
        .collect();
    let Some((_, first)) = kinds.first().filter(|_| kinds.len() > 1) else {
        return Vec::new();
    };
    let (mut all, mut apart) = (0, 0);
    for statement in queries(seen) {
        all += 1;
        apart += u64::from(
            statement
                .filter
                .get(first.field)
                .is_some_and(|it| it.as_str().is_some()),
        );
    }
    if all < t.enough_calls || apart < all {
        return Vec::new();
    }
    let models: Vec<_> = kinds.iter().map(|(name, _)| *name).collect();
    vec![Found {
        subject: seen.subject().at(first.field),
        severity: Severity::Note,
        figures: figures([("queries", all), ("of_one_kind", apart)]),
        example: None,
        evidence: format!(
            "all {} queries of `{}` in the profile were for one `{}`; {} share the collection",
            count(all),
            seen.name,
            first.field,
            list(&models)
        ),
        cost_now: format!(
            "each index of `{}` is partial or begins with `{}`, and each query compares `{}`",
            seen.name, first.field, first.field
        ),
        change: format!(
            "a separate `collection` for each of {}, without `kind({} = ..)`",
            list(&models),
            first.field
        ),
        cost_after: format!(
            "{} collections with plain indexes; `odm.move_documents` moves the documents",
            models.len()
        ),
        check: format!(
            "`odm.advise()` with the profiler on for a day: queries of `{}` over several kinds show that they \
            belong together",
            seen.name
        ),
    }]
}
