//! Rules 1 and 6: documents that should share a collection.

use std::collections::{BTreeMap, BTreeSet};

use super::found::{Found, figures};
use crate::advise::{
    rule::Severity,
    seen::SeenDatabase,
    subject::Subject,
    thresholds::Thresholds,
    words::{count, list},
};

/// Reports a database that has many collections (check K1).
pub(in crate::advise) fn many(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let number = seen.collections.len() as u64;
    // Check K2 reports numbered collections. If there are many collections only because of numbered collections, check
    // K1 does not report the same problem again.
    let numbered: usize = series(seen, t).iter().map(|it| it.names.len()).sum();
    if number <= t.many_collections || number.saturating_sub(numbered as u64) <= t.many_collections
    {
        return Vec::new();
    }
    let empty: Vec<_> = seen.empty.iter().take(3).collect();
    let examples = if empty.is_empty() {
        format!("the first are {}", list(seen.collections.iter().take(3)))
    } else {
        format!(
            "{} are empty, {} among them",
            count(seen.empty.len() as u64),
            list(empty)
        )
    };
    vec![Found {
        subject: Subject::collection(&seen.name, &[]),
        severity: Severity::Note,
        figures: figures([
            ("collections", number),
            ("limit", t.many_collections),
            ("empty", seen.empty.len() as u64),
        ]),
        example: None,
        evidence: format!(
            "the database `{}` has {} collections; {examples}",
            seen.name,
            count(number)
        ),
        cost_now: format!(
            "one file for each of {} collections and for each of their indexes, which the server keeps open and \
            checkpoints",
            count(number)
        ),
        change: format!(
            "embed documents that are always read with their owner (`#[embed]`), and store similar documents in one \
            collection of `{}` with `kind(..)`",
            seen.name
        ),
        cost_after: format!("{} collections or less", count(t.many_collections)),
        check: format!(
            "`db.getSiblingDB(\"{}\").getCollectionNames().length`",
            seen.name
        ),
    }]
}

/// Collections whose names differ only by a number, and whose documents have most fields in common.
struct Series<'s> {
    /// The name that the collections have in common, such as `events_#`.
    pattern: String,
    names: Vec<&'s str>,
}

/// Reports groups of similar collections, with one collection for each day, month or tenant (check K2).
pub(in crate::advise) fn numbered(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let found = series(seen, t).into_iter().map(|series| {
        let number = series.names.len() as u64;
        let (pattern, first) = (&series.pattern, series.names.first().copied().unwrap_or_default());
        let last = series.names.last().copied().unwrap_or_default();
        let base = pattern.trim_end_matches(['#', '_', '-', '.']);
        Found {
            subject: Subject::collection(first, &[]),
            severity: Severity::Warning,
            figures: figures([("collections", number)]),
            example: None,
            evidence: format!(
                "{} collections are called `{pattern}`, from `{first}` to `{last}`",
                count(number)
            ),
            cost_now: format!(
                "a query over several of them is {} finds, each has its own indexes, and a reference cannot have \
                all of them as its target",
                count(number)
            ),
            change: format!(
                "one collection `{base}` instead of `{first}` to `{last}`, with the number of `{pattern}` in a \
                field and first in an index: `#[model(collection = \"{base}\", index(keys(period = 1, ..)))]`; \
                 if old collections are dropped, `#[index(expire_after_secs = ..)]` at the date"
            ),
            cost_after: format!("one collection with its indexes instead of {}", count(number)),
            check: format!("`db.getCollectionNames()` has no `{first}`"),
        }
    });
    found.collect()
}

fn series<'s>(seen: &'s SeenDatabase, t: &Thresholds) -> Vec<Series<'s>> {
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in &seen.collections {
        let pattern = without_numbers(name);
        if pattern.contains('#') && !seen.models.iter().any(|model| model.collection == name) {
            all.entry(pattern).or_default().push(name);
        }
    }
    let all = all.into_iter();
    let all = all.map(|(pattern, names)| (pattern, alike(seen, &names)));
    all.filter(|(_, names)| names.len() as u64 >= t.numbered_collections)
        .map(|(pattern, mut names)| {
            // Names are sorted by length first, so that `events9` precedes `events10`.
            names.sort_by_key(|name| (name.len(), *name));
            Series { pattern, names }
        })
        .collect()
}

/// Returns the collections that share most of their fields with most of the other collections. Collections with unknown
/// fields are also returned.
fn alike<'s>(seen: &SeenDatabase, names: &[&'s str]) -> Vec<&'s str> {
    let fields: Vec<_> = names.iter().map(|name| seen.fields_of(name)).collect();
    let known: Vec<_> = fields.iter().filter(|it| !it.is_empty()).collect();
    let is_usual = |field: &&String| {
        let others = known.iter().filter(|it| it.contains(*field)).count();
        others * 2 > known.len()
    };
    let is_alike = |own: &BTreeSet<String>| own.iter().filter(is_usual).count() * 2 > own.len();
    let of = names.iter().zip(&fields);
    let alike = of.filter(|(_, own)| own.is_empty() || is_alike(own));
    alike.map(|(name, _)| *name).collect()
}

/// Replaces each number, including the separators between its parts, with `#`: `events_2024_05_01` becomes `events_#`.
fn without_numbers(name: &str) -> String {
    let mut pattern = String::new();
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_ascii_digit() {
            pattern.push(letter);
            continue;
        }
        let mut rest = letters.clone();
        while rest
            .peek()
            .is_some_and(|it| it.is_ascii_digit() || "_-.".contains(*it))
        {
            let is_digit = rest.next().is_some_and(|it| it.is_ascii_digit());
            if is_digit {
                letters = rest.clone();
            }
        }
        pattern.push('#');
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_a_number_are_one_pattern() {
        assert_eq!(without_numbers("events_2024_05_01"), "events_#");
        assert_eq!(without_numbers("t12.orders"), "t#.orders");
        assert_eq!(without_numbers("log-2024-05-"), "log-#-");
        assert_eq!(without_numbers("people"), "people");
    }
}
