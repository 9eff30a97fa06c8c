//! Rule 4: joins are cheap with an index. These checks report missing indexes and wrong collations.

use mongo_odm::{IndexOrigin, IndexSpec};
use mongodb::bson::Document;

use super::{
    declared::declaration,
    found::{Found, figures},
    index_words::{keys, locale, locale_of},
};
use crate::{
    advise::{
        rule::Severity,
        seen::{KeysStand, SeenCollection, SeenReference},
        subject::Subject,
        thresholds::Thresholds,
        words::count,
    },
    statements,
};

/// Smallest number of documents in a collection for which a missing index is reported as a warning.
const MANY: u64 = 10_000;

/// Reports declared or implied indexes that are missing (check I1).
pub(in crate::advise) fn missing(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.is_small(t.few_documents) {
        return Vec::new();
    }
    let missing = seen.diff.iter().flat_map(|diff| &diff.missing);
    let declared = missing
        .filter(|wanted| !other_collation(seen, wanted).is_some_and(|it| serves(seen, wanted, it)))
        .map(|wanted| lacks(seen, wanted));
    declared.chain(of_samples(seen)).collect()
}

fn lacks(seen: &SeenCollection, wanted: &IndexSpec) -> Found {
    let (documents, key) = (count(seen.documents), keys(&wanted.keys));
    let (origin, by) = match &wanted.origin {
        IndexOrigin::Implied(by) => (format!("the reference `{by}` needs"), by.as_str()),
        IndexOrigin::Declared(by) => (format!("`{by}` declares"), by.as_str()),
        _ => ("a model needs".to_owned(), ""),
    };
    let is_unique = wanted.options.contains_key("unique");
    let grave = is_unique || seen.documents >= MANY;
    let now = if is_unique {
        format!("two documents of `{}` can have the same `{key}`", seen.name)
    } else {
        format!(
            "a join, a load or a delete over `{by}` reads all {documents} documents of `{}`",
            seen.name
        )
    };
    Found {
        subject: first_field(seen, &wanted.keys),
        severity: if grave {
            Severity::Warning
        } else {
            Severity::Note
        },
        figures: figures([("documents", seen.documents)]),
        example: None,
        evidence: format!(
            "{origin} an index on `{key}`, but `{}` with {documents} documents does not have it",
            seen.name
        ),
        cost_now: now,
        change: format!("`odm.sync_indexes().await?`, which sends `{wanted}`"),
        cost_after: format!(
            "a query by `{key}` reads only the documents that it returns; each insert into `{}` writes one more entry",
            seen.name
        ),
        check: format!(
            "`odm.index_diff().await?` does not list `{}`",
            wanted.full_name()
        ),
    }
}

/// Returns findings about missing indexes for references that were found only in samples. A join needs an index on the
/// target's key, and a read in the other direction needs an index on the reference.
fn of_samples(seen: &SeenCollection) -> impl Iterator<Item = Found> {
    let inferred = seen.references.iter();
    let inferred = inferred.filter(|it| it.is_inferred && it.is_sure());
    inferred.flat_map(|reference| {
        let leads = |index: &IndexSpec| index.keys.keys().next() == Some(&reference.path);
        let is_indexed = seen.indexes.indexes.iter().any(leads);
        let own = (!is_indexed).then(|| unindexed_reference(seen, reference));
        let other = reference
            .lacks_target_index
            .then(|| unindexed_target(seen, reference));
        own.into_iter().chain(other)
    })
}

fn unindexed_reference(seen: &SeenCollection, reference: &SeenReference) -> Found {
    let (path, target, documents) = (&reference.path, &reference.target, count(seen.documents));
    let (name, found) = (&seen.name, reference.keys - reference.dangling);
    let db = statements::collection(name);
    // `#[refs(many)]` implies no index, so the proposal adds `#[index]`.
    let with = match reference.stand {
        KeysStand::AsElements => ", with `#[index]`,",
        _ => "",
    };
    let entries = match reference.stand {
        KeysStand::Alone => "one more entry",
        _ => "an entry for each key in the array",
    };
    Found {
        subject: seen.at(path),
        severity: if seen.documents >= MANY {
            Severity::Warning
        } else {
            Severity::Note
        },
        figures: figures([
            ("documents", seen.documents),
            ("keys", reference.keys),
            ("found", found),
        ]),
        example: None,
        evidence: format!(
            "{} of {} values of `{path}` are `{}` of `{target}`, and no index of `{name}` begins with `{path}`",
            count(found),
            count(reference.keys),
            reference.target_path
        ),
        cost_now: format!(
            "a query for the documents of one of `{target}` reads all {documents} documents of `{name}`"
        ),
        change: format!(
            "{}{with} and `odm.sync_indexes().await?`, or `{db}.createIndex({{ \"{path}\": 1 }})`",
            declaration(seen, reference, &[])
        ),
        cost_after: format!(
            "a query by `{path}` reads only the documents that it returns; each insert into `{name}` writes {entries}"
        ),
        check: format!(
            "`{db}.find({{ \"{path}\": .. }}).explain().queryPlanner.winningPlan` has `IXSCAN`"
        ),
    }
}

fn unindexed_target(seen: &SeenCollection, reference: &SeenReference) -> Found {
    let (target, key) = (&reference.target, &reference.target_path);
    let (path, name) = (&reference.path, &seen.name);
    let (db, found) = (
        statements::collection(target),
        reference.keys - reference.dangling,
    );
    Found {
        subject: Subject::collection(target, &[]).at(key.clone()),
        severity: Severity::Warning,
        figures: figures([("keys", reference.keys), ("found", found)]),
        example: None,
        evidence: format!(
            "{} of {} values of `{path}` of `{name}` are `{key}` of `{target}`, and no index of `{target}` begins with \
             `{key}`",
            count(found),
            count(reference.keys)
        ),
        cost_now: format!("each join from `{name}.{path}` reads all documents of `{target}`"),
        change: format!(
            "{} and `odm.sync_indexes().await?`, or `{db}.createIndex({{ \"{key}\": 1 }})`",
            declaration(seen, reference, &[])
        ),
        cost_after: format!(
            "a join reads only the documents of `{target}` that it returns; each insert into it writes one more entry"
        ),
        check: format!(
            "`{db}.find({{ \"{key}\": .. }}).explain().queryPlanner.winningPlan` has `IXSCAN`"
        ),
    }
}

/// Reports indexes that have a different collation from the statements that need them (check I6).
pub(in crate::advise) fn collation(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.is_small(t.few_documents) {
        return Vec::new();
    }
    let missing = seen.diff.iter().flat_map(|diff| &diff.missing);
    let missing = missing.filter_map(|wanted| Some((wanted, other_collation(seen, wanted)?)));
    let conflicts = seen.diff.iter().flat_map(|diff| &diff.conflicts);
    let conflicts = conflicts.filter(|it| it.differs.contains(&"collation"));
    let missing = missing.map(|(wanted, existing)| (wanted, existing, ""));
    let replaced = ".replace_conflicting()";
    let conflicts = conflicts.map(|it| (&it.wanted, &it.existing, replaced));
    let both = missing.chain(conflicts);
    // Indexes that do not begin with strings are skipped, because a collation affects only strings.
    let of_texts = both.filter(|(wanted, ..)| begins_with_text(seen, wanted));
    let found = of_texts.map(|(wanted, existing, option)| {
        let (name, key) = (&existing.name, keys(&wanted.keys));
        let (theirs, ours) = (locale(existing), locale_of(seen, wanted));
        Found {
            subject: first_field(seen, &wanted.keys),
            severity: Severity::Warning,
            figures: figures([("documents", seen.documents)]),
            example: None,
            evidence: format!(
                "the index `{name}` on `{key}` compares by {theirs}, and statements over `{}` by {ours}",
                origin_of(wanted)
            ),
            cost_now: format!(
                "the server does not use `{name}` for strings in `{key}` and reads all {} documents of `{}`",
                count(seen.documents),
                seen.name
            ),
            change: format!("`odm.sync_indexes(){option}.await?`, which sends `{wanted}`"),
            cost_after: format!("a query by `{key}` reads only the documents that it returns"),
            check: format!("`odm.index_diff().await?` does not list `{}`", wanted.full_name()),
        }
    });
    found.collect()
}

/// Returns an index that begins with the same keys but has a different collation.
fn other_collation<'s>(seen: &'s SeenCollection, wanted: &IndexSpec) -> Option<&'s IndexSpec> {
    let same = |index: &&IndexSpec| {
        let begins = index.keys.keys().take(wanted.keys.len());
        begins.eq(wanted.keys.keys()) && locale(index) != locale_of(seen, wanted)
    };
    seen.indexes.indexes.iter().find(same)
}

/// Whether check I1 ignores a missing index because an index with a different collation exists. Either that index is
/// sufficient, or check I6 reports it.
fn serves(seen: &SeenCollection, wanted: &IndexSpec, existing: &IndexSpec) -> bool {
    let lacks = ["sparse", "partialFilterExpression"];
    let has_all = lacks.iter().all(|it| !existing.options.contains_key(*it));
    begins_with_text(seen, wanted) || wanted.is_implied() && has_all
}

fn begins_with_text(seen: &SeenCollection, wanted: &IndexSpec) -> bool {
    let first = wanted.keys.keys().next();
    first.is_some_and(|path| seen.has_text(path))
}

fn origin_of(wanted: &IndexSpec) -> &str {
    match &wanted.origin {
        IndexOrigin::Declared(by) | IndexOrigin::Implied(by) => by,
        _ => &wanted.name,
    }
}

fn first_field(seen: &SeenCollection, keys: &Document) -> Subject {
    match keys.keys().next() {
        Some(path) => seen.at(path),
        None => seen.subject(),
    }
}
