//! Rule 4: regular expressions that ignore case, which no plain index helps with.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document};

use super::{
    found::{Found, figures},
    profile::{lacks_index, statements},
};
use crate::{
    advise::{
        rule::Severity, seen::SeenCollection, subject::Subject, thresholds::Thresholds,
        words::count,
    },
    path::without_positions,
};

/// What of a value a regular expression is about; each remedy does for those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    #[default]
    Whole,
    Beginning,
    Any,
}

/// The statements that ignore case at one path.
#[derive(Default)]
struct Asked {
    queries: u64,
    examined: u64,
    part: Part,
}

/// I8: regular expressions that ignore case, which use no index. A statement that lacks an index on another path is a
/// finding about that one.
pub(in crate::advise) fn without_case(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let mut by_path: BTreeMap<String, Asked> = BTreeMap::new();
    let long = statements(seen).filter(|it| it.examined >= t.scanned_documents);
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
            "{queries} queries of `{}` had a regular expression on `{path}` that ignores case, {}, and looked at up to \
             {examined} documents",
            seen.name,
            asked.part.in_words()
        ),
        cost_now: format!(
            "a plain index on `{path}` does not narrow them: the server compares {examined} values"
        ),
        change: asked.part.remedy(&subject),
        cost_after: "as many documents read as are brought; one more index to write".to_owned(),
        check: asked.part.check(seen, path),
        subject,
    }
}

impl Part {
    const fn in_words(self) -> &'static str {
        match self {
            Self::Whole => "each about a whole value",
            Self::Beginning => "some about the beginning of values",
            Self::Any => "some about any part of values",
        }
    }

    fn remedy(self, subject: &Subject) -> String {
        let title = subject.title();
        match self {
            Self::Whole => format!(
                "`#[index(locale = \"en\", strength = 2)]` at `{title}`, and in the place of the regular expression the \
                 plain value with `.collation(..)` of the same locale and strength"
            ),
            Self::Beginning => format!(
                "a field beside `{title}` that has it in lower case, with `#[index]`, and the regular expression on that \
                 field: in lower case, with `^` and without `i`"
            ),
            Self::Any => format!(
                "`#[index(text)]` at `{title}` and `$text`, if whole words are looked for; no index of the server finds \
                 parts of words"
            ),
        }
    }

    fn check(self, seen: &SeenCollection, path: &str) -> String {
        let name = &seen.name;
        match self {
            Self::Whole => format!(
                "`db.{name}.find({{ \"{path}\": .. }}).collation({{ locale: \"en\", strength: 2 }}).explain()` has `IXSCAN`"
            ),
            Self::Beginning => format!(
                "`explain(\"executionStats\")` of the new `db.{name}.find(..)` has `totalKeysExamined` near `nReturned`"
            ),
            Self::Any => format!(
                "`db.{name}.find({{ $text: {{ $search: .. }} }}).explain()` has `TEXT_MATCH`"
            ),
        }
    }
}

/// Lists the paths on which a filter has regular expressions that ignore case.
pub(super) fn ignoring_case(filter: &Document) -> Vec<(String, Part)> {
    let mut found = Vec::new();
    for (name, condition) in filter {
        match (name.as_str(), condition) {
            ("$and" | "$or" | "$nor", Bson::Array(clauses)) => {
                let clauses = clauses.iter().filter_map(Bson::as_document);
                found.extend(clauses.flat_map(ignoring_case));
            }
            (path, condition) if !path.starts_with('$') => {
                let part = pattern_without_case(condition).map(part_of);
                found.extend(part.map(|part| (without_positions(path), part)));
            }
            _ => {}
        }
    }
    found
}

/// Returns the pattern of a condition that ignores case.
fn pattern_without_case(condition: &Bson) -> Option<&str> {
    let ignores = |options: &str| options.contains('i');
    match condition {
        Bson::RegularExpression(regex) => {
            ignores(regex.options.as_str()).then(|| regex.pattern.as_str())
        }
        Bson::Document(operators) => match operators.get("$regex")? {
            Bson::String(pattern) => {
                let options = operators.get_str("$options");
                options.is_ok_and(ignores).then_some(pattern.as_str())
            }
            Bson::RegularExpression(regex) => {
                let own = ignores(regex.options.as_str());
                let is_so = own || operators.get_str("$options").is_ok_and(ignores);
                is_so.then(|| regex.pattern.as_str())
            }
            _ => None,
        },
        _ => None,
    }
}

fn part_of(pattern: &str) -> Part {
    let Some(rest) = pattern.strip_prefix('^') else {
        return Part::Any;
    };
    let whole = rest.strip_suffix('$').filter(|it| is_plain(it));
    whole.map_or(Part::Beginning, |_| Part::Whole)
}

/// Whether a pattern stands for one text alone.
fn is_plain(pattern: &str) -> bool {
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        let is_fine = match letter {
            '\\' => letters.next().is_some_and(|it| !it.is_ascii_alphanumeric()),
            other => !".^$|?*+()[]{}".contains(other),
        };
        if !is_fine {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn a_pattern_says_what_of_a_value_it_is_about() {
        for (pattern, part) in [
            ("^bern$", Part::Whole),
            (r"^st\. gallen$", Part::Whole),
            ("^bern|basel$", Part::Beginning),
            ("^bern", Part::Beginning),
            (r"^\w$", Part::Beginning),
            ("bern", Part::Any),
        ] {
            assert_eq!(part_of(pattern), part, "{pattern}");
        }
    }

    #[test]
    fn what_ignores_case_is_found_in_clauses() {
        let filter = doc! {
            "a": { "$regex": "^x$", "$options": "i" },
            "b": { "$regex": "^x$" },
            "$or": [{ "lines.0.c": { "$regex": "x", "$options": "si" } }, { "d": 1 }],
        };
        let found = ignoring_case(&filter);
        let expected = [("a", Part::Whole), ("lines.c", Part::Any)];
        let expected = expected.map(|(path, part)| (path.to_owned(), part));
        assert_eq!(found, expected);
    }
}
