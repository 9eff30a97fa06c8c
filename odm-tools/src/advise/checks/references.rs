//! Rule 4 for references: dangling keys, and targets that do not refer back.

use mongo_odm::{__tools::mongosh_value, shape::ReferenceKind};
use mongodb::bson::{Bson, doc};

use super::{
    declared::declaration,
    found::{Found, aggregation, figures},
};
use crate::{
    advise::{
        rule::Severity,
        seen::{KeysStand, SeenCollection, SeenReference},
        subject::Subject,
        thresholds::Thresholds,
        words::{count, percent, share},
    },
    statements,
};

/// Reports dangling references (check R5).
pub(in crate::advise) fn dangling(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.is_small(t.few_documents) {
        return Vec::new();
    }
    let references = seen.references.iter();
    let dangling = references
        .filter(|it| it.dangling > 0 && percent(it.dangling, it.keys) > t.dangling * 100.0)
        // If many values are dangling and no model declares the path as a reference, the values are probably not keys.
        .filter(|it| it.is_sure());
    let found = dangling.map(|it| {
        let found = leads_nowhere(seen, it);
        match &it.placeholder {
            Some((value, times)) => stands_for_none(seen, it, found, (value, *times)),
            None => found,
        }
    });
    found.collect()
}

/// Changes a finding of check R5 if all dangling keys have the same placeholder value. The remedy is then the type
/// `Option`, because `exists` would reject the placeholder.
fn stands_for_none(
    seen: &SeenCollection,
    it: &SeenReference,
    found: Found,
    (value, times): (&Bson, u64),
) -> Found {
    let (title, shown, times) = (found.subject.title(), mongosh_value(value), count(times));
    let find = statements::shown(&seen.name, "find", doc! { &it.path: value.clone() });
    Found {
        evidence: format!(
            "`{}` is `{shown}` {times} times, which is not a `{}` of `{}`; all other keys have a target ({})",
            it.path,
            it.target_path,
            it.target,
            seen.sample()
        ),
        cost_now: format!(
            "a load or join of `{title}` looks up {shown} like a key, and its callers get `Slot::Missing` or an error"
        ),
        change: format!(
            "`Option` as the type of `{title}`, and `null` or no field instead of {shown}; add `exists` only after \
            that, because it rejects {shown}"
        ),
        cost_after: format!("documents without a key in `{title}` are not looked up"),
        check: format!("`{find}` finds no document"),
        ..found
    }
}

fn leads_nowhere(seen: &SeenCollection, it: &SeenReference) -> Found {
    let subject = seen.at(&it.path);
    let (title, name) = (subject.title(), &seen.name);
    let shown = it
        .example
        .as_ref()
        .map(|(_, key)| format!("; `{}` is one", mongosh_value(key)));
    let estimate = estimate(seen, it);
    let lookup = doc! { "from": &it.target, "localField": &it.path, "foreignField": &it.target_path, "as": "found" };
    Found {
        severity: Severity::Warning,
        figures: figures([
            ("keys", it.keys),
            ("dangling", it.dangling),
            ("estimated", estimate),
        ]),
        example: it.example.as_ref().and_then(|(id, _)| id.clone()),
        evidence: format!(
            "{} of {} keys in `{}` ({}) are not a `{}` of `{}`{} ({})",
            count(it.dangling),
            count(it.keys),
            it.path,
            share(it.dangling, it.keys),
            it.target_path,
            it.target,
            shown.unwrap_or_default(),
            seen.sample()
        ),
        cost_now: format!(
            "loads and joins of `{title}` look up about {} keys without a target in all of `{name}`, and their \
            callers get `Slot::Missing` or an error",
            count(estimate)
        ),
        change: remedy(seen, it, &subject),
        cost_after: format!(
            "one more `find` by `{}` of `{}` in each write of a key; a delete of a document of `{}` searches its \
            keys in `{name}` with an index",
            it.target_path, it.target, it.target
        ),
        check: if subject.model.is_some() {
            format!("`odm.verify()` lists every dangling key of `{title}`")
        } else {
            format!(
                "{} finds no document",
                aggregation(
                    name,
                    vec![
                        doc! { "$sample": { "size": 1_000 } },
                        doc! { "$lookup": lookup },
                        doc! { "$match": { "found": [] } },
                    ]
                )
            )
        },
        subject,
    }
}

/// Returns the remedy text with the attribute that prevents dangling references.
fn remedy(seen: &SeenCollection, it: &SeenReference, subject: &Subject) -> String {
    let reference = subject.shape.and_then(|shape| shape.reference.as_ref());
    let kind = match reference.map(|it| it.kind) {
        _ if it.is_inferred => {
            let rule = match it.stand {
                KeysStand::AsElements => "pull",
                _ => "restrict",
            };
            return declaration(seen, it, &["exists", &format!("on_delete = \"{rule}\"")]);
        }
        Some(ReferenceKind::Many) => "refs(many, exists, on_delete = \"pull\")",
        Some(ReferenceKind::One) => "refs(one, exists, on_delete = \"restrict\")",
        _ => "parent_ref(exists, on_delete = \"restrict\")",
    };
    format!("`#[{kind}]` at `{}`", subject.title())
}

/// Returns the estimated number of dangling keys in the whole collection. For an inferred reference, this is the
/// observed number, because the survey looks up distinct values and not the keys of documents.
fn estimate(seen: &SeenCollection, it: &SeenReference) -> u64 {
    if it.is_inferred {
        return it.dangling;
    }
    let of_whole = u128::from(it.dangling) * u128::from(seen.documents);
    let estimate = of_whole / u128::from(seen.sampled.max(1));
    u64::try_from(estimate).unwrap_or(u64::MAX)
}

/// Reports keys in one array of a two-way reference for which the target document does not refer back (check R6).
pub(in crate::advise) fn one_sided(seen: &SeenCollection, _: &Thresholds) -> Vec<Found> {
    let pairs = seen.pairs.iter().filter(|pair| pair.one_sided > 0);
    let found = pairs.map(|pair| {
        let subject = seen.at(&pair.path);
        let (title, other) = (subject.title(), &pair.inverse);
        Found {
            severity: Severity::Serious,
            figures: figures([("keys", pair.keys), ("one_sided", pair.one_sided)]),
            example: pair.example.clone(),
            evidence: format!(
                "{} of {} keys in `{title}` ({}) refer to documents whose `{other}` does not refer back ({})",
                count(pair.one_sided),
                count(pair.keys),
                share(pair.one_sided, pair.keys),
                seen.sample()
            ),
            cost_now: format!(
                "`{title}` and `{other}` contradict each other, because some program writes one of them without the \
                library"
            ),
            change: format!(
                "`odm.verify().await?.repair(&odm).await?`, and write `{title}` and `{other}` only with the \
                library, which changes both ends in one transaction; `odm.watch_sources()` if other programs also \
                write them"
            ),
            cost_after: format!("one more `update` in each write of `{title}` or `{other}`"),
            check: format!("`odm.verify().relation(\"{title}\").await?` is empty"),
            subject,
        }
    });
    found.collect()
}
