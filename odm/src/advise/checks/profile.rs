//! What the profile of the server tells: queries without an index, and whether kinds are read together.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document};

use super::found::{Found, figures};
use crate::{
    advise::{
        rule::Severity,
        seen::{Profiled, SeenCollection},
        thresholds::Thresholds,
        words::{count, list},
    },
    path::each_filtered_path,
};

fn statements(seen: &SeenCollection) -> impl Iterator<Item = &Profiled> {
    let all = seen.database.profile.iter();
    all.filter(|it| it.collection == seen.name)
}

/// Lists the paths that a filter names, each once.
fn paths(filter: &Document) -> Vec<String> {
    let mut paths = Vec::new();
    each_filtered_path(filter, &mut |path| paths.push(path.to_owned()));
    paths.sort();
    paths.dedup();
    paths
}

/// I7: queries with a filter read the whole collection.
pub(in crate::advise) fn scanned(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let mut scans: BTreeMap<Vec<String>, Vec<&Profiled>> = BTreeMap::new();
    for statement in statements(seen).filter(|it| it.is_scan) {
        // Who asks for a tenth of a collection or more is served best by reading it.
        let few = statement.returned * 10 < statement.examined;
        let paths = paths(&statement.filter);
        if !paths.is_empty() && few && statement.examined >= t.scanned_documents {
            scans.entry(paths).or_default().push(statement);
        }
    }
    let found = scans.into_iter().map(|(paths, all)| {
        let times = all.len() as u64;
        let examined = all.iter().map(|it| it.examined).max().unwrap_or_default();
        let returned = all.iter().map(|it| it.returned).max().unwrap_or_default();
        let millis: u64 = all.iter().map(|it| it.millis).sum();
        let keys = paths.iter().map(|path| format!("{path} = 1")).collect::<Vec<_>>().join(", ");
        let first = paths.first().map(String::as_str).unwrap_or_default();
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
                "{} queries of `{}` by {} have read up to {} documents to bring up to {} (`COLLSCAN` in the profile)",
                count(times),
                seen.name,
                list(&paths),
                count(examined),
                count(returned)
            ),
            cost_now: format!("{} documents of `{}` for each of them, {} ms in all", count(examined), seen.name, count(millis)),
            change: match (paths.as_slice(), seen.models.first()) {
                ([path], Some(model)) => format!("`#[index]` at `{}.{path}` and `odm.sync_indexes().await?`", model.name),
                (_, Some(model)) => format!("`index(keys({keys}))` in `#[model(..)]` of `{}` and `odm.sync_indexes().await?`", model.name),
                (_, None) => format!("`index(keys({keys}))` at the model of `{}`, or an index on {}", seen.name, list(&paths)),
            },
            cost_after: format!("as many documents read as are brought, {} at most; one more index to write", count(returned)),
            check: format!("`db.system.profile.find({{ ns: /[.]{}$/, planSummary: \"COLLSCAN\" }})` brings no new one", seen.name),
        }
    });
    found.collect()
}

/// I8: regular expressions that ignore case, which use no index.
pub(in crate::advise) fn without_case(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let mut by_path: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for statement in statements(seen).filter(|it| it.examined >= t.scanned_documents) {
        for (path, condition) in &statement.filter {
            if ignores_case(condition) {
                let (times, examined) = by_path.entry(path).or_default();
                *times += 1;
                *examined = (*examined).max(statement.examined);
            }
        }
    }
    let found = by_path.into_iter().map(|(path, (times, examined))| {
        let subject = seen.at(path);
        let title = subject.title();
        Found {
            severity: Severity::Note,
            figures: figures([("queries", times), ("examined", examined)]),
            example: None,
            evidence: format!(
                "{} queries of `{}` had a regular expression on `{path}` that ignores case, and looked at up to {} documents",
                count(times),
                seen.name,
                count(examined)
            ),
            cost_now: format!("no index on `{path}` narrows them: the server compares {} values", count(examined)),
            change: format!(
                "`#[index(locale = \"en\", strength = 2)]` at `{title}`, and `.collation(..)` with the same locale and \
                 strength at a find that asks for the whole value"
            ),
            cost_after: "as many documents read as are brought, where whole values are compared".to_owned(),
            check: format!("`db.{}.find({{ \"{path}\": .. }}).collation({{ locale: \"en\", strength: 2 }}).explain()` has `IXSCAN`", seen.name),
            subject,
        }
    });
    found.collect()
}

fn ignores_case(condition: &Bson) -> bool {
    let has = |options: &str| options.contains('i');
    match condition {
        Bson::RegularExpression(regex) => has(regex.options.as_str()),
        Bson::Document(operators) => {
            operators.get_str("$options").is_ok_and(has)
                || operators.get("$regex").is_some_and(ignores_case)
        }
        _ => false,
    }
}

/// K3: every query of a collection with several kinds asks for one of them.
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
    for statement in statements(seen) {
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
            "all {} queries of `{}` in the profile asked for one `{}` alone; {} share the collection",
            count(all),
            seen.name,
            first.field,
            list(&models)
        ),
        cost_now: format!(
            "each index of `{}` is partial or holds `{}` first, and each query compares `{}`",
            seen.name, first.field, first.field
        ),
        change: format!(
            "a `collection` of its own for each of {}, without `kind({} = ..)`",
            list(&models),
            first.field
        ),
        cost_after: format!(
            "{} collections with plain indexes; `odm.move_documents` brings them there",
            models.len()
        ),
        check: format!(
            "`odm.advise()` with the profiler on for a day: a query of `{}` over several kinds says that they belong together",
            seen.name
        ),
    }]
}
