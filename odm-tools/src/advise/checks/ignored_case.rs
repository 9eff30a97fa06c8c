//! Rule 4: case-insensitive regular expressions, which an ordinary index does not speed up.

use std::collections::BTreeMap;

use super::{
    case::{Part, ignoring_case},
    found::{Found, figures},
    profile::{lacks_index, queries},
};
use crate::{
    advise::{
        rule::Severity, seen::SeenCollection, subject::Subject, thresholds::Thresholds,
        words::count,
    },
    statements,
};

/// Statements that apply a case-insensitive regular expression to the same path.
#[derive(Default)]
struct Asked {
    queries: u64,
    examined: u64,
    part: Part,
}

/// Reports queries that use a case-insensitive regular expression and no index (check I8). Statements that lack an
/// index on a path without such an expression are skipped, because check I7 already reports them.
pub(in crate::advise) fn without_case(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let mut by_path: BTreeMap<String, Asked> = BTreeMap::new();
    let long = queries(seen).filter(|it| it.examined >= t.scanned_documents);
    for statement in long.filter(|it| lacks_index(it, t).is_none()) {
        for (path, part) in ignoring_case(&statement.filter) {
            let asked = by_path.entry(path).or_default();
            asked.queries += 1;
            asked.examined = asked.examined.max(statement.examined);
            asked.part = asked.part.max(part);
        }
    }
    let found = by_path.into_iter();
    found
        .map(|(path, asked)| ignores_case(seen, &path, &asked))
        .collect()
}

fn ignores_case(seen: &SeenCollection, path: &str, asked: &Asked) -> Found {
    let subject = seen.at(path);
    let (queries, examined) = (count(asked.queries), count(asked.examined));
    Found {
        severity: Severity::Note,
        figures: figures([("queries", asked.queries), ("examined", asked.examined)]),
        example: None,
        evidence: format!(
            "{queries} queries of `{}` had a regular expression on `{path}` that ignores case, {}, and examined up \
            to {examined} documents",
            seen.name,
            asked.part.in_words()
        ),
        cost_now: format!(
            "a plain index on `{path}` does not help: the server compares {examined} values"
        ),
        change: asked.part.remedy(&subject),
        cost_after:
            "the server reads only the documents that it returns, and writes one more index"
                .to_owned(),
        check: asked.part.check(seen, path),
        subject,
    }
}

impl Part {
    const fn in_words(self) -> &'static str {
        match self {
            Self::Whole => "each for a whole value",
            Self::Beginning => "some for the beginning of values",
            Self::Any => "some for any part of values",
        }
    }

    fn remedy(self, subject: &Subject) -> String {
        let title = subject.title();
        match self {
            Self::Whole => format!(
                "`#[index(locale = \"en\", strength = 2)]` at `{title}`, and instead of the regular expression the \
                plain value with `.collation(..)` of the same locale and strength"
            ),
            Self::Beginning => format!(
                "a second field with `{title}` in lower case and `#[index]`, and the regular expression on that \
                field: in lower case, with `^` and without `i`"
            ),
            Self::Any => format!(
                "`#[index(text)]` at `{title}` and `$text` for whole words; the server has no index for parts of words"
            ),
        }
    }

    fn check(self, seen: &SeenCollection, path: &str) -> String {
        let db = statements::collection(&seen.name);
        match self {
            Self::Whole => format!(
                "`{db}.find({{ \"{path}\": .. }}).collation({{ locale: \"en\", strength: 2 }}).explain()` has `IXSCAN`"
            ),
            Self::Beginning => format!(
                "`explain(\"executionStats\")` of the new `{db}.find(..)` has `totalKeysExamined` near `nReturned`"
            ),
            Self::Any => {
                format!("`{db}.find({{ $text: {{ $search: .. }} }}).explain()` has `TEXT_MATCH`")
            }
        }
    }
}
